//! The other employees of a connection to a booking system, who are read in the turn of one of them.

use database::{Named, named};

use super::read_turn::Row;
use crate::{domain::ConnectionId, error::Error};

/// Employees who are read together: as many as scheduling is told of in a turn.
const MOST_TOGETHER: i64 = 32;

/// Takes the turn of further employees of a connection, those read longest ago first, due or not: so they fall due
/// together from then on. One who failed, was never read, is leaving or whose turn a process did not live to end is
/// read alone.
const CLAIM: &str = "
    WITH beside AS MATERIALIZED (
        SELECT s.business_id, s.calendar_id, p.connection_id FROM provider_calendar p
        JOIN sync_state s ON s.business_id = p.business_id AND s.calendar_id = p.id
        WHERE p.business_id = :business_id AND p.connection_id = :connection_id AND s.lease IS NULL
            AND s.failures = 0 AND s.token IS NOT NULL AND NOT s.leaving AND s.server = :server
            AND (s.asked_until IS NULL OR s.asked_until <= :now)
        ORDER BY s.synced_at LIMIT :limit FOR UPDATE OF s SKIP LOCKED)
    UPDATE sync_state s SET lease = :lease, leased_until = :leased_until,
        due_at = GREATEST(:due_again, :now::timestamptz + s.rest_seconds * interval '1 second')
    FROM beside JOIN calendar c ON c.business_id = beside.business_id AND c.id = beside.calendar_id
    WHERE s.business_id = beside.business_id AND s.calendar_id = beside.calendar_id
    RETURNING s.business_id, s.calendar_id, s.server, c.kind, c.employee_id, s.token, s.failures, s.leaving,
        beside.connection_id";

/// Rows that are read together, by one connection; or one alone.
type Readings = Vec<(Option<ConnectionId>, Vec<Row>)>;

/// The rows that were claimed, each with the turns of the other employees of its connection, unless they are read `apart`.
pub(super) async fn with_siblings(
    tx: &database::Tx<Error>,
    claimed: Vec<Row>,
    apart: &[ConnectionId],
    again: &Named,
) -> Result<Readings, Error> {
    let mut readings = Readings::with_capacity(claimed.len());
    for row in claimed {
        let connection = shared(&row, apart);
        let mut rows = vec![row];
        if let (Some(connection), Some(first)) = (connection, rows.first()) {
            let values = named! {
                now: tx.at(),
                business_id: first.business_id,
                connection_id: connection.0,
                server: first.server.as_str(),
                limit: MOST_TOGETHER - 1,
            };
            rows.extend(tx.rows::<Row>(CLAIM, values.and(again.clone())).await?);
        }
        readings.push((connection, rows));
    }
    Ok(readings)
}

/// The connection by which a calendar is read together with others.
fn shared(row: &Row, apart: &[ConnectionId]) -> Option<ConnectionId> {
    let is_well = row.failures == 0 && row.token.is_some() && !row.leaving && !row.server.is_empty();
    row.connection_id.map(ConnectionId).filter(|connection| is_well && !apart.contains(connection))
}
