-- A person who was erased stays a record without a person: visits in the books are somebody's.
ALTER TABLE customer ADD COLUMN erased_at timestamptz;

-- The erasure of a customer, under the customer's id. What the holders are asked by is kept until all have confirmed. The
-- worker that holds the lease works on it until `due_at`.
CREATE TABLE customer_erasure (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    begun_by text NOT NULL,
    begun_at timestamptz NOT NULL,
    finished_at timestamptz,
    cancelled_count integer NOT NULL DEFAULT 0,
    record_ids uuid[] NOT NULL,
    record_versions bigint[] NOT NULL,
    names text[] NOT NULL,
    phones text[] NOT NULL,
    emails text[] NOT NULL,
    visit_ids uuid[] NOT NULL DEFAULT '{}',
    visit_versions bigint[] NOT NULL DEFAULT '{}',
    call_ids uuid[] NOT NULL DEFAULT '{}',
    lease_id uuid,
    due_at timestamptz,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, id) REFERENCES customer (business_id, id),
    CHECK ((finished_at IS NULL) = (due_at IS NOT NULL)),
    CHECK (finished_at IS NULL OR (names = '{}' AND phones = '{}' AND emails = '{}'))
);
CREATE INDEX customer_erasure_due ON customer_erasure (due_at) WHERE finished_at IS NULL;

CREATE TABLE customer_erasure_holder (
    business_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    service text NOT NULL,
    position smallint NOT NULL,
    confirmed_at timestamptz,
    waiting_for text NOT NULL DEFAULT '',
    record_count integer NOT NULL DEFAULT 0,
    PRIMARY KEY (business_id, erasure_id, service),
    FOREIGN KEY (business_id, erasure_id) REFERENCES customer_erasure (business_id, id)
);

-- Entries stay, with who did what to which record; what stood in it is gone. The app may do no more to entries, and this
-- to those of customers who were erased alone, and of records that are gone.
CREATE FUNCTION erase_changes(business uuid, customers uuid[], gone uuid[]) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH erased AS (
        SELECT id FROM public.customer WHERE business_id = business AND id = ANY(customers) AND erased_at IS NOT NULL
    ), about AS (
        SELECT record_id AS id FROM public.change_entry c WHERE c.business_id = business AND (
            c.before ->> 'customer_id' IN (SELECT id::text FROM erased)
            OR c.after ->> 'customer_id' IN (SELECT id::text FROM erased))
        UNION SELECT id FROM erased
        UNION SELECT id FROM unnest(gone) AS g (id) WHERE NOT EXISTS (
            SELECT FROM public.follow_up f WHERE f.business_id = business AND f.id = g.id)
    ), changed AS (
        UPDATE public.change_entry c SET
            before = (SELECT jsonb_object_agg(key, CASE WHEN value = 'null' OR key ~ '(^|_)(id|by|at|on|into)$'
                THEN value ELSE '"erased"' END) FROM jsonb_each(c.before)),
            after = (SELECT jsonb_object_agg(key, CASE WHEN value = 'null' OR key ~ '(^|_)(id|by|at|on|into)$'
                THEN value ELSE '"erased"' END) FROM jsonb_each(c.after))
        WHERE c.business_id = business AND c.record_id IN (SELECT id FROM about)
        RETURNING c.id
    )
    SELECT count(*) FROM changed
$$;

-- As before, without those who were erased.
CREATE OR REPLACE FUNCTION search_customers(
    words text[], digits text, dialled text, reach uuid[], after_name text, after_id uuid, most bigint
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_indexscan = off SET enable_bitmapscan = on AS $$
DECLARE
    -- So many are sorted more quickly than the names before them are skipped.
    most_sorted CONSTANT integer := 12000;
    business CONSTANT uuid := NULLIF(current_setting('app.business_id', true), '')::uuid;
    word text;
    patterns text[] := '{}';
    -- Of parameters, so that no name stands in a statement that Postgres may log.
    conditions text := '';
    matching text;
    matches integer := most_sorted + 1;
    found uuid[];
BEGIN
    FOREACH word IN ARRAY words LOOP
        word := replace(replace(replace(rtrim(public.folded(word)), '\', '\\'), '%', '\%'), '_', '\_');
        IF word <> '' THEN
            patterns := patterns || ('%' || word || '%');
            conditions := conditions || format(' AND search_text LIKE ($2)[%s]', cardinality(patterns));
        END IF;
    END LOOP;
    IF dialled <> '' THEN
        -- A country's code has one to three digits.
        conditions := conditions || $sql$ AND (phone LIKE '%' || $3 || '%' OR phone LIKE '+' || $4 || '%'
            OR phone LIKE '+_' || $4 || '%' OR phone LIKE '+__' || $4 || '%' OR phone LIKE '+___' || $4 || '%')$sql$;
    ELSIF digits <> '' THEN
        conditions := conditions || $sql$ AND phone LIKE '%' || $3 || '%'$sql$;
    END IF;
    IF reach IS NOT NULL THEN
        conditions := conditions || ' AND (id = ANY ($7)' || CASE WHEN digits = ''
            THEN ' OR folded_name LIKE ALL ($2))' ELSE ')' END;
    END IF;
    matching := 'SELECT name, id FROM public.customer WHERE business_id = $1 AND merged_into IS NULL AND erased_at IS NULL
        AND (name, id) > ($5, $6)' || conditions;
    -- The planner would guess: under policies it sees no statistics.
    IF conditions <> '' THEN
        EXECUTE format(
            'WITH matching AS MATERIALIZED (%s LIMIT %s), counted AS (SELECT count(*)::integer AS n FROM matching)
            SELECT n, CASE WHEN n <= %s THEN ARRAY(SELECT id FROM matching ORDER BY name, id LIMIT %s) END
            FROM counted', matching, matches, most_sorted, most)
            INTO matches, found USING business, patterns, digits, dialled, after_name, after_id, reach;
    END IF;
    IF matches <= most_sorted THEN
        RETURN QUERY SELECT unnest(found);
    ELSE
        PERFORM set_config('enable_indexscan', 'on', true), set_config('enable_bitmapscan', 'off', true);
        RETURN QUERY EXECUTE format('SELECT id FROM (%s ORDER BY name, id LIMIT %s) AS named', matching, most)
            USING business, patterns, digits, dialled, after_name, after_id, reach;
    END IF;
END
$$;
