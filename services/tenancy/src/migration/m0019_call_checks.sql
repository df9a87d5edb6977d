-- Calls of which no webhook told are looked for at each connection's platform. Those that started before `seen_until`
-- have been, those from before `first_at` are not the salon's here. The door that holds the lease looks until
-- `leased_until`.
CREATE TABLE call_check (
    business_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    first_at timestamptz NOT NULL,
    seen_until timestamptz NOT NULL,
    due_at timestamptz,
    checked_at timestamptz,
    taken_count integer NOT NULL DEFAULT 0,
    taken_at timestamptz,
    failures integer NOT NULL DEFAULT 0,
    fault text CHECK (fault IN ('API_KEY', 'AGENT', 'KIND', 'REFUSED', 'BUSY', 'UNREACHABLE')),
    detail text NOT NULL DEFAULT '',
    failed_at timestamptz,
    lease_id uuid,
    leased_until timestamptz,
    PRIMARY KEY (business_id, connection_id),
    CONSTRAINT call_check_connection FOREIGN KEY (business_id, connection_id)
        REFERENCES voice_connection (business_id, id) ON DELETE CASCADE,
    CHECK ((fault IS NULL) = (failed_at IS NULL))
);
CREATE INDEX call_check_due ON call_check (due_at) WHERE due_at IS NOT NULL;
