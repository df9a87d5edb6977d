//! Imports, their text and their lines.

use std::collections::HashMap;

use caller::BusinessId;
use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{InstallationTx, Tx, no_business, refused};
use crate::{
    Error,
    domain::{Import, ImportId, ImportKind, ImportState, LineState, Progress},
    lines::table,
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, file_name, state, line_count, checked_count, bad_count, imported_count, failed_count,
                created_by, created_at, finished_at, started_by, waiting_for
            FROM import WHERE business_id = :business_id AND ",
            $rest
        )
    };
}

/// A page of imports of a kind.
pub const IMPORTS_LATEST: &str = select!(
    "kind = :kind AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
);
const BY_ID: &str = select!("id = :id");
const TAKE: &str = select!("id = :id FOR UPDATE");
/// Only while its lease is held.
const TAKE_LEASED: &str = select!("id = :id AND lease_id = :lease FOR UPDATE");
const ADD: &str = "INSERT INTO import (business_id, id, kind, file_name, state, line_count, checked_count, bad_count,
        imported_count, failed_count, created_by, created_at)
    VALUES (:business_id, :id, :kind, :file_name, :state, :lines, :checked, :bad, :imported, :failed, :by, :at)";
const SAVE: &str = "UPDATE import SET state = :state, line_count = :lines, checked_count = :checked,
        bad_count = :bad, imported_count = :imported, failed_count = :failed, finished_at = :finished_at,
        started_by = :started_by, waiting_for = :waiting_for, due_at = :due_at
    WHERE business_id = :business_id AND id = :id";
/// The one that is due longest; others work on the others.
const CLAIM: &str = "UPDATE import SET lease_id = :lease, due_at = :until
    WHERE (business_id, id) = (
        SELECT business_id, id FROM import WHERE state IN ('CHECKING', 'IMPORTING') AND due_at <= :now
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING business_id, id, kind";
const PUT_PART: &str = "INSERT INTO import_part (business_id, import_id, part, text)
    VALUES (:business_id, :id, :part, :text)
    ON CONFLICT (business_id, import_id, part) DO UPDATE SET text = excluded.text";
const PARTS: &str = "SELECT text FROM import_part
    WHERE business_id = :business_id AND import_id = :id AND part < :count ORDER BY part";
const DROP_PARTS: &str = "DELETE FROM import_part WHERE business_id = :business_id AND import_id = :id";
const DROP_KEYS: &str = "DELETE FROM import_key WHERE business_id = :business_id AND import_id = :id";
const ADD_LINES: &str = "INSERT INTO import_line (business_id, import_id, line, state, cells)
    SELECT :business_id, :id, line, 'UNCHECKED', cells::jsonb
    FROM unnest(:lines::integer[], :cells::text[]) AS added (line, cells)";
/// The next lines of a state.
pub const IMPORT_LINES: &str =
    "SELECT line, state, cells::text AS cells, field, fault, record_id FROM import_line
    WHERE business_id = :business_id AND import_id = :id AND state = :state AND line > :after
    ORDER BY line LIMIT :limit";
const ALL_LINES: &str = "SELECT line, state, cells::text AS cells, field, fault, record_id FROM import_line
    WHERE business_id = :business_id AND import_id = :id AND line > :after ORDER BY line LIMIT :limit";
const SAVE_LINES: &str = "UPDATE import_line AS l
    SET state = saved.state, field = NULLIF(saved.field, ''), fault = NULLIF(saved.fault, ''),
        record_id = COALESCE(NULLIF(saved.record_id, '00000000-0000-0000-0000-000000000000'::uuid), l.record_id)
    FROM unnest(:lines::integer[], :states::text[], :fields::text[], :faults::text[], :records::uuid[])
        AS saved (line, state, field, fault, record_id)
    WHERE l.business_id = :business_id AND l.import_id = :id AND l.line = saved.line";
const REPLACE_CELLS: &str = "UPDATE import_line SET cells = :cells::jsonb
    WHERE business_id = :business_id AND import_id = :id AND line = :line";
/// Of a key that two lines have, the first one has it.
const KEEP_KEYS: &str = "INSERT INTO import_key (business_id, import_id, key, line)
    SELECT :business_id, :id, key, min(line) FROM unnest(:keys::text[], :lines::integer[]) AS kept (key, line)
    GROUP BY key ON CONFLICT DO NOTHING";
const KEYS: &str = "SELECT key, line FROM import_key
    WHERE business_id = :business_id AND import_id = :id AND key = ANY(:keys::text[])";

/// A line of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportLine {
    /// Its number in the file.
    pub number: i32,
    /// Where it stands.
    pub state: LineState,
    /// What stands in it.
    pub cells: Vec<String>,
    /// The column that is wrong, and why.
    pub fault: Option<(String, String)>,
    /// The record it became, or is becoming.
    pub record: Option<Uuid>,
}

