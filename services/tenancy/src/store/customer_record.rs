//! Patch tests, formulas and answers about advertising.

use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use jiff::civil::Date;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Reason, Tx, customer::any_part, refused};
use crate::{
    Error,
    domain::{
        ConsentChange, CustomerId, Formula, FormulaId, MarketingConsent, PatchTest, PatchTestId, Recorded,
    },
};

/// Rows of a table about a customer and those who are part of them, with who wrote each.
macro_rules! select {
    ($columns:literal, $table:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            ", r.created_by, r.created_at, e.name AS author FROM ",
            $table,
            " r LEFT JOIN employee e ON e.business_id = r.business_id AND 'user:' || e.user_id = r.created_by
            WHERE r.business_id = :business_id AND r.customer_id = ",
            any_part!(),
            $rest
        )
    };
}

macro_rules! delete {
    ($table:literal, $columns:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " AS r WHERE business_id = :business_id AND id = :id AND customer_id = ",
            any_part!(),
            " RETURNING ",
            $columns,
            ", r.created_by, r.created_at, NULL::text AS author"
        )
    };
}

/// The latest patch tests of a customer.
pub const PATCH_TESTS: &str = select!(
    "r.id, r.customer_id, r.subject, r.tested_on::text AS tested_on, r.reacted,
        r.valid_until::text AS valid_until, r.version",
    "patch_test",
    " ORDER BY r.tested_on DESC, r.created_at DESC, r.id DESC LIMIT 100"
);
/// The latest formulas of a customer.
pub const FORMULAS: &str = select!(
    "r.id, r.customer_id, r.text, r.mixed_on::text AS mixed_on, r.appointment_id, r.version",
    "formula",
    " ORDER BY r.mixed_on DESC, r.created_at DESC, r.id DESC LIMIT 100"
);
/// The latest answers of a customer.
pub const CONSENT_CHANGES: &str =
    select!("r.given", "consent_change", " ORDER BY r.created_at DESC, r.id DESC LIMIT 100");
const ADD_PATCH_TEST: &str = "INSERT INTO patch_test
        (business_id, id, customer_id, subject, tested_on, reacted, valid_until, created_by, created_at, version)
    VALUES (:business_id, :id, :customer_id, :subject, :tested_on::text::date, :reacted, :valid_until::text::date,
        :created_by, :created_at, :version)";
const ADD_FORMULA: &str = "INSERT INTO formula
        (business_id, id, customer_id, text, mixed_on, appointment_id, created_by, created_at, version)
    VALUES (:business_id, :id, :customer_id, :text, :mixed_on::text::date, :appointment_id, :created_by,
        :created_at, :version)";
const ADD_CONSENT_CHANGE: &str =
    "INSERT INTO consent_change (business_id, id, customer_id, given, created_by, created_at)
    VALUES (:business_id, :id, :customer_id, :given, :created_by, :created_at)";
const DELETE_CONSENT_CHANGE: &str = "DELETE FROM consent_change WHERE business_id = :business_id
    AND customer_id = :customer_id AND given = :given AND created_by = :created_by AND created_at = :created_at";
const DELETE_PATCH_TEST: &str = delete!(
    "patch_test",
    "r.id, r.customer_id, r.subject, r.tested_on::text AS tested_on, r.reacted,
        r.valid_until::text AS valid_until, r.version"
);
const DELETE_FORMULA: &str = delete!(
    "formula",
    "r.id, r.customer_id, r.text, r.mixed_on::text AS mixed_on, r.appointment_id, r.version"
);

#[derive(FromQueryResult)]
struct PatchTestRow {
    id: Uuid,
    customer_id: Uuid,
    subject: String,
    tested_on: String,
    reacted: bool,
    valid_until: Option<String>,
    version: i64,
    created_by: String,
    created_at: DateTime<Utc>,
    author: Option<String>,
}

#[derive(FromQueryResult)]
struct FormulaRow {
    id: Uuid,
    customer_id: Uuid,
    text: String,
    mixed_on: String,
    appointment_id: Option<Uuid>,
    version: i64,
    created_by: String,
    created_at: DateTime<Utc>,
    author: Option<String>,
}

#[derive(FromQueryResult)]
struct ConsentRow {
    given: bool,
    created_by: String,
    created_at: DateTime<Utc>,
    author: Option<String>,
}

fn recorded(by: String, author: Option<String>, at: DateTime<Utc>) -> Recorded {
    Recorded { by, author: author.unwrap_or_default(), at: from_db(at) }
}

fn date(text: &str) -> Result<Date, Error> {
    text.parse().map_err(|error: jiff::Error| Error::Stored("date", Box::new(error)))
}

impl TryFrom<PatchTestRow> for PatchTest {
    type Error = Error;
    fn try_from(row: PatchTestRow) -> Result<Self, Error> {
        Ok(Self {
            id: PatchTestId(row.id),
            customer: CustomerId(row.customer_id),
            subject: row.subject,
            tested_on: date(&row.tested_on)?,
            reacted: row.reacted,
            valid_until: row.valid_until.as_deref().map(date).transpose()?,
            recorded: recorded(row.created_by, row.author, row.created_at),
            version: row.version,
        })
    }
}

