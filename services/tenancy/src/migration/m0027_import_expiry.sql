-- A table with which no person goes on is deleted when it is due.
ALTER TABLE import DROP CONSTRAINT import_state_check;
ALTER TABLE import ADD CONSTRAINT import_state_check
    CHECK (state IN ('RECEIVING', 'CHECKING', 'CHECKED', 'IMPORTING', 'DONE', 'CANCELLED', 'EXPIRED'));
ALTER TABLE import DROP CONSTRAINT import_check;
ALTER TABLE import ADD CONSTRAINT import_over
    CHECK ((finished_at IS NOT NULL) = (state IN ('DONE', 'CANCELLED', 'EXPIRED')));
DROP INDEX import_due;
CREATE INDEX import_due ON import (due_at) WHERE due_at IS NOT NULL;

-- Those that are open already get a day from now on. The policies bind the owner as well, who sees the rows of every
-- business meanwhile.
ALTER TABLE import NO FORCE ROW LEVEL SECURITY;
UPDATE import SET due_at = now() + interval '1 day' WHERE state IN ('RECEIVING', 'CHECKED') AND due_at IS NULL;
ALTER TABLE import FORCE ROW LEVEL SECURITY;
