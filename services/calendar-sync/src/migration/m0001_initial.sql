-- Projection of tenancy's employees. `user_id` is the account an employee signs in with.
CREATE TABLE employee (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid,
    PRIMARY KEY (business_id, id)
);

CREATE TABLE calendar (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('DEMO')),
    employee_id uuid NOT NULL,
    name text NOT NULL,
    connected_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX calendar_of_employee ON calendar (business_id, employee_id, id);

-- How far a calendar has been read, and when it is read next. A replica leases a calendar that is due.
CREATE TABLE sync_state (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    token text,
    synced_at timestamptz,
    last_error text,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL,
    lease uuid,
    leased_until timestamptz,
    PRIMARY KEY (business_id, calendar_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id),
    CHECK ((lease IS NULL) = (leased_until IS NULL))
);
CREATE INDEX sync_state_due ON sync_state (due_at);

-- Events that scheduling may know of. The row is written before the event is reported, so that the removal of
-- every reported event is reported too.
CREATE TABLE told_event (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    event_id text NOT NULL,
    PRIMARY KEY (business_id, calendar_id, event_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id)
);

-- Events of which scheduling blocks less time than they take; shown beside the calendar, and reported again at
-- `again_at`.
CREATE TABLE event_shortfall (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    event_id text NOT NULL,
    title text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    reason text NOT NULL CHECK (reason IN ('TOO_LONG', 'OUT_OF_RANGE', 'REFUSED')),
    held_until timestamptz,
    fault text,
    again_at timestamptz,
    PRIMARY KEY (business_id, calendar_id, event_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id),
    CHECK (starts_at < ends_at),
    CHECK ((held_until IS NOT NULL) = (reason = 'TOO_LONG')),
    CHECK ((fault IS NOT NULL) = (reason = 'REFUSED'))
);

-- Projection of scheduling's appointments: the spans of each employee's work. Kept so that a calendar connected
-- later gets them too.
CREATE TABLE booked_part (
    business_id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    employee_id uuid NOT NULL,
    part integer NOT NULL,
    title text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, appointment_id, employee_id, part),
    CHECK (starts_at < ends_at)
);
CREATE INDEX booked_part_of_employee ON booked_part (business_id, employee_id, ends_at);

-- An event that this service writes to a calendar: `wanted` is the version to write, `written` the last one
-- written.
CREATE TABLE calendar_write (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    event_id text NOT NULL,
    appointment_id uuid NOT NULL,
    title text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    removed boolean NOT NULL DEFAULT false,
    wanted bigint NOT NULL DEFAULT 1,
    written bigint NOT NULL DEFAULT 0,
    etag text,
    wanted_at timestamptz NOT NULL,
    traceparent text,
    last_error text,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL,
    lease uuid,
    leased_until timestamptz,
    PRIMARY KEY (business_id, calendar_id, event_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id),
    CHECK (starts_at < ends_at),
    CHECK ((lease IS NULL) = (leased_until IS NULL))
);
CREATE INDEX calendar_write_due ON calendar_write (due_at) WHERE written < wanted;
CREATE INDEX calendar_write_of_appointment ON calendar_write (business_id, appointment_id);
CREATE INDEX calendar_write_failed ON calendar_write (business_id, calendar_id) WHERE last_error IS NOT NULL;

-- The number of the newest change, and of the newest one whose tombstone was swept. Every change of the calendar
-- locks the row, so that changes commit in the order of their numbers.
CREATE TABLE demo_calendar (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    change bigint NOT NULL DEFAULT 0,
    floor bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, id) REFERENCES calendar (business_id, id)
);

CREATE TABLE demo_event (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    id text NOT NULL,
    title text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    -- Marks events that this installation wrote.
    appointment_id uuid,
    change bigint NOT NULL,
    changed_at timestamptz NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (business_id, calendar_id, id),
    CONSTRAINT demo_event_change UNIQUE (business_id, calendar_id, change),
    FOREIGN KEY (business_id, calendar_id) REFERENCES demo_calendar (business_id, id),
    CHECK (starts_at < ends_at)
);
CREATE INDEX demo_event_by_start ON demo_event (business_id, calendar_id, starts_at, id) WHERE NOT deleted;
CREATE INDEX demo_event_tombstone ON demo_event (business_id, calendar_id, changed_at) WHERE deleted;

-- People who let Frontdesk see which calendars they have. Of a person, not of a business.
CREATE TABLE consent (
    user_id uuid PRIMARY KEY,
    granted_at timestamptz NOT NULL
);

-- A consent that was asked for: whoever brings the state back answers this question.
CREATE TABLE consent_request (
    user_id uuid PRIMARY KEY,
    state_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL
);
