//! Patch tests, formulas and answers about advertising of a customer.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::CustomerId;

typed_id::typed_id! {
    /// A patch test.
    PatchTestId,
    /// A formula.
    FormulaId,
}

/// Who recorded something, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// As the audit trail names them.
    pub by: String,
    /// The employee whose account that is; empty where it is no employee's.
    pub author: String,
    /// When.
    pub at: Timestamp,
}

/// A test of a product on a customer's skin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchTest {
    /// Unique in the installation.
    pub id: PatchTestId,
    /// Whose skin.
    pub customer: CustomerId,
    /// The service or the product.
    pub subject: String,
    /// When it was made.
    pub tested_on: Date,
    /// Whether the skin reacted.
    pub reacted: bool,
    /// The last date on which it counts.
    pub valid_until: Option<Date>,
    /// By whom.
    pub recorded: Recorded,
    /// Grows as it is deleted and put back.
    pub version: i64,
}

/// What was mixed for a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formula {
    /// Unique in the installation.
    pub id: FormulaId,
    /// For whom.
    pub customer: CustomerId,
    /// What.
    pub text: String,
    /// When.
    pub mixed_on: Date,
    /// The visit it was mixed for.
    pub visit: Option<Uuid>,
    /// By whom.
    pub recorded: Recorded,
    /// Grows as it is deleted and put back.
    pub version: i64,
}

/// An answer about advertising.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentChange {
    /// Whether the customer agreed.
    pub given: bool,
    /// By whom.
    pub recorded: Recorded,
}
