-- How long the caller waited for the agent's answer, and whether the caller spoke into it.
ALTER TABLE turn ADD COLUMN latency_ms integer, ADD COLUMN interrupted boolean NOT NULL DEFAULT false;
