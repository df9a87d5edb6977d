-- When a visit came to each state. One that was taken back says so and stays on record.
CREATE TABLE state_change (
    business_id uuid NOT NULL,
    visit_id uuid NOT NULL,
    position integer NOT NULL,
    state text NOT NULL CHECK (state IN
        ('BOOKED', 'CONFIRMED', 'ARRIVED', 'IN_SERVICE', 'COMPLETED', 'CANCELLED', 'NO_SHOW')),
    entered_at timestamptz NOT NULL,
    entered_by text NOT NULL,
    -- When the ledger noted that some of the visit's time became free by it, if any did.
    freed_at timestamptz,
    undone_at timestamptz,
    PRIMARY KEY (business_id, visit_id, position),
    FOREIGN KEY (business_id, visit_id) REFERENCES appointment (business_id, id)
);

-- What a visit took before some of it was freed.
CREATE INDEX ledger_booking ON ledger (business_id, visit_id) WHERE kind = 'BOOKING';

-- What is booked already: visits were booked and cancelled, and nothing else. Row-level security
-- is forced upon the owner, too, but for this.
ALTER TABLE appointment NO FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger NO FORCE ROW LEVEL SECURITY;
ALTER TABLE audit NO FORCE ROW LEVEL SECURITY;
INSERT INTO state_change (business_id, visit_id, position, state, entered_at, entered_by)
    SELECT a.business_id, a.id, 1, 'BOOKED', a.created_at, COALESCE(b.actor, '')
    FROM appointment a LEFT JOIN (SELECT DISTINCT ON (business_id, subject_id) business_id, subject_id, actor
        FROM audit WHERE action = 'BookAppointment' ORDER BY business_id, subject_id, at) b
        ON b.business_id = a.business_id AND b.subject_id = a.id;
INSERT INTO state_change (business_id, visit_id, position, state, entered_at, entered_by, freed_at)
    SELECT a.business_id, a.id, 2, a.state, COALESCE(a.cancelled_at, a.created_at), COALESCE(a.cancelled_by, ''),
        (SELECT max(upper(l.recorded)) FROM ledger l
            WHERE l.business_id = a.business_id AND l.visit_id = a.id AND l.kind = 'BOOKING')
    FROM appointment a WHERE a.state <> 'BOOKED';
ALTER TABLE appointment FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger FORCE ROW LEVEL SECURITY;
ALTER TABLE audit FORCE ROW LEVEL SECURITY;
