-- An import finds the customers whom its lines name.
CREATE INDEX customer_by_folded_name ON customer (business_id, folded_name);
