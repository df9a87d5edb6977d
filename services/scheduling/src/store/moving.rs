//! Moving visits.

use database::to_db;
use engine::{
    appointment::Appointment,
    day::Day,
    placement::Placer,
    policy::Booker,
    span::Span,
    timeline::Timeline,
    visit::{Item, Occupied, Placement, Wish},
};
use jiff::Timestamp;
use sea_orm::Value;

use super::{Tx, ledger::days_of, purpose::Purpose, visit::TakenVisit};
use crate::Error;

const SAVE: &str = "UPDATE appointment SET starts_at = $3, ends_at = $4, version = $5, squeezed_in = $6,
        planned_at = $7
    WHERE business_id = $1 AND id = $2";
const REMOVE_ITEMS: &str = "DELETE FROM appointment_item WHERE business_id = $1 AND visit_id = $2";

/// A visit that takes other time than before.
#[derive(Debug)]
pub(super) struct Rearranged<'a> {
    /// What it took.
    pub before: &'a [Occupied],
    /// The visit as it is now.
    pub after: Appointment,
    /// What it takes.
    pub occupied: &'a [Occupied],
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
        // Whoever is late, or waits, may get more time or somebody else.
        if start != visit.appointment.starts_at {
            visit.schedule.policy.admit(start, Booker::Desk, self.now())?;
        }
        let wish = self.wish(&visit.schedule, items, Span::at(start)).await?;
        let reach = wish.reach(start, start);
        // Refused here already, it has stood in nobody's way.
        Placer::new(&self.line_without(visit, &wish, reach).await?, &wish).at(start)?;
        let mut spans: Vec<_> = visit.rows.iter().map(|row| row.during).collect();
        spans.push(reach);
        self.take_days(&days_of(&spans, &visit.schedule.zone)).await?;
        Ok(Placer::new(&self.line_without(visit, &wish, reach).await?, &wish).at(start)?)
    }

    /// What is free around `reach`, but for the visit itself.
    async fn line_without(&self, visit: &TakenVisit, wish: &Wish, reach: Span) -> Result<Timeline, Error> {
        let days = Day::covering(reach, &visit.schedule.zone);
        let it = [visit.appointment.id];
        Ok(self.occupancy(&visit.schedule, &days, &it, &it).await?.line(wish, &[]))
    }

    /// Saves a visit that was moved to where it is placed now, in days that were taken.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub async fn save_moved(
        &self,
        visit: &TakenVisit,
        moved: &Appointment,
        placement: &Placement,
    ) -> Result<(), Error> {
        let (before, occupied) = (&visit.rows[..], &placement.occupied[..]);
        self.save_rearranged(&[Rearranged { before, after: moved.clone(), occupied }]).await?;
        self.announce_freed(moved.id, moved.version, &visit.rows).await
    }

    /// Saves visits that take other time, whose days are taken: all of them leave before any takes
    /// what another has left.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub(super) async fn save_rearranged(&self, visits: &[Rearranged<'_>]) -> Result<(), Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.after.id).collect();
        self.close_visits(&ids).await?;
        for Rearranged { before, after, occupied } in visits {
            self.settle_conflicts_of(after.id, before, occupied).await?;
        }
        for Rearranged { after, occupied, .. } in visits {
            self.occupy(Purpose::of(after), occupied).await?;
            self.save_place(after).await?;
        }
        Ok(())
    }

    async fn save_place(&self, visit: &Appointment) -> Result<(), Error> {
        let values: [Value; 7] = [
            self.business.0.into(),
            visit.id.0.into(),
            to_db(visit.starts_at).into(),
            to_db(visit.ends_at).into(),
            visit.version.into(),
            visit.squeezed_in.into(),
            visit.occasion.occurrence.map(|occurrence| to_db(occurrence.planned_at)).into(),
        ];
        self.execute(SAVE, values).await?;
        self.execute(REMOVE_ITEMS, [self.business.0.into(), visit.id.0.into()]).await?;
        self.add_appointment_items(visit.id, &visit.items).await
    }
}
