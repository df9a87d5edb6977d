-- Files of calls that people took away, of the days from the first to the last where they chose some.
CREATE TABLE call_export (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    first_date date,
    last_date date,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX call_export_age ON call_export (created_at);
CREATE INDEX call_export_by ON call_export (business_id, created_by, created_at);
