CREATE INDEX waitlist_entry_of_customer ON waitlist_entry (business_id, customer_id, joined_at, id);
