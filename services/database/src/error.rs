//! What a database error says.

use sea_orm::{DbErr, RuntimeErr};

fn database_error(error: &DbErr) -> Option<&dyn sqlx::error::DatabaseError> {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error))
        | DbErr::Conn(RuntimeErr::SqlxError(error)) => error.as_database_error(),
        _ => None,
    }
}

/// Name of the constraint that was violated.
#[must_use]
pub fn constraint(error: &DbErr) -> Option<String> {
    database_error(error)?.constraint().map(str::to_owned)
}

/// SQLSTATE of the error, where Postgres gave one.
#[must_use]
pub fn sqlstate(error: &DbErr) -> Option<String> {
    database_error(error)?.code().map(|code| code.into_owned())
}

/// Whether Postgres was out of reach, had nothing to spare or took too long: worth another try later.
#[must_use]
pub fn busy(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(_) => true,
        // Connecting fails in many ways while a server or a proxy before it starts, stops or changes places.
        DbErr::Conn(RuntimeErr::SqlxError(error)) => {
            !matches!(&**error, sqlx::Error::Database(_) | sqlx::Error::Configuration(_)) || passes(error)
        }
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            passes(error)
        }
        _ => false,
    }
}

/// Whether the same transaction may well succeed in a moment: Postgres is [`busy`], or it ended this one for
/// another's sake.
#[must_use]
pub fn transient(error: &DbErr) -> bool {
    /// deadlock_detected, serialization_failure.
    const ENDED: [&str; 2] = ["40P01", "40001"];
    busy(error) || sqlstate(error).is_some_and(|code| ENDED.contains(&code.as_str()))
}

fn passes(error: &sqlx::Error) -> bool {
    /// Of a lost connection, and what a pooler says that has none; of too little disk, memory or connections.
    const CLASSES: [&str; 2] = ["08", "53"];
    /// query_canceled, admin_shutdown, crash_shutdown, cannot_connect_now; read_only_sql_transaction, which a server
    /// says that is no longer the primary.
    const STATES: [&str; 5] = ["57014", "57P01", "57P02", "57P03", "25006"];
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            STATES.contains(&&*code) || CLASSES.iter().any(|class| code.starts_with(class))
        }),
        _ => false,
    }
}
