-- Of a call whose customer was erased, what it came to is left.
ALTER TABLE call ADD COLUMN erased_at timestamptz;
