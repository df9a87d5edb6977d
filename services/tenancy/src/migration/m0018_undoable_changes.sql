-- What a change found, for as long as the account that made it can take it back.
CREATE TABLE undoable_change (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    -- Whom it is about; null for follow-ups. No foreign key: it would lock the customer behind the record, and an erasure
    -- locks them the other way round.
    customer_id uuid,
    record_id uuid NOT NULL,
    -- Between which versions of the record the change lies; `left_version` follows a record that an undo returned.
    found_version bigint NOT NULL,
    left_version bigint NOT NULL,
    made_at timestamptz NOT NULL,
    made_by text NOT NULL,
    content jsonb NOT NULL,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX undoable_change_age ON undoable_change (made_at);
CREATE INDEX undoable_change_record ON undoable_change (business_id, record_id);
CREATE INDEX undoable_change_of ON undoable_change (business_id, customer_id) WHERE customer_id IS NOT NULL;

ALTER TABLE patch_test ADD COLUMN version bigint NOT NULL DEFAULT 1 CHECK (version > 0);
ALTER TABLE formula ADD COLUMN version bigint NOT NULL DEFAULT 1 CHECK (version > 0);
DROP TRIGGER note_change ON patch_test;
DROP TRIGGER note_change ON formula;
