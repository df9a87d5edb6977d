-- Tables of appointments: scheduling books their lines.
ALTER TABLE import DROP CONSTRAINT import_kind_check;
ALTER TABLE import ADD CONSTRAINT import_kind_check
    CHECK (kind IN ('ITEMS', 'CUSTOMERS', 'EMPLOYEES', 'APPOINTMENTS'));
