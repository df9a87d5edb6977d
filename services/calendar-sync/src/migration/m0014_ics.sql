ALTER TABLE calendar DROP CONSTRAINT calendar_kind_check;
ALTER TABLE calendar ADD CONSTRAINT calendar_kind_check
    CHECK (kind IN ('DEMO', 'CALDAV', 'PROVIDER', 'GOOGLE', 'ICS'));

-- A calendar that is published under an address. All who know the address can read it, so it is sealed under the
-- calendar's id, and people are shown its host.
CREATE TABLE ics_calendar (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    host text NOT NULL,
    data_key_id uuid NOT NULL,
    sealed_address bytea NOT NULL,
    address_changed_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, id) REFERENCES calendar (business_id, id),
    FOREIGN KEY (business_id, data_key_id) REFERENCES data_key (business_id, id)
);
