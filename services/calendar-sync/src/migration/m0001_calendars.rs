//! Calendars, how far they were read, what is to be written to them, and the demo calendar.

#![expect(
    elided_lifetimes_in_paths,
    reason = "the migration trait elides it, and async_trait needs the same signature"
)]

use database::{installation_audit_sql, tenant_table};
use sea_orm_migration::prelude::*;

use crate::SERVICE;

#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

const CALENDARS: &str = "
-- Employees, from tenancy's log, and the account each signs in with.
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

-- How far a calendar was read, and whose turn it is: due, then leased.
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

-- Events scheduling may have been told of. Kept before it is told, so that what is
-- gone is never forgotten.
CREATE TABLE told_event (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    event_id text NOT NULL,
    PRIMARY KEY (business_id, calendar_id, event_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id)
);
";

const WRITES: &str = "
-- What employees have to do, from scheduling's log: a calendar connected later gets it too.
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

-- One event of ours in one calendar: what it shall be (wanted) and what was written (written).
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
";

const DEMO: &str = "
-- The number of the newest change, and the newest one whose tombstone is gone. Locked by
-- every change of the calendar, so that changes commit in the order of their numbers.
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
    -- The private marker of events this installation wrote.
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
";

const TENANT_TABLES: [&str; 8] = [
    "employee",
    "calendar",
    "sync_state",
    "told_event",
    "booked_part",
    "calendar_write",
    "demo_calendar",
    "demo_event",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut sql = [CALENDARS, WRITES, DEMO].concat();
        for table in TENANT_TABLES {
            sql += &tenant_table(SERVICE, table);
        }
        sql += &outbox::migration_sql(SERVICE);
        sql += &installation_audit_sql(SERVICE);
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }
}
