-- Searches without a result, by the local date of the search. Services ascend.
CREATE TABLE unmet_demand (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    day date NOT NULL,
    service_ids uuid[] NOT NULL,
    day_part text NOT NULL CHECK (day_part IN ('ANY', 'MORNING', 'AFTERNOON', 'EVENING')),
    searches bigint NOT NULL CHECK (searches > 0),
    PRIMARY KEY (business_id, day, service_ids, day_part)
);

-- Whole local dates, and the minutes of each in which a visit may start.
CREATE TABLE waitlist_entry (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    first_date date NOT NULL,
    last_date date NOT NULL,
    from_minute smallint NOT NULL,
    to_minute smallint NOT NULL,
    note text NOT NULL,
    joined_at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('WAITING', 'BOOKED', 'LEFT')),
    appointment_id uuid,
    ended_at timestamptz,
    ended_by text,
    reason text,
    version bigint NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, appointment_id) REFERENCES appointment (business_id, id),
    CHECK (first_date <= last_date),
    CHECK (from_minute >= 0 AND from_minute < to_minute AND to_minute <= 1440),
    CONSTRAINT waitlist_entry_ended CHECK (num_nonnulls(ended_at, ended_by)
        = CASE state WHEN 'WAITING' THEN 0 ELSE 2 END),
    CONSTRAINT waitlist_entry_booked CHECK ((state = 'BOOKED') = (appointment_id IS NOT NULL)),
    CONSTRAINT waitlist_entry_left CHECK ((state = 'LEFT') = (reason IS NOT NULL))
);
CREATE INDEX waitlist_entry_waiting ON waitlist_entry (business_id, joined_at, id) WHERE state = 'WAITING';

CREATE TABLE waitlist_item (
    business_id uuid NOT NULL,
    entry_id uuid NOT NULL,
    position smallint NOT NULL,
    service_id uuid NOT NULL,
    employee_id uuid,
    preferred_id uuid,
    guest smallint NOT NULL,
    extra_minutes smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (business_id, entry_id, position),
    FOREIGN KEY (business_id, entry_id) REFERENCES waitlist_entry (business_id, id),
    CONSTRAINT waitlist_item_service FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);
