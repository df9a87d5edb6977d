-- Notes about calls for as long as the account that deleted them can put them back.
CREATE TABLE deleted_call_note (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    call_id uuid NOT NULL,
    text text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    deleted_by text NOT NULL,
    deleted_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, call_id) REFERENCES call (business_id, id)
);
CREATE INDEX deleted_call_note_of ON deleted_call_note (business_id, call_id);
CREATE INDEX deleted_call_note_age ON deleted_call_note (deleted_at);
