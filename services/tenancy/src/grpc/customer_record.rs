//! Patch tests, formulas and answers about advertising of customers.

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::tenancy::v1::{
        self as pb, CustomerRecordServiceHandler, DeleteFormulaRequest, DeleteFormulaResponse,
        DeletePatchTestRequest, DeletePatchTestResponse, ListConsentChangesRequest,
        ListConsentChangesResponse, ListFormulasRequest, ListFormulasResponse, ListPatchTestsRequest,
        ListPatchTestsResponse, PatchTestResult, RecordFormulaRequest, RecordFormulaResponse,
        RecordPatchTestRequest, RecordPatchTestResponse,
        customer_record_service_methods::{
            DELETE_FORMULA, DELETE_PATCH_TEST, RECORD_FORMULA, RECORD_PATCH_TEST,
        },
    },
    parse::{id, line, optional_id, text},
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{RecordFormula, RecordPatchTest, delete_formula, delete_patch_test},
    domain::{ConsentChange, Formula, PatchTest},
    store::Store,
};

const LONGEST_SUBJECT: usize = 100;
const LONGEST_FORMULA: usize = 2_000;

/// Serves `CustomerRecordService`.
#[derive(Debug)]
pub(crate) struct CustomerRecords {
    store: Store,
}

impl CustomerRecords {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl CustomerRecordServiceHandler for CustomerRecords {
    async fn list_patch_tests(
        &self,
        scope: BusinessScope,
        request: ListPatchTestsRequest,
    ) -> Result<ListPatchTestsResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let tx = self.store.begin(&scope);
        tx.customer(customer).await?;
        let tests = tx.patch_tests(customer).await?;
        tx.commit().await?;
        Ok(ListPatchTestsResponse { patch_tests: tests.iter().map(pb::PatchTest::from).collect() })
    }

    async fn record_patch_test(
        &self,
        scope: BusinessScope,
        request: RecordPatchTestRequest,
    ) -> Result<RecordPatchTestResponse, Status> {
        let command = patch_test(&request)?;
        self.store
            .idempotent(&scope, &RECORD_PATCH_TEST, &request, async |tx| {
                let (recorded, change) = command.run(tx).await?;
                let patch_test = Some(pb::PatchTest::from(&recorded));
                Ok(RecordPatchTestResponse { patch_test, change_id: change.to_string() })
            })
            .await
    }

    async fn delete_patch_test(
        &self,
        scope: BusinessScope,
        request: DeletePatchTestRequest,
    ) -> Result<DeletePatchTestResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let test = id("patch_test_id", &request.patch_test_id)?;
        self.store
            .idempotent(&scope, &DELETE_PATCH_TEST, &request, async |tx| {
                let change = delete_patch_test(tx, customer, test).await?;
                Ok(DeletePatchTestResponse { change_id: fields::change_id(change) })
            })
            .await
    }

    async fn list_formulas(
        &self,
        scope: BusinessScope,
        request: ListFormulasRequest,
    ) -> Result<ListFormulasResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let tx = self.store.begin(&scope);
        tx.customer(customer).await?;
        let formulas = tx.formulas(customer).await?;
        tx.commit().await?;
        Ok(ListFormulasResponse { formulas: formulas.iter().map(pb::Formula::from).collect() })
    }

    async fn record_formula(
        &self,
        scope: BusinessScope,
        request: RecordFormulaRequest,
    ) -> Result<RecordFormulaResponse, Status> {
        let command = RecordFormula {
            customer: id("customer_id", &request.customer_id)?,
            text: text("text", &request.text, LONGEST_FORMULA)?,
            mixed_on: fields::date("mixed_on", &request.mixed_on)?,
            visit: optional_id("appointment_id", &request.appointment_id)?,
        };
        self.store
            .idempotent(&scope, &RECORD_FORMULA, &request, async |tx| {
                let (recorded, change) = command.run(tx).await?;
                let formula = Some(pb::Formula::from(&recorded));
                Ok(RecordFormulaResponse { formula, change_id: change.to_string() })
            })
            .await
    }

    async fn delete_formula(
        &self,
        scope: BusinessScope,
        request: DeleteFormulaRequest,
    ) -> Result<DeleteFormulaResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let formula = id("formula_id", &request.formula_id)?;
        self.store
            .idempotent(&scope, &DELETE_FORMULA, &request, async |tx| {
                let change = delete_formula(tx, customer, formula).await?;
                Ok(DeleteFormulaResponse { change_id: fields::change_id(change) })
            })
            .await
    }

    async fn list_consent_changes(
        &self,
        scope: BusinessScope,
        request: ListConsentChangesRequest,
    ) -> Result<ListConsentChangesResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let tx = self.store.begin(&scope);
        tx.customer(customer).await?;
        let changes = tx.consent_changes(customer).await?;
        tx.commit().await?;
        Ok(ListConsentChangesResponse { changes: changes.iter().map(pb::ConsentChange::from).collect() })
    }
}

fn patch_test(request: &RecordPatchTestRequest) -> Result<RecordPatchTest, Status> {
    let tested_on = fields::date("tested_on", &request.tested_on)?;
    let valid_until = fields::optional_date("valid_until", &request.valid_until)?;
    if valid_until.is_some_and(|until| until < tested_on) {
        return Err(invalid("valid_until", "must not be before the test"));
    }
    let reacted = match PatchTestResult::try_from(request.result) {
        Ok(PatchTestResult::NoReaction) => false,
        Ok(PatchTestResult::Reaction) => true,
        Ok(PatchTestResult::Unspecified) => return Err(invalid("result", "is required")),
        Err(_) => return Err(invalid("result", "is not a known result")),
    };
    Ok(RecordPatchTest {
        customer: id("customer_id", &request.customer_id)?,
        subject: line("subject", &request.subject, LONGEST_SUBJECT)?,
        tested_on,
        reacted,
        valid_until,
    })
}

impl From<&PatchTest> for pb::PatchTest {
    fn from(test: &PatchTest) -> Self {
        let result = if test.reacted { PatchTestResult::Reaction } else { PatchTestResult::NoReaction };
        Self {
            id: test.id.to_string(),
            customer_id: test.customer.to_string(),
            subject: test.subject.clone(),
            tested_on: test.tested_on.to_string(),
            result: result.into(),
            valid_until: test.valid_until.map(|date| date.to_string()).unwrap_or_default(),
            created_by: test.recorded.by.clone(),
            author_name: test.recorded.author.clone(),
            created_at: Some(to_proto(test.recorded.at)),
        }
    }
}

impl From<&Formula> for pb::Formula {
    fn from(formula: &Formula) -> Self {
        Self {
            id: formula.id.to_string(),
            customer_id: formula.customer.to_string(),
            text: formula.text.clone(),
            mixed_on: formula.mixed_on.to_string(),
            appointment_id: formula.visit.map(|visit| visit.to_string()).unwrap_or_default(),
            created_by: formula.recorded.by.clone(),
            author_name: formula.recorded.author.clone(),
            created_at: Some(to_proto(formula.recorded.at)),
        }
    }
}

impl From<&ConsentChange> for pb::ConsentChange {
    fn from(change: &ConsentChange) -> Self {
        Self {
            given: change.given,
            recorded_at: Some(to_proto(change.recorded.at)),
            recorded_by: change.recorded.by.clone(),
            author_name: change.recorded.author.clone(),
        }
    }
}
