-- Customers by their number: whose the number of an unknown caller is.
CREATE INDEX customer_of_phone ON customer (business_id, phone) WHERE phone <> '';
