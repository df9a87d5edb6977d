//! Changes what a visit is: its services, their lengths, whom the customer asks for, guests and notes.

use engine::{
    appointment::{Appointment, Consent, WrongState},
    edit::Edit,
    id::VisitId,
    item::{Item, Wish},
    series::Wanted,
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::appointment_service_methods::CHANGE_APPOINTMENT;

use super::change_remainder::TakenRemainder;
use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Undoable, VisitChange},
    },
    store::{Rearranged, StoredAppointment, Tx},
};

/// Which visits of a series a change is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The visit alone.
    One,
    /// The visit and those that follow it.
    Following,
    /// All that have yet to begin.
    All,
}

/// A change of a visit, or of several of its series.
#[derive(Debug)]
pub struct ChangeAppointment {
    /// The visit.
    pub id: VisitId,
    /// All services as they shall be; `None` for the present ones.
    pub items: Option<Vec<Item>>,
    /// The new start of one visit; `None` for the present one.
    pub start: Option<Timestamp>,
    /// The new notes; `None` for the present ones.
    pub notes: Option<String>,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
    /// Whether the customer agreed to another employee than the only one they asked for.
    pub consent: Consent,
    /// Which visits of the series change.
    pub reach: Reach,
    /// Whether visits of the series that do not fit stay as they are.
    pub leave_taken: bool,
}

/// What a change came to.
#[derive(Debug)]
pub struct Changed {
    /// The visit as it is now.
    pub appointment: StoredAppointment,
    /// The change; `None` where nothing was different.
    pub change: Option<ChangeId>,
    /// How many visits were changed.
    pub count: usize,
    /// Visits that were left as they are.
    pub left: Vec<VisitId>,
}

impl ChangeAppointment {
    /// Changes the visits and publishes each.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, a visit that has begun, services that do not fit, a service that would
    /// leave the only employee its customer wants.
    pub async fn run(self, tx: &Tx) -> Result<Changed, Error> {
        let (visits, left) = match self.reach {
            Reach::One => (self.change_one(tx).await?, vec![]),
            Reach::Following | Reach::All => self.change_series(tx).await?,
        };
        for change in &visits {
            tx.publish_appointment(&CHANGE_APPOINTMENT, VisitId(change.visit)).await?;
        }
        let appointment = tx.appointment(self.id).await?;
        let count = visits.len();
        let undoable = Undoable { visits, ..Undoable::default() };
        let change = if count > 0 { Some(tx.add_undoable(&undoable).await?) } else { None };
        Ok(Changed { appointment, change, count, left })
    }

    async fn change_one(&self, tx: &Tx) -> Result<Vec<VisitChange>, Error> {
        let visit = tx.take_visit(self.id).await?;
        let before = visit.appointment.clone().seen_at(self.seen)?;
        let start = self.start.unwrap_or(before.starts_at);
        let items = match self.edit(&before, None)? {
            Edit::Described(wishes) if start == before.starts_at => {
                return Ok(self.describe(tx, &before, &wishes).await?.into_iter().collect());
            }
            Edit::Described(wishes) => {
                let items = before.rearranged_with(None, self.consent)?;
                items.into_iter().zip(wishes).map(|(item, wish)| Item { wish, ..item }).collect()
            }
            Edit::Placed(items) => items,
        };
        let placement = tx.place_anew(&visit, &items, start).await?;
        let after = before.clone().edited_to(&placement).with_notes(self.notes.as_deref());
        let change = VisitChange::moved(&before, &visit.rows);
        let rearranged = Rearranged { before: &visit.rows, after, occupied: &placement.occupied };
        tx.save_edited(&[(before, rearranged)]).await?;
        tx.publish_freed(self.id, change.version, &visit.rows).await?;
        Ok(vec![change])
    }

    async fn change_series(&self, tx: &Tx) -> Result<(Vec<VisitChange>, Vec<VisitId>), Error> {
        let series = tx.appointment(self.id).await?.appointment.occasion.occurrence;
        let series = series.ok_or_else(|| Error::invalid("scope", "is for a visit of a series"))?.series;
        let rest = tx.take_remainder(series, self.id, self.reach == Reach::All).await?;
        let named = rest.visits.iter().find(|(visit, _)| visit.id == self.id);
        let named = named.map(|(visit, _)| visit.clone()).ok_or(Error::WrongState(WrongState))?;
        let named = named.seen_at(self.seen)?;
        let (mut changes, mut wanted) = (vec![], vec![]);
        for (index, (visit, _)) in rest.visits.iter().enumerate() {
            match self.edit(visit, Some(&named))? {
                Edit::Described(wishes) => changes.extend(self.describe(tx, visit, &wishes).await?),
                Edit::Placed(items) => {
                    let number = visit.occasion.occurrence.map_or(0, |occurrence| occurrence.number);
                    wanted.push((index, Wanted { number, items, starts_at: Some(visit.starts_at) }));
                }
            }
        }
        let placed = self.place(tx, &rest, &wanted).await?;
        let left = wanted.iter().map(|(index, _)| rest.visits[*index].0.id);
        let left = left.filter(|id| placed.iter().all(|change| change.visit != id.0)).collect();
        changes.extend(placed);
        Ok((changes, left))
    }

    /// What a visit is to become; `named` is the visit of its series that the services are given for.
    fn edit(&self, visit: &Appointment, named: Option<&Appointment>) -> Result<Edit, Error> {
        let Some(items) = &self.items else {
            return Ok(Edit::Described(visit.items.iter().map(|item| item.wish).collect()));
        };
        let items = named.map_or_else(|| items.clone(), |named| visit.as_wanted_of(named, items));
        let customer = visit.occasion.customer;
        let of_customer = |item: Item| Item { customer: customer.filter(|_| item.guest == 0), ..item };
        let items: Vec<_> = items.into_iter().map(of_customer).collect();
        Ok(visit.edited(&items, self.consent)?)
    }

    /// Saves other wishes and notes of a visit that stays where it is; nothing where they are the same.
    async fn describe(
        &self,
        tx: &Tx,
        before: &Appointment,
        wishes: &[Wish],
    ) -> Result<Option<VisitChange>, Error> {
        let after = before.clone().described(wishes).with_notes(self.notes.as_deref());
        if before.differences(&after).is_empty() {
            return Ok(None);
        }
        tx.save_described(before, &after).await?;
        Ok(Some(VisitChange::described(before)))
    }

    async fn place(
        &self,
        tx: &Tx,
        rest: &TakenRemainder,
        wanted: &[(usize, Wanted)],
    ) -> Result<Vec<VisitChange>, Error> {
        let placed = tx.place_remainder(rest, wanted, self.leave_taken).await?;
        let edited: Vec<_> = placed
            .iter()
            .map(|(index, placement)| {
                let (visit, rows) = &rest.visits[*index];
                let after = visit.clone().edited_to(placement).with_notes(self.notes.as_deref());
                (visit.clone(), Rearranged { before: rows, after, occupied: &placement.occupied })
            })
            .collect();
        tx.save_edited(&edited).await?;
        for (_, Rearranged { before, after, .. }) in &edited {
            tx.publish_freed(after.id, after.version, before).await?;
        }
        Ok(edited.iter().map(|(visit, rearranged)| VisitChange::moved(visit, rearranged.before)).collect())
    }
}
