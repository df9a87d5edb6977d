-- The schedule as each of its versions had it, so that a search can be answered as of any instant.
CREATE TABLE schedule_version (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    version bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    schedule jsonb NOT NULL,
    PRIMARY KEY (business_id, version)
);
CREATE INDEX schedule_version_recorded ON schedule_version (business_id, recorded_at, version);

-- Rows that no longer count are looked for by time, too.
CREATE INDEX ledger_closed ON ledger (business_id, starts_at, ends_at) WHERE NOT is_open;
