-- Addresses under which other calendars read what employees have to do. The secret of each is kept as a hash.
CREATE TABLE calendar_feed (
    business_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    names_customers boolean NOT NULL,
    made_at timestamptz NOT NULL,
    read_at timestamptz,
    PRIMARY KEY (business_id, employee_id)
);
-- An address names nothing else.
CREATE INDEX calendar_feed_token ON calendar_feed (token_hash);
