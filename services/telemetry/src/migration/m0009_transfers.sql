-- The number that a caller was put through to, and who had them put through from the page of the call.
ALTER TABLE call
    ADD COLUMN transferred_to text,
    ADD COLUMN taken_over_by text,
    ADD COLUMN taken_over_at timestamptz,
    ADD CONSTRAINT call_taken_over CHECK ((taken_over_by IS NULL) = (taken_over_at IS NULL));
