-- What the columns of an import's table are read as, as [{heading, field}], and in which order its dates are.
ALTER TABLE import ADD COLUMN columns jsonb;
ALTER TABLE import ADD COLUMN date_order text CHECK (date_order IN ('DAY_FIRST', 'MONTH_FIRST'));

-- Dates of tables that are under way were read with the day first. The policies bind the owner as well, who sees the
-- rows of every business meanwhile.
ALTER TABLE import NO FORCE ROW LEVEL SECURITY;
UPDATE import SET date_order = 'DAY_FIRST'
    WHERE kind = 'APPOINTMENTS' AND state IN ('CHECKING', 'CHECKED', 'IMPORTING');
ALTER TABLE import FORCE ROW LEVEL SECURITY;
