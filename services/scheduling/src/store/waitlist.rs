//! The waitlist.

use chrono::{DateTime, NaiveDate, Utc};
use database::{constraint, from_db, named, to_db};
use engine::{
    dates::DateRange,
    id::{CustomerId, EmployeeId, ServiceId, VisitId, WaitlistEntryId},
    item::{Item, Wish},
    waitlist::{End, Entry, Minutes, State},
};
use jiff::{Timestamp, civil::Date};
use proto::frontdesk::events::v1::{WaitlistChanged, event::Payload};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use super::{
    Tx,
    day::{civil, naive},
    item::guest,
};
use crate::Error;

/// Maximum number of entries checked when time is freed; those waiting longest come first.
const MOST_LOOKED_AT: i64 = 100;

/// The nil id stands for no employee in particular.
macro_rules! select_entries {
    ($rest:literal) => {
        concat!(
            "SELECT w.id, COALESCE(c.merged_into, w.customer_id) AS customer_id, w.first_date, w.last_date, w.from_minute, w.to_minute, w.note,
                w.joined_at, w.state, w.appointment_id, w.ended_at, w.ended_by, w.reason, w.version,
                c.name AS customer_name, c.phone AS customer_phone,
                ARRAY(SELECT i.service_id FROM waitlist_item i
                    WHERE i.business_id = :business_id AND i.entry_id = w.id ORDER BY i.position) AS services,
                ARRAY(SELECT COALESCE(i.employee_id, '00000000-0000-0000-0000-000000000000')
                    FROM waitlist_item i
                    WHERE i.business_id = :business_id AND i.entry_id = w.id
                        ORDER BY i.position) AS employees,
                ARRAY(SELECT COALESCE(i.preferred_id, '00000000-0000-0000-0000-000000000000')
                    FROM waitlist_item i
                    WHERE i.business_id = :business_id AND i.entry_id = w.id
                        ORDER BY i.position) AS preferred,
                ARRAY(SELECT i.guest FROM waitlist_item i
                    WHERE i.business_id = :business_id AND i.entry_id = w.id ORDER BY i.position) AS guests,
                ARRAY(SELECT i.extra_minutes FROM waitlist_item i
                    WHERE i.business_id = :business_id AND i.entry_id = w.id
                        ORDER BY i.position) AS extra_minutes
            FROM waitlist_entry w
            LEFT JOIN customer c ON c.business_id = :business_id AND c.id = w.customer_id
            WHERE w.business_id = :business_id AND ",
            $rest
        )
    };
}

const ONE: &str = select_entries!("w.id = :id");
/// A page of entries that wait, the longest first.
pub const WAITING_BY_AGE: &str = select_entries!(
    "w.state = 'WAITING' AND (w.joined_at, w.id) > (:after_joined, :after_id) AND w.last_date >= :today
    ORDER BY w.joined_at, w.id LIMIT :rows"
);
/// A page of all entries of a customer and of who is part of them.
pub const WAITLIST_OF: &str = select_entries!(
    "w.customer_id = ANY(ARRAY(SELECT :customer_id::uuid UNION ALL
            SELECT p.id FROM customer p WHERE p.business_id = :business_id AND p.merged_into = :customer_id))
        AND (w.joined_at, w.id) > (:after_joined, :after_id)
    ORDER BY w.joined_at, w.id LIMIT :rows"
);
/// Entries that wait for one of some dates, the longest first.
pub const WAITING_FOR: &str = select_entries!(
    "w.state = 'WAITING' AND w.last_date >= :first_date AND w.first_date <= :last_date
        ORDER BY w.joined_at, w.id LIMIT :rows"
);
const LOCK: &str = "SELECT id FROM waitlist_entry WHERE business_id = :business_id AND id = :id FOR UPDATE";
const ADD: &str = "INSERT INTO waitlist_entry (business_id, id, customer_id, first_date, last_date,
        from_minute, to_minute, note, joined_at, state, version)
    VALUES (:business_id, :id, :customer_id, :first_date, :last_date, :from_minute, :to_minute, :note,
        :joined_at, 'WAITING', :version)";
const ADD_ITEMS: &str = "INSERT INTO waitlist_item
        (business_id, entry_id, position, service_id, employee_id, preferred_id, guest, extra_minutes)
    SELECT :business_id, :id, i.position, i.service_id,
        NULLIF(i.employee_id, '00000000-0000-0000-0000-000000000000'),
        NULLIF(i.preferred_id, '00000000-0000-0000-0000-000000000000'), i.guest, i.extra
    FROM unnest(:services::uuid[], :employees::uuid[], :preferred::uuid[], :guests::smallint[],
        :extra_minutes::smallint[]) WITH ORDINALITY
        AS i (service_id, employee_id, preferred_id, guest, extra, position)";
