-- What is done, as the title begins: the rest of the title says for whom, and changes with the customer's name. NULL where
-- a release before planned the part.
ALTER TABLE booked_part ADD COLUMN services text;
