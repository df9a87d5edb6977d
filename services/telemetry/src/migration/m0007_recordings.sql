-- Recordings of calls. What is kept lies in the object store, under the business and the call.
CREATE TABLE recording (
    business_id uuid NOT NULL,
    call_id uuid NOT NULL,
    state text NOT NULL CHECK (state IN ('AWAITED', 'KEPT', 'LOST', 'EXPIRED', 'ERASED')),
    -- Where the platform has it, until it is copied.
    source text,
    content_type text,
    size_bytes bigint,
    delete_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    failure text,
    -- When it is to be copied or deleted; later while one replica is about it.
    due_at timestamptz,
    PRIMARY KEY (business_id, call_id),
    FOREIGN KEY (business_id, call_id) REFERENCES call (business_id, id),
    CHECK ((state = 'AWAITED') = (source IS NOT NULL)),
    CHECK (state <> 'KEPT' OR (content_type IS NOT NULL AND size_bytes IS NOT NULL AND delete_at IS NOT NULL))
);
CREATE INDEX recording_due ON recording (due_at) WHERE due_at IS NOT NULL;
