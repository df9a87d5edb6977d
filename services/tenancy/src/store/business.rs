//! Businesses.

use cache::Kind;
use caller::BusinessId;
use proto::frontdesk::{events::v1::event::Payload, tenancy::v1 as pb};
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
    WHERE business_id = $1";
const BY_NAME: &str = "SELECT business_id, name, address, phone, time_zone, version FROM business
    WHERE (name, business_id) > ($1, $2) ORDER BY name, business_id LIMIT $3";
const ADD: &str = "INSERT INTO business (business_id, name, address, phone, time_zone, version, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (business_id) DO NOTHING";

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
        let found = self.one::<Row, _>(BY_ID, [self.business.0.into()]).await?;
        found.ok_or(Error::NotFound("business"))
    }
}

impl InstallationTx {
    /// A page of businesses by name, and one more if there are more.
    pub async fn businesses(&self, listing: &Listing) -> Result<Vec<Business>, Error> {
        self.all::<Row, _>(BY_NAME, page(&listing.after, listing.limit)).await
    }

    /// Adds a business and publishes it, unless its id is there.
    pub async fn add_business(&self, business: Business) -> Result<Added<Business>, Error> {
        let values = [
            business.id.0.into(),
            business.name.as_str().into(),
            business.address.as_deref().into(),
            business.phone.as_ref().map(Phone::as_str).into(),
            business.zone.as_str().into(),
            business.version.into(),
            self.at(),
        ];
        if self.execute(ADD, values).await? == 0 {
            let before = self.one::<Row, _>(BY_ID, [business.id.0.into()]).await?;
            return before.map(Added::Before).ok_or(Error::NotFound("business"));
        }
        let payload = Payload::Business(pb::Business::from(&business));
        self.announce_business(business.id, business.version, payload).await?;
        Ok(Added::New(business))
    }
}
