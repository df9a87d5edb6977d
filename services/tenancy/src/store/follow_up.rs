//! Follow-ups.

use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Reason, Tx, no_business, refused};
use crate::{
    Error,
    domain::{CustomerId, EmployeeId, FollowUp, FollowUpId, FollowUpState, Phone},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT f.id, f.text, c.id AS customer_id, c.name AS customer_name, f.phone, f.call_id, f.employee_id,
                e.name AS employee_name, f.due_at, f.created_by, f.created_at,
                f.done_by, f.done_at, f.version
            FROM follow_up f
            -- One by one, so that the page stays in the index's order.
            LEFT JOIN LATERAL (
                SELECT whole.id, whole.name FROM customer part
                JOIN customer whole ON whole.business_id = f.business_id
                    AND whole.id = COALESCE(part.merged_into, part.id)
                WHERE part.business_id = f.business_id AND part.id = f.customer_id LIMIT 1
            ) c ON true
            LEFT JOIN employee e ON e.business_id = f.business_id AND e.id = f.employee_id ",
            $rest
        )
    };
}

/// A page of those that are not done.
pub const OPEN_FOLLOW_UPS: &str = select!(
    "WHERE f.business_id = :business_id AND f.done_at IS NULL AND (f.due_at, f.id) > (:after_due, :after_id)
    ORDER BY f.due_at, f.id LIMIT :limit"
);
/// A page of those that are done.
pub const DONE_FOLLOW_UPS: &str = select!(
    "WHERE f.business_id = :business_id AND f.done_at IS NOT NULL AND (f.due_at, f.id) > (:after_due, :after_id)
    ORDER BY f.due_at, f.id LIMIT :limit"
);
/// A page of those that were said in a call and are done, or that are not.
pub const FOLLOW_UPS_OF_CALL: &str = select!(
    "WHERE f.business_id = :business_id AND f.call_id = :call_id AND (f.done_at IS NOT NULL) = :done
        AND (f.due_at, f.id) > (:after_due, :after_id)
    ORDER BY f.due_at, f.id LIMIT :limit"
);
/// A page of those about a customer and who is part of them.
pub const FOLLOW_UPS_OF_CUSTOMER: &str = select!(
    "WHERE f.business_id = :business_id AND (f.done_at IS NOT NULL) = :done
        AND f.customer_id IN (SELECT p.id FROM customer p
            WHERE p.business_id = :business_id AND (p.id = :customer_id OR p.merged_into = :customer_id))
        AND (f.due_at, f.id) > (:after_due, :after_id)
    ORDER BY f.due_at, f.id LIMIT :limit"
);
/// A page of those about no known customer that name a number.
pub const FOLLOW_UPS_OF_PHONE: &str = select!(
    "WHERE f.business_id = :business_id AND (f.done_at IS NOT NULL) = :done
        AND f.customer_id IS NULL AND f.phone = :phone AND (f.due_at, f.id) > (:after_due, :after_id)
    ORDER BY f.due_at, f.id LIMIT :limit"
);
const BY_ID: &str = select!("WHERE f.business_id = :business_id AND f.id = :id");
const TAKE: &str = "SELECT id FROM follow_up WHERE business_id = :business_id AND id = :id FOR UPDATE";
const ADD: &str = "INSERT INTO follow_up
        (business_id, id, text, customer_id, phone, call_id, employee_id, due_at, created_by, created_at, version)
    VALUES (:business_id, :id, :text, :customer_id, :phone, :call_id, :employee_id, :due_at, :created_by,
        :created_at, :version)";
const SAVE: &str = "UPDATE follow_up SET employee_id = :employee_id, due_at = :due_at, done_by = :done_by,
        done_at = :done_at, version = :version
    WHERE business_id = :business_id AND id = :id";

const DELETE: &str = "DELETE FROM follow_up WHERE business_id = :business_id AND id = :id";

/// Before anything is due.
const FIRST: Timestamp = Timestamp::constant(-62_135_596_800, 0);
/// The last second there is: nothing is due then.
const NEVER: Timestamp = Timestamp::constant(253_402_207_200, 0);

/// A follow-up with the names of today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFollowUp {
    /// The record.
    pub follow_up: FollowUp,
    /// Empty if it is about no known customer.
    pub customer: String,
    /// Empty while it is unassigned.
    pub employee: String,
}

/// Which follow-ups are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FollowUpsOf {
    /// All of the business.
    Business,
    /// Those that were said in a call.
    Call(Uuid),
    /// Those about a customer.
    Customer(CustomerId),
    /// Those about no known customer, to be called back at a number.
    Phone(Phone),
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    text: String,
    customer_id: Option<Uuid>,
    customer_name: Option<String>,
    phone: Option<String>,
    call_id: Option<Uuid>,
    employee_id: Option<Uuid>,
    employee_name: Option<String>,
    due_at: DateTime<Utc>,
    created_by: String,
    created_at: DateTime<Utc>,
    done_by: Option<String>,
    done_at: Option<DateTime<Utc>>,
    version: i64,
}

