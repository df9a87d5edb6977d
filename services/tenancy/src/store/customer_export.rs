//! Copies of customers' data that people took away.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Reason, Tx, no_business, refused};
use crate::{
    Error,
    domain::{CustomerExport, CustomerExportId, CustomerId},
};

const ADD: &str =
    "INSERT INTO customer_export (business_id, id, customer_id, created_by, created_at, expires_at)
    VALUES (:business_id, :id, :customer_id, :by, :at, :expires_at)";
const BY_ID: &str = "SELECT id, customer_id, created_by, created_at, expires_at FROM customer_export
    WHERE business_id = :business_id AND id = :id AND created_by = :by AND expires_at > :now";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    customer_id: Option<Uuid>,
    created_by: String,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
}

impl From<Row> for CustomerExport {
    fn from(row: Row) -> Self {
        Self {
            id: CustomerExportId(row.id),
            customer: row.customer_id.map(CustomerId),
            by: row.created_by,
            at: from_db(row.created_at),
            expires_at: from_db(row.expires_at),
        }
    }
}

impl Tx {
    /// Adds a new one.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such customer.
    pub async fn add_customer_export(&self, export: &CustomerExport) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: export.id.0,
            customer_id: export.customer.map(|customer| customer.0),
            by: export.by.as_str(),
            at: to_db(export.at),
            expires_at: to_db(export.expires_at),
        };
        let reasons: &[Reason] = &[
            ("customer_export_business", no_business),
            ("customer_export_customer", || Error::NotFound("customer")),
        ];
        self.try_execute(ADD, values).await.map(drop).map_err(|error| refused(error, reasons))
    }

    /// One that the person of this transaction began, until it expires.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn customer_export(&self, id: CustomerExportId) -> Result<CustomerExport, Error> {
        let values = named! { business_id: self.business.0, id: id.0, by: self.actor(), now: self.at() };
        let found: Option<Row> = self.row(BY_ID, values).await?;
        found.map(CustomerExport::from).ok_or(Error::NotFound("export"))
    }
}
