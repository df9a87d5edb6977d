-- A look at days by itself: one way to Postgres instead of four. By the caller's rights and policies, of the business it
-- is asked for; its columns hide none of the tables'. Its statement is `store::hot::DAYS`, to the letter: whoever changes
-- that makes a function of another name, since replicas of two versions run beside each other.
CREATE FUNCTION look_at_days(uuid, date[], timestamptz[], timestamptz[], bigint[], timestamptz)
    RETURNS TABLE (part text, day date, versions bigint[], subject_ids uuid[], starts_at timestamptz[],
        ends_at timestamptz[])
    LANGUAGE plpgsql SECURITY INVOKER AS $body$
    #variable_conflict use_column
    BEGIN
        PERFORM set_config('app.business_id', $1::text, true);
        RETURN QUERY 
    WITH wanted AS MATERIALIZED (
        SELECT w.day, w.starts_at, w.ends_at, w.known, w.place, COALESCE(d.version, 0) AS version
        FROM unnest($2::date[], $3::timestamptz[], $4::timestamptz[], $5::bigint[]) WITH ORDINALITY
            AS w (day, starts_at, ends_at, known, place)
        LEFT JOIN business_day d ON d.business_id = $1 AND d.day = w.day
    )
    SELECT 'VERSIONS' AS part, NULL::date AS day, COALESCE(array_agg(version ORDER BY place), '{}') AS versions,
        NULL::uuid[] AS subject_ids, NULL::timestamptz[] AS starts_at, NULL::timestamptz[] AS ends_at
    FROM wanted
    UNION ALL
    SELECT 'TAKEN', w.day, NULL, array_agg(l.subject_id), array_agg(l.starts_at), array_agg(l.ends_at)
    FROM wanted w CROSS JOIN LATERAL (
        SELECT subject_id, starts_at, ends_at FROM ledger
        WHERE business_id = $1 AND is_open AND blocking AND kind <> 'HOLD'
            AND starts_at >= w.starts_at - interval '25 hours'
            AND starts_at < w.ends_at AND ends_at > w.starts_at
        -- Keeps the planner from reading all of the business to join it with the days.
        OFFSET 0
    ) l
    WHERE w.version <> w.known
    GROUP BY w.day
    UNION ALL
    SELECT 'HELD', NULL, NULL, array_agg(subject_id), array_agg(starts_at), array_agg(ends_at) FROM ledger
    WHERE business_id = $1 AND is_open AND kind = 'HOLD' AND expires_at > $6
        AND starts_at >= (SELECT min(starts_at) FROM wanted) - interval '25 hours'
        AND starts_at < (SELECT max(ends_at) FROM wanted)
        AND ends_at > (SELECT min(starts_at) FROM wanted)
    HAVING count(*) > 0
    UNION ALL
    SELECT 'SCHEDULE', NULL, ARRAY[schedule_version], NULL, NULL, NULL FROM business_settings
    WHERE business_id = $1;
    END
    $body$;
