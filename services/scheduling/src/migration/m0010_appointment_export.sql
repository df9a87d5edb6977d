-- Copies of appointments that people took away, of the days from the first to the last.
CREATE TABLE appointment_export (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    first_date date NOT NULL,
    last_date date NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CHECK (first_date <= last_date)
);
CREATE INDEX appointment_export_age ON appointment_export (created_at);
