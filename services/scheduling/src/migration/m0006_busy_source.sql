-- As of when the busy times of each outside calendar and booking system are known.
CREATE TABLE busy_source (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    employee_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('DEMO', 'CALDAV', 'PROVIDER', 'GOOGLE')),
    name text NOT NULL,
    read_every_seconds integer NOT NULL,
    read_at timestamptz,
    failing_since timestamptz,
    reason text,
    -- The row of what was disconnected stays, so that a late report doesn't bring it back.
    is_gone boolean NOT NULL,
    reported_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CHECK ((failing_since IS NULL) = (reason IS NULL))
);
