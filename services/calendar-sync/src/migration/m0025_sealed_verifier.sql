-- The verifier of a question that is open is sealed as tokens are: with a key of its own, which a master key wraps under
-- the person's id. The release before keeps it in `verifier`, which this one leaves empty. During a rollout:
-- - A question of the release before is answered at either release, since this one reads both columns. Where both are
--   filled, the release before asked last: it replaces `verifier` and knows nothing of what is sealed.
-- - A question of this release whose answer comes to a replica of the release before is refused as one that was never
--   asked, and the person asks again.
-- The next release drops `verifier`.
ALTER TABLE consent_request ADD COLUMN verifier_key_id uuid, ADD COLUMN master_key text, ADD COLUMN sealed_key bytea,
    ADD COLUMN sealed_verifier bytea,
    ADD CHECK (num_nulls(verifier_key_id, master_key, sealed_key, sealed_verifier) IN (0, 4));
-- What was never answered stays until the person asks again.
UPDATE consent_request SET verifier = NULL WHERE expires_at < now();
