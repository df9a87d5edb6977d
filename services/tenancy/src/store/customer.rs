//! Customers.

use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Customer, CustomerId, Email, Listing, MarketingConsent, Phone, Tags, WantedCustomers},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, phone, email, tags, marketing_consent, marketing_consent_at, marketing_consent_by,
                merged_into, erased_at, version
            FROM customer WHERE business_id = :business_id AND ",
            $rest
        )
    };
}

/// Compares with `:customer_id` and those who are part of it.
macro_rules! any_part {
    () => {
        "ANY(ARRAY(SELECT :customer_id::uuid UNION ALL
            SELECT id FROM customer WHERE business_id = :business_id AND merged_into = :customer_id))"
    };
}
pub(crate) use any_part;

/// A page of those who are part of no other.
pub const CUSTOMERS_BY_NAME: &str = select!(
    "merged_into IS NULL AND erased_at IS NULL AND (name, id) > (:after_name, :after_id) ORDER BY name, id LIMIT :limit"
);
/// A page of all records.
const RECORDS_BY_NAME: &str = select!("(name, id) > (:after_name, :after_id) ORDER BY name, id LIMIT :limit");
/// A page of those with a number in E.164, their own or that of a record merged into theirs.
pub const CUSTOMERS_BY_PHONE: &str = select!(
    "id = ANY(ARRAY(
        SELECT COALESCE(merged_into, id) FROM customer WHERE business_id = :business_id AND phone = :phone
    )) AND (:reach::uuid[] IS NULL OR id = ANY(:reach::uuid[]))
    AND (name, id) > (:after_name, :after_id) ORDER BY name, id LIMIT :limit"
);
/// A page of those whose names or addresses have words, and whose numbers have digits unless these are an empty text.
pub const CUSTOMERS_LIKE: &str = select!(
    "id = ANY (ARRAY(
        SELECT search_customers(:words::text[], :digits, :dialled, :reach::uuid[], :after_name, :after_id, :limit)
    )) ORDER BY name, id"
);
/// One.
pub const CUSTOMER_BY_ID: &str = select!("id = :id");
const TAKE: &str = select!("id = :id FOR UPDATE");
/// An erasure waits until the transaction ends.
const HOLD: &str = select!("id = :id FOR SHARE");
/// In one order, so that two merges can't deadlock.
const TAKE_AMONG: &str =
    select!("(id = ANY(:ids::uuid[]) OR merged_into = ANY(:ids::uuid[])) ORDER BY id FOR UPDATE");
/// Those among `ids`.
pub const CUSTOMERS_AMONG: &str = select!("id = ANY(:ids)");
/// Those of these names, in whatever case and with whatever accents, who are part of no other.
pub const CUSTOMERS_NAMED: &str = select!(
    "merged_into IS NULL AND erased_at IS NULL
        AND folded_name = ANY(ARRAY(SELECT folded(n) FROM unnest(:names::text[]) AS n))"
);
const ADD: &str = "INSERT INTO customer (business_id, id, name, phone, email, version, created_at)
    VALUES (:business_id, :id, :name, :phone, :email, :version, :now) ON CONFLICT (business_id, id) DO NOTHING";
const ADD_ALL: &str = "INSERT INTO customer (business_id, id, name, phone, email, version, created_at)
    SELECT :business_id, id, name, NULLIF(phone, ''), NULLIF(email, ''), 1, :now
    FROM unnest(:ids::uuid[], :names::text[], :phones::text[], :emails::text[]) AS added (id, name, phone, email)";
const SAVE: &str = "UPDATE customer SET name = :name, phone = :phone, email = :email, tags = :tags,
        marketing_consent = :consent, marketing_consent_at = :consent_at, marketing_consent_by = :consent_by,
        merged_into = :merged_into, erased_at = :erased_at, version = :version
    WHERE business_id = :business_id AND id = :id";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    phone: Option<String>,
    email: Option<String>,
    tags: Vec<String>,
    marketing_consent: Option<bool>,
    marketing_consent_at: Option<DateTime<Utc>>,
    marketing_consent_by: Option<String>,
    merged_into: Option<Uuid>,
    erased_at: Option<DateTime<Utc>>,
    version: i64,
}

impl TryFrom<Row> for Customer {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let email = row.email.as_deref().map(Email::parse).transpose();
        let consent = row.marketing_consent.zip(row.marketing_consent_at).zip(row.marketing_consent_by);
        Ok(Self {
            id: CustomerId(row.id),
            name: row.name,
            phone: row.phone.map(Phone::stored),
            email: email.map_err(|error| Error::Stored("e-mail address", Box::new(error)))?,
            tags: Tags::new(row.tags),
            marketing_consent: consent.map(|((given, at), by)| MarketingConsent {
                given,
                at: from_db(at),
                by,
            }),
            merged_into: row.merged_into.map(CustomerId),
            erased_at: row.erased_at.map(from_db),
            version: row.version,
        })
    }
}

