-- In whose name the lines of a started import are imported.
ALTER TABLE import ADD COLUMN started_by text;
