ALTER TABLE calendar DROP CONSTRAINT calendar_kind_check;
ALTER TABLE calendar ADD CONSTRAINT calendar_kind_check CHECK (kind IN ('DEMO', 'CALDAV', 'PROVIDER'));

-- A connection to the salon's own booking system. The token is sealed under the connection's id.
CREATE TABLE provider_connection (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('DEMO')),
    label text NOT NULL CHECK (label <> ''),
    data_key_id uuid NOT NULL,
    sealed_token bytea NOT NULL,
    connected_at timestamptz NOT NULL,
    token_changed_at timestamptz NOT NULL,
    read_at timestamptz,
    -- Calls are counted up to here; it runs ahead of the clock by a burst at most.
    called_up_to timestamptz NOT NULL DEFAULT 'epoch',
    -- Whose turn it is to work on it.
    worker uuid,
    working_until timestamptz,
    PRIMARY KEY (business_id, id),
    CONSTRAINT provider_connection_once UNIQUE (business_id, kind),
    FOREIGN KEY (business_id, data_key_id) REFERENCES data_key (business_id, id)
);

-- Employees and services of a booking system as they were last read, and whose they are here.
CREATE TABLE provider_record (
    business_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('EMPLOYEE', 'SERVICE')),
    external_id text NOT NULL,
    name text NOT NULL,
    mapped_id uuid,
    gone boolean NOT NULL DEFAULT false,
    PRIMARY KEY (business_id, connection_id, kind, external_id),
    CONSTRAINT provider_record_mapped UNIQUE (business_id, connection_id, kind, mapped_id),
    FOREIGN KEY (business_id, connection_id) REFERENCES provider_connection (business_id, id)
);

-- A mapped employee's appointments there, kept in step as a calendar is.
CREATE TABLE provider_calendar (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    external_employee_id text NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT provider_calendar_once UNIQUE (business_id, connection_id, external_employee_id),
    FOREIGN KEY (business_id, id) REFERENCES calendar (business_id, id),
    FOREIGN KEY (business_id, connection_id) REFERENCES provider_connection (business_id, id)
);

CREATE TABLE provider_run (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    dry_run boolean NOT NULL,
    state text NOT NULL CHECK (state IN ('RUNNING', 'DONE', 'FAILED')),
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    steps_done integer NOT NULL DEFAULT 0,
    step_count integer NOT NULL,
    fault text,
    counts jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, connection_id) REFERENCES provider_connection (business_id, id),
    CHECK ((finished_at IS NULL) = (state = 'RUNNING')),
    CHECK ((fault IS NOT NULL) = (state = 'FAILED'))
);
CREATE INDEX provider_run_newest ON provider_run (business_id, connection_id, started_at DESC, id DESC);
CREATE UNIQUE INDEX provider_run_once ON provider_run (business_id, connection_id) WHERE state = 'RUNNING';

-- What a part begins with, as scheduling knows it.
ALTER TABLE booked_part ADD COLUMN service_id uuid;
