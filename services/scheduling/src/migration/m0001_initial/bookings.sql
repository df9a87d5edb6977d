CREATE TABLE hold (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    call_id uuid,
    -- The holder, as the audit trail names them.
    held_by text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    price_minor integer NOT NULL,
    currency text NOT NULL,
    -- The number of its rows in the ledger.
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

-- In items of holds, appointments and the waitlist, `extra_minutes` is how much longer than the service's own
-- length the item is planned; negative for shorter.
CREATE TABLE hold_item (
    business_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    position smallint NOT NULL,
    service_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    guest smallint NOT NULL DEFAULT 0,
    resource_ids uuid[] NOT NULL DEFAULT '{}',
    price_minor integer NOT NULL DEFAULT 0,
    extra_minutes smallint NOT NULL DEFAULT 0,
    -- The employee whom the customer asked for, rather than others or alone.
    wished_id uuid,
    only_wished boolean NOT NULL DEFAULT false,
    CHECK (NOT only_wished OR wished_id IS NOT NULL),
    PRIMARY KEY (business_id, visit_id, position),
    FOREIGN KEY (business_id, visit_id) REFERENCES hold (business_id, id),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);

-- How visits repeat. What each of them is stands in its appointment.
CREATE TABLE series (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    cadence text NOT NULL CHECK (cadence IN ('WEEKLY', 'MONTHLY', 'MONTHLY_BY_WEEKDAY')),
    every smallint NOT NULL CHECK (every BETWEEN 1 AND 12),
    count smallint NOT NULL CHECK (count BETWEEN 2 AND 52),
    booked_at timestamptz NOT NULL,
    booked_by text NOT NULL,
    PRIMARY KEY (business_id, id)
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
    late_cancellation boolean NOT NULL DEFAULT false,
    -- A visit squeezed in beside whatever else takes its employees' time: its rows in the ledger do not block.
    squeezed_in boolean NOT NULL DEFAULT false,
    series_id uuid,
    -- Which visit of the series it is, from 1.
    occurrence smallint,
    -- The start by the series. A visit that starts at another time was moved by itself.
    planned_at timestamptz,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, series_id) REFERENCES series (business_id, id),
    CONSTRAINT appointment_state CHECK (state IN
        ('BOOKED', 'CONFIRMED', 'ARRIVED', 'IN_SERVICE', 'COMPLETED', 'CANCELLED', 'NO_SHOW')),
    CONSTRAINT appointment_cancelled CHECK ((state = 'CANCELLED')
        = (cancelled_at IS NOT NULL AND cancelled_by IS NOT NULL AND cancel_reason IS NOT NULL)),
    CONSTRAINT appointment_late CHECK (state = 'CANCELLED' OR NOT late_cancellation),
    CONSTRAINT appointment_occurrence CHECK (num_nulls(series_id, occurrence, planned_at) IN (0, 3))
);
CREATE INDEX appointment_start ON appointment (business_id, starts_at, id);
CREATE UNIQUE INDEX appointment_series ON appointment (business_id, series_id, occurrence)
    WHERE series_id IS NOT NULL;
CREATE INDEX appointment_customer ON appointment (business_id, customer_id, starts_at)
    WHERE customer_id IS NOT NULL;

CREATE TABLE appointment_item (
    business_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    position smallint NOT NULL,
    service_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    guest smallint NOT NULL DEFAULT 0,
    resource_ids uuid[] NOT NULL DEFAULT '{}',
    price_minor integer NOT NULL DEFAULT 0,
    extra_minutes smallint NOT NULL DEFAULT 0,
    -- The employee whom the customer asked for, rather than others or alone.
    wished_id uuid,
    only_wished boolean NOT NULL DEFAULT false,
    CHECK (NOT only_wished OR wished_id IS NOT NULL),
    PRIMARY KEY (business_id, visit_id, position),
    FOREIGN KEY (business_id, visit_id) REFERENCES appointment (business_id, id),
    FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);
-- Statistics over a span of time read this index and the appointments it names, not the table.
CREATE INDEX appointment_item_start ON appointment_item (business_id, starts_at)
    INCLUDE (visit_id, service_id, employee_id, ends_at);
-- Whose customers an employee serves reads this one.
CREATE INDEX appointment_item_employee ON appointment_item (business_id, employee_id, starts_at) INCLUDE (visit_id);

-- Where a visit was before each move, by the version that it had there.
CREATE TABLE place_change (
    business_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    version bigint NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    employee_ids uuid[] NOT NULL,
    -- When it was moved away from there.
    left_at timestamptz NOT NULL,
    left_by text NOT NULL,
    PRIMARY KEY (business_id, visit_id, version),
    FOREIGN KEY (business_id, visit_id) REFERENCES appointment (business_id, id)
);

-- When a visit entered each state. A change that was undone stays on record.
CREATE TABLE state_change (
    business_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    position integer NOT NULL,
    state text NOT NULL CHECK (state IN
        ('BOOKED', 'CONFIRMED', 'ARRIVED', 'IN_SERVICE', 'COMPLETED', 'CANCELLED', 'NO_SHOW')),
    entered_at timestamptz NOT NULL,
    entered_by text NOT NULL,
    -- When the ledger recorded that the change freed some of the visit's time, if it did.
    freed_at timestamptz,
    undone_at timestamptz,
    PRIMARY KEY (business_id, visit_id, position),
    FOREIGN KEY (business_id, visit_id) REFERENCES appointment (business_id, id)
);
