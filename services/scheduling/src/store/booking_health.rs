//! How the books of several businesses are.

use caller::{BusinessId, InstallationScope};
use database::{named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Store;
use crate::Error;

/// What some businesses have to be booked with, and their visits around now.
pub const BOOKING_HEALTH: &str = "SELECT b.business_id,
        (SELECT count(*) FROM service s WHERE s.business_id = b.business_id AND s.archived_at IS NULL) AS services,
        (SELECT count(*) FROM service s WHERE s.business_id = b.business_id AND s.archived_at IS NULL
            AND EXISTS (SELECT FROM service_employee e WHERE e.business_id = s.business_id AND e.service_id = s.id
                AND NOT EXISTS (SELECT FROM employee gone WHERE gone.business_id = e.business_id
                    AND gone.id = e.employee_id
                    AND gone.last_day < (:now::timestamptz AT TIME ZONE b.time_zone)::date)))
            AS bookable_services,
        (SELECT count(DISTINCT h.weekday) FROM opening_hours h WHERE h.business_id = b.business_id) AS open_days,
        (SELECT count(DISTINCT w.employee_id) FROM weekly_schedule w WHERE w.business_id = b.business_id
            AND NOT EXISTS (SELECT FROM employee gone WHERE gone.business_id = w.business_id
                AND gone.id = w.employee_id
                AND gone.last_day < (:now::timestamptz AT TIME ZONE b.time_zone)::date))
            AS scheduled_employees,
        (SELECT count(*) FROM appointment a WHERE a.business_id = b.business_id
            AND a.starts_at >= :since AND a.starts_at < :now AND a.state <> 'CANCELLED') AS past_visits,
        (SELECT count(*) FROM appointment a WHERE a.business_id = b.business_id
            AND a.starts_at >= :now AND a.starts_at < :until AND a.state <> 'CANCELLED') AS coming_visits,
        (SELECT count(*) FROM conflict k WHERE k.business_id = b.business_id AND k.closed_at IS NULL)
            AS open_conflicts
    FROM business_settings b WHERE b.business_id = ANY(:ids::uuid[])
    ORDER BY array_position(:ids::uuid[], b.business_id)";

/// What a business has to be booked with, and its visits around now.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct BookingHealth {
    /// The business.
    pub business_id: Uuid,
    /// Services that can be booked.
    pub services: i64,
    /// Those of them that an employee does.
    pub bookable_services: i64,
    /// Days of the week on which it is open.
    pub open_days: i64,
    /// Employees who have working hours.
    pub scheduled_employees: i64,
    /// Visits that started, cancelled ones left out.
    pub past_visits: i64,
    /// Visits to come, cancelled ones left out.
    pub coming_visits: i64,
    /// Busy times over visits that are not settled.
    pub open_conflicts: i64,
}

impl Store {
    /// How the books of some businesses are between two instants, in this order; a business that is not known here
    /// is left out.
    pub async fn booking_health(
        &self,
        scope: &InstallationScope,
        ids: &[BusinessId],
        (since, until): (Timestamp, Timestamp),
    ) -> Result<Vec<BookingHealth>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let tx = self.database.installation_tx::<Error>(scope);
        let values = named! { ids, since: to_db(since), until: to_db(until), now: tx.at() };
        let rows = tx.rows(BOOKING_HEALTH, values).await?;
        tx.commit().await?;
        Ok(rows)
    }
}
