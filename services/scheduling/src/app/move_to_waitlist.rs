//! Cancels a visit and puts its customer on the waitlist instead.

use engine::{
    appointment::{CancelRequest, Canceller},
    dates::DateRange,
    id::{VisitId, WaitlistEntryId},
    item::Item,
    progress::Step,
    visit::PlacedItem,
    waitlist::{Entry, Minutes, State, may_wait},
};
use proto::frontdesk::scheduling::v1::waitlist_service_methods::MOVE_TO_WAITLIST;

use super::join_waitlist::published;
use crate::{
    Error,
    measure::Figure,
    store::{StoredAppointment, StoredEntry, Tx},
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
}

impl MoveToWaitlist {
    /// Cancels the visit and adds the entry: both or neither.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, a state that can't be cancelled, a visit without a known customer or
    /// with too many items, or dates that are over.
    pub async fn run(self, tx: &Tx) -> Result<(StoredEntry, StoredAppointment), Error> {
        let Self { id, seen, dates, minutes, note } = self;
        let visit = tx.take_visit(id).await?;
        let appointment = visit.appointment.clone().seen_at(seen)?;
        let customer = appointment.occasion.customer;
        let customer = customer.ok_or_else(|| Error::invalid("appointment_id", "has no known customer"))?;
        if appointment.items.len() > MOST_ITEMS {
            return Err(Error::invalid("appointment_id", "has more than 6 services"));
        }
        let today = visit.schedule.zone.to_datetime(tx.now()).date();
        may_wait(dates, today).map_err(|error| Error::invalid("last_date", error))?;
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
            items: appointment.items.iter().map(item).collect(),
            dates,
            minutes,
            joined_at: tx.now(),
            state: State::Waiting,
            note,
            version: 1,
        };
        visit.schedule.request(&entry.items)?;
        let request = CancelRequest {
            at: tx.now(),
            by: tx.actor().to_owned(),
            canceller: Canceller::Staff,
            reason: REASON.to_owned(),
        };
        let cancelled = appointment.cancel(request, &visit.schedule.policy)?;
        tx.save_step(&visit, &cancelled, Step::Forward).await?;
        tx.tally(Figure::Cancelled, 1);
        tx.add_waitlist_entry(&entry).await?;
        let stored = published(tx, entry.id).await?;
        tx.audit(&MOVE_TO_WAITLIST, entry.id).await?;
        Ok((stored, tx.publish_appointment(&MOVE_TO_WAITLIST, id).await?))
    }
}
