//! Customers.

use proto::frontdesk::{events::v1::event::Payload, tenancy::v1 as pb};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Customer, CustomerId, Email, Listing, Phone, WantedCustomers},
};

/// Parameters: place's name and id, rows, business.
pub const CUSTOMERS_BY_NAME: &str = "SELECT id, name, phone, email, version FROM customer
    WHERE business_id = $4 AND (name, id) > ($1, $2) ORDER BY name, id LIMIT $3";
/// Parameters: as [`CUSTOMERS_BY_NAME`], and the number in E.164.
pub const CUSTOMERS_BY_PHONE: &str = "SELECT id, name, phone, email, version FROM customer
    WHERE business_id = $4 AND phone = $5 AND (name, id) > ($1, $2) ORDER BY name, id LIMIT $3";
/// Parameters: as [`CUSTOMERS_BY_NAME`], words as they were typed, and digits of the number or an empty
/// text. Those of the business are looked through in the order wanted: policies leave a trigram index unused.
pub const CUSTOMERS_LIKE: &str =
    "WITH wanted AS MATERIALIZED (SELECT folded(w) AS word FROM unnest($5::text[]) w)
    SELECT c.id, c.name, c.phone, c.email, c.version FROM customer c
    WHERE c.business_id = $4 AND (c.name, c.id) > ($1, $2)
        AND NOT EXISTS (SELECT FROM wanted WHERE strpos(c.folded_name, wanted.word) = 0)
        AND ($6 = '' OR strpos(c.phone, $6) > 0)
    ORDER BY c.name, c.id LIMIT $3";
/// Parameters: business, id.
pub const CUSTOMER_BY_ID: &str = "SELECT id, name, phone, email, version FROM customer
    WHERE business_id = $1 AND id = $2";
/// Parameters: business, ids.
pub const CUSTOMERS_AMONG: &str = "SELECT id, name, phone, email, version FROM customer
    WHERE business_id = $1 AND id = ANY($2)";
const ADD: &str = "INSERT INTO customer (business_id, id, name, phone, email, version, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING";

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
        self.all::<Row, _>(CUSTOMERS_AMONG, [self.business.0.into(), ids.into()]).await
    }

    /// A page of the customers wanted, by name, and one more if there are more.
    pub async fn customers(
        &self,
        wanted: &WantedCustomers,
        listing: &Listing,
    ) -> Result<Vec<Customer>, Error> {
        let mut values = page(&listing.after, listing.limit).to_vec();
        values.push(self.business.0.into());
        let sql = match wanted {
            WantedCustomers::All => CUSTOMERS_BY_NAME,
            WantedCustomers::WithPhone(phone) => {
                values.push(phone.as_str().into());
                CUSTOMERS_BY_PHONE
            }
            WantedCustomers::Named(words) => {
                values.extend([words.clone().into(), String::new().into()]);
                CUSTOMERS_LIKE
            }
            WantedCustomers::Numbered(digits) => {
                values.extend([Vec::<String>::new().into(), digits.as_str().into()]);
                CUSTOMERS_LIKE
            }
        };
        self.all::<Row, _>(sql, values).await
    }

    /// One customer.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn customer(&self, id: CustomerId) -> Result<Customer, Error> {
        self.find_customer(id).await?.ok_or(Error::NotFound("customer"))
    }

    /// Adds a customer and publishes it, unless its id is there.
    ///
    /// # Errors
    /// [`Error::Taken`] when the id is another business's, [`Error::NotFound`] when there
    /// is no such business.
    pub async fn add_customer(&self, customer: Customer) -> Result<Added<Customer>, Error> {
        let values = [
            self.business.0.into(),
            customer.id.0.into(),
            customer.name.as_str().into(),
            customer.phone.as_ref().map(Phone::as_str).into(),
            customer.email.as_ref().map(Email::as_str).into(),
            customer.version.into(),
            self.at(),
        ];
        let added = self
            .try_execute(ADD, values)
            .await
            .map_err(|error| refused(error, &[("customer_business", no_business)]))?;
        if added == 0 {
            let before = self.find_customer(customer.id).await?;
            return before.map(Added::Before).ok_or(Error::Taken("this id is taken"));
        }
        let payload = Payload::Customer(pb::Customer::from(&customer));
        self.publish_change(customer.id.0, customer.version, payload).await?;
        Ok(Added::New(customer))
    }

    async fn find_customer(&self, id: CustomerId) -> Result<Option<Customer>, Error> {
        self.one::<Row, _>(CUSTOMER_BY_ID, [self.business.0.into(), id.0.into()]).await
    }
}
