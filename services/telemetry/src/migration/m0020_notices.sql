-- What platforms deliver that names no call, such as an event of a chat: kept as it came, for as long as a delivery of a
-- call.
CREATE TABLE notice (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    event_key text NOT NULL,
    kind text NOT NULL,
    body bytea NOT NULL CHECK (octet_length(body) <= 2097152),
    received_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT notice_once UNIQUE (business_id, connection_id, event_key)
);
CREATE INDEX notice_newest ON notice (business_id, connection_id, received_at DESC);
CREATE INDEX notice_age ON notice (received_at);
