-- What an optimised day was worked out from, so that anybody can do it again.
ALTER TABLE proposal ADD COLUMN input jsonb;
ALTER TABLE proposal ADD CONSTRAINT proposal_input CHECK (input IS NULL OR cause = 'OPTIMISATION');
