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

/// Whether Postgres was out of reach, had no connection to spare or took too long: worth another try
/// later.
#[must_use]
pub fn busy(error: &DbErr) -> bool {
    /// Of a lost connection, and what a pooler says that has none.
    const CONNECTION: &str = "08";
    /// too_many_connections, query_canceled, admin_shutdown, crash_shutdown, cannot_connect_now.
    const STATES: [&str; 5] = ["53300", "57014", "57P01", "57P02", "57P03"];
    match error {
        DbErr::ConnectionAcquire(_) => true,
        DbErr::Conn(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error)) => match &**error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
            sqlx::Error::Database(error) => {
                error.code().is_some_and(|code| STATES.contains(&&*code) || code.starts_with(CONNECTION))
            }
            _ => false,
        },
        _ => false,
    }
}
