-- Since when a calendar can't be read.
ALTER TABLE sync_state ADD COLUMN failing_since timestamptz;
-- When scheduling is told next how reading it goes.
ALTER TABLE sync_state ADD COLUMN report_due_at timestamptz NOT NULL DEFAULT 'epoch';
CREATE INDEX sync_state_report_due ON sync_state (report_due_at) WHERE NOT leaving;
