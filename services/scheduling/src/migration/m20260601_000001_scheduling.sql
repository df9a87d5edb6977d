-- One row per business: its zone and booking policy. `schedule_version` grows with
-- every change of hours, schedules, services or policy.
CREATE TABLE business_settings (
    business_id uuid PRIMARY KEY,
    time_zone text NOT NULL,
    increment_minutes smallint NOT NULL DEFAULT 15,
    lead_minutes integer NOT NULL DEFAULT 0,
    horizon_days integer NOT NULL DEFAULT 180,
    schedule_version bigint NOT NULL DEFAULT 1,
    CONSTRAINT business_settings_increment CHECK (increment_minutes IN (5, 10, 15, 20, 30, 60)),
    CONSTRAINT business_settings_lead CHECK (lead_minutes BETWEEN 0 AND 43200),
    CONSTRAINT business_settings_horizon CHECK (horizon_days BETWEEN 1 AND 730)
);

CREATE TABLE opening_hours (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
    from_minute smallint NOT NULL CHECK (from_minute % 5 = 0),
    to_minute smallint NOT NULL CHECK (to_minute % 5 = 0),
    PRIMARY KEY (business_id, weekday, from_minute),
    CHECK (from_minute >= 0 AND from_minute < to_minute AND to_minute <= 1440)
);

-- An employee may be scheduled before tenancy's event about the employee arrives.
CREATE TABLE weekly_schedule (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    employee_id uuid NOT NULL,
    weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
    from_minute smallint NOT NULL CHECK (from_minute % 5 = 0),
    to_minute smallint NOT NULL CHECK (to_minute % 5 = 0),
    PRIMARY KEY (business_id, employee_id, weekday, from_minute),
    CHECK (from_minute >= 0 AND from_minute < to_minute AND to_minute <= 1440)
);

-- Projections of tenancy's records. Nothing refers to them by a key, since what
-- names them may come first.
CREATE TABLE employee (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (business_id, id)
);

CREATE TABLE customer (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    phone text NOT NULL,
    PRIMARY KEY (business_id, id)
);

CREATE TABLE service (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    -- Sorted as people expect, alike on every server.
    name text COLLATE "und-x-icu" NOT NULL,
    category text COLLATE "und-x-icu" NOT NULL,
    buffer_before_minutes smallint NOT NULL,
    buffer_after_minutes smallint NOT NULL,
    price_minor integer NOT NULL CHECK (price_minor >= 0),
    currency text NOT NULL,
    aliases text[] NOT NULL,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX service_listed ON service (business_id, category, name, id);
CREATE UNIQUE INDEX service_name ON service (business_id, lower(name));

CREATE TABLE service_segment (
    business_id uuid NOT NULL,
    service_id uuid NOT NULL,
    position smallint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('ACTIVE', 'PROCESSING')),
    minutes smallint NOT NULL CHECK (minutes BETWEEN 5 AND 720 AND minutes % 5 = 0),
    PRIMARY KEY (business_id, service_id, position),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);

CREATE TABLE service_employee (
    business_id uuid NOT NULL,
    service_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    PRIMARY KEY (business_id, service_id, employee_id),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);

-- Whoever changes a day takes its row first: lock and cache version in one. The time
-- of its last change only grows, whatever clocks say.
CREATE TABLE business_day (
    business_id uuid NOT NULL,
    day date NOT NULL,
    version bigint NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, day)
) WITH (fillfactor = 50);

-- What an outside calendar last said. A fact that is gone has no time.
CREATE TABLE busy_fact (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    external_id text NOT NULL,
    employee_id uuid NOT NULL,
    title text NOT NULL,
    starts_at timestamptz,
    ends_at timestamptz,
    PRIMARY KEY (business_id, id),
    UNIQUE (business_id, calendar_id, external_id),
    CHECK ((starts_at IS NULL) = (ends_at IS NULL)),
    CHECK (starts_at < ends_at)
);

