//! Postgres under row-level security: pools, migrations, transactions.
//!
//! A [`Database`] is connected as a role that owns nothing. A transaction ([`Tx`]) starts from a scope and sees
//! that scope's business alone. What it changes, the event that tells of it and the audit row commit together;
//! followers are woken after a commit that published something, and after no other.

mod audit;
mod change_log;
mod change_reader;
mod data_key;
mod error;
mod event;
mod idempotency;
mod job;
mod measure;
mod migrate;
mod naming;
mod parameters;
mod pool;
mod process;
mod refusal;
mod retention;
mod roles;
mod session;
mod step;
mod sweep;
mod table;
mod time;
mod turns;
mod tx;
mod wake;

pub use audit::audit_sql;
pub use change_log::{
    PartOf, change_log_sql, noted_fields, noted_part, noted_set, noted_table, renewed_noting_sql,
};
pub use change_reader::{CHANGES, CHANGES_OF, ChangeLog};
pub use data_key::Rotation;
pub use error::{busy, constraint, sqlstate, transient};
pub use event::{NewEvent, push};
pub use idempotency::{Attempt, IdempotencyError, idempotency_sql};
pub use job::JobConfig;
pub use migrate::{migrate, prepare};
pub use naming::Naming;
pub use parameters::{Named, Parameters};
pub use pool::{Database, turn_to};
pub use process::{ServiceSettings, check, run, run_job, run_service};
pub use refusal::note_refusals;
pub use retention::{Kept, keep_for_a_time};
pub use roles::{
    Passwords, bootstrap, bootstrap_database, bootstrap_roles, database_sql, role_sql, schema_sql,
};
pub use session::Planning;
pub use step::step;
pub use sweep::sweep;
pub use table::{
    INSTALLATION, installation_acts_end_sql, installation_audit_sql, tenant_table, tenant_tables,
    untenanted_table,
};
pub use time::{from_db, to_db};
pub use tx::{Tx, statement};
pub use wake::Wake;
