-- A calendar that is being disconnected, and from which appointments to come are taken out before it is forgotten. The
-- reference keeps replicas of the release before from forgetting it sooner.
CREATE TABLE calendar_cleanup (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    begun_at timestamptz NOT NULL,
    -- How many there were to take out.
    event_count integer NOT NULL,
    -- When what was told of it was taken back: its employee's time is free from then on.
    released_at timestamptz,
    PRIMARY KEY (business_id, calendar_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id)
);

-- Since when a connection is being disconnected. It is forgotten with the last of its calendars, which need its token
-- until then.
ALTER TABLE provider_connection ADD COLUMN ending_since timestamptz;

-- What is ahead in a calendar is counted for people who may disconnect it.
CREATE INDEX calendar_write_ahead_of ON calendar_write (business_id, calendar_id, ends_at);
