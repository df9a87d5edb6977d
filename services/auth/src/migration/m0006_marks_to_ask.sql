-- Whether tenancy has said what a list shows beside the name. Rows of earlier releases, whose events are long gone, are
-- asked for at the next start.
ALTER TABLE business_name ADD COLUMN marked boolean NOT NULL DEFAULT false;
UPDATE business_name SET marked = true WHERE brand_color <> '' OR logo_digest <> '';
