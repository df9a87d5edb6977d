-- A trusted extension: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Callers who may not see a customer's e-mail address search by `folded_name`.
ALTER TABLE customer
    ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
    ADD COLUMN marketing_consent boolean,
    ADD COLUMN marketing_consent_at timestamptz,
    ADD COLUMN marketing_consent_by text,
    ADD COLUMN merged_into uuid,
    ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (
        folded(name) || folded(coalesce(email, '')) || folded(translate(coalesce(email, ''), '.@_+', '    '))
    ) STORED,
    ADD CONSTRAINT customer_marketing_consent
        CHECK (num_nulls(marketing_consent, marketing_consent_at, marketing_consent_by) IN (0, 3)),
    ADD CONSTRAINT customer_whole FOREIGN KEY (business_id, merged_into) REFERENCES customer (business_id, id),
    ADD CONSTRAINT customer_not_own_part CHECK (merged_into <> id);
CREATE INDEX customer_parts ON customer (business_id, merged_into) WHERE merged_into IS NOT NULL;
-- Without a list of pending entries, which every search would have to look through.
CREATE INDEX customer_search ON customer
    USING gin (business_id, search_text gin_trgm_ops, phone gin_trgm_ops) WITH (fastupdate = off);

CREATE TABLE customer_note (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    pinned boolean NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    PRIMARY KEY (business_id, id),
    CONSTRAINT customer_note_customer FOREIGN KEY (business_id, customer_id) REFERENCES customer (business_id, id)
);
CREATE INDEX customer_note_of ON customer_note (business_id, customer_id, pinned, created_at, id);

-- Two records of one person, made one: `merged_id` is part of `survivor_id` since, with `moved_ids`, who were parts
-- of it. `before` and `after` are the customer that stays, as messages of the contract.
CREATE TABLE customer_merge (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    survivor_id uuid NOT NULL,
    merged_id uuid NOT NULL,
    moved_ids uuid[] NOT NULL,
    before bytea NOT NULL,
    after bytea NOT NULL,
    merged_at timestamptz NOT NULL,
    merged_by text NOT NULL,
    undone_at timestamptz,
    undone_by text,
    PRIMARY KEY (business_id, id),
    CHECK ((undone_at IS NULL) = (undone_by IS NULL)),
    FOREIGN KEY (business_id, survivor_id) REFERENCES customer (business_id, id),
    FOREIGN KEY (business_id, merged_id) REFERENCES customer (business_id, id)
);
CREATE INDEX customer_merge_into ON customer_merge (business_id, survivor_id, merged_at);

CREATE TABLE patch_test (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    subject text NOT NULL CHECK (subject <> ''),
    tested_on date NOT NULL,
    reacted boolean NOT NULL,
    valid_until date CHECK (valid_until >= tested_on),
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT patch_test_customer FOREIGN KEY (business_id, customer_id) REFERENCES customer (business_id, id)
);
CREATE INDEX patch_test_of ON patch_test (business_id, customer_id, tested_on);

-- What was mixed for a customer. Visits are another service's.
CREATE TABLE formula (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    mixed_on date NOT NULL,
    appointment_id uuid,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT formula_customer FOREIGN KEY (business_id, customer_id) REFERENCES customer (business_id, id)
);
CREATE INDEX formula_of ON formula (business_id, customer_id, mixed_on);

-- Every answer about advertising; the one that counts stands with the customer.
CREATE TABLE consent_change (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    given boolean NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT consent_change_customer FOREIGN KEY (business_id, customer_id) REFERENCES customer (business_id, id)
);
CREATE INDEX consent_change_of ON consent_change (business_id, customer_id, created_at);

-- Policies keep LIKE from using an index. So this function runs as the owner, for whom the policies hide no
-- customer, and filters by the business itself. It gives ids alone, which the caller reads under its policies.
-- Numbers and addresses find those of `reach` alone, unless it is null.
CREATE POLICY search ON customer FOR SELECT TO tenancy_owner USING (true);
CREATE FUNCTION search_customers(
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
    matching := 'SELECT name, id FROM public.customer WHERE business_id = $1 AND merged_into IS NULL
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
