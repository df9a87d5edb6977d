-- Time of an employee that is kept free of bookings.
CREATE TABLE block (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    employee_id uuid NOT NULL,
    title text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    blocked_by text NOT NULL,
    blocked_at timestamptz NOT NULL,
    unblocked_by text,
    unblocked_at timestamptz,
    PRIMARY KEY (business_id, id),
    CHECK (starts_at < ends_at),
    CHECK ((unblocked_at IS NULL) = (unblocked_by IS NULL))
);
CREATE INDEX block_start ON block (business_id, starts_at, id) WHERE unblocked_at IS NULL;

-- Blocks carry the nil visit, as busy facts do: they may lie over each other, and never over a
-- booking or a hold.
ALTER TABLE ledger
    ADD COLUMN block_id uuid,
    ADD FOREIGN KEY (business_id, block_id) REFERENCES block (business_id, id),
    DROP CONSTRAINT ledger_kind_check,
    ADD CONSTRAINT ledger_kind_check CHECK (kind IN ('BOOKING', 'HOLD', 'BUSY', 'BLOCK')),
    ADD CONSTRAINT ledger_block CHECK ((kind = 'BLOCK') = (block_id IS NOT NULL)),
    DROP CONSTRAINT ledger_busy,
    ADD CONSTRAINT ledger_busy
        CHECK ((kind IN ('BUSY', 'BLOCK')) = (visit_id = '00000000-0000-0000-0000-000000000000'));
CREATE INDEX ledger_open_block ON ledger (business_id, block_id) WHERE is_open AND kind = 'BLOCK';
