//! What tenancy knows of customers and is needed here.

use database::{named, statement};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, entity::prelude::Uuid};

const SAVE: &str = "INSERT INTO customer (business_id, id, name, merged_into)
    VALUES (:business_id, :id, :name, :merged_into)
    ON CONFLICT (business_id, id) DO UPDATE SET name = excluded.name, merged_into = excluded.merged_into";

/// Saves what a customer is called, and whom they are part of, if of another customer.
pub(crate) async fn save_customer(
    sql: &DatabaseTransaction,
    business: Uuid,
    customer: Uuid,
    name: &str,
    merged_into: Option<Uuid>,
) -> Result<(), DbErr> {
    let values = named! { business_id: business, id: customer, name, merged_into };
    sql.execute_raw(statement(SAVE, values)).await.map(drop)
}
