//! Businesses.

use cache::Kind;
use caller::BusinessId;
use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, InstallationTx, Tx, page};
use crate::{
    Error,
    domain::{Business, Listing, Phone},
};

/// Answers of what a business is.
pub const BUSINESS: Kind = Kind::new("business");

const BY_ID: &str = "SELECT business_id, name, address, phone, time_zone, version FROM business
    WHERE business_id = :business_id";
const BY_NAME: &str = "SELECT business_id, name, address, phone, time_zone, version FROM business
    WHERE (name, business_id) > (:after_name, :after_id) ORDER BY name, business_id LIMIT :limit";
const ADD: &str = "INSERT INTO business (business_id, name, address, phone, time_zone, version, created_at)
    VALUES (:business_id, :name, :address, :phone, :time_zone, :version, :now)
    ON CONFLICT (business_id) DO NOTHING";

#[derive(FromQueryResult)]
struct Row {
    business_id: Uuid,
    name: String,
    address: Option<String>,
    phone: Option<String>,
    time_zone: String,
    version: i64,
}

impl TryFrom<Row> for Business {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: BusinessId(row.business_id),
            name: row.name,
            address: row.address,
            phone: row.phone.map(Phone::stored),
            zone: row.time_zone.parse().map_err(|error| Error::Stored("time zone", Box::new(error)))?,
            version: row.version,
        })
    }
}

impl Tx {
    /// The business of this transaction.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn business(&self) -> Result<Business, Error> {
        let found = self.one::<Row, _>(BY_ID, named! { business_id: self.business.0 }).await?;
        found.ok_or(Error::NotFound("business"))
    }
}

impl InstallationTx {
    /// A page of businesses by name, and one more if there are more.
    pub async fn businesses(&self, listing: &Listing) -> Result<Vec<Business>, Error> {
        self.all::<Row, _>(BY_NAME, page(listing)).await
    }

    /// Adds a business, unless its id is there.
    pub async fn add_business(&self, business: Business) -> Result<Added<Business>, Error> {
        let values = named! {
            business_id: business.id.0,
            name: business.name.as_str(),
            address: business.address.as_deref(),
            phone: business.phone.as_ref().map(Phone::as_str),
            time_zone: business.zone.as_str(),
            version: business.version,
            now: self.at(),
        };
        if self.execute(ADD, values).await? == 1 {
            return Ok(Added::New(business));
        }
        let before = self.one::<Row, _>(BY_ID, named! { business_id: business.id.0 }).await?;
        before.map(Added::Before).ok_or(Error::NotFound("business"))
    }
}
