-- After it an employee works no more. Those whom tenancy told of before stay.
ALTER TABLE employee ADD COLUMN last_day date;
