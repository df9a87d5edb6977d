//! The waitlist.

use chrono::{DateTime, NaiveDate, Utc};
use database::{constraint, from_db, to_db};
use engine::{
    dates::DateRange,
    id::{CustomerId, EmployeeId, ServiceId, VisitId, WaitlistEntryId},
    item::Item,
    waitlist::{End, Entry, Minutes, State},
};
use jiff::{Timestamp, civil::Date};
use proto::frontdesk::events::v1::{WaitlistChanged, event::Payload};
use sea_orm::{DbErr, FromQueryResult, Value};
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
            "SELECT w.id, w.customer_id, w.first_date, w.last_date, w.from_minute, w.to_minute, w.note,
                w.joined_at, w.state, w.appointment_id, w.ended_at, w.ended_by, w.reason, w.version,
                c.name AS customer_name, c.phone AS customer_phone,
                ARRAY(SELECT i.service_id FROM waitlist_item i
                    WHERE i.business_id = $1 AND i.entry_id = w.id ORDER BY i.position) AS services,
                ARRAY(SELECT COALESCE(i.employee_id, '00000000-0000-0000-0000-000000000000')
                    FROM waitlist_item i
                    WHERE i.business_id = $1 AND i.entry_id = w.id ORDER BY i.position) AS employees,
                ARRAY(SELECT COALESCE(i.preferred_id, '00000000-0000-0000-0000-000000000000')
                    FROM waitlist_item i
                    WHERE i.business_id = $1 AND i.entry_id = w.id ORDER BY i.position) AS preferred,
                ARRAY(SELECT i.guest FROM waitlist_item i
                    WHERE i.business_id = $1 AND i.entry_id = w.id ORDER BY i.position) AS guests,
                ARRAY(SELECT i.extra_minutes FROM waitlist_item i
                    WHERE i.business_id = $1 AND i.entry_id = w.id ORDER BY i.position) AS extra_minutes
            FROM waitlist_entry w LEFT JOIN customer c ON c.business_id = $1 AND c.id = w.customer_id
            WHERE w.business_id = $1 AND ",
            $rest
        )
    };
}

const ONE: &str = select_entries!("w.id = $2");
/// Parameters: business, time and id of the row before, the first date that counts, rows wanted.
pub const WAITING_BY_AGE: &str = select_entries!(
    "w.state = 'WAITING' AND (w.joined_at, w.id) > ($2, $3) AND w.last_date >= $4
    ORDER BY w.joined_at, w.id LIMIT $5"
);
/// Parameters: business, first date, last date, rows wanted.
pub const WAITING_FOR: &str = select_entries!(
    "w.state = 'WAITING' AND w.last_date >= $2 AND w.first_date <= $3 ORDER BY w.joined_at, w.id LIMIT $4"
);
const LOCK: &str = "SELECT id FROM waitlist_entry WHERE business_id = $1 AND id = $2 FOR UPDATE";
const ADD: &str = "INSERT INTO waitlist_entry (business_id, id, customer_id, first_date, last_date,
        from_minute, to_minute, note, joined_at, state, version)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'WAITING', $10)";
const ADD_ITEMS: &str = "INSERT INTO waitlist_item
        (business_id, entry_id, position, service_id, employee_id, preferred_id, guest, extra_minutes)
    SELECT $1, $2, i.position, i.service_id, NULLIF(i.employee_id, '00000000-0000-0000-0000-000000000000'),
        NULLIF(i.preferred_id, '00000000-0000-0000-0000-000000000000'), i.guest, i.extra
    FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::smallint[], $7::smallint[]) WITH ORDINALITY
        AS i (service_id, employee_id, preferred_id, guest, extra, position)";
const SAVE: &str = "UPDATE waitlist_entry
    SET state = $3, appointment_id = $4, ended_at = $5, ended_by = $6, reason = $7, version = $8
    WHERE business_id = $1 AND id = $2";

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
            Some(Item {
                service: ServiceId(*row.services.get(at)?),
                employee: who(*row.employees.get(at)?),
                preferred: who(*row.preferred.get(at)?),
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
        let values: [Value; 10] = [
            self.business.0.into(),
            entry.id.0.into(),
            entry.customer.0.into(),
            naive(entry.dates.first()).into(),
            naive(entry.dates.last()).into(),
            entry.minutes.from().cast_signed().into(),
            entry.minutes.to().cast_signed().into(),
            entry.note.as_str().into(),
            to_db(entry.joined_at).into(),
            entry.version.into(),
        ];
        self.execute(ADD, values).await?;
        let id = |who: Option<EmployeeId>| who.map_or(Uuid::nil(), |employee| employee.0);
        let items: [Value; 7] = [
            self.business.0.into(),
            entry.id.0.into(),
            entry.items.iter().map(|item| item.service.0).collect::<Vec<_>>().into(),
            entry.items.iter().map(|item| id(item.employee)).collect::<Vec<_>>().into(),
            entry.items.iter().map(|item| id(item.preferred)).collect::<Vec<_>>().into(),
            entry.items.iter().map(|item| i16::from(item.guest)).collect::<Vec<_>>().into(),
            entry.items.iter().map(|item| item.extra_minutes).collect::<Vec<_>>().into(),
        ];
        self.try_execute(ADD_ITEMS, items).await.map(drop).map_err(refused)
    }

    /// One entry.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn waitlist_entry(&self, id: WaitlistEntryId) -> Result<StoredEntry, Error> {
        let found = self.one::<Row, _>(ONE, [self.business.0.into(), id.0.into()]).await?;
        found.ok_or(Error::NotFound("waitlist entry"))
    }

    /// An entry, locked until this transaction ends. Lock days before it.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_waitlist_entry(&self, id: WaitlistEntryId) -> Result<Entry, Error> {
        let locked: Option<WaitlistEntryId> =
            self.one::<IdRow, _>(LOCK, [self.business.0.into(), id.0.into()]).await?;
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
        let values: [Value; 8] = [
            self.business.0.into(),
            entry.id.0.into(),
            state_name(&entry.state).into(),
            visit.into(),
            end.map(|end| to_db(end.at)).into(),
            end.map(|end| end.by.as_str()).into(),
            reason.into(),
            entry.version.into(),
        ];
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
        let values: [Value; 5] = [
            self.business.0.into(),
            to_db(after.0).into(),
            after.1.0.into(),
            naive(today).into(),
            i64::from(rows).into(),
        ];
        self.all::<Row, _>(WAITING_BY_AGE, values).await
    }

    /// The 100 who wait longest for one of `dates`.
    pub(crate) async fn waiting_for(&self, dates: DateRange) -> Result<Vec<StoredEntry>, Error> {
        let values: [Value; 4] = [
            self.business.0.into(),
            naive(dates.first()).into(),
            naive(dates.last()).into(),
            MOST_LOOKED_AT.into(),
        ];
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
