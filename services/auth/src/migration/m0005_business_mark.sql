-- What a list of a person's businesses shows beside each name. Empty until the business changes next.
ALTER TABLE business_name
    ADD COLUMN brand_color text NOT NULL DEFAULT '',
    ADD COLUMN logo_digest text NOT NULL DEFAULT '';
