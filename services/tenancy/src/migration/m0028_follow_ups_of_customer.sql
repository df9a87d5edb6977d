CREATE INDEX follow_up_of_customer ON follow_up (business_id, customer_id, due_at, id);
CREATE INDEX follow_up_of_phone ON follow_up (business_id, phone, due_at, id)
    WHERE customer_id IS NULL AND phone IS NOT NULL;
