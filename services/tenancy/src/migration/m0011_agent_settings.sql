-- How a business's agent speaks and what it may do: one draft, and what was published. Settings are kept as they were
-- written, so that an old version reads as it was.
CREATE TABLE agent_draft (
    business_id uuid PRIMARY KEY CONSTRAINT agent_draft_business REFERENCES business (business_id),
    settings jsonb NOT NULL,
    revision bigint NOT NULL CHECK (revision > 0)
);
CREATE TABLE agent_version (
    business_id uuid NOT NULL CONSTRAINT agent_version_business REFERENCES business (business_id),
    version integer NOT NULL CHECK (version > 0),
    settings jsonb NOT NULL,
    published_by text NOT NULL,
    published_at timestamptz NOT NULL,
    rolled_back_to integer,
    PRIMARY KEY (business_id, version)
);
