-- How a version of the schedule was written. Only one in today's format stands in for the tables; those from before
-- this have none.
ALTER TABLE schedule_version ADD COLUMN format smallint;
