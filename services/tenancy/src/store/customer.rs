//! Customers.

use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Customer, CustomerId, Email, Listing, Phone, WantedCustomers},
};

/// A page.
pub const CUSTOMERS_BY_NAME: &str = "SELECT id, name, phone, email, version FROM customer
    WHERE business_id = :business_id AND (name, id) > (:after_name, :after_id)
    ORDER BY name, id LIMIT :limit";
/// A page of those with a number in E.164.
pub const CUSTOMERS_BY_PHONE: &str = "SELECT id, name, phone, email, version FROM customer
    WHERE business_id = :business_id AND phone = :phone AND (name, id) > (:after_name, :after_id)
    ORDER BY name, id LIMIT :limit";
/// A page of those whose names have words, and whose numbers have digits unless these are an empty text.
/// Those of the business are looked through in the order wanted: policies leave a trigram index unused.
pub const CUSTOMERS_LIKE: &str =
    "WITH wanted AS MATERIALIZED (SELECT folded(w) AS word FROM unnest(:words::text[]) w)
    SELECT c.id, c.name, c.phone, c.email, c.version FROM customer c
    WHERE c.business_id = :business_id AND (c.name, c.id) > (:after_name, :after_id)
        AND NOT EXISTS (SELECT FROM wanted WHERE strpos(c.folded_name, wanted.word) = 0)
        AND (:digits = '' OR strpos(c.phone, :digits) > 0)
    ORDER BY c.name, c.id LIMIT :limit";
/// One.
pub const CUSTOMER_BY_ID: &str = "SELECT id, name, phone, email, version FROM customer
    WHERE business_id = :business_id AND id = :id";
/// Those among `ids`.
pub const CUSTOMERS_AMONG: &str = "SELECT id, name, phone, email, version FROM customer
    WHERE business_id = :business_id AND id = ANY(:ids)";
const ADD: &str = "INSERT INTO customer (business_id, id, name, phone, email, version, created_at)
    VALUES (:business_id, :id, :name, :phone, :email, :version, :now) ON CONFLICT (business_id, id) DO NOTHING";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    phone: Option<String>,
    email: Option<String>,
    version: i64,
}

impl TryFrom<Row> for Customer {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let email = row.email.as_deref().map(Email::parse).transpose();
        Ok(Self {
            id: CustomerId(row.id),
            name: row.name,
            phone: row.phone.map(Phone::stored),
            email: email.map_err(|error| Error::Stored("e-mail address", Box::new(error)))?,
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

    /// A page of the customers wanted, by name, and one more if there are more.
    pub async fn customers(
        &self,
        wanted: &WantedCustomers,
        listing: &Listing,
    ) -> Result<Vec<Customer>, Error> {
        let (sql, wanted) = match wanted {
            WantedCustomers::All => (CUSTOMERS_BY_NAME, named! {}),
            WantedCustomers::WithPhone(phone) => (CUSTOMERS_BY_PHONE, named! { phone: phone.as_str() }),
            WantedCustomers::Named(words) => (CUSTOMERS_LIKE, named! { words: words.clone(), digits: "" }),
            WantedCustomers::Numbered(digits) => {
                (CUSTOMERS_LIKE, named! { words: Vec::<String>::new(), digits: digits.as_str() })
            }
        };
        let page = page(listing).and(named! { business_id: self.business.0 });
        self.all::<Row, _>(sql, page.and(wanted)).await
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

    async fn find_customer(&self, id: CustomerId) -> Result<Option<Customer>, Error> {
        self.one::<Row, _>(CUSTOMER_BY_ID, named! { business_id: self.business.0, id: id.0 }).await
    }
}
