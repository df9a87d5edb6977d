-- How many entries the first reading of a calendar has come to.
ALTER TABLE sync_state ADD COLUMN entries_read integer CHECK (entries_read > 0);

-- What the last check found, as it is answered, so that it is still there after a reload.
ALTER TABLE consistency_check ADD COLUMN findings jsonb;

-- Which writes of a calendar need a look is read with every list of calendars.
CREATE INDEX calendar_write_failing ON calendar_write (business_id, calendar_id)
    WHERE written < wanted AND last_error IS NOT NULL;
