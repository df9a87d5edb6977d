-- Calls to customers whose visits were stranded then.
CREATE TABLE stranded_contact (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('TOLD', 'NO_ANSWER')),
    note text NOT NULL,
    -- The rows that the visit had in the ledger. It counts no longer once the visit has others.
    ledger_ids uuid[] NOT NULL,
    recorded_at timestamptz NOT NULL,
    recorded_by text NOT NULL,
    -- When a change of the schedule found the visit not stranded.
    ended_at timestamptz,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, appointment_id) REFERENCES appointment (business_id, id)
);
CREATE INDEX stranded_contact_counting ON stranded_contact (business_id, appointment_id) WHERE ended_at IS NULL;
