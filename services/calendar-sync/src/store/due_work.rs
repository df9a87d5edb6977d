//! What is due and could be begun, of all businesses.

use database::{from_db, named};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};

use super::Store;
use crate::error::Error;

pub(super) const READS: &str = "SELECT count(*) AS count, min(due_at) AS since FROM sync_state
    WHERE due_at <= :now AND (leased_until IS NULL OR leased_until <= :now)";
/// A calendar has one writer at a time: of all its writes one can be begun, and none while a worker is busy with it.
pub(super) const WRITES: &str = "SELECT count(*) AS count, min(w.since) AS since FROM (
        SELECT business_id, calendar_id, min(due_at) AS since FROM calendar_write
        WHERE written < wanted AND parked_at IS NULL AND due_at <= :now
            AND (leased_until IS NULL OR leased_until <= :now)
        GROUP BY business_id, calendar_id) w
    CROSS JOIN LATERAL (
        SELECT s.calendar_id FROM sync_state s
        WHERE s.business_id = w.business_id AND s.calendar_id = w.calendar_id
            AND (NOT s.leaving OR EXISTS (SELECT FROM calendar_cleanup u
                WHERE u.business_id = s.business_id AND u.calendar_id = s.calendar_id))
            AND (s.writing_until IS NULL OR s.writing_until <= :now)
        LIMIT 1) s";

/// Work of one kind that is due and that a worker could begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// How much.
    pub count: i64,
    /// When the oldest of it fell due.
    pub since: Option<Timestamp>,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    count: i64,
    since: Option<DateTimeUtc>,
}

impl From<Row> for Due {
    fn from(row: Row) -> Self {
        Self { count: row.count, since: row.since.map(from_db) }
    }
}

impl Store {
    /// The reads and the writes that are due and that a worker could begin now.
    pub async fn due_work(&self) -> Result<(Due, Due), Error> {
        let tx = self.begin_for_all();
        let reads = tx.row::<Row>(READS, named! { now: tx.at() }).await?;
        let writes = tx.row::<Row>(WRITES, named! { now: tx.at() }).await?;
        tx.commit().await?;
        let none = Due { count: 0, since: None };
        Ok((reads.map_or(none, Into::into), writes.map_or(none, Into::into)))
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::ConnectionTrait;

    use super::*;
    use crate::migration::Migrator;

    /// Two calendars with three writes each, all of them due.
    const FILL: &str = "
        INSERT INTO calendar (business_id, id, kind, employee_id, name, connected_at)
        SELECT md5('salon')::uuid, md5('calendar' || n)::uuid, 'DEMO', md5('employee')::uuid, 'Private', '2020-01-01'
        FROM generate_series(1, 2) n;
        INSERT INTO sync_state (business_id, calendar_id, due_at)
        SELECT business_id, id, '2100-01-01' FROM calendar;
        INSERT INTO calendar_write (business_id, calendar_id, event_id, appointment_id, title, starts_at, ends_at,
            wanted, written, wanted_at, due_at)
        SELECT business_id, id, 'event-' || n, md5('visit' || n)::uuid, 'Cut', '2020-01-02', '2020-01-03', 1, 0,
            '2020-01-01', '2020-01-01' FROM calendar, generate_series(1, 3) n;";

    /// Appointments are taken out of the calendar that is left.
    const CLEANED_UP: &str = "INSERT INTO calendar_cleanup
        SELECT business_id, calendar_id, '2020-01-01', 3, NULL FROM sync_state WHERE leaving";

    #[tokio::test]
    async fn of_the_writes_to_a_calendar_the_next_waits_and_none_while_a_worker_is_busy() {
        let database = testkit::database::<Migrator>(crate::SERVICE).await;
        let superuser = sea_orm::Database::connect(&database.superuser_url).await.unwrap();
        superuser.execute_unprepared(FILL).await.unwrap();
        let (host, _) = testkit::host(crate::SERVICE);
        let store = Store::new(database.connect(&host).await);
        for (change, expected) in [
            ("", 2),
            ("writer = md5('worker')::uuid, writing_until = '2100-01-01'", 1),
            ("writer = md5('worker')::uuid, writing_until = '2020-01-01'", 2),
            ("leaving = true", 1),
            (CLEANED_UP, 2),
        ] {
            let sql = match change {
                CLEANED_UP => CLEANED_UP.to_owned(),
                "" => String::new(),
                _ => format!("UPDATE sync_state SET {change} WHERE calendar_id = md5('calendar1')::uuid"),
            };
            superuser.execute_unprepared(&sql).await.unwrap();
            let (_, writes) = store.due_work().await.unwrap();
            assert_eq!(writes.count, expected, "{change}");
            assert!(writes.since.is_some());
        }
    }
}
