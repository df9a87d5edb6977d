-- Chairs, rooms and machines.
CREATE TABLE resource (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    kind text COLLATE "und-x-icu" NOT NULL,
    archived_at timestamptz,
    PRIMARY KEY (business_id, id)
);
CREATE UNIQUE INDEX resource_name ON resource (business_id, lower(name)) WHERE archived_at IS NULL;

CREATE TABLE service (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL,
    category text COLLATE "und-x-icu" NOT NULL,
    buffer_before_minutes smallint NOT NULL,
    buffer_after_minutes smallint NOT NULL,
    price_minor integer NOT NULL CHECK (price_minor >= 0),
    currency text NOT NULL,
    aliases text[] NOT NULL,
    resource_kinds text[] NOT NULL DEFAULT '{}',
    version bigint NOT NULL DEFAULT 1,
    archived_at timestamptz,
    PRIMARY KEY (business_id, id)
);
CREATE UNIQUE INDEX service_name ON service (business_id, lower(name)) WHERE archived_at IS NULL;
CREATE INDEX service_listed ON service (business_id, category, name, id) WHERE archived_at IS NULL;

CREATE TABLE service_segment (
    business_id uuid NOT NULL,
    service_id uuid NOT NULL,
    position smallint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('ACTIVE', 'PROCESSING')),
    minutes smallint NOT NULL CHECK (minutes BETWEEN 5 AND 720 AND minutes % 5 = 0),
    PRIMARY KEY (business_id, service_id, position),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);

-- Who does a service. Without minutes or a price of their own, the service's apply.
CREATE TABLE service_employee (
    business_id uuid NOT NULL,
    service_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    segment_minutes smallint[] NOT NULL DEFAULT '{}',
    price_minor integer CHECK (price_minor >= 0),
    PRIMARY KEY (business_id, service_id, employee_id),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);

-- Rules between services of one visit, or of two: a patch test at least two days before a colour.
CREATE TABLE dependency (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    first_id uuid NOT NULL,
    then_id uuid NOT NULL,
    rule text NOT NULL
        CHECK (rule IN ('ORDER', 'SAME_EMPLOYEE', 'DIFFERENT_EMPLOYEE', 'PARALLEL', 'EARLIER_VISIT')),
    least_gap_minutes smallint,
    most_gap_minutes smallint,
    least_hours smallint,
    most_days smallint,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, first_id) REFERENCES service (business_id, id),
    FOREIGN KEY (business_id, then_id) REFERENCES service (business_id, id),
    CHECK (first_id <> then_id),
    CHECK ((rule = 'ORDER') = (least_gap_minutes IS NOT NULL)),
    CHECK (rule = 'ORDER' OR most_gap_minutes IS NULL),
    CHECK (0 <= least_gap_minutes AND least_gap_minutes <= most_gap_minutes),
    CONSTRAINT dependency_earlier
        CHECK ((rule = 'EARLIER_VISIT') = (least_hours IS NOT NULL AND most_days IS NOT NULL)
            AND num_nulls(least_hours, most_days) IN (0, 2)),
    CONSTRAINT dependency_window CHECK (0 <= least_hours AND least_hours <= 24 * most_days)
);

-- Services to suggest beside a booked one.
CREATE TABLE pairing (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    service_id uuid NOT NULL,
    suggested_id uuid NOT NULL,
    note text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT pairing_once UNIQUE (business_id, service_id, suggested_id),
    CONSTRAINT pairing_service FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id),
    CONSTRAINT pairing_suggested FOREIGN KEY (business_id, suggested_id) REFERENCES service (business_id, id),
    CHECK (service_id <> suggested_id)
);

-- Phrases from calls that matched no single service.
CREATE TABLE unmatched_phrase (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    phrase text NOT NULL,
    count bigint NOT NULL CHECK (count > 0),
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    last_call_id uuid,
    is_dismissed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (business_id, id),
    CONSTRAINT unmatched_phrase_once UNIQUE (business_id, phrase)
);
CREATE INDEX unmatched_phrase_count ON unmatched_phrase (business_id, is_dismissed, count, id);
CREATE INDEX unmatched_phrase_last ON unmatched_phrase (business_id, last_at, id);
