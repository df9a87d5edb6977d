-- Names sort as people expect, alike on every server: the database's own collation is the machine's.

-- Zone and booking policy. `schedule_version` grows with every change of hours, schedules, services or
-- policy. Customers can't cancel a visit that starts within `cancellation_minutes`.
CREATE TABLE business_settings (
    business_id uuid PRIMARY KEY,
    time_zone text NOT NULL,
    increment_minutes smallint NOT NULL DEFAULT 15,
    lead_minutes integer NOT NULL DEFAULT 0,
    horizon_days integer NOT NULL DEFAULT 180,
    cancellation_minutes integer NOT NULL DEFAULT 0,
    schedule_version bigint NOT NULL DEFAULT 1,
    -- Employees see telephone numbers and e-mail addresses of all customers, not only of their own visits'.
    employees_see_all_contacts boolean NOT NULL DEFAULT false,
    CONSTRAINT business_settings_increment CHECK (increment_minutes IN (5, 10, 15, 20, 30, 60)),
    CONSTRAINT business_settings_lead CHECK (lead_minutes BETWEEN 0 AND 43200),
    CONSTRAINT business_settings_horizon CHECK (horizon_days BETWEEN 1 AND 730)
);

-- The whole schedule at each of its versions, so that a search can be answered as of any instant. A version
-- replaces reading the tables if `format` is the one the code writes.
CREATE TABLE schedule_version (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    version bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    schedule jsonb NOT NULL,
    format smallint,
    PRIMARY KEY (business_id, version)
);
CREATE INDEX schedule_version_recorded ON schedule_version (business_id, recorded_at, version);

-- Projections of tenancy's records. No foreign key refers to them, since an event about the record may arrive
-- after the row that names it. `user_id` is the employee's account, for reporting their own absence.
CREATE TABLE employee (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    user_id uuid,
    PRIMARY KEY (business_id, id)
);

CREATE TABLE customer (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    phone text NOT NULL,
    -- The customer that this one is part of, whose name and phone it has then.
    merged_into uuid,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX customer_parts ON customer (business_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE opening_hours (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
    from_minute smallint NOT NULL CHECK (from_minute % 5 = 0),
    to_minute smallint NOT NULL CHECK (to_minute % 5 = 0),
    PRIMARY KEY (business_id, weekday, from_minute),
    CHECK (from_minute >= 0 AND from_minute < to_minute AND to_minute <= 1440)
);

-- Dates with other opening hours than the week's. Spans are checked where they are read.
CREATE TABLE opening_exception (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    first_date date NOT NULL,
    last_date date NOT NULL,
    from_minutes smallint[] NOT NULL,
    to_minutes smallint[] NOT NULL,
    label text NOT NULL,
    PRIMARY KEY (business_id, id),
    CHECK (first_date <= last_date),
    CHECK (cardinality(from_minutes) = cardinality(to_minutes)),
    CONSTRAINT opening_exception_no_overlap EXCLUDE USING gist
        (business_id WITH =, daterange(first_date, last_date, '[]') WITH &&)
);
CREATE INDEX opening_exception_first ON opening_exception (business_id, first_date);

-- An employee's week from a date on; `-infinity` applies from the start. A table of its own, since a week may
-- have no hours at all.
CREATE TABLE weekly_pattern (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    employee_id uuid NOT NULL,
    effective_from date NOT NULL,
    PRIMARY KEY (business_id, employee_id, effective_from)
);

CREATE TABLE weekly_schedule (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    employee_id uuid NOT NULL,
    effective_from date NOT NULL,
    weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
    from_minute smallint NOT NULL CHECK (from_minute % 5 = 0),
    to_minute smallint NOT NULL CHECK (to_minute % 5 = 0),
    PRIMARY KEY (business_id, employee_id, effective_from, weekday, from_minute),
    FOREIGN KEY (business_id, employee_id, effective_from) REFERENCES weekly_pattern ON DELETE CASCADE,
    CHECK (from_minute >= 0 AND from_minute < to_minute AND to_minute <= 1440)
);

-- Hours of an employee on one date, instead of the week's.
CREATE TABLE day_hours (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    employee_id uuid NOT NULL,
    day date NOT NULL,
    from_minutes smallint[] NOT NULL,
    to_minutes smallint[] NOT NULL,
    PRIMARY KEY (business_id, employee_id, day),
    CHECK (cardinality(from_minutes) = cardinality(to_minutes))
);

-- For whole days the dates count. The instants, theirs in the zone at the time of the request, then only order
-- the list.
CREATE TABLE time_off (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    employee_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('HOLIDAY', 'SICK', 'TRAINING', 'OTHER')),
    reason text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    first_date date,
    last_date date,
    state text NOT NULL CHECK (state IN ('REQUESTED', 'APPROVED', 'DECLINED', 'WITHDRAWN')),
    requested_by text NOT NULL,
    requested_at timestamptz NOT NULL,
    decided_by text,
    decided_at timestamptz,
    decision_note text,
    version bigint NOT NULL,
    PRIMARY KEY (business_id, id),
    CHECK (starts_at < ends_at),
    CHECK ((first_date IS NULL) = (last_date IS NULL)),
    CHECK (first_date <= last_date),
    CONSTRAINT time_off_decided CHECK (num_nonnulls(decided_by, decided_at, decision_note)
        = CASE state WHEN 'REQUESTED' THEN 0 ELSE 3 END)
);
CREATE INDEX time_off_start ON time_off (business_id, starts_at, id);
CREATE INDEX time_off_approved ON time_off (business_id, ends_at) WHERE state = 'APPROVED';
