-- A table with which no person goes on is deleted when it is due.
ALTER TABLE import DROP CONSTRAINT import_state_check;
ALTER TABLE import ADD CONSTRAINT import_state_check
    CHECK (state IN ('RECEIVING', 'CHECKING', 'CHECKED', 'IMPORTING', 'DONE', 'CANCELLED', 'EXPIRED'));
ALTER TABLE import DROP CONSTRAINT import_check;
ALTER TABLE import ADD CONSTRAINT import_over
    CHECK ((finished_at IS NOT NULL) = (state IN ('DONE', 'CANCELLED', 'EXPIRED')));
DROP INDEX import_due;
CREATE INDEX import_due ON import (due_at) WHERE due_at IS NOT NULL;
