//! What visits went through.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::VisitId,
    progress::{Entry, Progress, Stage},
};
use sea_orm::FromQueryResult;

use super::Tx;
use crate::Error;

const PROGRESS: &str = "SELECT state, entered_at, entered_by, freed_at FROM state_change
    WHERE business_id = :business_id AND visit_id = :visit_id AND undone_at IS NULL ORDER BY position";
const ADD: &str = "INSERT INTO state_change
        (business_id, visit_id, position, state, entered_at, entered_by, freed_at)
    SELECT :business_id, :visit_id, COALESCE(max(position), 0) + 1, :state, :now, :actor, :freed_at
    FROM state_change
    WHERE business_id = :business_id AND visit_id = :visit_id";
const UNDO: &str = "UPDATE state_change SET undone_at = :now
    WHERE business_id = :business_id AND visit_id = :visit_id AND position = (
        SELECT max(position) FROM state_change
        WHERE business_id = :business_id AND visit_id = :visit_id AND undone_at IS NULL)";

#[derive(FromQueryResult)]
struct Row {
    state: String,
    entered_at: DateTime<Utc>,
    entered_by: String,
    freed_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Entry {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            stage: stage_of(&row.state).ok_or(Error::Stored("state"))?,
            at: from_db(row.entered_at),
            by: row.entered_by,
            freed_at: row.freed_at.map(from_db),
        })
    }
}

pub(crate) fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Booked => "BOOKED",
        Stage::Confirmed => "CONFIRMED",
        Stage::Arrived => "ARRIVED",
        Stage::InService => "IN_SERVICE",
        Stage::Completed => "COMPLETED",
        Stage::Cancelled => "CANCELLED",
        Stage::NoShow => "NO_SHOW",
    }
}

fn stage_of(name: &str) -> Option<Stage> {
    match name {
        "BOOKED" => Some(Stage::Booked),
        "CONFIRMED" => Some(Stage::Confirmed),
        "ARRIVED" => Some(Stage::Arrived),
        "IN_SERVICE" => Some(Stage::InService),
        "COMPLETED" => Some(Stage::Completed),
        "CANCELLED" => Some(Stage::Cancelled),
        "NO_SHOW" => Some(Stage::NoShow),
        _ => None,
    }
}

impl Tx {
    /// What a visit went through, up to where it stands.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn progress(&self, visit: VisitId) -> Result<Progress, Error> {
        let entries =
            self.all::<Row, _>(PROGRESS, named! { business_id: self.business.0, visit_id: visit.0 }).await?;
        Progress::new(entries).ok_or(Error::NotFound("appointment"))
    }

    /// Notes that a visit came to `stage` now. `frees`: the ledger was changed for it.
    pub(crate) async fn add_state_change(
        &self,
        visit: VisitId,
        stage: Stage,
        frees: bool,
    ) -> Result<(), Error> {
        let freed_at = frees.then(|| self.changes_at.get().copied()).flatten();
        let values = named! {
            business_id: self.business.0,
            visit_id: visit.0,
            state: stage_name(stage),
            now: self.at(),
            actor: self.actor(),
            freed_at: freed_at.map(to_db),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Notes that a visit is back where it stood before.
    pub(crate) async fn undo_state_change(&self, visit: VisitId) -> Result<(), Error> {
        self.execute(UNDO, named! { business_id: self.business.0, visit_id: visit.0, now: self.at() })
            .await
            .map(drop)
    }
}
