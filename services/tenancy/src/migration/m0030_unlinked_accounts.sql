-- Accounts that were taken from an employee, who gets none of them by name again.
ALTER TABLE employee ADD COLUMN unlinked_accounts uuid[] NOT NULL DEFAULT '{}';

DROP TRIGGER note_change ON employee;