/// What became of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineOutcome {
    /// Its number in the file.
    pub number: i32,
    /// Where it stands now.
    pub state: LineState,
    /// The column that is wrong, and why.
    pub fault: Option<(String, String)>,
    /// The record it became, or is becoming.
    pub record: Option<Uuid>,
}

/// Work on an import, for as long as the lease is held.
#[derive(Debug, Clone, Copy)]
pub struct ImportTurn {
    /// Whose.
    pub business: BusinessId,
    /// Which.
    pub import: ImportId,
    /// What its lines are.
    pub kind: ImportKind,
    /// Names this turn.
    pub lease: Uuid,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    kind: String,
    file_name: Option<String>,
    state: String,
    line_count: i32,
    checked_count: i32,
    bad_count: i32,
    imported_count: i32,
    failed_count: i32,
    created_by: String,
    created_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
    started_by: Option<String>,
    waiting_for: Option<String>,
}

impl TryFrom<Row> for Import {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: ImportId(row.id),
            kind: kind(&row.kind)?,
            file_name: row.file_name,
            state: state(&row.state, row.finished_at.map(from_db))?,
            progress: Progress {
                lines: row.line_count,
                checked: row.checked_count,
                bad: row.bad_count,
                imported: row.imported_count,
                failed: row.failed_count,
            },
            by: row.created_by,
            at: from_db(row.created_at),
            started_by: row.started_by,
            waiting_for: row.waiting_for,
        })
    }
}

#[derive(FromQueryResult)]
struct LineRow {
    line: i32,
    state: String,
    cells: String,
    field: Option<String>,
    fault: Option<String>,
    record_id: Option<Uuid>,
}

impl TryFrom<LineRow> for ImportLine {
    type Error = Error;
    fn try_from(row: LineRow) -> Result<Self, Error> {
        let unknown = || stored(&row.state);
        Ok(Self {
            number: row.line,
            state: LineState::named(&row.state).ok_or_else(unknown)?,
            cells: serde_json::from_str(&row.cells)
                .map_err(|error| Error::Stored("line", Box::new(error)))?,
            fault: row.fault.map(|fault| (row.field.unwrap_or_default(), fault)),
            record: row.record_id,
        })
    }
}

#[derive(FromQueryResult)]
struct TurnRow {
    business_id: Uuid,
    id: Uuid,
    kind: String,
}

#[derive(FromQueryResult)]
struct KeyRow {
    key: String,
    line: i32,
}

impl InstallationTx {
    /// Takes a turn at the import that is due longest.
    pub async fn claim_import(&self, lease: Uuid, until: Timestamp) -> Result<Option<ImportTurn>, Error> {
        let values = named! { lease, until: to_db(until), now: self.at() };
        let Some(row) = self.row::<TurnRow>(CLAIM, values).await? else { return Ok(None) };
        let (business, import) = (BusinessId(row.business_id), ImportId(row.id));
        Ok(Some(ImportTurn { business, import, kind: kind(&row.kind)?, lease }))
    }
}

