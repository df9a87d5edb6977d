//! Moving visits.

use database::{named, to_db};
use engine::{appointment::Appointment, visit::Occupied};

use super::{Tx, purpose::Purpose};
use crate::Error;

const SAVE: &str = "UPDATE appointment SET starts_at = :starts_at, ends_at = :ends_at, version = :version,
        squeezed_in = :squeezed_in, planned_at = :planned_at
    WHERE business_id = :business_id AND id = :id";
const REMOVE_ITEMS: &str =
    "DELETE FROM appointment_item WHERE business_id = :business_id AND visit_id = :visit_id";

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
        let values = named! {
            business_id: self.business.0,
            id: visit.id.0,
            starts_at: to_db(visit.starts_at),
            ends_at: to_db(visit.ends_at),
            version: visit.version,
            squeezed_in: visit.squeezed_in,
            planned_at: visit.occasion.occurrence.map(|occurrence| to_db(occurrence.planned_at)),
        };
        self.execute(SAVE, values).await?;
        self.execute(REMOVE_ITEMS, named! { business_id: self.business.0, visit_id: visit.id.0 }).await?;
        self.add_appointment_items(visit.id, &visit.items).await
    }
}
