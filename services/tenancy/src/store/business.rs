//! Businesses.

use cache::Kind;
use caller::BusinessId;
use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, InstallationTx, Tx, agent_publication::BrokenConnection, page};
use crate::{
    Error,
    domain::{BrandColor, Business, BusinessSetup, Currency, Email, Listing, LogoDigest, Phone, Website},
};

/// Answers of what a business is.
pub const BUSINESS: Kind = Kind::new("business");

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT business_id, name, address, phone, time_zone, email, website, currency, brand_color,
                logo_digest, version
            FROM business WHERE ",
            $rest
        )
    };
}

const BY_ID: &str = select!("business_id = :business_id");
const TAKE: &str = select!("business_id = :business_id FOR UPDATE");
const BY_NAME: &str =
    select!("(name, business_id) > (:after_name, :after_id) ORDER BY name, business_id LIMIT :limit");
const ADD: &str = "INSERT INTO business
        (business_id, name, address, phone, time_zone, currency, version, created_at)
    VALUES (:business_id, :name, :address, :phone, :time_zone, :currency, :version, :now)
    ON CONFLICT (business_id) DO NOTHING";
const SAVE: &str = "UPDATE business SET name = :name, address = :address, phone = :phone, email = :email,
        website = :website, currency = :currency, brand_color = :brand_color, logo_digest = :logo_digest, version = :version
    WHERE business_id = :business_id";
/// How far each of some businesses is set up.
pub const SETUPS: &str = "SELECT b.business_id,
        (SELECT count(*) FROM employee e WHERE e.business_id = b.business_id) AS employees,
        (SELECT count(*) FROM voice_connection v WHERE v.business_id = b.business_id) AS voice_connections,
        (SELECT count(*) FROM follow_up f WHERE f.business_id = b.business_id AND f.done_at IS NULL)
            AS open_follow_ups,
        COALESCE((SELECT max(a.version) FROM agent_version a WHERE a.business_id = b.business_id), 0)
            AS agent_version
    FROM business b WHERE b.business_id = ANY(:ids::uuid[])
    ORDER BY array_position(:ids::uuid[], b.business_id)";

#[derive(FromQueryResult)]
struct Row {
    business_id: Uuid,
    name: String,
    address: Option<String>,
    phone: Option<String>,
    time_zone: String,
    email: Option<String>,
    website: Option<String>,
    currency: Option<String>,
    brand_color: Option<String>,
    logo_digest: Option<String>,
    version: i64,
}

impl TryFrom<Row> for Business {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let email = row.email.as_deref().map(Email::parse).transpose();
        let currency = row.currency.as_deref().map(str::parse).transpose();
        let brand_color = row.brand_color.as_deref().map(str::parse).transpose();
        Ok(Self {
            id: BusinessId(row.business_id),
            name: row.name,
            address: row.address,
            phone: row.phone.map(Phone::stored),
            zone: row.time_zone.parse().map_err(|error| Error::Stored("time zone", Box::new(error)))?,
            email: email.map_err(|error| Error::Stored("e-mail address", Box::new(error)))?,
            website: row.website.map(Website::stored),
            currency: currency.map_err(|error| Error::Stored("currency", Box::new(error)))?,
            brand_color: brand_color.map_err(|error| Error::Stored("colour", Box::new(error)))?,
            logo: row.logo_digest.map(LogoDigest::stored),
            version: row.version,
        })
    }
}

#[derive(FromQueryResult)]
struct SetupRow {
    business_id: Uuid,
    employees: i64,
    voice_connections: i64,
    open_follow_ups: i64,
    agent_version: i32,
}

impl SetupRow {
    fn with(self, broken: &[BrokenConnection]) -> BusinessSetup {
        let id = BusinessId(self.business_id);
        let own: Vec<_> = broken.iter().filter(|connection| connection.business == id).collect();
        BusinessSetup {
            id,
            employees: self.employees,
            voice_connections: self.voice_connections,
            open_follow_ups: self.open_follow_ups,
            broken_voice_connections: own.len(),
            agent_version: self.agent_version,
            failed_publications: own.iter().filter(|connection| connection.agent).count(),
        }
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

    /// The business of this transaction, which no other one changes until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_business(&self) -> Result<Business, Error> {
        let taken = self.one::<Row, _>(TAKE, named! { business_id: self.business.0 }).await?;
        taken.ok_or(Error::NotFound("business"))
    }

    /// Saves the business of this transaction.
    pub async fn save_business(&self, business: &Business) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            name: business.name.as_str(),
            address: business.address.as_deref(),
            phone: business.phone.as_ref().map(Phone::as_str),
            email: business.email.as_ref().map(Email::as_str),
            website: business.website.as_ref().map(Website::as_str),
            currency: business.currency.as_ref().map(Currency::as_str),
            brand_color: business.brand_color.as_ref().map(BrandColor::as_str),
            logo_digest: business.logo.as_ref().map(LogoDigest::as_str),
            version: business.version,
        };
        self.execute(SAVE, values).await.map(drop)
    }
}

impl InstallationTx {
    /// A page of businesses by name, and one more if there are more.
    pub async fn businesses(&self, listing: &Listing) -> Result<Vec<Business>, Error> {
        self.all::<Row, _>(BY_NAME, page(listing)).await
    }

    /// How far some businesses are set up, in this order; one that does not exist is left out.
    pub async fn business_setups(&self, ids: &[BusinessId]) -> Result<Vec<BusinessSetup>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let broken = self.broken_connections(ids.clone()).await?;
        let rows = self.rows::<SetupRow>(SETUPS, named! { ids }).await?;
        Ok(rows.into_iter().map(|row| row.with(&broken)).collect())
    }

    /// Adds a business, unless its id is there.
    pub async fn add_business(&self, business: Business) -> Result<Added<Business>, Error> {
        let values = named! {
            business_id: business.id.0,
            name: business.name.as_str(),
            address: business.address.as_deref(),
            phone: business.phone.as_ref().map(Phone::as_str),
            time_zone: business.zone.as_str(),
            currency: business.currency.as_ref().map(Currency::as_str),
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
