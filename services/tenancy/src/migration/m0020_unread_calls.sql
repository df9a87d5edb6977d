-- Calls that a platform lists and does not tell. Each is asked for again at `next_at`, and no more once that is empty.
CREATE TABLE unread_call (
    business_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    platform_call_id text NOT NULL,
    attempts integer NOT NULL CHECK (attempts > 0),
    reason text NOT NULL,
    attempted_at timestamptz NOT NULL,
    next_at timestamptz,
    PRIMARY KEY (business_id, connection_id, platform_call_id),
    CONSTRAINT unread_call_connection FOREIGN KEY (business_id, connection_id)
        REFERENCES voice_connection (business_id, id) ON DELETE CASCADE
);
CREATE INDEX unread_call_given_up ON unread_call (business_id, connection_id, attempted_at DESC)
    WHERE next_at IS NULL;
