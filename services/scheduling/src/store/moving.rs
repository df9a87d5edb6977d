//! Moving visits.

use database::to_db;
use engine::{appointment::Appointment, visit::Occupied};
use sea_orm::Value;

use super::{Tx, purpose::Purpose};
use crate::Error;

const SAVE: &str = "UPDATE appointment SET starts_at = $3, ends_at = $4, version = $5, squeezed_in = $6,
        planned_at = $7
    WHERE business_id = $1 AND id = $2";
const REMOVE_ITEMS: &str = "DELETE FROM appointment_item WHERE business_id = $1 AND visit_id = $2";

/// A visit that takes other time than before.
#[derive(Debug)]
pub(crate) struct Rearranged<'a> {
    /// What it took.
    pub before: &'a [Occupied],
    /// The visit as it is now.
    pub after: Appointment,
    /// What it takes.
    pub occupied: &'a [Occupied],
}

impl Tx {
    /// Saves visits that take other time, whose days are taken: all of them leave before any takes
    /// what another has left.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub(crate) async fn save_rearranged(&self, visits: &[Rearranged<'_>]) -> Result<(), Error> {
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