impl Tx {
    /// The business's customers among those named.
    pub async fn customers_among(&self, ids: &[CustomerId]) -> Result<Vec<Customer>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        self.all::<Row, _>(CUSTOMERS_AMONG, named! { business_id: self.business.0, ids }).await
    }

    /// A page of the customers wanted, by name, and one more if there are more; numbers and addresses find only
    /// customers within `reach`.
    pub async fn customers(
        &self,
        wanted: &WantedCustomers,
        reach: Option<&[CustomerId]>,
        listing: &Listing,
    ) -> Result<Vec<Customer>, Error> {
        let reach = || named! { reach: reach.map(|ids| ids.iter().map(|id| id.0).collect::<Vec<Uuid>>()) };
        let (sql, wanted) = match wanted {
            WantedCustomers::All => (CUSTOMERS_BY_NAME, named! {}),
            WantedCustomers::Recorded => (RECORDS_BY_NAME, named! {}),
            WantedCustomers::WithPhone(phone) => {
                (CUSTOMERS_BY_PHONE, reach().and(named! { phone: phone.as_str() }))
            }
            WantedCustomers::Named(words) => (CUSTOMERS_LIKE, reach().and(like(words, "", None))),
            WantedCustomers::Numbered { digits, dialled } => {
                (CUSTOMERS_LIKE, reach().and(like(&[], digits, dialled.as_deref())))
            }
        };
        let page = page(listing).and(named! { business_id: self.business.0 });
        self.all::<Row, _>(sql, page.and(wanted)).await
    }

    /// The customers of these names, in whatever case and with whatever accents.
    pub async fn customers_named(&self, names: Vec<String>) -> Result<Vec<Customer>, Error> {
        self.all::<Row, _>(CUSTOMERS_NAMED, named! { business_id: self.business.0, names }).await
    }

    /// One customer.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn customer(&self, id: CustomerId) -> Result<Customer, Error> {
        self.find_customer(id).await?.ok_or(Error::NotFound("customer"))
    }

    /// Adds a customer, unless its id is there.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_customer(&self, customer: Customer) -> Result<Added<Customer>, Error> {
        let values = named! {
            business_id: self.business.0,
            id: customer.id.0,
            name: customer.name.as_str(),
            phone: customer.phone.as_ref().map(Phone::as_str),
            email: customer.email.as_ref().map(Email::as_str),
            version: customer.version,
            now: self.at(),
        };
        let added = self.try_execute(ADD, values).await;
        if added.map_err(|error| refused(error, &[("customer_business", no_business)]))? == 1 {
            return Ok(Added::New(customer));
        }
        let before = self.find_customer(customer.id).await?;
        before.map(Added::Before).ok_or(Error::NotFound("customer"))
    }

    /// Adds customers under ids of one's own, in one statement; their tags one by one.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_new_customers(&self, customers: &[Customer]) -> Result<(), Error> {
        let texts = |text: fn(&Customer) -> &str| -> Vec<String> {
            customers.iter().map(|customer| text(customer).to_owned()).collect()
        };
        let values = named! {
            business_id: self.business.0,
            ids: customers.iter().map(|customer| customer.id.0).collect::<Vec<Uuid>>(),
            names: texts(|customer| &customer.name),
            phones: texts(|customer| customer.phone.as_ref().map_or("", Phone::as_str)),
            emails: texts(|customer| customer.email.as_ref().map_or("", Email::as_str)),
            now: self.at(),
        };
        let added = self.try_execute(ADD_ALL, values).await;
        added.map_err(|error| refused(error, &[("customer_business", no_business)]))?;
        for customer in customers.iter().filter(|customer| !customer.tags.as_slice().is_empty()) {
            self.save_customer(customer).await?;
        }
        Ok(())
    }

    /// One customer, whom no other transaction changes until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_customer(&self, id: CustomerId) -> Result<Customer, Error> {
        let taken = self.one::<Row, _>(TAKE, named! { business_id: self.business.0, id: id.0 }).await?;
        taken.ok_or(Error::NotFound("customer"))
    }

    /// One customer, whom no other transaction erases until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Erased`].
    pub async fn hold_customer(&self, id: CustomerId) -> Result<Customer, Error> {
        let held = self.one::<Row, _>(HOLD, named! { business_id: self.business.0, id: id.0 }).await?;
        let held: Customer = held.ok_or(Error::NotFound("customer"))?;
        if held.erased_at.is_some() { Err(Error::Erased) } else { Ok(held) }
    }

    /// Some customers and those who are part of them, by their ids, whom no other transaction changes until this one
    /// ends.
    pub async fn take_customers(&self, ids: &[CustomerId]) -> Result<Vec<Customer>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        self.all::<Row, _>(TAKE_AMONG, named! { business_id: self.business.0, ids }).await
    }

    /// Saves a customer that is there.
    pub async fn save_customer(&self, customer: &Customer) -> Result<(), Error> {
        let consent = customer.marketing_consent.as_ref();
        let values = named! {
            business_id: self.business.0,
            id: customer.id.0,
            name: customer.name.as_str(),
            phone: customer.phone.as_ref().map(Phone::as_str),
            email: customer.email.as_ref().map(Email::as_str),
            tags: customer.tags.as_slice().to_vec(),
            consent: consent.map(|consent| consent.given),
            consent_at: consent.map(|consent| to_db(consent.at)),
            consent_by: consent.map(|consent| consent.by.as_str()),
            merged_into: customer.merged_into.map(|whole| whole.0),
            erased_at: customer.erased_at.map(to_db),
            version: customer.version,
        };
        self.execute(SAVE, values).await.map(drop)
    }

    async fn find_customer(&self, id: CustomerId) -> Result<Option<Customer>, Error> {
        self.one::<Row, _>(CUSTOMER_BY_ID, named! { business_id: self.business.0, id: id.0 }).await
    }
}

fn like(words: &[String], digits: &str, dialled: Option<&str>) -> Named {
    named! { words: words.to_vec(), digits, dialled: dialled.unwrap_or_default() }
}
