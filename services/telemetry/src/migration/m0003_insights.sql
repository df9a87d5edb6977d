-- Trusted extensions: the owner of the database may create them.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- What the answered runs of a call add up to, and the visits that were booked in it. A call without `runs` is of the
-- release before and is not in the figures yet.
ALTER TABLE call
    ADD COLUMN runs jsonb,
    ADD COLUMN visits jsonb NOT NULL DEFAULT '{}',
    -- Derived from the rest of the call, for filters.
    ADD COLUMN missed_reason text CHECK (missed_reason IN ('NO_FREE_TIME', 'TIME_TAKEN', 'NOT_OFFERED', 'NOT_ALLOWED',
        'FAULT', 'UNCLEAR', 'NOT_TAKEN')),
    ADD COLUMN wanted_booking boolean NOT NULL DEFAULT false,
    ADD COLUMN failed_runs integer NOT NULL DEFAULT 0,
    ADD COLUMN asked_services uuid[] NOT NULL DEFAULT '{}';
CREATE INDEX call_uncounted ON call (business_id, id) WHERE runs IS NULL;
CREATE INDEX call_live ON call (business_id, started_at DESC, id DESC) WHERE outcome IS NULL;
CREATE INDEX call_by_outcome ON call (business_id, outcome, started_at DESC, id DESC) WHERE outcome IS NOT NULL;
CREATE INDEX call_missed ON call (business_id, missed_reason, started_at DESC, id DESC)
    WHERE missed_reason IS NOT NULL;
CREATE INDEX call_failed ON call (business_id, started_at DESC, id DESC) WHERE failed_runs > 0;
CREATE INDEX call_by_platform ON call (business_id, platform, started_at DESC, id DESC);
CREATE INDEX call_asked ON call USING gin (business_id, asked_services);

-- The figures. They change in the transaction that changes a call, by what the call adds to them before and after.
CREATE TABLE call_quarter (
    business_id uuid NOT NULL,
    -- The quarter of an hour in which the calls started.
    at timestamptz NOT NULL,
    calls bigint NOT NULL,
    ended bigint NOT NULL,
    answered bigint NOT NULL,
    wanted bigint NOT NULL,
    booked bigint NOT NULL,
    PRIMARY KEY (business_id, at)
);
-- Once by the quarter and once by the day of UTC: a long span of local days is whole days of UTC and a few quarters.
CREATE TABLE call_tally (
    business_id uuid NOT NULL,
    grain text NOT NULL CHECK (grain IN ('QUARTER', 'DAY')),
    at timestamptz NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (business_id, grain, at, kind, key)
);

-- The words of a call: of what was said, of its summary and of the customer's name.
CREATE FUNCTION folded_words(words text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS $$
    SELECT regexp_replace(
        lower(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g') COLLATE "und-x-icu"),
        '[^[:alnum:]]+', ' ', 'g')
$$;
CREATE TABLE call_words (
    business_id uuid NOT NULL,
    call_id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (business_id, call_id),
    FOREIGN KEY (business_id, call_id) REFERENCES call (business_id, id)
);
CREATE INDEX call_words_newest ON call_words (business_id, started_at DESC, call_id DESC);
-- Without a list of pending entries, which every search would have to look through.
CREATE INDEX call_words_search ON call_words USING gin (business_id, words) WITH (fastupdate = off);

CREATE TABLE call_view (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    query text NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT call_view_name UNIQUE (business_id, user_id, name)
);

CREATE TABLE call_note (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    call_id uuid NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, call_id) REFERENCES call (business_id, id)
);
CREATE INDEX call_note_of ON call_note (business_id, call_id, created_at, id);

-- Policies keep operators that are not leakproof, such as those on words and arrays, from using an index. So this
-- function runs as the owner, for whom the policies hide no call, and filters by the business itself. It gives ids
-- alone, newest first, which the caller reads under its policies. A filter that is null wants all.
CREATE POLICY search ON call FOR SELECT TO telemetry_owner USING (true);
CREATE POLICY search ON call_words FOR SELECT TO telemetry_owner USING (true);
CREATE FUNCTION search_calls(
    started_from timestamptz, started_to timestamptz, live boolean, outcomes text[], of_platform text, missed text,
    wanted boolean, failed boolean, service uuid, in_zone text, in_hour integer, customers uuid[], typed text,
    after_start timestamptz, after_id uuid, most bigint
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
SET enable_bitmapscan = on AS $$
DECLARE
    -- So many are sorted more quickly than those without the words are skipped.
    most_sorted CONSTANT integer := 20000;
    business CONSTANT uuid := NULLIF(current_setting('app.business_id', true), '')::uuid;
    conditions text := '';
    matches bigint := 0;
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
    IF in_hour IS NOT NULL THEN
        conditions := conditions || ' AND extract(hour FROM c.started_at AT TIME ZONE $8) = $9';
    END IF;
    IF customers IS NOT NULL THEN conditions := conditions || ' AND c.customer_id = ANY ($10)'; END IF;
    IF typed IS NULL THEN
        RETURN QUERY EXECUTE format('SELECT c.id FROM public.call c
            WHERE c.business_id = $1 AND c.started_at >= $2 AND c.started_at < $3 AND (c.started_at, c.id) < ($11, $12) %s
            ORDER BY c.started_at DESC, c.id DESC LIMIT $13', conditions)
            USING business, started_from, started_to, outcomes, of_platform, missed, service, in_zone, in_hour, customers,
                after_start, after_id, most;
        RETURN;
    END IF;
    SELECT string_agg(quote_literal(word) || ':*', ' & ')::tsquery INTO query
        FROM unnest(string_to_array(trim(public.folded_words(typed)), ' ')) AS word WHERE word <> '';
    IF query IS NULL THEN RETURN; END IF;
    SELECT count(*) INTO matches FROM (
        SELECT FROM public.call_words w WHERE w.business_id = business AND w.words @@ query LIMIT most_sorted + 1) AS found;
    -- Few are found by their words, and many are met in the order of time.
    plan := CASE WHEN matches > most_sorted THEN 'off' ELSE 'on' END;
    PERFORM set_config('enable_bitmapscan', plan, true);
    RETURN QUERY EXECUTE format('SELECT found.call_id FROM (
            SELECT w.call_id, w.started_at FROM public.call_words w
            WHERE w.business_id = $1 AND w.words @@ $14 AND w.started_at >= $2 AND w.started_at < $3
                AND (w.started_at, w.call_id) < ($11, $12) %s) AS found
        %s ORDER BY found.started_at DESC, found.call_id DESC LIMIT $13',
        CASE WHEN matches > most_sorted THEN '' ELSE 'OFFSET 0' END,
        CASE WHEN conditions = '' THEN '' ELSE
            'JOIN LATERAL (SELECT FROM public.call c WHERE c.business_id = $1 AND c.id = found.call_id' || conditions
            || ' OFFSET 0) AS c ON true' END)
        USING business, started_from, started_to, outcomes, of_platform, missed, service, in_zone, in_hour, customers,
            after_start, after_id, most, query;
END
$$;
