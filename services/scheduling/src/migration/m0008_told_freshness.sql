-- How current a source was when pages were last told; null before the first time, and once it is gone.
ALTER TABLE busy_source ADD COLUMN told text CHECK (told IN ('FRESH', 'STALE', 'UNREACHABLE', 'UNREAD')),
    -- Grows with each time.
    ADD COLUMN version bigint NOT NULL DEFAULT 0,
    -- Until when it is current, unless it is read before.
    ADD COLUMN fresh_until timestamptz;
CREATE INDEX busy_source_lapse ON busy_source (fresh_until) WHERE told = 'FRESH';
-- What lapses is found across businesses, and published in the same transaction.
GRANT INSERT ON outbox TO scheduling_installation;
GRANT USAGE ON SEQUENCE outbox_sequence TO scheduling_installation;
