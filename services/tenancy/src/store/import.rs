//! Imports.

use caller::{BusinessId, UserId};
use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{InstallationTx, Tx, no_business, refused};
use crate::{
    Error,
    domain::{DateOrder, Import, ImportId, ImportKind, ImportState, Progress},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, file_name, state, line_count, checked_count, bad_count, imported_count, failed_count,
                created_by, created_at, finished_at, started_by, waiting_for, columns::text AS columns, date_order
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
/// When a business's latest imports were begun.
const RECENT: &str = "SELECT created_at FROM import WHERE business_id = :business_id AND created_at > :since
    ORDER BY created_at DESC LIMIT :limit";
const ADD: &str = "INSERT INTO import (business_id, id, kind, file_name, state, line_count, checked_count, bad_count,
        imported_count, failed_count, created_by, created_at, due_at)
    VALUES (:business_id, :id, :kind, :file_name, :state, :lines, :checked, :bad, :imported, :failed, :by, :at,
        :expires_at)";
const SAVE: &str = "UPDATE import SET state = :state, line_count = :lines, checked_count = :checked,
        bad_count = :bad, imported_count = :imported, failed_count = :failed, finished_at = :finished_at,
        started_by = :started_by, waiting_for = :waiting_for, columns = :columns::jsonb, date_order = :date_order,
        due_at = :due_at
    WHERE business_id = :business_id AND id = :id";
/// Of imports that add records at once, which workers of several replicas may do.
const TURN: &str = "SELECT pg_advisory_xact_lock(hashtextextended('import:' || :business_id::uuid, 0))";
/// The one that is due longest, for work or since a person did not go on with it; others work on the others.
const CLAIM: &str = "UPDATE import SET lease_id = :lease, due_at = :until
    WHERE (business_id, id) = (
        SELECT business_id, id FROM import WHERE due_at <= :now
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING business_id, id, kind, COALESCE(started_by, created_by) AS importer";
/// Work on an import, for as long as the lease is held.
#[derive(Debug, Clone, Copy)]
pub struct ImportTurn {
    /// Whose.
    pub business: BusinessId,
    /// Which.
    pub import: ImportId,
    /// What its lines are.
    pub kind: ImportKind,
    /// The person who started it, or began it before it was checked; `None` if that was no person.
    pub importer: Option<UserId>,
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
    columns: Option<String>,
    date_order: Option<String>,
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
            columns: match &row.columns {
                None => vec![],
                Some(columns) => serde_json::from_str(columns)
                    .map_err(|error| Error::Stored("columns", Box::new(error)))?,
            },
            date_order: row.date_order.as_deref().map(date_order).transpose()?,
        })
    }
}

#[derive(FromQueryResult)]
struct TurnRow {
    business_id: Uuid,
    id: Uuid,
    kind: String,
    importer: String,
}

impl InstallationTx {
    /// Takes a turn at the import that is due longest.
    pub async fn claim_import(&self, lease: Uuid, until: Timestamp) -> Result<Option<ImportTurn>, Error> {
        let values = named! { lease, until: to_db(until), now: self.at() };
        let Some(row) = self.row::<TurnRow>(CLAIM, values).await? else { return Ok(None) };
        let (business, import) = (BusinessId(row.business_id), ImportId(row.id));
        let importer = row.importer.strip_prefix("user:").and_then(|user| user.parse().ok());
        Ok(Some(ImportTurn { business, import, kind: kind(&row.kind)?, importer, lease }))
    }
}

#[derive(FromQueryResult)]
struct BegunRow {
    created_at: DateTime<Utc>,
}

impl TryFrom<BegunRow> for Timestamp {
    type Error = Error;
    fn try_from(row: BegunRow) -> Result<Self, Error> {
        Ok(from_db(row.created_at))
    }
}

impl Tx {
    /// When imports of the business that still count were begun, the latest first.
    pub async fn recent_imports(&self) -> Result<Vec<Timestamp>, Error> {
        let values = named! {
            business_id: self.business.0,
            since: to_db(Import::counted_since(self.now())),
            limit: Import::most_counted(),
        };
        self.all::<BegunRow, _>(RECENT, values).await
    }

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

    /// Waits until no other import of the business adds records.
    pub async fn take_import_turn(&self) -> Result<(), Error> {
        self.execute(TURN, named! { business_id: self.business.0 }).await.map(drop)
    }

    /// The import of a turn, if the turn is not over.
    pub async fn take_leased_import(&self, turn: &ImportTurn) -> Result<Option<Import>, Error> {
        self.one::<Row, _>(TAKE_LEASED, self.import_key(turn.import).and(named! { lease: turn.lease })).await
    }

    /// Adds a new one, which expires at a time.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_import(&self, import: &Import, expires_at: Timestamp) -> Result<(), Error> {
        let values = self.progress(import).and(named! {
            kind: import.kind.name(),
            file_name: import.file_name.as_deref(),
            by: import.by.as_str(),
            at: to_db(import.at),
            expires_at: to_db(expires_at),
        });
        let added = self.try_execute(ADD, values).await;
        added.map(drop).map_err(|error| refused(error, &[("import_business", no_business)]))
    }

    /// Saves where one stands, and when a worker is to look at it next.
    pub async fn save_import(&self, import: &Import, due_at: Option<Timestamp>) -> Result<(), Error> {
        let columns = serde_json::to_string(&import.columns);
        let columns = columns.map_err(|error| Error::Stored("columns", Box::new(error)))?;
        let values = self.progress(import).and(named! {
            finished_at: finished_at(import).map(to_db),
            started_by: import.started_by.as_deref(),
            waiting_for: import.waiting_for.as_deref(),
            columns: (!import.columns.is_empty()).then_some(columns),
            date_order: import.date_order.map(DateOrder::name),
            due_at: due_at.map(to_db),
        });
        self.execute(SAVE, values).await.map(drop)
    }

    pub(super) fn import_key(&self, id: ImportId) -> Named {
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

fn date_order(name: &str) -> Result<DateOrder, Error> {
    DateOrder::named(name).ok_or_else(|| stored(name))
}

fn state(name: &str, finished: Option<Timestamp>) -> Result<ImportState, Error> {
    match (name, finished) {
        ("RECEIVING", None) => Ok(ImportState::Receiving),
        ("CHECKING", None) => Ok(ImportState::Checking),
        ("CHECKED", None) => Ok(ImportState::Checked),
        ("IMPORTING", None) => Ok(ImportState::Importing),
        ("DONE", Some(at)) => Ok(ImportState::Done(at)),
        ("CANCELLED", Some(at)) => Ok(ImportState::Cancelled(at)),
        ("EXPIRED", Some(at)) => Ok(ImportState::Expired(at)),
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
        ImportState::Expired(_) => "EXPIRED",
    }
}

/// When an import was over.
#[must_use]
pub fn finished_at(import: &Import) -> Option<Timestamp> {
    match import.state {
        ImportState::Done(at) | ImportState::Cancelled(at) | ImportState::Expired(at) => Some(at),
        _ => None,
    }
}

pub(super) fn stored(name: &str) -> Error {
    Error::Stored("import", format!("{name} is unknown").into())
}
