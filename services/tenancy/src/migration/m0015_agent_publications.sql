-- The voice that a platform's agent speaks with; empty leaves the one that was chosen there.
ALTER TABLE voice_connection ADD COLUMN voice text NOT NULL DEFAULT '';

-- What a voice platform has of the published agent. `wish` grows with each request to publish, so that one that comes
-- while another is carried out is not lost. The worker that holds the lease works on it until `leased_until`.
CREATE TABLE agent_publication (
    business_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    wish bigint NOT NULL,
    wanted_version integer NOT NULL,
    publish_due_at timestamptz,
    failures integer NOT NULL DEFAULT 0,
    live_version integer,
    live_at timestamptz,
    pushed jsonb,
    check_due_at timestamptz,
    check_wanted boolean NOT NULL DEFAULT false,
    checked_at timestamptz,
    drift text[] NOT NULL DEFAULT '{}',
    fault text CHECK (fault IN ('API_KEY', 'AGENT', 'KIND', 'REFUSED', 'BUSY', 'UNREACHABLE')),
    detail text NOT NULL DEFAULT '',
    failed_at timestamptz,
    lease_id uuid,
    leased_until timestamptz,
    PRIMARY KEY (business_id, connection_id),
    CONSTRAINT agent_publication_connection FOREIGN KEY (business_id, connection_id)
        REFERENCES voice_connection (business_id, id) ON DELETE CASCADE,
    CHECK ((live_version IS NULL) = (pushed IS NULL) AND (live_version IS NULL) = (live_at IS NULL)),
    CHECK ((fault IS NULL) = (failed_at IS NULL))
);
CREATE INDEX agent_publication_due ON agent_publication (LEAST(publish_due_at, check_due_at))
    WHERE publish_due_at IS NOT NULL OR check_due_at IS NOT NULL;
