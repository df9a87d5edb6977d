//! Customers who want a time that was not free.

use caller::BusinessScope;
use engine::{
    id::WaitlistEntryId,
    item::{Item, Wish},
    waitlist::{Entry, Minutes, State},
};
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, BookFromWaitlistRequest, BookFromWaitlistResponse, JoinWaitlistRequest,
        JoinWaitlistResponse, LeaveWaitlistRequest, LeaveWaitlistResponse, ListWaitlistRequest,
        ListWaitlistResponse, MoveToWaitlistRequest, MoveToWaitlistResponse, WaitlistServiceHandler,
        waitlist_service_methods::{BOOK_FROM_WAITLIST, JOIN_WAITLIST, LEAVE_WAITLIST, MOVE_TO_WAITLIST},
    },
    page::page_of,
    parse::{id, optional_id, optional_text},
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::{appointment_request, fields, schedule::zone_name};
use crate::{
    app::{
        BookFromWaitlist, Calls, JoinWaitlist, LeaveWaitlist, ListWaitlist, MoveToWaitlist, Named, People,
        Waiting,
    },
    contract::{FromEngine, offer},
    store::{Store, StoredEntry},
};

const MAX_NOTE: usize = 500;
const MAX_REASON: usize = 200;
const ENTRIES: u32 = 20;
const MOST_ENTRIES: u32 = 50;

/// Serves `WaitlistService`.
#[derive(Debug)]
pub(crate) struct Waitlist {
    store: Store,
    people: People,
    calls: Calls,
}

impl Waitlist {
    pub(crate) fn new(store: Store, people: People, calls: Calls) -> Self {
        Self { store, people, calls }
    }
}

#[async_trait]
impl WaitlistServiceHandler for Waitlist {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

    async fn join_waitlist(
        &self,
        scope: BusinessScope,
        request: JoinWaitlistRequest,
    ) -> Result<JoinWaitlistResponse, Status> {
        let entry = parse(&self.store, &request)?;
        self.people
            .check(&scope, Named::customer("customer_id", entry.customer).in_items(&entry.items))
            .await?;
        self.store
            .idempotent(&scope, &JOIN_WAITLIST, &request, async |tx| {
                let (stored, change) = JoinWaitlist(entry).run(tx).await?;
                let entry = Some(pb::WaitlistEntry::from(&stored));
                Ok(JoinWaitlistResponse { entry, change_id: change.to_string() })
            })
            .await
    }

    async fn move_to_waitlist(
        &self,
        scope: BusinessScope,
        request: MoveToWaitlistRequest,
    ) -> Result<MoveToWaitlistResponse, Status> {
        let moved = MoveToWaitlist {
            id: id("appointment_id", &request.appointment_id)?,
            seen: appointment_request::seen(request.version)?,
            dates: fields::dates(&request.first_date, &request.last_date)?,
            minutes: minutes(request.from_minute, request.to_minute)?,
            note: optional_text("note", &request.note, MAX_NOTE)?.unwrap_or_default(),
            reach: appointment_request::reach(request.scope()),
        };
        self.store
            .idempotent(&scope, &MOVE_TO_WAITLIST, &request, async |tx| {
                let waits = moved.run(tx).await?;
                Ok(MoveToWaitlistResponse {
                    entry: Some(pb::WaitlistEntry::from(&waits.entry)),
                    appointment: Some(pb::Appointment::from(&waits.appointment)),
                    change_id: waits.change.to_string(),
                    cancelled_count: i32::try_from(waits.cancelled).unwrap_or(i32::MAX),
                })
            })
            .await
    }

    async fn list_waitlist(
        &self,
        scope: BusinessScope,
        request: ListWaitlistRequest,
    ) -> Result<ListWaitlistResponse, Status> {
        let page = page_of(request.page_size, &request.page_token, ENTRIES, MOST_ENTRIES)?;
        let after = fields::after(&page);
        let customer = optional_id("customer_id", &request.customer_id)?;
        let tx = self.store.begin(&scope);
        let list = ListWaitlist { after, customer };
        let Waiting { entries, offers, schedule } = list.run(&tx, page.limit()).await?;
        tx.release();
        let (waiting, next_page_token) = page.answer(
            entries.iter().zip(&offers),
            |(row, _)| (row.entry.joined_at, row.entry.id.0),
            |(row, placement)| pb::WaitingCustomer {
                entry: Some(pb::WaitlistEntry::from(row)),
                offer: placement.as_ref().map(|placement| offer(placement, &schedule)),
            },
        );
        Ok(ListWaitlistResponse { waiting, next_page_token, time_zone: zone_name(&schedule.zone) })
    }

