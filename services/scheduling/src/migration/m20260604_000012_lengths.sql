-- By how many minutes a service was planned longer than it is by itself.
ALTER TABLE hold_item ADD COLUMN extra_minutes smallint NOT NULL DEFAULT 0;
ALTER TABLE appointment_item ADD COLUMN extra_minutes smallint NOT NULL DEFAULT 0;
ALTER TABLE waitlist_item ADD COLUMN extra_minutes smallint NOT NULL DEFAULT 0;