const SAVE: &str = "UPDATE waitlist_entry
    SET state = :state, appointment_id = :appointment_id, ended_at = :ended_at, ended_by = :ended_by,
        reason = :reason, version = :version
    WHERE business_id = :business_id AND id = :id";

/// An entry and who it is of, empty while they are not known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// The entry.
    pub entry: Entry,
    /// What the customer is called.
    pub customer_name: String,
    /// E.164.
    pub customer_phone: String,
}

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

impl From<IdRow> for WaitlistEntryId {
    fn from(row: IdRow) -> Self {
        Self(row.id)
    }
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    customer_id: Uuid,
    first_date: NaiveDate,
    last_date: NaiveDate,
    from_minute: i16,
    to_minute: i16,
    note: String,
    joined_at: DateTime<Utc>,
    state: String,
    appointment_id: Option<Uuid>,
    ended_at: Option<DateTime<Utc>>,
    ended_by: Option<String>,
    reason: Option<String>,
    version: i64,
    customer_name: Option<String>,
    customer_phone: Option<String>,
    services: Vec<Uuid>,
    employees: Vec<Uuid>,
    preferred: Vec<Uuid>,
    guests: Vec<i16>,
    extra_minutes: Vec<i16>,
}

fn stored() -> Error {
    Error::Stored("waitlist entry")
}

impl Row {
    fn state(&mut self) -> Result<State, Error> {
        let end = self.ended_at.zip(self.ended_by.take()).map(|(at, by)| End { at: from_db(at), by });
        match (self.state.as_str(), end, self.appointment_id, self.reason.take()) {
            ("WAITING", None, None, None) => Ok(State::Waiting),
            ("BOOKED", Some(end), Some(visit), None) => Ok(State::Booked(VisitId(visit), end)),
            ("LEFT", Some(end), None, Some(reason)) => Ok(State::Left(reason, end)),
            _ => Err(stored()),
        }
    }

    fn minutes(&self) -> Result<Minutes, Error> {
        let minute = |minute: i16| u16::try_from(minute).map_err(|_| stored());
        Minutes::new(minute(self.from_minute)?, minute(self.to_minute)?).map_err(|_| stored())
    }
}

impl TryFrom<Row> for StoredEntry {
    type Error = Error;
    fn try_from(mut row: Row) -> Result<Self, Error> {
        let who = |id: Uuid| (!id.is_nil()).then_some(EmployeeId(id));
        let item = |at: usize| {
            let number = *row.guests.get(at)?;
            let (employee, preferred) = (who(*row.employees.get(at)?), who(*row.preferred.get(at)?));
            Some(Item {
                service: ServiceId(*row.services.get(at)?),
                employee,
                preferred,
                // Who waits for an employee wants no other.
                wish: employee.map(Wish::Only).or(preferred.map(Wish::Prefers)).unwrap_or_default(),
                guest: guest(number).ok()?,
                customer: (number == 0).then_some(CustomerId(row.customer_id)),
                extra_minutes: *row.extra_minutes.get(at)?,
            })
        };
        let items = (0..row.services.len()).map(item).collect::<Option<_>>().ok_or_else(stored)?;
        let dates = DateRange::new(civil(row.first_date)?, civil(row.last_date)?);
        let entry = Entry {
            id: WaitlistEntryId(row.id),
            customer: CustomerId(row.customer_id),
            items,
            dates: dates.map_err(|_| stored())?,
            minutes: row.minutes()?,
            joined_at: from_db(row.joined_at),
            state: row.state()?,
            note: row.note,
            version: row.version,
        };
        Ok(Self {
            entry,
            customer_name: row.customer_name.unwrap_or_default(),
            customer_phone: row.customer_phone.unwrap_or_default(),
        })
    }
}

fn state_name(state: &State) -> &'static str {
    match state {
        State::Waiting => "WAITING",
        State::Booked(..) => "BOOKED",
        State::Left(..) => "LEFT",
    }
}

