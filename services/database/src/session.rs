//! What a connection is told: once, when it is made, or by each transaction, where a pooler gives it to another client
//! afterwards.

use boot::config::Pooler;
use sqlx::postgres::PgConnectOptions;

/// When Postgres plans a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planning {
    /// At a call, for its values, where Postgres thinks that worth while.
    AsPostgresChooses,
    /// Once per connection, for all values. For a service whose statements are many-branched and
    /// asked all the time, planning would take several times as long as answering; its tests have to
    /// look at the plans that are made so. Behind a pooler only functions keep their plans.
    Once,
}

/// A statement that hangs and a transaction that is forgotten must not keep their locks.
const TIMEOUTS: [(&str, &str); 2] =
    [("statement_timeout", "60s"), ("idle_in_transaction_session_timeout", "60s")];

fn settings(planning: Planning) -> impl Iterator<Item = (&'static str, &'static str)> {
    let generic = (planning == Planning::Once).then_some(("plan_cache_mode", "force_generic_plan"));
    TIMEOUTS.into_iter().chain(generic)
}

/// How to connect, with the settings where they last as long as the connection.
pub(crate) fn connecting(options: PgConnectOptions, pooler: Pooler, planning: Planning) -> PgConnectOptions {
    match pooler {
        Pooler::None => options.options(settings(planning)),
        Pooler::Transaction => pooled(options),
    }
}

/// How to connect to a pooler: it refuses startup parameters that it does not track, and a statement that the client
/// kept would be missing on the connection of its next transaction.
pub(crate) fn pooled(options: PgConnectOptions) -> PgConnectOptions {
    options.extra_float_digits(None).statement_cache_capacity(0)
}

/// What a transaction begins with, all in one round trip; empty where the connection was told.
///
/// The driver gives every statement a name, kept or not, by a count of its own. What transactions of other clients have
/// left on the connection is dropped first, so that the names are free.
pub(crate) fn opening(pooler: Pooler, planning: Planning) -> String {
    match pooler {
        Pooler::None => String::new(),
        Pooler::Transaction => {
            let local = settings(planning).map(|(name, value)| format!("SET LOCAL {name} = '{value}';"));
            format!("DEALLOCATE ALL;{}", local.collect::<String>())
        }
    }
}
