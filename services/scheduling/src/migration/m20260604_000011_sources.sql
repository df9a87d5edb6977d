-- Facts come from the salon's booking system as well as from calendars.
ALTER TABLE busy_fact RENAME COLUMN calendar_id TO source_id;
ALTER TABLE busy_fact ADD COLUMN origin text NOT NULL DEFAULT 'CALENDAR'
    CHECK (origin IN ('CALENDAR', 'PROVIDER'));
ALTER TABLE busy_fact ALTER COLUMN origin DROP DEFAULT;
ALTER TABLE busy_fact RENAME CONSTRAINT busy_fact_business_id_calendar_id_external_id_key
    TO busy_fact_business_id_source_id_external_id_key;