impl Tx {
    /// Adds a waiting customer.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a service.
    pub async fn add_waitlist_entry(&self, entry: &Entry) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: entry.id.0,
            customer_id: entry.customer.0,
            first_date: naive(entry.dates.first()),
            last_date: naive(entry.dates.last()),
            from_minute: entry.minutes.from().cast_signed(),
            to_minute: entry.minutes.to().cast_signed(),
            note: entry.note.as_str(),
            joined_at: to_db(entry.joined_at),
            version: entry.version,
        };
        self.execute(ADD, values).await?;
        let id = |who: Option<EmployeeId>| who.map_or(Uuid::nil(), |employee| employee.0);
        let items = named! {
            business_id: self.business.0,
            id: entry.id.0,
            services: entry.items.iter().map(|item| item.service.0).collect::<Vec<_>>(),
            employees: entry.items.iter().map(|item| id(item.employee)).collect::<Vec<_>>(),
            preferred: entry.items.iter().map(|item| id(item.preferred)).collect::<Vec<_>>(),
            guests: entry.items.iter().map(|item| i16::from(item.guest)).collect::<Vec<_>>(),
            extra_minutes: entry.items.iter().map(|item| item.extra_minutes).collect::<Vec<_>>(),
        };
        self.try_execute(ADD_ITEMS, items).await.map(drop).map_err(refused)
    }

    /// One entry.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn waitlist_entry(&self, id: WaitlistEntryId) -> Result<StoredEntry, Error> {
        let found = self.one::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await?;
        found.ok_or(Error::NotFound("waitlist entry"))
    }

    /// An entry, locked until this transaction ends. Lock days before it.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_waitlist_entry(&self, id: WaitlistEntryId) -> Result<Entry, Error> {
        let locked: Option<WaitlistEntryId> =
            self.one::<IdRow, _>(LOCK, named! { business_id: self.business.0, id: id.0 }).await?;
        locked.ok_or(Error::NotFound("waitlist entry"))?;
        Ok(self.waitlist_entry(id).await?.entry)
    }

    /// Saves where an entry stands.
    pub async fn save_waitlist_entry(&self, entry: &Entry) -> Result<(), Error> {
        let (visit, end, reason) = match &entry.state {
            State::Waiting => (None, None, None),
            State::Booked(visit, end) => (Some(visit.0), Some(end), None),
            State::Left(reason, end) => (None, Some(end), Some(reason.as_str())),
        };
        let values = named! {
            business_id: self.business.0,
            id: entry.id.0,
            state: state_name(&entry.state),
            appointment_id: visit,
            ended_at: end.map(|end| to_db(end.at)),
            ended_by: end.map(|end| end.by.as_str()),
            reason,
            version: entry.version,
        };
        self.execute(SAVE, values).await.map(drop)
    }

    /// Who waits, after who joined then and is called `after`, the longest first; not for dates
    /// that all lie before `today`.
    pub async fn waiting(
        &self,
        after: (Timestamp, WaitlistEntryId),
        today: Date,
        rows: u32,
    ) -> Result<Vec<StoredEntry>, Error> {
        let values = named! {
            business_id: self.business.0,
            after_joined: to_db(after.0),
            after_id: after.1.0,
            today: naive(today),
            rows: i64::from(rows),
        };
        self.all::<Row, _>(WAITING_BY_AGE, values).await
    }

    /// All entries of a customer, after the one made then and called `after`, the earliest first.
    pub async fn waitlist_of(
        &self,
        customer: CustomerId,
        after: (Timestamp, WaitlistEntryId),
        rows: u32,
    ) -> Result<Vec<StoredEntry>, Error> {
        let values = named! {
            business_id: self.business.0,
            customer_id: customer.0,
            after_joined: to_db(after.0),
            after_id: after.1.0,
            rows: i64::from(rows),
        };
        self.all::<Row, _>(WAITLIST_OF, values).await
    }

    /// The 100 who wait longest for one of `dates`.
    pub(crate) async fn waiting_for(&self, dates: DateRange) -> Result<Vec<StoredEntry>, Error> {
        let values = named! {
            business_id: self.business.0,
            first_date: naive(dates.first()),
            last_date: naive(dates.last()),
            rows: MOST_LOOKED_AT,
        };
        self.all::<Row, _>(WAITING_FOR, values).await
    }

    /// Tells others that an entry changed.
    pub async fn publish_waitlist(&self, entry: &Entry) -> Result<(), Error> {
        let payload = Payload::Waitlist(WaitlistChanged { entry_id: entry.id.to_string() });
        self.publish_change(entry.id, entry.version, payload).await
    }
}

fn refused(error: DbErr) -> Error {
    match constraint(&error).as_deref() {
        Some("waitlist_item_service") => Error::NotFound("service"),
        _ => error.into(),
    }
}
