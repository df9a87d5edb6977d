//! What tenancy knows and is needed here.

use jiff::tz::TimeZone;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use uuid::Uuid;

use super::statement;

/// The zone a business opened with is its zone until it is set here.
const BUSINESS: &str = "INSERT INTO business_settings (business_id, time_zone) VALUES ($1, $2)
    ON CONFLICT (business_id) DO NOTHING";
const EMPLOYEE: &str = "INSERT INTO employee (business_id, id, name) VALUES ($1, $2, $3)
    ON CONFLICT (business_id, id) DO UPDATE SET name = excluded.name";
/// Names are part of the schedule that is kept in memory.
const NEXT_VERSION: &str = "UPDATE business_settings SET schedule_version = schedule_version + 1
    WHERE business_id = $1";
const CUSTOMER: &str = "INSERT INTO customer (business_id, id, name, phone) VALUES ($1, $2, $3, $4)
    ON CONFLICT (business_id, id) DO UPDATE SET name = excluded.name, phone = excluded.phone";

/// Saves a business, which is closed until its hours are set.
///
/// # Errors
/// What the database refuses.
pub async fn save_business(sql: &DatabaseTransaction, business: Uuid, zone: &TimeZone) -> Result<(), DbErr> {
    let name = zone.iana_name().unwrap_or("UTC");
    sql.execute_raw(statement(BUSINESS, [business.into(), name.into()])).await.map(drop)
}

/// Saves an employee's name.
///
/// # Errors
/// What the database refuses.
pub async fn save_employee(
    sql: &DatabaseTransaction,
    business: Uuid,
    employee: Uuid,
    name: &str,
) -> Result<(), DbErr> {
    sql.execute_raw(statement(EMPLOYEE, [business.into(), employee.into(), name.into()])).await?;
    sql.execute_raw(statement(NEXT_VERSION, [business.into()])).await.map(drop)
}

/// Saves a customer's name and number.
///
/// # Errors
/// What the database refuses.
pub async fn save_customer(
    sql: &DatabaseTransaction,
    business: Uuid,
    customer: Uuid,
    name: &str,
    phone: &str,
) -> Result<(), DbErr> {
    let values = [business.into(), customer.into(), name.into(), phone.into()];
    sql.execute_raw(statement(CUSTOMER, values)).await.map(drop)
}
