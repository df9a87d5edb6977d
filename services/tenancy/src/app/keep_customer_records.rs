//! Records and deletes patch tests and formulas.

use jiff::civil::Date;
use proto::frontdesk::events::v1::{CustomerRecordChanged, event::Payload};
use uuid::Uuid;

use crate::{
    Error,
    domain::{ChangeId, CustomerId, Formula, FormulaId, PatchTest, PatchTestId, Recorded, Undoable},
    store::Tx,
};

/// A patch test to record.
#[derive(Debug)]
pub struct RecordPatchTest {
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
}

impl RecordPatchTest {
    /// Records and publishes it; the test, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such customer.
    pub async fn run(self, tx: &Tx) -> Result<(PatchTest, ChangeId), Error> {
        let Self { customer, subject, tested_on, reacted, valid_until } = self;
        let id = tx.new_id();
        let test = PatchTest {
            id,
            customer,
            subject,
            tested_on,
            reacted,
            valid_until,
            recorded: tx.recorded(),
            version: 1,
        };
        tx.hold_customer(test.customer).await?;
        tx.add_patch_test(&test).await?;
        tx.publish_record(test.id, test.customer, test.version).await?;
        let recording = Undoable::PatchTestRecorded(customer, test.id).leaving(test.version);
        let change = tx.add_undoable(&recording).await?;
        let tests = tx.patch_tests(customer).await?;
        Ok((tests.into_iter().find(|one| one.id == test.id).unwrap_or(test), change))
    }
}

/// A formula to record.
#[derive(Debug)]
pub struct RecordFormula {
    /// For whom.
    pub customer: CustomerId,
    /// What was mixed.
    pub text: String,
    /// When.
    pub mixed_on: Date,
    /// The visit it was mixed for.
    pub visit: Option<Uuid>,
}

impl RecordFormula {
    /// Records and publishes it; the formula, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such customer.
    pub async fn run(self, tx: &Tx) -> Result<(Formula, ChangeId), Error> {
        let Self { customer, text, mixed_on, visit } = self;
        let formula =
            Formula { id: tx.new_id(), customer, text, mixed_on, visit, recorded: tx.recorded(), version: 1 };
        tx.hold_customer(customer).await?;
        tx.add_formula(&formula).await?;
        tx.publish_record(formula.id, formula.customer, formula.version).await?;
        let recording = Undoable::FormulaRecorded(customer, formula.id).leaving(formula.version);
        let change = tx.add_undoable(&recording).await?;
        let formulas = tx.formulas(customer).await?;
        Ok((formulas.into_iter().find(|one| one.id == formula.id).unwrap_or(formula), change))
    }
}

/// Deletes and publishes a patch test, if it is there; the change.
///
/// # Errors
/// When the database fails.
pub async fn delete_patch_test(
    tx: &Tx,
    customer: CustomerId,
    id: PatchTestId,
) -> Result<Option<ChangeId>, Error> {
    let Some(test) = tx.delete_patch_test(customer, id).await? else { return Ok(None) };
    let deletion = test.version + 1;
    tx.publish_record(id, test.customer, deletion).await?;
    let change = tx.add_undoable(&Undoable::PatchTestDeleted(test).leaving(deletion)).await?;
    Ok(Some(change))
}

/// Deletes and publishes a formula, if it is there; the change.
///
/// # Errors
/// When the database fails.
pub async fn delete_formula(tx: &Tx, customer: CustomerId, id: FormulaId) -> Result<Option<ChangeId>, Error> {
    let Some(formula) = tx.delete_formula(customer, id).await? else { return Ok(None) };
    let deletion = formula.version + 1;
    tx.publish_record(id, formula.customer, deletion).await?;
    let change = tx.add_undoable(&Undoable::FormulaDeleted(formula).leaving(deletion)).await?;
    Ok(Some(change))
}

impl Tx {
    fn recorded(&self) -> Recorded {
        Recorded { by: self.actor().to_owned(), author: String::new(), at: self.now() }
    }

    pub(super) async fn publish_record(
        &self,
        id: impl Into<Uuid>,
        customer: CustomerId,
        version: i64,
    ) -> Result<(), Error> {
        let id: Uuid = id.into();
        let (record_id, customer_id) = (id.to_string(), customer.to_string());
        let payload = Payload::CustomerRecord(CustomerRecordChanged { record_id, customer_id });
        self.publish_change(id, version, payload).await
    }
}
