//! What visits went through.

use chrono::{DateTime, Utc};
use database::{from_db, to_db};
use engine::{
    id::VisitId,
    progress::{Entry, Progress, Stage},
};
use sea_orm::{FromQueryResult, Value};

use super::Tx;
use crate::Error;

const PROGRESS: &str = "SELECT state, entered_at, entered_by, freed_at FROM state_change
    WHERE business_id = $1 AND visit_id = $2 AND undone_at IS NULL ORDER BY position";
const ADD: &str = "INSERT INTO state_change
        (business_id, visit_id, position, state, entered_at, entered_by, freed_at)
    SELECT $1, $2, COALESCE(max(position), 0) + 1, $3, $4, $5, $6 FROM state_change
    WHERE business_id = $1 AND visit_id = $2";
const UNDO: &str = "UPDATE state_change SET undone_at = $3
    WHERE business_id = $1 AND visit_id = $2 AND position = (SELECT max(position) FROM state_change
        WHERE business_id = $1 AND visit_id = $2 AND undone_at IS NULL)";

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
        let entries = self.all::<Row, _>(PROGRESS, [self.business.0.into(), visit.0.into()]).await?;
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
        let values: [Value; 6] = [
            self.business.0.into(),
            visit.0.into(),
            stage_name(stage).into(),
            self.at(),
            self.actor().into(),
            freed_at.map(to_db).into(),
        ];
        self.execute(ADD, values).await.map(drop)
    }

    /// Notes that a visit is back where it stood before.
    pub(crate) async fn undo_state_change(&self, visit: VisitId) -> Result<(), Error> {
        self.execute(UNDO, [self.business.0.into(), visit.0.into(), self.at()]).await.map(drop)
    }
}
