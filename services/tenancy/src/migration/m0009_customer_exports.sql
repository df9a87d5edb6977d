-- Copies of customers' data that people took away: of one customer, or of all.
CREATE TABLE customer_export (
    business_id uuid NOT NULL CONSTRAINT customer_export_business REFERENCES business (business_id),
    id uuid NOT NULL,
    customer_id uuid,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT customer_export_customer
        FOREIGN KEY (business_id, customer_id) REFERENCES customer (business_id, id)
);
CREATE INDEX customer_export_age ON customer_export (created_at);
