-- Minutes before a visit within which customers can't cancel it any more; the bounds are the
-- domain's.
ALTER TABLE business_settings ADD COLUMN cancellation_minutes integer NOT NULL DEFAULT 0;

ALTER TABLE appointment
    ADD COLUMN late_cancellation boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT appointment_late CHECK (state = 'CANCELLED' OR NOT late_cancellation);
