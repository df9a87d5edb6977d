-- Appointments in the order people look at them.
CREATE INDEX calendar_write_ahead ON calendar_write (business_id, ends_at);

-- The last check of a business, and when all its sides were last in step.
CREATE TABLE consistency_check (
    business_id uuid NOT NULL,
    checked_at timestamptz NOT NULL,
    from_at timestamptz NOT NULL,
    to_at timestamptz NOT NULL,
    appointment_count integer NOT NULL,
    difference_count integer NOT NULL,
    unread_side_count integer NOT NULL,
    digest text NOT NULL,
    in_step_at timestamptz,
    in_step_digest text,
    PRIMARY KEY (business_id),
    CHECK ((in_step_at IS NULL) = (in_step_digest IS NULL))
);
