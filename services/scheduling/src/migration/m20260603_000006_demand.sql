-- What was said on the phone and meant no single service.
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

-- What is counted over a span of time is read from here alone, and from the appointments it names.
CREATE INDEX appointment_item_start ON appointment_item (business_id, starts_at)
    INCLUDE (visit_id, service_id, employee_id, ends_at);

-- Searches that found nothing, by the local date they were made on. Services ascend.
CREATE TABLE unmet_demand (
    business_id uuid NOT NULL REFERENCES business_settings (business_id),
    day date NOT NULL,
    service_ids uuid[] NOT NULL,
    day_part text NOT NULL CHECK (day_part IN ('ANY', 'MORNING', 'AFTERNOON', 'EVENING')),
    searches bigint NOT NULL CHECK (searches > 0),
    PRIMARY KEY (business_id, day, service_ids, day_part)
);

-- Whole local dates, and minutes of each in which a visit may start.
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
    PRIMARY KEY (business_id, entry_id, position),
    FOREIGN KEY (business_id, entry_id) REFERENCES waitlist_entry (business_id, id),
    CONSTRAINT waitlist_item_service FOREIGN KEY (business_id, service_id) REFERENCES service (business_id, id)
);
