-- Until when an employee stays, in the business's zone. Empty until tenancy tells of them next.
ALTER TABLE employee ADD COLUMN last_day date;
