ALTER TABLE busy_source DROP CONSTRAINT busy_source_kind_check;
ALTER TABLE busy_source ADD CONSTRAINT busy_source_kind_check
    CHECK (kind IN ('DEMO', 'CALDAV', 'PROVIDER', 'GOOGLE', 'ICS'));
