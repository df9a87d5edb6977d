//! Addresses under which other calendars read what employees have to do.

use caller::{BusinessId, UserId};
use database::{from_db, named, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Store, Tx};
use crate::{
    domain::{AppointmentId, EmployeeId, booking::Part, event::Span, feed::Feed},
    error::Error,
};

/// Parts of one employee in a feed.
const MOST_PARTS: i64 = 5_000;
/// Readings are noted no more often.
const NOTED_EVERY: SignedDuration = SignedDuration::from_hours(1);

const PAGE: &str = "SELECT employee_id, names_customers, made_at, read_at FROM calendar_feed
    WHERE business_id = :business_id AND employee_id > :after ORDER BY employee_id LIMIT :limit";
const SAVE: &str =
    "INSERT INTO calendar_feed (business_id, employee_id, token_hash, names_customers, made_at, made_by)
    VALUES (:business_id, :employee_id, sha256(convert_to(:token, 'UTF8')), :names_customers, :now, :made_by)
    ON CONFLICT (business_id, employee_id) DO UPDATE SET token_hash = excluded.token_hash,
        names_customers = excluded.names_customers, made_at = excluded.made_at, made_by = excluded.made_by,
        read_at = NULL";
const REVOKE: &str =
    "DELETE FROM calendar_feed WHERE business_id = :business_id AND employee_id = :employee_id";
/// Hashes are compared: how long that takes tells nothing of the secret.
pub(super) const OF_TOKEN: &str = "SELECT business_id, employee_id, names_customers, made_at, read_at
    FROM calendar_feed WHERE token_hash = sha256(convert_to(:token, 'UTF8'))";
const NOTE: &str = "UPDATE calendar_feed SET read_at = :now
    WHERE business_id = :business_id AND employee_id = :employee_id AND (read_at IS NULL OR read_at < :before)";
pub(super) const PARTS: &str =
    "SELECT appointment_id, employee_id, part, title, starts_at, ends_at, service_id
    FROM booked_part
    WHERE business_id = :business_id AND employee_id = :employee_id AND ends_at > :from AND ends_at < :to
    ORDER BY ends_at, appointment_id, part LIMIT :limit";

#[derive(Debug, FromQueryResult)]
struct Row {
    employee_id: Uuid,
    names_customers: bool,
    made_at: DateTimeUtc,
    read_at: Option<DateTimeUtc>,
}

#[derive(Debug, FromQueryResult)]
struct FoundRow {
    business_id: Uuid,
    employee_id: Uuid,
    names_customers: bool,
    made_at: DateTimeUtc,
    read_at: Option<DateTimeUtc>,
}

impl From<Row> for Feed {
    fn from(row: Row) -> Self {
        Self {
            employee: EmployeeId(row.employee_id),
            names_customers: row.names_customers,
            made_at: from_db(row.made_at),
            read_at: row.read_at.map(from_db),
        }
    }
}

impl From<FoundRow> for (BusinessId, Feed) {
    fn from(row: FoundRow) -> Self {
        let FoundRow { business_id, employee_id, names_customers, made_at, read_at } = row;
        (BusinessId(business_id), Row { employee_id, names_customers, made_at, read_at }.into())
    }
}

impl Store {
    /// Whose address has this secret.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn feed_of(&self, token: &str) -> Result<(BusinessId, Feed), Error> {
        let tx = self.begin_for_all();
        let found = tx.row::<FoundRow>(OF_TOKEN, named! { token }).await?;
        tx.commit().await?;
        found.map(Into::into).ok_or(Error::NotFound("calendar feed"))
    }
}

impl Tx {
    /// Addresses by employee, at most `limit`.
    pub async fn feeds(&self, after: EmployeeId, limit: u32) -> Result<Vec<Feed>, Error> {
        let values = named! { business_id: self.business.0, after: after.0, limit: i64::from(limit) };
        Ok(self.rows::<Row>(PAGE, values).await?.into_iter().map(Into::into).collect())
    }

    /// Saves an employee's address in place of the one before, and which person made it.
    pub async fn save_feed(
        &self,
        employee: EmployeeId,
        token: &str,
        names_customers: bool,
        made_by: Option<UserId>,
    ) -> Result<Feed, Error> {
        let values = named! {
            business_id: self.business.0,
            employee_id: employee.0,
            token,
            names_customers,
            now: self.at(),
            made_by: made_by.map(|user| user.0),
        };
        self.execute(SAVE, values).await?;
        Ok(Feed { employee, names_customers, made_at: self.now(), read_at: None })
    }

    /// Revokes an employee's address.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn revoke_feed(&self, employee: EmployeeId) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, employee_id: employee.0 };
        match self.execute(REVOKE, values).await? {
            0 => Err(Error::NotFound("calendar feed")),
            _ => Ok(()),
        }
    }

    /// Notes that an employee's address was read, once an hour.
    pub async fn note_feed_read(&self, feed: &Feed) -> Result<(), Error> {
        let before: Timestamp = self.now() - NOTED_EVERY;
        if feed.read_at.is_some_and(|read| read >= before) {
            return Ok(());
        }
        let values = named! {
            business_id: self.business.0,
            employee_id: feed.employee.0,
            now: self.at(),
            before: to_db(before),
        };
        self.execute(NOTE, values).await.map(drop)
    }

    /// What an employee has to do within a span, by when it ends.
    pub async fn parts_within(
        &self,
        employee: EmployeeId,
        within: Span,
    ) -> Result<Vec<(AppointmentId, Part)>, Error> {
        let values = named! {
            business_id: self.business.0,
            employee_id: employee.0,
            from: to_db(within.starts()),
            to: to_db(within.ends()),
            limit: MOST_PARTS,
        };
        self.all::<super::plan::PartRow, _>(PARTS, values).await
    }
}
