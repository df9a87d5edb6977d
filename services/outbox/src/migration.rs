//! The tables of a log and of a follower.

use database::INSTALLATION;

/// DDL for a service's outbox and for what it follows.
///
/// A position is the writing transaction's id and, below it, a sequence number:
/// `xid << 20 | n`. Sequence numbers alone commit out of order; ordered by
/// transaction first, everything below the oldest running transaction is final.
/// It is unique by construction; keys begin with the business like every tenant table's.
#[must_use]
pub fn migration_sql(service: &str) -> String {
    let role = service.replace('-', "_");
    format!(
        "CREATE SEQUENCE outbox_sequence;
         CREATE TABLE outbox (
             business_id uuid NOT NULL,
             position bigint NOT NULL DEFAULT
                 ((pg_current_xact_id()::text::bigint << 20) | (nextval('outbox_sequence') & 1048575)),
             event_id uuid NOT NULL,
             aggregate_id uuid NOT NULL,
             version bigint NOT NULL,
             occurred_at timestamptz NOT NULL,
             event bytea NOT NULL,
             PRIMARY KEY (business_id, position)
         );
         CREATE INDEX outbox_order ON outbox (position);
         CREATE TABLE outbox_horizon (
             single boolean PRIMARY KEY DEFAULT true CHECK (single),
             position bigint NOT NULL
         );
         INSERT INTO outbox_horizon (position) VALUES (0);
         CREATE TABLE outbox_position (
             follower text NOT NULL,
             source text NOT NULL,
             position bigint NOT NULL,
             PRIMARY KEY (follower, source)
         );
         CREATE TABLE outbox_seen (
             business_id uuid NOT NULL,
             follower text NOT NULL,
             source text NOT NULL,
             record_type text NOT NULL,
             aggregate_id uuid NOT NULL,
             version bigint NOT NULL,
             PRIMARY KEY (business_id, follower, source, record_type, aggregate_id)
         );
         CREATE TABLE outbox_parked (
             business_id uuid NOT NULL,
             follower text NOT NULL,
             source text NOT NULL,
             position bigint NOT NULL,
             record_type text NOT NULL,
             aggregate_id uuid NOT NULL,
             reason text NOT NULL,
             parked_at timestamptz NOT NULL,
             event bytea NOT NULL,
             PRIMARY KEY (business_id, follower, source, position)
         );
         CREATE INDEX outbox_parked_aggregate ON outbox_parked
             (business_id, follower, source, aggregate_id);
         GRANT USAGE ON SEQUENCE outbox_sequence TO {role}_app;
         GRANT SELECT, INSERT ON outbox TO {role}_app;
         GRANT SELECT, DELETE ON outbox TO {role}_installation;
         GRANT SELECT, UPDATE ON outbox_horizon TO {role}_installation;
         GRANT SELECT, INSERT, UPDATE ON outbox_position, outbox_seen TO {role}_app;
         GRANT SELECT, INSERT ON outbox_parked TO {role}_app;
         GRANT SELECT, DELETE ON outbox_parked TO {role}_installation;
         {outbox}
         {seen}
         {parked}",
        outbox = policies("outbox", &role),
        seen = policies("outbox_seen", &role),
        parked = policies("outbox_parked", &role),
    )
}

/// DDL that gives the log an identity, and lets a follower begin anew with another log.
#[must_use]
pub fn identity_sql(service: &str) -> String {
    let role = service.replace('-', "_");
    format!(
        "ALTER TABLE outbox_horizon ADD COLUMN log uuid NOT NULL DEFAULT gen_random_uuid();
         ALTER TABLE outbox_position ADD COLUMN log uuid;
         GRANT SELECT, INSERT, UPDATE ON outbox_position TO {role}_installation;
         GRANT SELECT, DELETE ON outbox_seen TO {role}_installation;"
    )
}

/// As other tenant tables, but rows of the installation itself are seen where no business is set.
fn policies(table: &str, role: &str) -> String {
    let own = format!(
        "business_id = COALESCE(NULLIF(current_setting('app.business_id', true), '')::uuid, '{INSTALLATION}')"
    );
    format!(
        "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
         ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
         CREATE POLICY tenant ON {table} TO {role}_app USING ({own}) WITH CHECK ({own});
         CREATE POLICY installation ON {table} TO {role}_installation USING (true) WITH CHECK (true);"
    )
}
