-- Until when a calendar's server asked to be left alone at the last reading: no person's wish makes it due before.
ALTER TABLE sync_state ADD COLUMN asked_until timestamptz;
