-- Where whole days were asked for, the dates count; the instants are theirs in the zone
-- of that time, and order the list.
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