    async fn leave_waitlist(
        &self,
        scope: BusinessScope,
        request: LeaveWaitlistRequest,
    ) -> Result<LeaveWaitlistResponse, Status> {
        let id: WaitlistEntryId = id("entry_id", &request.entry_id)?;
        let reason = optional_text("reason", &request.reason, MAX_REASON)?.unwrap_or_default();
        self.store
            .idempotent(&scope, &LEAVE_WAITLIST, &request, async |tx| {
                let (stored, change) = LeaveWaitlist { id, reason }.run(tx).await?;
                let entry = Some(pb::WaitlistEntry::from(&stored));
                Ok(LeaveWaitlistResponse { entry, change_id: change.to_string() })
            })
            .await
    }

    async fn book_from_waitlist(
        &self,
        scope: BusinessScope,
        request: BookFromWaitlistRequest,
    ) -> Result<BookFromWaitlistResponse, Status> {
        let id: WaitlistEntryId = id("entry_id", &request.entry_id)?;
        let start = fields::start(request.starts_at.as_ref())?;
        let call = optional_id("call_id", &request.call_id)?;
        self.calls.check(&scope, call).await?;
        self.store
            .idempotent(&scope, &BOOK_FROM_WAITLIST, &request, async |tx| {
                let booker = appointment_request::booker(&scope);
                let served = BookFromWaitlist { id, start, call, booker }.run(tx).await?;
                Ok(BookFromWaitlistResponse {
                    appointment: Some(pb::Appointment::from(&served.appointment)),
                    entry: Some(pb::WaitlistEntry::from(&served.entry)),
                    change_id: served.change.to_string(),
                })
            })
            .await
    }
}

fn parse(store: &Store, request: &JoinWaitlistRequest) -> Result<Entry, Status> {
    let customer = id("customer_id", &request.customer_id)?;
    Ok(Entry {
        id: store.new_id(),
        customer,
        items: fields::items(&request.items, Some(customer))?,
        dates: fields::dates(&request.first_date, &request.last_date)?,
        minutes: minutes(request.from_minute, request.to_minute)?,
        note: optional_text("note", &request.note, MAX_NOTE)?.unwrap_or_default(),
        joined_at: store.now(),
        state: State::Waiting,
        version: 1,
    })
}

fn minutes(from: i32, to: i32) -> Result<Minutes, Status> {
    if (from, to) == (0, 0) {
        return Ok(Minutes::ALL);
    }
    // What does not fit is out of bounds as well.
    let minute = |minute: i32| u16::try_from(minute).unwrap_or(u16::MAX);
    Minutes::new(minute(from), minute(to)).map_err(|error| invalid("to_minute", &error.to_string()))
}

impl FromEngine<&State> for pb::WaitlistState {
    fn from_engine(state: &State) -> Self {
        match state {
            State::Waiting => Self::Waiting,
            State::Booked(..) => Self::Booked,
            State::Left(..) => Self::Left,
        }
    }
}

impl FromEngine<&Item> for pb::VisitItem {
    fn from_engine(item: &Item) -> Self {
        Self {
            service_id: item.service.to_string(),
            employee_id: item.employee.map(|employee| employee.to_string()).unwrap_or_default(),
            preferred_employee_id: item.preferred.map(|employee| employee.to_string()).unwrap_or_default(),
            guest: item.guest.into(),
            extra_minutes: item.extra_minutes.into(),
            employee_only: matches!(item.wish, Wish::Only(_)),
        }
    }
}

impl From<&StoredEntry> for pb::WaitlistEntry {
    fn from(stored: &StoredEntry) -> Self {
        let StoredEntry { entry, customer_name, customer_phone } = stored;
        let (appointment_id, reason) = match &entry.state {
            State::Waiting => (String::new(), String::new()),
            State::Booked(visit, _) => (visit.to_string(), String::new()),
            State::Left(reason, _) => (String::new(), reason.clone()),
        };
        Self {
            id: entry.id.to_string(),
            state: pb::WaitlistState::from_engine(&entry.state).into(),
            customer_id: entry.customer.to_string(),
            customer_name: customer_name.clone(),
            customer_phone: customer_phone.clone(),
            contact_hidden: false,
            items: entry.items.iter().map(pb::VisitItem::from_engine).collect(),
            first_date: entry.dates.first().to_string(),
            last_date: entry.dates.last().to_string(),
            from_minute: entry.minutes.from().into(),
            to_minute: entry.minutes.to().into(),
            note: entry.note.clone(),
            joined_at: Some(to_proto(entry.joined_at)),
            appointment_id,
            reason,
            version: entry.version,
        }
    }
}
