//! Takes the text of a table, has it checked, and has it imported.

use jiff::Timestamp;

use super::import_lines::drop_address;
use crate::{
    Error,
    domain::{Import, ImportId, ImportKind, ImportState, Progress},
    lines::{columns, table},
    store::Tx,
};

/// Begins an import.
///
/// # Errors
/// [`Error::NotFound`] when there is no such business.
pub async fn create_import(tx: &Tx, kind: ImportKind, file_name: Option<String>) -> Result<Import, Error> {
    let import = Import {
        id: tx.new_id(),
        kind,
        file_name,
        state: ImportState::Receiving,
        progress: Progress::default(),
        by: tx.actor().to_owned(),
        at: tx.now(),
        started_by: None,
        waiting_for: None,
    };
    tx.add_import(&import).await?;
    Ok(import)
}

/// Takes a part of its text.
///
/// # Errors
/// [`Error::NotFound`], [`Error::WrongImportState`].
pub async fn put_import_part(tx: Tx, id: ImportId, part: i32, text: &str) -> Result<(), Error> {
    tx.take_import(id).await?.receiving()?;
    // Postgres keeps no NUL in a text. Another control character is refused in its line.
    tx.put_import_part(id, part, &text.replace('\0', "\u{1}")).await?;
    tx.commit().await
}

/// Reads its text as a table, whose lines a worker checks from now on.
///
/// # Errors
/// [`Error::NotFound`], [`Error::WrongImportState`]; [`Error::Table`] for a text that is no such table, or not there.
pub async fn check_import(tx: Tx, id: ImportId, part_count: i32) -> Result<Import, Error> {
    let import = tx.take_import(id).await?.receiving()?;
    let parts = tx.import_parts(id, part_count).await?;
    if parts.len() != usize::try_from(part_count).unwrap_or_default() {
        return Err(Error::MissingPart);
    }
    let kind = import.kind;
    let reading = tokio::task::spawn_blocking(move || {
        let without_headings = kind == ImportKind::Employees;
        table::read(&parts.concat(), columns(kind), without_headings, kind.most_lines())
    });
    let lines = reading.await.map_err(|error| Error::Stored("table", Box::new(error)))??;
    tx.replace_import_text(id, &lines).await?;
    save_due(tx, import.checking(i32::try_from(lines.len()).unwrap_or(i32::MAX))).await
}

/// Has the good lines of a checked import imported.
///
/// # Errors
/// [`Error::NotFound`], [`Error::WrongImportState`].
pub async fn start_import(tx: Tx, id: ImportId) -> Result<Import, Error> {
    let started = tx.take_import(id).await?.started(tx.actor())?;
    save_due(tx, started).await
}

/// Ends an import; what was imported stays.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn cancel_import(tx: Tx, id: ImportId) -> Result<Import, Error> {
    let cancelled = tx.take_import(id).await?.cancelled(tx.now());
    tx.save_import(&cancelled, None).await?;
    tx.drop_import_keys(id).await?;
    if cancelled.kind == ImportKind::Employees {
        let most = u32::try_from(cancelled.kind.most_lines()).unwrap_or(u32::MAX);
        for line in tx.import_lines(id, None, 0, most).await? {
            drop_address(&tx, id, &line).await?;
        }
    }
    tx.commit().await?;
    Ok(cancelled)
}

async fn save_due(tx: Tx, import: Import) -> Result<Import, Error> {
    let now: Timestamp = tx.now();
    tx.save_import(&import, Some(now)).await?;
    tx.commit().await?;
    Ok(import)
}
