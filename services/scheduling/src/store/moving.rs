//! Moving visits.

use boot::postgres::{from_db, to_db};
use chrono::{DateTime, Utc};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::{Tx, ledger::days_of, purpose::Purpose, visit::TakenVisit};
use crate::{
    Error,
    domain::{
        appointment::Appointment,
        day::Day,
        hypothesis::Hypothesis,
        id::{SubjectId, VisitId},
        placement::Placer,
        plan::DayPlan,
        policy::Booker,
        span::Span,
        timeline::Timeline,
        visit::{Item, Occupied, Placement, Wish},
    },
};

/// Facts that lie over a visit take its time once it goes elsewhere.
const FACTS_OVER: &str = "SELECT f.employee_id, f.starts_at, f.ends_at FROM conflict k
    JOIN busy_fact f ON f.business_id = $1 AND f.id = k.fact_id AND f.starts_at IS NOT NULL
    WHERE k.business_id = $1 AND k.appointment_id = ANY($2::uuid[]) AND k.closed_at IS NULL";
const SAVE: &str = "UPDATE appointment SET starts_at = $3, ends_at = $4, version = $5, squeezed_in = $6,
        planned_at = $7
    WHERE business_id = $1 AND id = $2";
const REMOVE_ITEMS: &str = "DELETE FROM appointment_item WHERE business_id = $1 AND visit_id = $2";

#[derive(FromQueryResult)]
struct FactRow {
    employee_id: Uuid,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
}

impl TryFrom<FactRow> for (SubjectId, Span) {
    type Error = Error;
    fn try_from(row: FactRow) -> Result<Self, Error> {
        let span = Span::new(from_db(row.starts_at), from_db(row.ends_at));
        Ok((SubjectId(row.employee_id), span.ok_or(Error::Stored("busy fact"))?))
    }
}

impl Tx {
    /// Finds a visit another place at `start`, as if it had none, and takes the days of both.
    ///
    /// # Errors
    /// Why it can't be placed.
    pub async fn place_anew(
        &self,
        visit: &TakenVisit,
        items: &[Item],
        start: Timestamp,
    ) -> Result<Placement, Error> {
        visit.schedule.policy.admit(start, Booker::Desk, self.now())?;
        let wish = self.wish(&visit.schedule, items, Span::at(start)).await?;
        let reach = wish.reach(start, start);
        // Refused here already, it has stood in nobody's way.
        Placer::new(&self.line_without(visit, &wish, reach).await?, &wish).at(start)?;
        let mut spans: Vec<_> = visit.rows.iter().map(|row| row.during).collect();
        spans.push(reach);
        self.take_days(&days_of(&spans, &visit.schedule.zone)).await?;
        Ok(Placer::new(&self.line_without(visit, &wish, reach).await?, &wish).at(start)?)
    }

    /// What is free around `reach`, but for the visit itself. Read row by row: a day's bits don't
    /// tell whose they are.
    async fn line_without(&self, visit: &TakenVisit, wish: &Wish, reach: Span) -> Result<Timeline, Error> {
        let schedule = &visit.schedule;
        let days = Day::covering(reach, &schedule.zone);
        let without_it = Hypothesis { without: vec![visit.appointment.id], ..Hypothesis::default() };
        let taken = self.taken_under(&days, &without_it).await?;
        let mut spans: Vec<_> = taken.iter().map(|taken| (taken.subject, taken.span)).collect();
        spans.extend(self.facts_over(&[visit.appointment.id]).await?);
        let plans: Vec<_> = days.into_iter().map(|day| DayPlan::new(schedule, day, &spans)).collect();
        Ok(Timeline::new(&plans, wish.candidates(), wish.resources()))
    }

    /// The time of facts that lie over visits.
    pub(super) async fn facts_over(&self, visits: &[VisitId]) -> Result<Vec<(SubjectId, Span)>, Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        self.all::<FactRow, _>(FACTS_OVER, [self.business.0.into(), ids.into()]).await
    }

    /// Saves a visit that was moved to where it is placed now, in days that were taken.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub async fn save_moved(
        &self,
        rows: &[Occupied],
        moved: &Appointment,
        placement: &Placement,
    ) -> Result<(), Error> {
        self.close_visit(moved.id).await?;
        self.settle_conflicts_of(moved.id, rows, &[]).await?;
        self.occupy(Purpose::of(moved), &placement.occupied).await?;
        let values: [Value; 7] = [
            self.business.0.into(),
            moved.id.0.into(),
            to_db(moved.starts_at).into(),
            to_db(moved.ends_at).into(),
            moved.version.into(),
            moved.squeezed_in.into(),
            moved.occasion.occurrence.map(|occurrence| to_db(occurrence.planned_at)).into(),
        ];
        self.execute(SAVE, values).await?;
        self.execute(REMOVE_ITEMS, [self.business.0.into(), moved.id.0.into()]).await?;
        self.add_appointment_items(moved.id, &moved.items).await?;
        self.announce_freed(moved.id, moved.version, rows).await
    }
}
