-- A PNG of this service's own drawing. `business.logo_digest` names it, so that readers of the business know whether there
-- is one, and which.
CREATE TABLE business_logo (
    business_id uuid PRIMARY KEY CONSTRAINT business_logo_business REFERENCES business (business_id),
    content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 300000)
);
ALTER TABLE business_logo ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE business ADD COLUMN logo_digest text CHECK (logo_digest ~ '^[0-9a-f]{64}$');
