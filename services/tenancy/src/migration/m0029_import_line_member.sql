-- The member whose account the employee of a line has or gets.
ALTER TABLE import_line ADD COLUMN linked_to text;
