-- Since when a person's leave is being withdrawn: appointments to come are taken out of its calendars first, which needs
-- its tokens until then. When it is looked at next, and why it could not be ended the last time.
ALTER TABLE google_grant ADD COLUMN ending_since timestamptz, ADD COLUMN end_due_at timestamptz,
    ADD COLUMN end_error text, ADD CHECK ((ending_since IS NULL) = (end_due_at IS NULL));
CREATE INDEX google_grant_end_due ON google_grant (end_due_at) WHERE ending_since IS NOT NULL;
