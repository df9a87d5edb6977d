//! Copies of appointments that people took away.

use chrono::{DateTime, NaiveDate, Utc};
use database::{from_db, named, to_db};
use engine::dates::DateRange;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    Tx,
    day::{civil, naive},
};
use crate::{
    Error,
    domain::{appointment_export::AppointmentExport, id::AppointmentExportId},
};

const ADD: &str = "INSERT INTO appointment_export
        (business_id, id, first_date, last_date, created_by, created_at, expires_at)
    VALUES (:business_id, :id, :first_date, :last_date, :by, :at, :expires_at)";
const BY_ID: &str =
    "SELECT id, first_date, last_date, created_by, created_at, expires_at FROM appointment_export
    WHERE business_id = :business_id AND id = :id AND created_by = :by AND expires_at > :now";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    first_date: NaiveDate,
    last_date: NaiveDate,
    created_by: String,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
}

impl TryFrom<Row> for AppointmentExport {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let dates = DateRange::new(civil(row.first_date)?, civil(row.last_date)?);
        Ok(Self {
            id: AppointmentExportId(row.id),
            dates: dates.map_err(|_| Error::Stored("appointment export"))?,
            by: row.created_by,
            at: from_db(row.created_at),
            expires_at: from_db(row.expires_at),
        })
    }
}

impl Tx {
    /// Adds a new one.
    pub async fn add_appointment_export(&self, export: &AppointmentExport) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: export.id.0,
            first_date: naive(export.dates.first()),
            last_date: naive(export.dates.last()),
            by: export.by.as_str(),
            at: to_db(export.at),
            expires_at: to_db(export.expires_at),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// One that the person of this transaction began, until it expires.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn appointment_export(&self, id: AppointmentExportId) -> Result<AppointmentExport, Error> {
        let values = named! { business_id: self.business.0, id: id.0, by: self.actor(), now: self.at() };
        self.one::<Row, _>(BY_ID, values).await?.ok_or(Error::NotFound("export"))
    }
}