-- The occupancy ledger. Rows are closed, never changed or deleted, so it reads as of
-- any past instant. `starts_at`, `ends_at` and `is_open` say again what the ranges
-- say, for indexes: operators on ranges are not leakproof and can't pass the policy.
CREATE TABLE ledger (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    subject_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    fact_id uuid,
    kind text NOT NULL CHECK (kind IN ('BOOKING', 'HOLD', 'BUSY')),
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
    CONSTRAINT ledger_during CHECK (NOT isempty(during)),
    CONSTRAINT ledger_service CHECK (NOT isempty(service_during) AND service_during <@ during),
    CONSTRAINT ledger_recorded CHECK (NOT isempty(recorded)),
    -- A search for a day looks back this far for rows that run into it.
    CONSTRAINT ledger_length CHECK (upper(during) - lower(during) <= interval '25 hours'),
    CONSTRAINT ledger_hold CHECK ((kind = 'HOLD') = (expires_at IS NOT NULL)),
    CONSTRAINT ledger_fact CHECK ((kind = 'BUSY') = (fact_id IS NOT NULL)),
    CONSTRAINT ledger_busy CHECK ((kind = 'BUSY') = (visit_id = '00000000-0000-0000-0000-000000000000')),
    CONSTRAINT ledger_no_overlap EXCLUDE USING gist
        (business_id WITH =, subject_id WITH =, during WITH &&, visit_id WITH <>)
        WHERE (blocking AND upper_inf(recorded))
);
CREATE INDEX ledger_open ON ledger (business_id, starts_at, ends_at) WHERE is_open;
CREATE INDEX ledger_open_hold ON ledger (business_id, starts_at, ends_at) WHERE is_open AND kind = 'HOLD';
CREATE INDEX ledger_open_visit ON ledger (business_id, visit_id) WHERE is_open;
CREATE INDEX ledger_open_fact ON ledger (business_id, fact_id) WHERE is_open;

CREATE TABLE hold (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    call_id uuid,
    -- Who holds it, as the audit trail names them.
    held_by text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    price_minor integer NOT NULL,
    currency text NOT NULL,
    -- How many rows of the ledger it has.
    ledger_rows smallint NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    outcome text CHECK (outcome IN ('BOOKED', 'RELEASED', 'DISPLACED')),
    PRIMARY KEY (business_id, id),
    CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX hold_open_call ON hold (business_id, call_id, expires_at) WHERE ended_at IS NULL;
CREATE INDEX hold_open_person ON hold (business_id, held_by, expires_at) WHERE call_id IS NULL AND ended_at IS NULL;

CREATE TABLE hold_item (
    business_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    position smallint NOT NULL,
    service_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, visit_id, position),
    FOREIGN KEY (business_id, visit_id) REFERENCES hold (business_id, id),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);

CREATE TABLE appointment (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    state text NOT NULL,
    customer_id uuid,
    call_id uuid,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    price_minor integer NOT NULL,
    currency text NOT NULL,
    notes text NOT NULL,
    version bigint NOT NULL,
    created_at timestamptz NOT NULL,
    cancelled_at timestamptz,
    cancelled_by text,
    cancel_reason text,
    PRIMARY KEY (business_id, id),
    CONSTRAINT appointment_state CHECK (state IN
        ('BOOKED', 'CONFIRMED', 'ARRIVED', 'IN_SERVICE', 'COMPLETED', 'CANCELLED', 'NO_SHOW')),
    CONSTRAINT appointment_cancelled CHECK ((state = 'CANCELLED')
        = (cancelled_at IS NOT NULL AND cancelled_by IS NOT NULL AND cancel_reason IS NOT NULL))
);
CREATE INDEX appointment_start ON appointment (business_id, starts_at, id);

CREATE TABLE appointment_item (
    business_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    position smallint NOT NULL,
    service_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, visit_id, position),
    FOREIGN KEY (business_id, visit_id) REFERENCES appointment (business_id, id),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);

-- A busy fact over a booking. `starts_at` and `ends_at` are the fact's when they met.
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

CREATE TABLE idempotency_key (
    business_id uuid NOT NULL,
    actor text NOT NULL,
    method text NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    response bytea,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, actor, method, key)
);
CREATE INDEX idempotency_key_expiry ON idempotency_key (expires_at);

CREATE TABLE audit (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject_id uuid NOT NULL,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX audit_at ON audit (business_id, at, id);
