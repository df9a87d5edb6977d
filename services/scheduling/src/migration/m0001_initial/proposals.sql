-- Changes of one local date that a user may apply. Each cause has its own columns. `input` is what an
-- optimised day was computed from, so that the result can be reproduced.
CREATE TABLE proposal (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    day date NOT NULL,
    cause text NOT NULL,
    employee_id uuid,
    time_off_id uuid,
    appointment_id uuid,
    minutes smallint,
    seed bigint,
    input_hash text,
    cost_before bigint,
    cost_after bigint,
    moves_tried bigint,
    is_reproducible boolean,
    state text NOT NULL CHECK (state IN ('OPEN', 'APPLIED', 'DISMISSED')),
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    closed_by text,
    closed_at timestamptz,
    version bigint NOT NULL,
    input jsonb,
    gained_minutes bigint,
    gained_minor bigint,
    currency text,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, time_off_id) REFERENCES time_off (business_id, id),
    FOREIGN KEY (business_id, appointment_id) REFERENCES appointment (business_id, id),
    CONSTRAINT proposal_cause CHECK (cause IN ('ABSENCE', 'DELAY', 'OPTIMISATION')),
    CONSTRAINT proposal_absence CHECK (num_nonnulls(employee_id, time_off_id)
        = CASE cause WHEN 'ABSENCE' THEN 2 ELSE 0 END),
    CONSTRAINT proposal_delay CHECK (num_nonnulls(appointment_id, minutes)
        = CASE cause WHEN 'DELAY' THEN 2 ELSE 0 END),
    CONSTRAINT proposal_optimisation
        CHECK (num_nonnulls(seed, input_hash, cost_before, cost_after, moves_tried, is_reproducible)
            = CASE cause WHEN 'OPTIMISATION' THEN 6 ELSE 0 END),
    CONSTRAINT proposal_gain CHECK (num_nonnulls(gained_minutes, gained_minor, currency)
        = CASE cause WHEN 'OPTIMISATION' THEN 3 ELSE 0 END),
    CONSTRAINT proposal_input CHECK (input IS NULL OR cause = 'OPTIMISATION'),
    CONSTRAINT proposal_closed CHECK (num_nonnulls(closed_by, closed_at)
        = CASE state WHEN 'OPEN' THEN 0 ELSE 2 END)
);
CREATE INDEX proposal_open ON proposal (business_id, day, id) WHERE state = 'OPEN';

-- Where a visit was, and where it could be: one employee per service.
CREATE TABLE proposal_line (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    proposal_id uuid NOT NULL,
    position smallint NOT NULL CHECK (position BETWEEN 1 AND 200),
    change text NOT NULL,
    appointment_id uuid,
    waitlist_entry_id uuid,
    seen_version bigint NOT NULL,
    from_starts_at timestamptz,
    from_ends_at timestamptz,
    from_employee_ids uuid[],
    to_starts_at timestamptz,
    to_ends_at timestamptz,
    to_employee_ids uuid[],
    applied_by text,
    applied_at timestamptz,
    PRIMARY KEY (business_id, id),
    CONSTRAINT proposal_line_position UNIQUE (business_id, proposal_id, position),
    FOREIGN KEY (business_id, proposal_id) REFERENCES proposal (business_id, id),
    FOREIGN KEY (business_id, appointment_id) REFERENCES appointment (business_id, id),
    FOREIGN KEY (business_id, waitlist_entry_id) REFERENCES waitlist_entry (business_id, id),
    CONSTRAINT proposal_line_change CHECK (change IN ('MOVE', 'EXTENSION', 'UNPLACED', 'BOOKING')),
    CONSTRAINT proposal_line_subject CHECK (CASE change WHEN 'BOOKING'
        THEN appointment_id IS NULL AND waitlist_entry_id IS NOT NULL
        ELSE appointment_id IS NOT NULL AND waitlist_entry_id IS NULL END),
    CONSTRAINT proposal_line_from CHECK (num_nonnulls(from_starts_at, from_ends_at, from_employee_ids)
        = CASE change WHEN 'BOOKING' THEN 0 ELSE 3 END),
    CONSTRAINT proposal_line_to CHECK (num_nonnulls(to_starts_at, to_ends_at, to_employee_ids)
        = CASE change WHEN 'UNPLACED' THEN 0 ELSE 3 END),
    CONSTRAINT proposal_line_applied CHECK (num_nonnulls(applied_by, applied_at) IN (0, 2)
        AND (change <> 'UNPLACED' OR applied_at IS NULL))
);

-- What a change of several records found, for as long as the account that made it can take it back.
CREATE TABLE undoable_change (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    made_at timestamptz NOT NULL,
    made_by text NOT NULL,
    content jsonb NOT NULL,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX undoable_change_age ON undoable_change (business_id, made_at);
