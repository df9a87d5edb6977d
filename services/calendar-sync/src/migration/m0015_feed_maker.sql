-- Who made an address, and knows its secret. Null where a release before this one made it.
ALTER TABLE calendar_feed ADD COLUMN made_by uuid;
-- Noted anew: each change says by whom it was made.
DROP TRIGGER note_change ON calendar_feed;
