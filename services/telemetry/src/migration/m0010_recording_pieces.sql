-- Recordings that a platform delivers itself, in pieces, until they are in the object store. Which recording they are is
-- said by its `source`; pieces that are none are deleted after an hour.
CREATE TABLE recording_piece (
    business_id uuid NOT NULL,
    upload_id uuid NOT NULL,
    number integer NOT NULL CHECK (number >= 0),
    content bytea NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 1048576),
    received_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, upload_id, number)
);
CREATE INDEX recording_piece_age ON recording_piece (received_at);
