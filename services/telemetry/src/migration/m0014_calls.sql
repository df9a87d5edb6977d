-- A look-up that asked the caller again, or found a time taken, was counted as failed; only faults of ours are now. The
-- policies bind the owner as well, who sees the rows of every business meanwhile. Of an erased call no answer is left
-- to tell by.
ALTER TABLE call NO FORCE ROW LEVEL SECURITY;
ALTER TABLE tool_call NO FORCE ROW LEVEL SECURITY;
ALTER TABLE call_tally NO FORCE ROW LEVEL SECURITY;

WITH told AS (
    SELECT c.business_id, c.id, count(t.id)::integer AS faults
    FROM call c
    LEFT JOIN tool_call t ON t.business_id = c.business_id AND t.call_id = c.id AND NOT t.ok
        AND t.result ~ '"reason": ?"(UNAVAILABLE|BUSY|INTERNAL)"'
    WHERE c.failed_runs > 0 AND c.runs IS NOT NULL AND c.erased_at IS NULL
    GROUP BY c.business_id, c.id
), recounted AS (
    UPDATE call c SET failed_runs = told.faults, runs = jsonb_set(c.runs, '{failed}', to_jsonb(told.faults))
    FROM told WHERE c.business_id = told.business_id AND c.id = told.id
    RETURNING c.business_id, c.started_at, c.outcome, c.failed_runs
), fewer AS (
    SELECT business_id, grain, at, count(*) AS calls
    FROM recounted, LATERAL (VALUES
        ('QUARTER', date_bin('15 minutes', started_at, 'epoch')),
        ('DAY', date_bin('1 day', started_at, 'epoch'))) AS counted (grain, at)
    WHERE failed_runs = 0 AND outcome IS NOT NULL
    GROUP BY business_id, grain, at
)
UPDATE call_tally t SET amount = t.amount - fewer.calls
FROM fewer
WHERE t.business_id = fewer.business_id AND t.grain = fewer.grain AND t.at = fewer.at
    AND t.kind = 'FAILED' AND t.key = '';

ALTER TABLE call FORCE ROW LEVEL SECURITY;
ALTER TABLE tool_call FORCE ROW LEVEL SECURITY;
ALTER TABLE call_tally FORCE ROW LEVEL SECURITY;
