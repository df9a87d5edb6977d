//! Copies calls for a person to take away.

use crate::{
    domain::call::Listed,
    error::Error,
    store::{After, Tx, Wanted},
};

/// At most `rows` of the calls that are wanted, after one of them. The list of changes shows that an export began, also
/// where its first page was left out.
///
/// # Errors
/// When the database is away.
pub async fn export_calls(
    tx: Tx,
    wanted: &Wanted,
    after: Option<After>,
    rows: u32,
) -> Result<Vec<Listed>, Error> {
    if after.is_none() || !tx.exports_calls().await? {
        tx.add_call_export(wanted).await?;
    }
    let calls = tx.filtered_calls(wanted, after, rows).await?;
    tx.commit().await?;
    Ok(calls)
}
