-- Who has left stays on record: past visits, calls and changes name them.
ALTER TABLE employee ADD COLUMN last_day date;
