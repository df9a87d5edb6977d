CREATE TABLE call (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    platform_call_id text NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    platform text,
    from_number text,
    to_number text,
    first_seen_at timestamptz NOT NULL,
    reported_start timestamptz,
    started_at timestamptz NOT NULL GENERATED ALWAYS AS (COALESCE(reported_start, first_seen_at)) STORED,
    end_seen_at timestamptz,
    reported_end timestamptz,
    summary text,
    agent_version integer NOT NULL DEFAULT 0,
    disconnection_reason text,
    claim text CHECK (claim IN ('ABANDONED', 'ANSWERED', 'MESSAGE', 'TRANSFERRED', 'CANCELLED', 'MOVED', 'BOOKED')),
    customer_id uuid,
    customer_name text,
    customer_linked_at timestamptz,
    -- The result, derived from the rest of the call, so that lists need not read the transcript.
    outcome text CHECK (outcome IN ('ABANDONED', 'ANSWERED', 'MESSAGE', 'TRANSFERRED', 'CANCELLED', 'MOVED', 'BOOKED')),
    PRIMARY KEY (business_id, id),
    CONSTRAINT call_identity UNIQUE (business_id, connection_id, platform_call_id),
    CHECK (end_seen_at IS NOT NULL OR reported_end IS NULL),
    CHECK ((outcome IS NULL) = (end_seen_at IS NULL)),
    CHECK (num_nulls(customer_id, customer_name, customer_linked_at) IN (0, 3))
);
CREATE INDEX call_newest ON call (business_id, started_at DESC, id DESC);

CREATE TABLE delivery (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    event_key text NOT NULL,
    call_id uuid NOT NULL,
    body bytea NOT NULL CHECK (octet_length(body) <= 1048576),
    received_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT delivery_once UNIQUE (business_id, connection_id, event_key),
    FOREIGN KEY (business_id, call_id) REFERENCES call (business_id, id)
);
CREATE INDEX delivery_of_call ON delivery (business_id, call_id);

CREATE TABLE turn (
    business_id uuid NOT NULL,
    call_id uuid NOT NULL,
    position integer NOT NULL,
    speaker text NOT NULL CHECK (speaker IN ('AGENT', 'CALLER')),
    text text NOT NULL,
    offset_ms integer,
    PRIMARY KEY (business_id, call_id, position),
    FOREIGN KEY (business_id, call_id) REFERENCES call (business_id, id)
);

CREATE TABLE tool_call (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    call_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    name text NOT NULL,
    arguments text NOT NULL,
    started_at timestamptz NOT NULL,
    running_since timestamptz NOT NULL,
    result text,
    ok boolean,
    latency_ms integer,
    appointment_id uuid,
    PRIMARY KEY (business_id, id),
    CONSTRAINT tool_call_once UNIQUE (business_id, delivery_id),
    FOREIGN KEY (business_id, call_id) REFERENCES call (business_id, id),
    FOREIGN KEY (business_id, delivery_id) REFERENCES delivery (business_id, id),
    CHECK (num_nulls(result, ok, latency_ms) IN (0, 3)),
    CHECK (result IS NOT NULL OR appointment_id IS NULL)
);
CREATE INDEX tool_call_of_call ON tool_call (business_id, call_id, started_at, id);
-- A projection of tenancy's records. No foreign key refers to it, since an event about the record may arrive after
-- the call that names it. Calls of a customer who is part of another are that one's.
CREATE TABLE customer (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    merged_into uuid,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX customer_parts ON customer (business_id, merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX call_of_customer ON call (business_id, customer_id, started_at DESC, id DESC)
    WHERE customer_id IS NOT NULL;
