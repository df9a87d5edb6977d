//! Cancels a visit and puts its customer on the waitlist instead.

use engine::{
    appointment::{Appointment, CancelRequest, Canceller, WrongState},
    dates::DateRange,
    id::{VisitId, WaitlistEntryId},
    item::Item,
    schedule::Schedule,
    visit::{Occupied, PlacedItem},
    waitlist::{Entry, Minutes, State, may_wait},
};
use proto::frontdesk::scheduling::v1::waitlist_service_methods::MOVE_TO_WAITLIST;

use super::{change_appointment::Reach, change_remainder::TakenRemainder, join_waitlist::published};
use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{EntryChange, Undoable, VisitChange},
    },
    measure::Figure,
    store::{StoredAppointment, StoredEntry, TakenVisit, Tx},
};

/// Most items of an entry.
const MOST_ITEMS: usize = 6;
const REASON: &str = "Put on the waitlist";

/// A visit whose customer waits for another time.
#[derive(Debug)]
pub struct MoveToWaitlist {
    /// The visit.
    pub id: VisitId,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
    /// The dates that suit.
    pub dates: DateRange,
    /// When on these dates.
    pub minutes: Minutes,
    /// May be empty.
    pub note: String,
    /// Which visits of its series are cancelled.
    pub reach: Reach,
}

/// A customer who waits instead of coming.
#[derive(Debug)]
pub struct Waits {
    /// What they wait for.
    pub entry: StoredEntry,
    /// The cancelled visit.
    pub appointment: StoredAppointment,
    /// The change.
    pub change: ChangeId,
    /// How many visits were cancelled.
    pub cancelled: usize,
}

impl MoveToWaitlist {
    /// Cancels the visit and adds the entry: both or neither.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, a state that can't be cancelled, a visit without a known customer or
    /// with too many items, or dates that are over.
    pub async fn run(self, tx: &Tx) -> Result<Waits, Error> {
        let TakenRemainder { schedule, visits, .. } = self.take(tx).await?;
        let named = visits.iter().find(|(visit, _)| visit.id == self.id).map(|(visit, _)| visit);
        let appointment = named.ok_or(Error::WrongState(WrongState))?.clone().seen_at(self.seen)?;
        let entry = self.entry(tx, &appointment, &schedule)?;
        let request = CancelRequest {
            at: tx.now(),
            by: tx.actor().to_owned(),
            canceller: Canceller::Staff,
            reason: REASON.to_owned(),
        };
        let cancel = |(visit, rows): (Appointment, Vec<Occupied>)| {
            Ok::<_, Error>((visit.cancel(request.clone(), &schedule.policy)?, rows))
        };
        let cancelled = visits.into_iter().map(cancel).collect::<Result<Vec<_>, _>>()?;
        tx.save_called_off(&schedule, &cancelled).await?;
        tx.add_waitlist_entry(&entry).await?;
        let stored = published(tx, entry.id).await?;
        tx.audit(&MOVE_TO_WAITLIST, entry.id).await?;
        tx.tally(Figure::Cancelled, cancelled.len());
        for (visit, _) in &cancelled {
            tx.publish_appointment(&MOVE_TO_WAITLIST, visit.id).await?;
        }
        let undoable = Undoable {
            visits: cancelled.iter().map(|(visit, _)| VisitChange::cancelled(visit)).collect(),
            joined: vec![EntryChange::of(&entry)],
            ..Undoable::default()
        };
        let change = tx.add_undoable(&undoable).await?;
        let appointment = tx.appointment(self.id).await?;
        Ok(Waits { entry: stored, appointment, change, cancelled: cancelled.len() })
    }

    /// Takes the turn to change the visit, and those of its series that are meant as well.
    async fn take(&self, tx: &Tx) -> Result<TakenRemainder, Error> {
        if self.reach == Reach::One {
            let TakenVisit { schedule, appointment, rows, .. } = tx.take_visit(self.id).await?;
            let from_planned = appointment.starts_at;
            let visits = vec![(appointment, rows)];
            return Ok(TakenRemainder { schedule, from: self.id, from_planned, visits });
        }
        let occurrence = tx.appointment(self.id).await?.appointment.occasion.occurrence;
        let series = occurrence.ok_or_else(|| Error::invalid("scope", "is for a visit of a series"))?.series;
        tx.take_remainder(series, self.id, self.reach == Reach::All).await
    }

    /// The entry that waits for what the visit was.
    fn entry(&self, tx: &Tx, visit: &Appointment, schedule: &Schedule) -> Result<Entry, Error> {
        let customer = visit.occasion.customer;
        let customer = customer.ok_or_else(|| Error::invalid("appointment_id", "has no known customer"))?;
        if visit.items.len() > MOST_ITEMS {
            return Err(Error::invalid("appointment_id", "has more than 6 services"));
        }
        let today = schedule.zone.to_datetime(tx.now()).date();
        may_wait(self.dates, today).map_err(|error| Error::invalid("last_date", error))?;
        let item = |placed: &PlacedItem| {
            let only = placed.wish.locks(placed.employee).then_some(placed.employee);
            let preferred = placed.wish.employee().unwrap_or(placed.employee);
            Item {
                service: placed.service,
                employee: only,
                preferred: only.is_none().then_some(preferred),
                guest: placed.guest,
                customer: (placed.guest == 0).then_some(customer),
                extra_minutes: placed.extra_minutes,
                wish: placed.wish,
            }
        };
        let entry = Entry {
            id: tx.new_id::<WaitlistEntryId>(),
            customer,
            items: visit.items.iter().map(item).collect(),
            dates: self.dates,
            minutes: self.minutes,
            joined_at: tx.now(),
            state: State::Waiting,
            note: self.note.clone(),
            version: 1,
        };
        schedule.request(&entry.items)?;
        Ok(entry)
    }
}
