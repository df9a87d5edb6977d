-- Visits that repeat. What each of them is stands in its appointment.
CREATE TABLE series (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    cadence text NOT NULL CHECK (cadence IN ('WEEKLY', 'MONTHLY', 'MONTHLY_BY_WEEKDAY')),
    every smallint NOT NULL CHECK (every BETWEEN 1 AND 12),
    count smallint NOT NULL CHECK (count BETWEEN 2 AND 52),
    booked_at timestamptz NOT NULL,
    booked_by text NOT NULL,
    PRIMARY KEY (business_id, id)
);

ALTER TABLE appointment
    ADD COLUMN series_id uuid,
    -- Which visit of the series it is, from 1.
    ADD COLUMN occurrence smallint,
    -- Where the series has it start. One that starts elsewhere was moved by itself.
    ADD COLUMN planned_at timestamptz,
    ADD FOREIGN KEY (business_id, series_id) REFERENCES series (business_id, id),
    ADD CONSTRAINT appointment_occurrence CHECK (num_nulls(series_id, occurrence, planned_at) IN (0, 3));
CREATE UNIQUE INDEX appointment_series ON appointment (business_id, series_id, occurrence)
    WHERE series_id IS NOT NULL;
