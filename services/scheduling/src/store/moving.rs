//! Moving visits.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{appointment::Appointment, id::VisitId, visit::Occupied};
use jiff::Timestamp;
use sea_orm::FromQueryResult;

use super::{Tx, purpose::Purpose};
use crate::Error;

const KEEP_PLACE: &str = "INSERT INTO place_change
        (business_id, visit_id, version, starts_at, ends_at, employee_ids, next_employee_ids, left_at, left_by)
    SELECT a.business_id, a.id, a.version, a.starts_at, a.ends_at,
        ARRAY(SELECT i.employee_id FROM appointment_item i
            WHERE i.business_id = :business_id AND i.visit_id = a.id ORDER BY i.position),
        :next_employee_ids, :now, :actor
    FROM appointment a WHERE a.business_id = :business_id AND a.id = :id";
/// Where a visit was before, by version.
const PLACES_LEFT: &str = "SELECT p.starts_at, p.ends_at, p.left_at, p.left_by,
        ARRAY(SELECT COALESCE(e.name, '') FROM unnest(p.employee_ids) WITH ORDINALITY AS u (id, place)
            LEFT JOIN employee e ON e.business_id = :business_id AND e.id = u.id ORDER BY u.place) AS employees
    FROM place_change p
    WHERE p.business_id = :business_id AND p.visit_id = :visit_id ORDER BY p.version";
const SAVE: &str = "UPDATE appointment SET starts_at = :starts_at, ends_at = :ends_at, version = :version,
        squeezed_in = :squeezed_in, planned_at = :planned_at, price_minor = :price_minor, notes = :notes
    WHERE business_id = :business_id AND id = :id";
const REMOVE_ITEMS: &str =
    "DELETE FROM appointment_item WHERE business_id = :business_id AND visit_id = :visit_id";

/// Where a visit was until it was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceLeft {
    /// When the customer would have come.
    pub starts_at: Timestamp,
    /// When the customer would have gone.
    pub ends_at: Timestamp,
    /// Who would have done each service; empty while their name is not known.
    pub employees: Vec<String>,
    /// When it was moved away from there.
    pub left_at: Timestamp,
    /// Who moved it, as the audit trail names them.
    pub left_by: String,
}

#[derive(FromQueryResult)]
struct PlaceRow {
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    left_at: DateTime<Utc>,
    left_by: String,
    employees: Vec<String>,
}

impl TryFrom<PlaceRow> for PlaceLeft {
    type Error = Error;
    fn try_from(row: PlaceRow) -> Result<Self, Error> {
        Ok(Self {
            starts_at: from_db(row.starts_at),
            ends_at: from_db(row.ends_at),
            employees: row.employees,
            left_at: from_db(row.left_at),
            left_by: row.left_by,
        })
    }
}

/// A visit that takes other time than before.
#[derive(Debug, Clone)]
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
        self.replace(visits).await?;
        for Rearranged { after, .. } in visits {
            self.keep_place_before(after).await?;
            self.save_place(after).await?;
        }
        Ok(())
    }

    /// As [`Self::save_rearranged`], for visits that also are something else than they were, each with what it was.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub(crate) async fn save_edited(&self, visits: &[(Appointment, Rearranged<'_>)]) -> Result<(), Error> {
        let rearranged: Vec<_> = visits.iter().map(|(_, rearranged)| rearranged.clone()).collect();
        self.replace(&rearranged).await?;
        for (before, Rearranged { after, .. }) in visits {
            if before.leaves_place_for(after) {
                self.keep_place_before(after).await?;
            }
            self.save_place(after).await?;
            self.add_differences(after, &before.differences(after)).await?;
        }
        Ok(())
    }

    /// Saves a visit that stays where it is, with other notes or wishes than `before`.
    pub(crate) async fn save_described(
        &self,
        before: &Appointment,
        after: &Appointment,
    ) -> Result<(), Error> {
        self.save_place(after).await?;
        self.add_differences(after, &before.differences(after)).await
    }

    /// Has the ledger follow visits that take other time.
    async fn replace(&self, visits: &[Rearranged<'_>]) -> Result<(), Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.after.id).collect();
        self.close_visits(&ids).await?;
        for Rearranged { before, after, occupied } in visits {
            self.settle_conflicts_of(after.id, before, occupied).await?;
        }
        for Rearranged { after, occupied, .. } in visits {
            self.occupy(Purpose::of(after), occupied).await?;
        }
        Ok(())
    }

    /// Keeps where a visit is, which is about to be as in `after`.
    async fn keep_place_before(&self, after: &Appointment) -> Result<(), Error> {
        let next: Vec<_> = after.items.iter().map(|item| item.employee.0).collect();
        let values = named! {
            business_id: self.business.0,
            id: after.id.0,
            next_employee_ids: next,
            now: self.at(),
            actor: self.actor(),
        };
        self.execute(KEEP_PLACE, values).await.map(drop)
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
            price_minor: visit.price.minor,
            notes: visit.occasion.notes.as_str(),
        };
        self.execute(SAVE, values).await?;
        self.execute(REMOVE_ITEMS, named! { business_id: self.business.0, visit_id: visit.id.0 }).await?;
        self.add_appointment_items(visit.id, &visit.items).await
    }

    /// Where a visit was before it was moved, the earliest first.
    pub async fn places_left(&self, visit: VisitId) -> Result<Vec<PlaceLeft>, Error> {
        let key = named! { business_id: self.business.0, visit_id: visit.0 };
        self.all::<PlaceRow, _>(PLACES_LEFT, key).await
    }
}
