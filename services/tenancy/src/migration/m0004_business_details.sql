ALTER TABLE business
    ADD COLUMN email text,
    ADD COLUMN website text CHECK (website ~ '^https?://'),
    ADD COLUMN currency text CHECK (currency ~ '^[A-Z]{3}$'),
    ADD COLUMN brand_color text CHECK (brand_color ~ '^#[0-9a-f]{6}$');
-- An administrator's address names an employee without the business.
CREATE INDEX employee_by_id ON employee (id);
