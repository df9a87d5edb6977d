//! What an erasure takes out of a log and of what follows it.

use caller::BusinessId;
use database::{Database, Tx, named, to_db};
use jiff::Timestamp;
use proto::{frontdesk::erasure::internal::v1::KnownRecord, parse};
use sea_orm::DbErr;
use tonic::Status;
use uuid::Uuid;

use crate::log::installation_tx;

const FORGET_OLDER: &str = "DELETE FROM outbox o WHERE o.business_id = :business_id
    AND o.aggregate_id = ANY(:records::uuid[]) AND o.version < (
        SELECT max(n.version) FROM outbox n WHERE n.business_id = :business_id AND n.aggregate_id = o.aggregate_id)";
const FORGET_BEFORE: &str = "WITH gone AS (
        DELETE FROM outbox WHERE business_id = :business_id AND aggregate_id = ANY(:records::uuid[])
            AND occurred_at <= :before RETURNING position)
    SELECT count(*) FROM outbox WHERE business_id = :business_id AND aggregate_id = ANY(:records::uuid[])
        AND occurred_at > :before";
const FORGET_PARKED: &str =
    "DELETE FROM outbox_parked WHERE business_id = :business_id AND aggregate_id = ANY(:records::uuid[])";
const UNKNOWN: &str = "SELECT count(*) FROM unnest(:ids::uuid[], :versions::bigint[]) AS w (id, version)
    WHERE NOT EXISTS (
        SELECT FROM outbox_seen s WHERE s.business_id = :business_id AND s.source = :source
            AND s.record_type = :record_type AND s.aggregate_id = w.id AND s.version >= w.version)
    AND NOT EXISTS (
        SELECT FROM outbox_parked p WHERE p.business_id = :business_id AND p.source = :source
            AND p.aggregate_id = w.id)";

/// Drops the events of records that newer ones replaced: each carries the whole record. The newest stay, so that
/// followers that are behind miss nothing.
pub async fn forget_older(
    database: &Database,
    business: BusinessId,
    records: Vec<Uuid>,
) -> Result<u64, DbErr> {
    forget(database, FORGET_OLDER, business, records).await
}

/// Drops all events of records until `before`, which are news and no state; how many came later.
pub async fn forget_before(
    database: &Database,
    business: BusinessId,
    records: Vec<Uuid>,
    before: Timestamp,
) -> Result<i64, DbErr> {
    let tx = installation_tx(database);
    let values = named! { business_id: business.0, records, before: to_db(before) };
    let left: Option<i64> = tx.value(FORGET_BEFORE, values).await?;
    tx.commit().await?;
    Ok(left.unwrap_or_default())
}

/// Drops the parked events of records from every source.
pub async fn forget_parked(
    database: &Database,
    business: BusinessId,
    records: Vec<Uuid>,
) -> Result<u64, DbErr> {
    forget(database, FORGET_PARKED, business, records).await
}

async fn forget(
    database: &Database,
    sql: &str,
    business: BusinessId,
    records: Vec<Uuid>,
) -> Result<u64, DbErr> {
    let tx = installation_tx(database);
    let forgotten = tx.execute(sql, named! { business_id: business.0, records }).await?;
    tx.commit().await?;
    Ok(forgotten)
}

/// Records of an erasure, as they travel.
///
/// # Errors
/// Names the field that is no id.
pub fn known_records(field: &str, wire: &[KnownRecord]) -> Result<Vec<(Uuid, i64)>, Status> {
    wire.iter().map(|record| Ok((parse::id(field, &record.id)?, record.version))).collect()
}

/// Whether these versions of records of `source` have arrived here, so that no older one takes effect any more. A
/// parked record takes none at all.
pub async fn knows<E: From<DbErr>>(
    tx: &Tx<E>,
    (source, record_type): (&str, &str),
    records: &[(Uuid, i64)],
) -> Result<bool, E> {
    let (ids, versions): (Vec<Uuid>, Vec<i64>) = records.iter().copied().unzip();
    let business = tx.business_id().map(|business| business.0);
    let values = named! { business_id: business, source, record_type, ids, versions };
    let unknown: Option<i64> = tx.value(UNKNOWN, values).await?;
    Ok(unknown == Some(0))
}
