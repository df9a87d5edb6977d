-- Who changed what is to be written, as the audit trail names them, and when they did: known while that is the last
-- change, of which a release before keeps only the time.
ALTER TABLE calendar_write ADD COLUMN wanted_by text;
ALTER TABLE calendar_write ADD COLUMN wanted_by_at timestamptz;
