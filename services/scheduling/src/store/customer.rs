//! Customers' names and numbers, as tenancy tells of them.

use boot::clock::Clock;
use caller::BusinessId;
use database::{NewEvent, named, push, statement, to_db};
use proto::frontdesk::events::v1::{CustomerRenamed, event::Payload};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult};
use uuid::Uuid;

/// A customer who is part of another goes by that one's name and number.
const SAVE: &str = "WITH whole AS (
        SELECT id, name, phone FROM customer WHERE business_id = :business_id AND id = :merged_into::uuid
    ), known AS (
        SELECT name FROM customer WHERE business_id = :business_id AND id = :id
    )
    INSERT INTO customer (business_id, id, name, phone, merged_into)
    SELECT :business_id, :id, COALESCE((SELECT name FROM whole), :name),
        COALESCE((SELECT phone FROM whole), :phone), :merged_into::uuid
    ON CONFLICT (business_id, id) DO UPDATE
    SET name = excluded.name, phone = excluded.phone, merged_into = excluded.merged_into
    RETURNING name, COALESCE((SELECT w.id FROM whole w), id) AS named_id,
        (SELECT k.name FROM known k) AS former_name";
const SAVE_PARTS: &str = "UPDATE customer SET name = :name, phone = :phone
    WHERE business_id = :business_id AND merged_into = :id";
/// The visits under way and to come of a customer and of those who are part of them. The start bounds what is read of a
/// long history: a guest has at most six services, each a row of the ledger of up to 25 hours, and rules keep two of them
/// apart for a day at most.
pub const VISITS_TO_RENAME: &str = "SELECT id FROM appointment WHERE business_id = :business_id
    AND customer_id = ANY(ARRAY(SELECT :id::uuid UNION ALL
        SELECT id FROM customer WHERE business_id = :business_id AND merged_into = :id))
    AND starts_at > :now::timestamptz - interval '12 days' AND ends_at > :now AND state <> 'CANCELLED'
    ORDER BY starts_at, id";

/// A version of a customer in tenancy.
#[derive(Debug, Clone, Copy)]
pub struct CustomerVersion<'a> {
    /// Which customer.
    pub id: Uuid,
    /// What the person is called.
    pub name: &'a str,
    /// E.164, or empty.
    pub phone: &'a str,
    /// Whom the customer is part of, if of another one.
    pub merged_into: Option<Uuid>,
    /// Who made it, as the audit trail names them.
    pub actor: &'a str,
}

#[derive(FromQueryResult)]
struct SavedRow {
    name: String,
    /// Whose name it is: the customer's own, or that of the customer they are part of.
    named_id: Uuid,
    former_name: Option<String>,
}

/// Saves a customer's name and number, and whom they are part of, if of another customer.
///
/// When visits go by another name since, followers are told which: the visits themselves do not change.
pub async fn save_customer(
    sql: &DatabaseTransaction,
    clock: &Clock,
    business: Uuid,
    customer: CustomerVersion<'_>,
) -> Result<(), DbErr> {
    let CustomerVersion { id, name, phone, merged_into, actor } = customer;
    let values = named! { business_id: business, id, name, phone };
    let saved = statement(SAVE, values.clone().and(named! { merged_into }));
    let saved = sql.query_one_raw(saved).await?;
    sql.execute_raw(statement(SAVE_PARTS, values)).await?;
    let Some(row) = saved else { return Ok(()) };
    let SavedRow { name, named_id, former_name } = SavedRow::from_query_result(&row, "")?;
    if former_name.as_ref() == Some(&name) {
        return Ok(());
    }
    let visits = named! { business_id: business, id, now: to_db(clock.now()) };
    let visits = sql.query_all_raw(statement(VISITS_TO_RENAME, visits)).await?;
    let visits = visits.iter().map(|row| row.try_get_by_index(0)).collect::<Result<Vec<Uuid>, _>>()?;
    if visits.is_empty() {
        return Ok(());
    }
    let now = clock.now();
    let event = NewEvent {
        event_id: clock.new_id(),
        business: Some(BusinessId(business)),
        // An erasure finds every event that has the person's name.
        aggregate_id: named_id,
        // Several customers' versions lead to events of one aggregate.
        version: now.as_microsecond(),
        occurred_at: now,
        actor: actor.to_owned(),
        payload: Payload::CustomerRenamed(CustomerRenamed {
            customer_name: name,
            appointment_ids: visits.iter().map(Uuid::to_string).collect(),
        }),
    };
    push(sql, event).await
}