impl TryFrom<Row> for NamedFollowUp {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let done = row.done_by.zip(row.done_at);
        let follow_up = FollowUp {
            id: FollowUpId(row.id),
            text: row.text,
            customer: row.customer_id.map(CustomerId),
            phone: row.phone.map(Phone::stored),
            call: row.call_id,
            employee: row.employee_id.map(EmployeeId),
            due_at: Some(from_db(row.due_at)).filter(|due_at| *due_at != NEVER),
            state: done.map_or(FollowUpState::Open, |(by, at)| FollowUpState::Done { by, at: from_db(at) }),
            created_by: row.created_by,
            created_at: from_db(row.created_at),
            version: row.version,
        };
        Ok(Self {
            follow_up,
            customer: row.customer_name.unwrap_or_default(),
            employee: row.employee_name.unwrap_or_default(),
        })
    }
}

impl Tx {
    /// A page of those that are done, or that are not, by when they are due, and one more if there are more.
    pub async fn follow_ups(
        &self,
        done: bool,
        of: &FollowUpsOf,
        after: Option<(Timestamp, FollowUpId)>,
        limit: u32,
    ) -> Result<Vec<NamedFollowUp>, Error> {
        let (due, id) = after.unwrap_or((FIRST, FollowUpId(Uuid::nil())));
        let values = named! {
            business_id: self.business.0,
            after_due: to_db(due),
            after_id: id.0,
            limit: i64::from(limit),
        };
        let (sql, values) = match of {
            FollowUpsOf::Business if done => (DONE_FOLLOW_UPS, values),
            FollowUpsOf::Business => (OPEN_FOLLOW_UPS, values),
            FollowUpsOf::Call(call_id) => {
                (FOLLOW_UPS_OF_CALL, values.and(named! { call_id: *call_id, done }))
            }
            FollowUpsOf::Customer(customer) => {
                (FOLLOW_UPS_OF_CUSTOMER, values.and(named! { customer_id: customer.0, done }))
            }
            FollowUpsOf::Phone(phone) => {
                (FOLLOW_UPS_OF_PHONE, values.and(named! { phone: phone.as_str(), done }))
            }
        };
        self.all::<Row, _>(sql, values).await
    }

    /// Adds a new one.
    ///
    /// # Errors
    /// [`Error::Unknown`] if it is about a customer, or for an employee, of another business or none.
    pub async fn add_follow_up(&self, follow_up: &FollowUp) -> Result<(), Error> {
        let values = self.follow_up_key(follow_up.id).and(named! {
            text: follow_up.text.as_str(),
            customer_id: follow_up.customer.map(|customer| customer.0),
            phone: follow_up.phone.as_ref().map(Phone::as_str),
            call_id: follow_up.call,
            employee_id: follow_up.employee.map(|employee| employee.0),
            due_at: to_db(due(follow_up)),
            created_by: follow_up.created_by.as_str(),
            created_at: to_db(follow_up.created_at),
            version: follow_up.version,
        });
        let reasons: &[Reason] = &[
            ("follow_up_business", no_business),
            ("follow_up_customer", no_customer),
            ("follow_up_employee", no_employee),
        ];
        self.try_execute(ADD, values).await.map(drop).map_err(|error| refused(error, reasons))
    }

    /// Saves whose it is, until when, and whether it is done.
    ///
    /// # Errors
    /// [`Error::Unknown`] if it is given to an employee of another business or none.
    pub async fn save_follow_up(&self, follow_up: &FollowUp) -> Result<(), Error> {
        let (done_by, done_at) = match &follow_up.state {
            FollowUpState::Open => (None, None),
            FollowUpState::Done { by, at } => (Some(by.as_str()), Some(to_db(*at))),
        };
        let values = self.follow_up_key(follow_up.id).and(named! {
            employee_id: follow_up.employee.map(|employee| employee.0),
            due_at: to_db(due(follow_up)),
            done_by,
            done_at,
            version: follow_up.version,
        });
        let reasons: &[Reason] = &[("follow_up_employee", no_employee)];
        self.try_execute(SAVE, values).await.map(drop).map_err(|error| refused(error, reasons))
    }

    /// Deletes one that is there.
    pub async fn delete_follow_up(&self, id: FollowUpId) -> Result<(), Error> {
        self.execute(DELETE, self.follow_up_key(id)).await.map(drop)
    }

    /// One, which no other transaction changes until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_follow_up(&self, id: FollowUpId) -> Result<NamedFollowUp, Error> {
        self.execute(TAKE, self.follow_up_key(id)).await?;
        self.follow_up(id).await
    }

    /// One.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn follow_up(&self, id: FollowUpId) -> Result<NamedFollowUp, Error> {
        let found = self.one::<Row, _>(BY_ID, self.follow_up_key(id)).await?;
        found.ok_or(Error::NotFound("follow-up"))
    }

    fn follow_up_key(&self, id: FollowUpId) -> Named {
        named! { business_id: self.business.0, id: id.0 }
    }
}

/// Until when it is kept as due, in UTC: what is due at no time comes last.
#[must_use]
pub fn due(follow_up: &FollowUp) -> Timestamp {
    follow_up.due_at.unwrap_or(NEVER)
}

fn no_customer() -> Error {
    Error::Unknown("customer_id", "customer")
}

fn no_employee() -> Error {
    Error::Unknown("employee_id", "employee")
}
