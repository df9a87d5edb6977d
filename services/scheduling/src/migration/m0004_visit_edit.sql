-- What was changed of visits besides their places: a row per difference.
CREATE TABLE visit_edit (
    business_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    -- The version that the change made of the visit.
    version bigint NOT NULL,
    position smallint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('ADDED', 'REMOVED', 'LENGTH', 'WISH', 'NOTES')),
    -- Of all kinds but NOTES.
    service_id uuid,
    guest smallint NOT NULL,
    minutes smallint NOT NULL,
    wished_id uuid,
    only_wished boolean NOT NULL,
    edited_at timestamptz NOT NULL,
    edited_by text NOT NULL,
    PRIMARY KEY (business_id, visit_id, version, position),
    FOREIGN KEY (business_id, visit_id) REFERENCES appointment (business_id, id),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);
-- What a customer must have been tested for before the service, as their patch tests call it.
ALTER TABLE service ADD COLUMN patch_test text NOT NULL DEFAULT '';
