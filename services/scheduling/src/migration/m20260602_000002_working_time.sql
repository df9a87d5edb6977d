-- Weeks get the date from which they count. `-infinity` counts from always: what there
-- was before. Row-level security is forced upon the owner, too, but for this.
ALTER TABLE weekly_schedule NO FORCE ROW LEVEL SECURITY;

-- A week with no hours at all is one, too.
CREATE TABLE weekly_pattern (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    employee_id uuid NOT NULL,
    effective_from date NOT NULL,
    PRIMARY KEY (business_id, employee_id, effective_from)
);
INSERT INTO weekly_pattern SELECT DISTINCT business_id, employee_id, '-infinity'::date FROM weekly_schedule;

ALTER TABLE weekly_schedule
    ADD COLUMN effective_from date NOT NULL DEFAULT '-infinity',
    DROP CONSTRAINT weekly_schedule_pkey,
    ADD PRIMARY KEY (business_id, employee_id, effective_from, weekday, from_minute),
    ADD FOREIGN KEY (business_id, employee_id, effective_from) REFERENCES weekly_pattern ON DELETE CASCADE;
ALTER TABLE weekly_schedule ALTER COLUMN effective_from DROP DEFAULT;
ALTER TABLE weekly_schedule FORCE ROW LEVEL SECURITY;

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

-- Hours of an employee on one date.
CREATE TABLE day_hours (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    employee_id uuid NOT NULL,
    day date NOT NULL,
    from_minutes smallint[] NOT NULL,
    to_minutes smallint[] NOT NULL,
    PRIMARY KEY (business_id, employee_id, day),
    CHECK (cardinality(from_minutes) = cardinality(to_minutes))
);
