ALTER TABLE provider_connection DROP CONSTRAINT provider_connection_kind_check;
ALTER TABLE provider_connection ADD COLUMN profile text NOT NULL DEFAULT '';
ALTER TABLE provider_connection ADD CONSTRAINT provider_connection_kind_check
    CHECK (kind IN ('DEMO', 'SQUARE', 'PROFILE') AND (profile <> '') = (kind = 'PROFILE'));

-- Our appointments in a booking system that gives ids of its own. A row without one was sent and not heard of.
CREATE TABLE provider_appointment (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    event_id text NOT NULL,
    appointment_id uuid NOT NULL,
    -- Sent along when it is created, so that creating it twice is creating it once.
    key uuid NOT NULL,
    external_id text,
    PRIMARY KEY (business_id, calendar_id, event_id),
    CONSTRAINT provider_appointment_once UNIQUE (business_id, calendar_id, external_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id)
);

-- What is pushed names a connection alone.
CREATE INDEX provider_connection_pushed ON provider_connection (id);

-- When its employees and services are read again.
ALTER TABLE provider_connection ADD COLUMN records_due_at timestamptz NOT NULL DEFAULT 'epoch';
CREATE INDEX provider_connection_records_due ON provider_connection (records_due_at);
DROP TRIGGER note_change ON provider_connection;

-- How long a calendar is left alone after it was read, unless a hint makes it due.
ALTER TABLE sync_state ADD COLUMN rest_seconds integer NOT NULL DEFAULT 0;
