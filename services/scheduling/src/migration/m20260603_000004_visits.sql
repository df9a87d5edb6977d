-- Chairs, rooms and machines; rules between services; employees who do a service otherwise; and
-- visits of several guests. Row-level security is forced upon the owner, too, but for this.
ALTER TABLE service NO FORCE ROW LEVEL SECURITY;
ALTER TABLE appointment_item NO FORCE ROW LEVEL SECURITY;
ALTER TABLE hold_item NO FORCE ROW LEVEL SECURITY;

CREATE TABLE resource (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    kind text COLLATE "und-x-icu" NOT NULL,
    archived_at timestamptz,
    PRIMARY KEY (business_id, id)
);
CREATE UNIQUE INDEX resource_name ON resource (business_id, lower(name)) WHERE archived_at IS NULL;

ALTER TABLE service
    ADD COLUMN resource_kinds text[] NOT NULL DEFAULT '{}',
    ADD COLUMN version bigint NOT NULL DEFAULT 1,
    ADD COLUMN archived_at timestamptz;
DROP INDEX service_name;
CREATE UNIQUE INDEX service_name ON service (business_id, lower(name)) WHERE archived_at IS NULL;
DROP INDEX service_listed;
CREATE INDEX service_listed ON service (business_id, category, name, id) WHERE archived_at IS NULL;

-- Empty minutes and no price mean: as the service has them.
ALTER TABLE service_employee
    ADD COLUMN segment_minutes smallint[] NOT NULL DEFAULT '{}',
    ADD COLUMN price_minor integer CHECK (price_minor >= 0);

CREATE TABLE dependency (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    first_id uuid NOT NULL,
    then_id uuid NOT NULL,
    rule text NOT NULL CHECK (rule IN ('ORDER', 'SAME_EMPLOYEE', 'DIFFERENT_EMPLOYEE', 'PARALLEL')),
    least_gap_minutes smallint,
    most_gap_minutes smallint,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, first_id) REFERENCES service (business_id, id),
    FOREIGN KEY (business_id, then_id) REFERENCES service (business_id, id),
    CHECK (first_id <> then_id),
    CHECK ((rule = 'ORDER') = (least_gap_minutes IS NOT NULL)),
    CHECK (rule = 'ORDER' OR most_gap_minutes IS NULL),
    CHECK (0 <= least_gap_minutes AND least_gap_minutes <= most_gap_minutes)
);

ALTER TABLE hold_item
    ADD COLUMN guest smallint NOT NULL DEFAULT 0,
    ADD COLUMN resource_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN price_minor integer NOT NULL DEFAULT 0;
ALTER TABLE appointment_item
    ADD COLUMN guest smallint NOT NULL DEFAULT 0,
    ADD COLUMN resource_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN price_minor integer NOT NULL DEFAULT 0;
-- What one service of an older visit cost is not known; the list price is nearest.
UPDATE appointment_item i SET price_minor = s.price_minor
    FROM service s WHERE s.business_id = i.business_id AND s.id = i.service_id;
UPDATE hold_item i SET price_minor = s.price_minor
    FROM service s WHERE s.business_id = i.business_id AND s.id = i.service_id;
ALTER TABLE service FORCE ROW LEVEL SECURITY;
ALTER TABLE appointment_item FORCE ROW LEVEL SECURITY;
ALTER TABLE hold_item FORCE ROW LEVEL SECURITY;
