-- What the columns of an import's table are read as, as [{heading, field}], and in which order its dates are.
ALTER TABLE import ADD COLUMN columns jsonb;
ALTER TABLE import ADD COLUMN date_order text CHECK (date_order IN ('DAY_FIRST', 'MONTH_FIRST'));
