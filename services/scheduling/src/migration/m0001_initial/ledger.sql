-- Every change of a day locks its row first: lock and cache version in one. The time of its last change only
-- grows, whatever clocks say.
CREATE TABLE business_day (
    business_id uuid NOT NULL,
    day date NOT NULL,
    version bigint NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, day)
) WITH (fillfactor = 50);

-- What an outside calendar, or the salon's booking system, last reported. A fact that is gone has no time.
CREATE TABLE busy_fact (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    origin text NOT NULL CHECK (origin IN ('CALENDAR', 'PROVIDER')),
    source_id uuid NOT NULL,
    external_id text NOT NULL,
    employee_id uuid NOT NULL,
    title text NOT NULL,
    starts_at timestamptz,
    ends_at timestamptz,
    PRIMARY KEY (business_id, id),
    UNIQUE (business_id, source_id, external_id),
    CHECK ((starts_at IS NULL) = (ends_at IS NULL)),
    CHECK (starts_at < ends_at)
);

-- Time of an employee that is kept free of bookings.
CREATE TABLE block (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    employee_id uuid NOT NULL,
    title text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    blocked_by text NOT NULL,
    blocked_at timestamptz NOT NULL,
    unblocked_by text,
    unblocked_at timestamptz,
    PRIMARY KEY (business_id, id),
    CHECK (starts_at < ends_at),
    CHECK ((unblocked_at IS NULL) = (unblocked_by IS NULL))
);
CREATE INDEX block_start ON block (business_id, starts_at, id) WHERE unblocked_at IS NULL;

-- The occupancy ledger. Rows are closed, never otherwise changed or deleted, so it reads as of any past instant.
-- `starts_at`, `ends_at` and `is_open` repeat the ranges for indexes: operators on ranges are not leakproof and
-- can't pass the policy. Busy facts and blocks carry the nil visit: they may overlap each other, but never a
-- booking or a hold.
CREATE TABLE ledger (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    subject_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    fact_id uuid,
    block_id uuid,
    kind text NOT NULL CHECK (kind IN ('BOOKING', 'HOLD', 'BUSY', 'BLOCK')),
    blocking boolean NOT NULL,
    during tstzrange NOT NULL,
    service_during tstzrange NOT NULL,
    starts_at timestamptz NOT NULL GENERATED ALWAYS AS (lower(during)) STORED,
    ends_at timestamptz NOT NULL GENERATED ALWAYS AS (upper(during)) STORED,
    expires_at timestamptz,
    recorded tstzrange NOT NULL,
    is_open boolean NOT NULL GENERATED ALWAYS AS (upper_inf(recorded)) STORED,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, fact_id) REFERENCES busy_fact (business_id, id),
    FOREIGN KEY (business_id, block_id) REFERENCES block (business_id, id),
    CONSTRAINT ledger_during CHECK (NOT isempty(during)),
    CONSTRAINT ledger_service CHECK (NOT isempty(service_during) AND service_during <@ during),
    CONSTRAINT ledger_recorded CHECK (NOT isempty(recorded)),
    -- A search for a day looks back this far for rows that run into it.
    CONSTRAINT ledger_length CHECK (upper(during) - lower(during) <= interval '25 hours'),
    CONSTRAINT ledger_hold CHECK ((kind = 'HOLD') = (expires_at IS NOT NULL)),
    CONSTRAINT ledger_fact CHECK ((kind = 'BUSY') = (fact_id IS NOT NULL)),
    CONSTRAINT ledger_block CHECK ((kind = 'BLOCK') = (block_id IS NOT NULL)),
    CONSTRAINT ledger_busy
        CHECK ((kind IN ('BUSY', 'BLOCK')) = (visit_id = '00000000-0000-0000-0000-000000000000')),
    CONSTRAINT ledger_no_overlap EXCLUDE USING gist
        (business_id WITH =, subject_id WITH =, during WITH &&, visit_id WITH <>)
        WHERE (blocking AND upper_inf(recorded))
);
CREATE INDEX ledger_open ON ledger (business_id, starts_at, ends_at) WHERE is_open;
CREATE INDEX ledger_open_hold ON ledger (business_id, starts_at, ends_at) WHERE is_open AND kind = 'HOLD';
CREATE INDEX ledger_open_visit ON ledger (business_id, visit_id) WHERE is_open;
CREATE INDEX ledger_open_fact ON ledger (business_id, fact_id) WHERE is_open;
-- Finds what a visit took before some of it was freed.
CREATE INDEX ledger_booking ON ledger (business_id, visit_id) WHERE kind = 'BOOKING';
CREATE INDEX ledger_open_block ON ledger (business_id, block_id) WHERE is_open AND kind = 'BLOCK';
CREATE INDEX ledger_closed ON ledger (business_id, starts_at, ends_at) WHERE NOT is_open;

-- A busy fact that overlaps a booking. `starts_at` and `ends_at` are the fact's at the time they collided.
CREATE TABLE conflict (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    fact_id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    closed_at timestamptz,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, fact_id) REFERENCES busy_fact (business_id, id),
    FOREIGN KEY (business_id, appointment_id) REFERENCES appointment (business_id, id)
);
CREATE UNIQUE INDEX conflict_open ON conflict (business_id, fact_id, appointment_id) WHERE closed_at IS NULL;
CREATE INDEX conflict_open_start ON conflict (business_id, starts_at, id) WHERE closed_at IS NULL;
CREATE INDEX conflict_open_appointment ON conflict (business_id, appointment_id) WHERE closed_at IS NULL;

-- Reads days in one round trip instead of four: sets the business itself and runs with the caller's rights and
-- policies. Its statement is `store::hot::DAYS` to the letter. A changed statement needs a function of another
-- name, since replicas of two versions run side by side. `use_column`: no output column hides a table's.
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
