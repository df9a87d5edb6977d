//! Whose telephone numbers and e-mail addresses employees see.

use caller::{BusinessScope, UserId};
use database::{named, to_db};
use engine::id::CustomerId;
use proto::contact::ContactReach;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Store, Tx};
use crate::{
    Error,
    domain::contact_reach::{ContactPolicy, counted_starts},
};

const POLICY: &str =
    "SELECT employees_see_all_contacts FROM business_settings WHERE business_id = :business_id";
const SET_POLICY: &str = "UPDATE business_settings SET employees_see_all_contacts = :employees_see_all
    WHERE business_id = :business_id";
/// The customers of visits that a person does part of, and that were not cancelled.
pub const CUSTOMERS_OF_PERSON: &str = "SELECT DISTINCT COALESCE(c.merged_into, a.customer_id) AS customer_id
    FROM employee e
    CROSS JOIN LATERAL (
        SELECT visit_id FROM appointment_item
        WHERE business_id = :business_id AND employee_id = e.id AND starts_at >= :from AND starts_at <= :to
        -- Keeps the planner from reading all of the business's visits in that time.
        OFFSET 0
    ) i
    JOIN appointment a ON a.business_id = :business_id AND a.id = i.visit_id
    LEFT JOIN customer c ON c.business_id = :business_id AND c.id = a.customer_id
    WHERE e.business_id = :business_id AND e.user_id = :user_id
        AND a.customer_id IS NOT NULL AND a.state <> 'CANCELLED'";
/// Those of some numbers that customers have, by whose they are: a number may be of several.
pub const CUSTOMERS_OF_PHONES: &str =
    "SELECT c.phone, COALESCE(c.merged_into, c.id) AS customer_id FROM unnest(:phones::text[]) AS given (phone)
    CROSS JOIN LATERAL (
        SELECT id, phone, merged_into FROM customer
        WHERE business_id = :business_id AND phone = given.phone AND phone <> ''
        -- By its number for each, instead of all customers at once.
        OFFSET 0
    ) c";

#[derive(FromQueryResult)]
struct PolicyRow {
    employees_see_all_contacts: bool,
}

#[derive(FromQueryResult)]
struct CustomerRow {
    customer_id: Uuid,
}

#[derive(FromQueryResult)]
struct PhoneRow {
    phone: String,
    customer_id: Uuid,
}

impl From<PhoneRow> for (String, CustomerId) {
    fn from(row: PhoneRow) -> Self {
        (row.phone, CustomerId(row.customer_id))
    }
}

impl From<PolicyRow> for ContactPolicy {
    fn from(row: PolicyRow) -> Self {
        Self { employees_see_all: row.employees_see_all_contacts }
    }
}

impl From<CustomerRow> for CustomerId {
    fn from(row: CustomerRow) -> Self {
        Self(row.customer_id)
    }
}

impl Tx {
    /// The business's policy.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn contact_policy(&self) -> Result<ContactPolicy, Error> {
        let found = self.one::<PolicyRow, _>(POLICY, named! { business_id: self.business.0 }).await?;
        found.ok_or(Error::BusinessUnknown)
    }

    /// Replaces it.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn set_contact_policy(&self, policy: ContactPolicy) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, employees_see_all: policy.employees_see_all };
        match self.execute(SET_POLICY, values).await? {
            0 => Err(Error::BusinessUnknown),
            _ => Ok(()),
        }
    }

    /// Which customers' contacts a person may see whose own visits decide.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn contact_reach(&self, person: UserId) -> Result<ContactReach, Error> {
        if self.contact_policy().await?.employees_see_all {
            return Ok(ContactReach::All);
        }
        let (from, to) = counted_starts(self.now());
        let values = named! {
            business_id: self.business.0,
            user_id: person.0,
            from: to_db(from),
            to: to_db(to),
        };
        let customers: Vec<CustomerId> = self.all::<CustomerRow, _>(CUSTOMERS_OF_PERSON, values).await?;
        Ok(ContactReach::Customers(customers.iter().map(ToString::to_string).collect()))
    }

    /// Those of some numbers that customers have, each with every customer who has it.
    pub async fn customers_of_phones(&self, phones: &[String]) -> Result<Vec<(String, CustomerId)>, Error> {
        let values = named! { business_id: self.business.0, phones: phones.to_vec() };
        self.all::<PhoneRow, _>(CUSTOMERS_OF_PHONES, values).await
    }
}

impl Store {
    /// [`Tx::contact_reach`] of the person who calls, if a person does.
    ///
    /// # Errors
    /// As [`Tx::contact_reach`].
    pub async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Error> {
        let Some(person) = scope.limited_to_own_visits() else { return Ok(ContactReach::All) };
        let tx = self.begin(scope);
        let reach = tx.contact_reach(person).await?;
        tx.release();
        Ok(reach)
    }
}
