-- search_calls, which looks for the words among the calls that pass the filter, where these are few or the words are common:
-- of "please" in calls that led to no booking, the latter are read, instead of all calls with "please". What it finds is the
-- same.
CREATE OR REPLACE FUNCTION search_calls(
    started_from timestamptz, started_to timestamptz, live boolean, outcomes text[], of_platform text, missed text,
    wanted boolean, failed boolean, service uuid, in_zone text, in_hour integer, customers uuid[], typed text,
    after_start timestamptz, after_id uuid, most bigint, booked boolean, slow integer, by_team boolean
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
SET enable_bitmapscan = on AS $$
DECLARE
    -- So many are sorted more quickly than those without the words are skipped.
    most_sorted CONSTANT integer := 20000;
    -- Among so many of the newest, words that are common fill a page.
    most_looked_at CONSTANT integer := 1000;
    -- So many that pass the filter are looked at for the words, however common these are.
    most_passed CONSTANT integer := 2000;
    business CONSTANT uuid := NULLIF(current_setting('app.business_id', true), '')::uuid;
    conditions text := '';
    passing text := '';
    page uuid[];
    passed bigint := 0;
    matches bigint := 0;
    by_filter boolean := false;
    query tsquery;
    plan text;
BEGIN
    IF live THEN conditions := conditions || ' AND c.outcome IS NULL';
    ELSIF NOT live THEN conditions := conditions || ' AND c.outcome IS NOT NULL';
    END IF;
    IF outcomes IS NOT NULL THEN conditions := conditions || ' AND c.outcome = ANY ($4)'; END IF;
    IF of_platform IS NOT NULL THEN conditions := conditions || ' AND c.platform = $5'; END IF;
    IF missed IS NOT NULL THEN conditions := conditions || ' AND c.missed_reason = $6'; END IF;
    IF wanted THEN conditions := conditions || ' AND c.wanted_booking'; END IF;
    IF failed THEN conditions := conditions || ' AND c.failed_runs > 0'; END IF;
    IF service IS NOT NULL THEN conditions := conditions || ' AND c.asked_services @> ARRAY[$7]::uuid[]'; END IF;
    IF service IS NOT NULL AND booked THEN
        conditions := conditions || ' AND jsonb_path_exists(c.visits,
            ''$.* ? (!(@.by_team == true && @.cancelled == true)).services[*] ? (@ == $service)'',
            jsonb_build_object(''service'', $7::text))';
    END IF;
    IF by_team THEN conditions := conditions || ' AND c.booked_by_team';
    ELSIF NOT by_team THEN conditions := conditions || ' AND NOT c.booked_by_team';
    END IF;
    IF slow IS NOT NULL THEN conditions := conditions || ' AND c.slowest_step >= $14'; END IF;
    IF in_hour IS NOT NULL THEN
        conditions := conditions || ' AND extract(hour FROM c.started_at AT TIME ZONE $8) = $9';
    END IF;
    IF customers IS NOT NULL THEN conditions := conditions || ' AND c.customer_id = ANY ($10)'; END IF;
    IF typed IS NULL THEN
        RETURN QUERY EXECUTE format('SELECT c.id FROM public.call c
            WHERE c.business_id = $1 AND c.started_at >= $2 AND c.started_at < $3 AND (c.started_at, c.id) < ($11, $12) %s
            ORDER BY c.started_at DESC, c.id DESC LIMIT $13', conditions)
            USING business, started_from, started_to, outcomes, of_platform, missed, service, in_zone, in_hour, customers,
                after_start, after_id, most, slow;
        RETURN;
    END IF;
    SELECT string_agg(quote_literal(word) || ':*', ' & ')::tsquery INTO query
        FROM unnest(string_to_array(trim(public.folded_words(typed)), ' ')) AS word WHERE word <> '';
    IF query IS NULL THEN RETURN; END IF;
    IF conditions <> '' THEN
        passing := 'JOIN LATERAL (SELECT FROM public.call c WHERE c.business_id = $1 AND c.id = found.call_id' || conditions
            || ' OFFSET 0) AS c ON true';
    END IF;
    -- The index of words gives all calls with them, however many: of "please", nearly every one.
    PERFORM set_config('enable_bitmapscan', 'off', true);
    EXECUTE format('SELECT array_agg(f.call_id) FROM (SELECT found.call_id FROM (
            SELECT newest.call_id, newest.started_at FROM (
                SELECT w.call_id, w.started_at, w.words FROM public.call_words w
                WHERE w.business_id = $1 AND w.started_at >= $2 AND w.started_at < $3
                    AND (w.started_at, w.call_id) < ($11, $12)
                ORDER BY w.started_at DESC, w.call_id DESC LIMIT $16) AS newest
            WHERE newest.words @@ $15) AS found
        %s ORDER BY found.started_at DESC, found.call_id DESC LIMIT $13) AS f', passing)
        INTO page
        USING business, started_from, started_to, outcomes, of_platform, missed, service, in_zone, in_hour, customers,
            after_start, after_id, most, slow, query, most_looked_at;
    IF cardinality(page) = most THEN
        RETURN QUERY SELECT unnest(page);
        RETURN;
    END IF;
    PERFORM set_config('enable_bitmapscan', 'on', true);
    IF conditions <> '' THEN
        EXECUTE format('SELECT count(*) FROM (SELECT FROM public.call c
                WHERE c.business_id = $1 AND c.started_at >= $2 AND c.started_at < $3
                    AND (c.started_at, c.id) < ($11, $12) %s LIMIT $15) AS few', conditions)
            INTO passed
            USING business, started_from, started_to, outcomes, of_platform, missed, service, in_zone, in_hour, customers,
                after_start, after_id, most, slow, most_passed + 1;
        by_filter := passed <= most_passed;
    END IF;
    IF NOT by_filter THEN
        SELECT count(*) INTO matches FROM (
            SELECT FROM public.call_words w WHERE w.business_id = business AND w.words @@ query LIMIT most_sorted + 1) AS few;
        by_filter := conditions <> '' AND matches > most_sorted;
    END IF;
    IF by_filter THEN
        RETURN QUERY EXECUTE format('SELECT c.id FROM public.call c
            CROSS JOIN LATERAL (SELECT FROM public.call_words w
                WHERE w.business_id = $1 AND w.call_id = c.id AND w.words @@ $15 OFFSET 0) AS w
            WHERE c.business_id = $1 AND c.started_at >= $2 AND c.started_at < $3 AND (c.started_at, c.id) < ($11, $12) %s
            ORDER BY c.started_at DESC, c.id DESC LIMIT $13', conditions)
            USING business, started_from, started_to, outcomes, of_platform, missed, service, in_zone, in_hour, customers,
                after_start, after_id, most, slow, query;
        RETURN;
    END IF;
    -- Few are found by their words, and many are met in the order of time.
    plan := CASE WHEN matches > most_sorted THEN 'off' ELSE 'on' END;
    PERFORM set_config('enable_bitmapscan', plan, true);
    RETURN QUERY EXECUTE format('SELECT found.call_id FROM (
            SELECT w.call_id, w.started_at FROM public.call_words w
            WHERE w.business_id = $1 AND w.words @@ $15 AND w.started_at >= $2 AND w.started_at < $3
                AND (w.started_at, w.call_id) < ($11, $12) %s) AS found
        %s ORDER BY found.started_at DESC, found.call_id DESC LIMIT $13',
        CASE WHEN matches > most_sorted THEN '' ELSE 'OFFSET 0' END, passing)
        USING business, started_from, started_to, outcomes, of_platform, missed, service, in_zone, in_hour, customers,
            after_start, after_id, most, slow, query;
END
$$;
