-- Employees are tenancy's.
ALTER TABLE invitation ADD COLUMN employee_id uuid;