impl Tx {
    /// A page of imports of a kind, the latest first, and one more if there are more.
    pub async fn imports(
        &self,
        kind: ImportKind,
        before: Option<(Timestamp, ImportId)>,
        limit: u32,
    ) -> Result<Vec<Import>, Error> {
        let (at, id) = before.unwrap_or((Timestamp::MAX, ImportId(Uuid::max())));
        let values = named! {
            business_id: self.business.0, kind: kind.name(), before: to_db(at), before_id: id.0,
            limit: i64::from(limit),
        };
        self.all::<Row, _>(IMPORTS_LATEST, values).await
    }

    /// One import.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn import(&self, id: ImportId) -> Result<Import, Error> {
        self.one::<Row, _>(BY_ID, self.import_key(id)).await?.ok_or(Error::NotFound("import"))
    }

    /// One import, which no other transaction changes until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_import(&self, id: ImportId) -> Result<Import, Error> {
        self.one::<Row, _>(TAKE, self.import_key(id)).await?.ok_or(Error::NotFound("import"))
    }

    /// The import of a turn, if the turn is not over.
    pub async fn take_leased_import(&self, turn: &ImportTurn) -> Result<Option<Import>, Error> {
        self.one::<Row, _>(TAKE_LEASED, self.import_key(turn.import).and(named! { lease: turn.lease })).await
    }

    /// Adds a new one.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_import(&self, import: &Import) -> Result<(), Error> {
        let values = self.progress(import).and(named! {
            kind: import.kind.name(),
            file_name: import.file_name.as_deref(),
            by: import.by.as_str(),
            at: to_db(import.at),
        });
        let added = self.try_execute(ADD, values).await;
        added.map(drop).map_err(|error| refused(error, &[("import_business", no_business)]))
    }

    /// Saves where one stands, and when a worker is to look at it next.
    pub async fn save_import(&self, import: &Import, due_at: Option<Timestamp>) -> Result<(), Error> {
        let values = self.progress(import).and(named! {
            finished_at: finished_at(import).map(to_db),
            started_by: import.started_by.as_deref(),
            waiting_for: import.waiting_for.as_deref(),
            due_at: due_at.map(to_db),
        });
        self.execute(SAVE, values).await.map(drop)
    }

    /// Keeps a part of its text.
    pub async fn put_import_part(&self, id: ImportId, part: i32, text: &str) -> Result<(), Error> {
        self.execute(PUT_PART, self.import_key(id).and(named! { part, text })).await.map(drop)
    }

    /// Its parts, those below `count`.
    pub async fn import_parts(&self, id: ImportId, count: i32) -> Result<Vec<String>, Error> {
        Ok(self.values(PARTS, self.import_key(id).and(named! { count })).await?)
    }

    /// Keeps its lines instead of its text.
    pub async fn replace_import_text(&self, id: ImportId, lines: &[table::Line]) -> Result<(), Error> {
        self.execute(DROP_PARTS, self.import_key(id)).await?;
        for some in lines.chunks(2_000) {
            let numbers: Vec<i32> = some.iter().map(|line| line.number.cast_signed()).collect();
            let cells = some.iter().map(|line| serde_json::to_string(&line.cells));
            let cells: Vec<String> =
                cells.collect::<Result<_, _>>().map_err(|error| Error::Stored("line", Box::new(error)))?;
            self.execute(ADD_LINES, self.import_key(id).and(named! { lines: numbers, cells })).await?;
        }
        Ok(())
    }

    /// The next lines of an import, of one state if one is given.
    pub async fn import_lines(
        &self,
        id: ImportId,
        state: Option<LineState>,
        after: i32,
        limit: u32,
    ) -> Result<Vec<ImportLine>, Error> {
        let values = self.import_key(id).and(named! { after, limit: i64::from(limit) });
        match state {
            None => self.all::<LineRow, _>(ALL_LINES, values).await,
            Some(state) => {
                self.all::<LineRow, _>(IMPORT_LINES, values.and(named! { state: state.name() })).await
            }
        }
    }

    /// Saves what became of some lines.
    pub async fn save_import_lines(&self, id: ImportId, outcomes: &[LineOutcome]) -> Result<(), Error> {
        let fault = |outcome: &LineOutcome| outcome.fault.clone().unwrap_or_default();
        let values = self.import_key(id).and(named! {
            lines: outcomes.iter().map(|outcome| outcome.number).collect::<Vec<i32>>(),
            states: outcomes.iter().map(|outcome| outcome.state.name().to_owned()).collect::<Vec<String>>(),
            fields: outcomes.iter().map(|outcome| fault(outcome).0).collect::<Vec<String>>(),
            faults: outcomes.iter().map(|outcome| fault(outcome).1).collect::<Vec<String>>(),
            records: outcomes.iter().map(|outcome| outcome.record.unwrap_or_default()).collect::<Vec<Uuid>>(),
        });
        self.execute(SAVE_LINES, values).await.map(drop)
    }

    /// Replaces the cells of a line.
    pub async fn replace_import_cells(&self, id: ImportId, line: i32, cells: &[String]) -> Result<(), Error> {
        let cells = serde_json::to_string(cells).map_err(|error| Error::Stored("line", Box::new(error)))?;
        self.execute(REPLACE_CELLS, self.import_key(id).and(named! { line, cells })).await.map(drop)
    }

    /// Keeps keys of lines, and says which line has each.
    pub async fn keep_import_keys(
        &self,
        id: ImportId,
        keys: &[(String, i32)],
    ) -> Result<HashMap<String, i32>, Error> {
        let (names, lines): (Vec<String>, Vec<i32>) = keys.iter().cloned().unzip();
        let kept = self.import_key(id).and(named! { keys: names.clone(), lines });
        self.execute(KEEP_KEYS, kept).await?;
        self.import_keys(id, names).await
    }

    /// Which line has each of these keys, where one does.
    pub async fn import_keys(&self, id: ImportId, names: Vec<String>) -> Result<HashMap<String, i32>, Error> {
        let rows = self.rows::<KeyRow>(KEYS, self.import_key(id).and(named! { keys: names })).await?;
        Ok(rows.into_iter().map(|row| (row.key, row.line)).collect())
    }

    /// Drops what its lines may not have in common: all are checked.
    pub async fn drop_import_keys(&self, id: ImportId) -> Result<(), Error> {
        self.execute(DROP_KEYS, self.import_key(id)).await.map(drop)
    }

    fn import_key(&self, id: ImportId) -> Named {
        named! { business_id: self.business.0, id: id.0 }
    }

    fn progress(&self, import: &Import) -> Named {
        let Progress { lines, checked, bad, imported, failed } = import.progress;
        self.import_key(import.id)
            .and(named! { state: state_name(import.state), lines, checked, bad, imported, failed })
    }
}