impl TryFrom<FormulaRow> for Formula {
    type Error = Error;
    fn try_from(row: FormulaRow) -> Result<Self, Error> {
        Ok(Self {
            id: FormulaId(row.id),
            customer: CustomerId(row.customer_id),
            text: row.text,
            mixed_on: date(&row.mixed_on)?,
            visit: row.appointment_id,
            recorded: recorded(row.created_by, row.author, row.created_at),
            version: row.version,
        })
    }
}

impl TryFrom<ConsentRow> for ConsentChange {
    type Error = Error;
    fn try_from(row: ConsentRow) -> Result<Self, Error> {
        Ok(Self { given: row.given, recorded: recorded(row.created_by, row.author, row.created_at) })
    }
}

impl Tx {
    /// A customer's latest patch tests.
    pub async fn patch_tests(&self, customer: CustomerId) -> Result<Vec<PatchTest>, Error> {
        self.all::<PatchTestRow, _>(PATCH_TESTS, self.of_customer(customer)).await
    }

    /// What was mixed for a customer, the latest first.
    pub async fn formulas(&self, customer: CustomerId) -> Result<Vec<Formula>, Error> {
        self.all::<FormulaRow, _>(FORMULAS, self.of_customer(customer)).await
    }

    /// What a customer answered about advertising, the latest first.
    pub async fn consent_changes(&self, customer: CustomerId) -> Result<Vec<ConsentChange>, Error> {
        self.all::<ConsentRow, _>(CONSENT_CHANGES, self.of_customer(customer)).await
    }

    /// Adds a patch test.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such customer.
    pub async fn add_patch_test(&self, test: &PatchTest) -> Result<(), Error> {
        let values = self.of_customer(test.customer).and(signed(&test.recorded)).and(named! {
            id: test.id.0,
            subject: test.subject.as_str(),
            tested_on: test.tested_on.to_string(),
            reacted: test.reacted,
            valid_until: test.valid_until.map(|date| date.to_string()),
            version: test.version,
        });
        self.add_record("patch_test_customer", ADD_PATCH_TEST, values).await
    }

    /// Adds a formula.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such customer.
    pub async fn add_formula(&self, formula: &Formula) -> Result<(), Error> {
        let values = self.of_customer(formula.customer).and(signed(&formula.recorded)).and(named! {
            id: formula.id.0,
            text: formula.text.as_str(),
            mixed_on: formula.mixed_on.to_string(),
            appointment_id: formula.visit,
            version: formula.version,
        });
        self.add_record("formula_customer", ADD_FORMULA, values).await
    }

    /// Adds an answer about advertising.
    pub async fn add_consent_change(
        &self,
        customer: CustomerId,
        consent: &MarketingConsent,
    ) -> Result<(), Error> {
        let values = self.of_customer(customer).and(named! {
            id: self.new_id::<Uuid>(),
            given: consent.given,
            created_by: consent.by.as_str(),
            created_at: to_db(consent.at),
        });
        self.add_record("consent_change_customer", ADD_CONSENT_CHANGE, values).await
    }

    /// Deletes an answer about advertising.
    pub async fn delete_consent_change(
        &self,
        customer: CustomerId,
        consent: &MarketingConsent,
    ) -> Result<(), Error> {
        let values = self.of_customer(customer).and(named! {
            given: consent.given,
            created_by: consent.by.as_str(),
            created_at: to_db(consent.at),
        });
        self.execute(DELETE_CONSENT_CHANGE, values).await.map(drop)
    }

    /// Deletes a patch test; what it was, if it was there.
    pub async fn delete_patch_test(
        &self,
        customer: CustomerId,
        id: PatchTestId,
    ) -> Result<Option<PatchTest>, Error> {
        let values = self.of_customer(customer).and(named! { id: id.0 });
        self.one::<PatchTestRow, _>(DELETE_PATCH_TEST, values).await
    }

    /// Deletes a formula; what it was, if it was there.
    pub async fn delete_formula(
        &self,
        customer: CustomerId,
        id: FormulaId,
    ) -> Result<Option<Formula>, Error> {
        let values = self.of_customer(customer).and(named! { id: id.0 });
        self.one::<FormulaRow, _>(DELETE_FORMULA, values).await
    }

    async fn add_record(&self, constraint: &'static str, sql: &str, values: Named) -> Result<(), Error> {
        let reasons: &[Reason] = &[(constraint, || Error::NotFound("customer"))];
        self.try_execute(sql, values).await.map(drop).map_err(|error| refused(error, reasons))
    }

    fn of_customer(&self, customer: CustomerId) -> Named {
        named! { business_id: self.business.0, customer_id: customer.0 }
    }
}

fn signed(recorded: &Recorded) -> Named {
    named! { created_by: recorded.by.as_str(), created_at: to_db(recorded.at) }
}
