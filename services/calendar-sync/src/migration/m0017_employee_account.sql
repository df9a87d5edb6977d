-- Whether a person has a calendar anywhere is asked without a business.
CREATE INDEX employee_account ON employee (user_id) WHERE user_id IS NOT NULL;
