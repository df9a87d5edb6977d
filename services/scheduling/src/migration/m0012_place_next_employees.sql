-- Who does each service from then on, so that the audit can say a move in one sentence; null before this column.
ALTER TABLE place_change ADD COLUMN next_employee_ids uuid[];