fn kind(name: &str) -> Result<ImportKind, Error> {
    ImportKind::named(name).ok_or_else(|| stored(name))
}

fn state(name: &str, finished: Option<Timestamp>) -> Result<ImportState, Error> {
    match (name, finished) {
        ("RECEIVING", None) => Ok(ImportState::Receiving),
        ("CHECKING", None) => Ok(ImportState::Checking),
        ("CHECKED", None) => Ok(ImportState::Checked),
        ("IMPORTING", None) => Ok(ImportState::Importing),
        ("DONE", Some(at)) => Ok(ImportState::Done(at)),
        ("CANCELLED", Some(at)) => Ok(ImportState::Cancelled(at)),
        _ => Err(stored(name)),
    }
}

fn state_name(state: ImportState) -> &'static str {
    match state {
        ImportState::Receiving => "RECEIVING",
        ImportState::Checking => "CHECKING",
        ImportState::Checked => "CHECKED",
        ImportState::Importing => "IMPORTING",
        ImportState::Done(_) => "DONE",
        ImportState::Cancelled(_) => "CANCELLED",
    }
}

/// When an import was over.
#[must_use]
pub fn finished_at(import: &Import) -> Option<Timestamp> {
    match import.state {
        ImportState::Done(at) | ImportState::Cancelled(at) => Some(at),
        _ => None,
    }
}

fn stored(name: &str) -> Error {
    Error::Stored("import", format!("{name} is unknown").into())
}
