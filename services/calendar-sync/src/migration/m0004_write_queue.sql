-- A write that its side refused waits for a person.
ALTER TABLE calendar_write ADD COLUMN parked_at timestamptz;
ALTER TABLE calendar_write ADD COLUMN written_at timestamptz;
ALTER TABLE calendar_write ADD CONSTRAINT calendar_write_parked CHECK (parked_at IS NULL OR last_error IS NOT NULL);
DROP INDEX calendar_write_due;
CREATE INDEX calendar_write_due ON calendar_write (business_id, calendar_id, due_at)
    WHERE written < wanted AND parked_at IS NULL;

-- One worker writes to a calendar at a time, and none while the calendar rests after failures.
ALTER TABLE sync_state ADD COLUMN writer uuid;
ALTER TABLE sync_state ADD COLUMN writing_until timestamptz;
ALTER TABLE sync_state ADD CONSTRAINT sync_state_writer CHECK ((writer IS NULL) = (writing_until IS NULL));

-- What happened to the events of an appointment.
CREATE TABLE sync_history (
    business_id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    step text NOT NULL CHECK (step IN ('PLANNED', 'WRITTEN', 'FAILED', 'PARKED', 'RETRIED', 'REMOVED', 'REPAIRED')),
    fault text,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id)
);
CREATE INDEX sync_history_of_appointment ON sync_history (business_id, appointment_id, at, id);
CREATE INDEX sync_history_by_time ON sync_history (at);
