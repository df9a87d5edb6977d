CREATE INDEX follow_up_of_call ON follow_up (business_id, call_id, due_at, id) WHERE call_id IS NOT NULL;
