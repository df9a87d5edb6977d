//! Takes the text of a table, has it checked, and has it imported.

use jiff::Timestamp;

use super::import_lines::drop_addresses;
use crate::{
    Error,
    domain::{DateOrder, Import, ImportId, ImportKind, ImportState, KEPT_OPEN, LineState, Progress},
    lines::table_reading::{ChosenMapping, TableReading},
    store::Tx,
};

/// Begins an import.
///
/// # Errors
/// [`Error::NotFound`] when there is no such business; [`Error::TooManyImports`].
pub async fn create_import(tx: &Tx, kind: ImportKind, file_name: Option<String>) -> Result<Import, Error> {
    // Of several that are begun at once each counts those before it.
    tx.take_business().await?;
    Import::may_begin(&tx.recent_imports().await?, tx.now())?;
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
        columns: vec![],
        date_order: None,
    };
    tx.add_import(&import, tx.now() + KEPT_OPEN).await?;
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

/// Says what the columns of its text would be read as.
///
/// # Errors
/// [`Error::NotFound`], [`Error::WrongImportState`]; [`Error::Table`] for a text that is no table, or not there.
pub async fn preview_import(
    tx: Tx,
    id: ImportId,
    part_count: i32,
    mapping: Option<ChosenMapping>,
) -> Result<TableReading, Error> {
    let import = tx.import(id).await?.receiving()?;
    let reading = reading(&tx, &import, part_count, mapping).await?;
    tx.commit().await?;
    Ok(reading)
}

/// Reads its text as a table, whose lines a worker checks from now on.
///
/// # Errors
/// [`Error::NotFound`], [`Error::WrongImportState`]; [`Error::Table`] for a text that is no table, or not there, and
/// [`Error::Fields`] for one whose columns or dates can't be read so.
pub async fn check_import(
    tx: Tx,
    id: ImportId,
    part_count: i32,
    mapping: Option<ChosenMapping>,
    date_order: Option<DateOrder>,
) -> Result<Import, Error> {
    let import = tx.take_import(id).await?.receiving()?;
    let read = reading(&tx, &import, part_count, mapping).await?.lines(date_order).map_err(Error::Fields)?;
    tx.replace_import_text(id, &read.lines).await?;
    let lines = i32::try_from(read.lines.len()).unwrap_or(i32::MAX);
    save_due(tx, import.checking(lines, read.columns, read.date_order)).await
}

async fn reading(
    tx: &Tx,
    import: &Import,
    part_count: i32,
    mapping: Option<ChosenMapping>,
) -> Result<TableReading, Error> {
    let parts = tx.import_parts(import.id, part_count).await?;
    if parts.len() != usize::try_from(part_count).unwrap_or_default() {
        return Err(Error::MissingPart);
    }
    let kind = import.kind;
    let reading =
        tokio::task::spawn_blocking(move || TableReading::of(&parts.concat(), kind, mapping.as_ref()));
    Ok(reading.await.map_err(|error| Error::Stored("table", Box::new(error)))??)
}

/// Has the good lines of a checked import imported.
///
/// # Errors
/// [`Error::NotFound`], [`Error::WrongImportState`].
pub async fn start_import(tx: Tx, id: ImportId) -> Result<Import, Error> {
    let started = tx.take_import(id).await?.started(tx.actor())?;
    save_due(tx, started).await
}

/// Ends an import; what was imported stays. Text that was never checked goes.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn cancel_import(tx: Tx, id: ImportId) -> Result<Import, Error> {
    let before = tx.take_import(id).await?;
    if before.is_over() {
        return Ok(before);
    }
    if before.state == ImportState::Receiving {
        tx.drop_import_table(id).await?;
    }
    let cancelled = before.cancelled(tx.now());
    tx.save_import(&cancelled, cancelled.keeps_addresses().then(|| tx.now() + KEPT_OPEN)).await?;
    tx.drop_import_keys(id).await?;
    if cancelled.kind == ImportKind::Employees {
        drop_addresses(&tx, &cancelled, &[LineState::Unchecked, LineState::Good]).await?;
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
