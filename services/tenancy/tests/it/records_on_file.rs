//! What people put on record of customers, follow-ups included: written, deleted, read, and taken back.

use caller::{Role, UserId};
use jiff::SignedDuration;
use proto::{
    frontdesk::tenancy::v1::{
        AssignFollowUpRequest, CompleteFollowUpRequest, ConsentChange, CreateCustomerNoteRequest,
        CreateFollowUpRequest, Customer, CustomerNote, DeleteCustomerNoteRequest, DeleteFormulaRequest,
        DeletePatchTestRequest, FollowUp, FollowUpState, Formula, GetCustomerRequest,
        ListConsentChangesRequest, ListCustomerNotesRequest, ListFollowUpsRequest, ListFormulasRequest,
        ListPatchTestsRequest, MarketingConsent, PatchTest, RecordFormulaRequest,
        RecordMarketingConsentRequest, ReopenFollowUpRequest, UndoRecordChangeRequest,
        UpdateCustomerNoteRequest,
    },
    time::to_proto,
};
use testkit::{SESSION, as_person};
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    customer_record::test_of,
    stage::{Stage, WILLOW},
};

/// A colleague of the person who calls elsewhere.
pub const COLLEAGUE: UserId = UserId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0b01));

pub fn undoing(change: &str) -> UndoRecordChangeRequest {
    UndoRecordChangeRequest { business_id: WILLOW.to_string(), change_id: change.to_owned() }
}

pub async fn send(stage: &Stage, request: Request<UndoRecordChangeRequest>) -> Result<(), Status> {
    stage.record_changes().undo_record_change(request).await.map(drop)
}

pub async fn undo(stage: &Stage, change: &str) -> Result<(), Status> {
    send(stage, stage.employee_of(WILLOW, undoing(change))).await
}

pub fn by_colleague<T>(stage: &Stage, message: T) -> Request<T> {
    as_person(&stage.host, COLLEAGUE, SESSION, Some(WILLOW), Some(Role::Employee), message)
}

pub async fn write(stage: &Stage, customer: &str, text: &str) -> (CustomerNote, String) {
    let message = CreateCustomerNoteRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_owned(),
        text: text.to_owned(),
        pinned: true,
    };
    let answer = stage.customer_notes().create_customer_note(stage.employee_of(WILLOW, message)).await;
    let answer = answer.unwrap().into_inner();
    (answer.note.unwrap(), answer.change_id)
}

pub fn rewriting(note: &CustomerNote, text: &str, pinned: bool) -> UpdateCustomerNoteRequest {
    UpdateCustomerNoteRequest {
        business_id: WILLOW.to_string(),
        customer_id: note.customer_id.clone(),
        note_id: note.id.clone(),
        text: text.to_owned(),
        pinned,
        version: 0,
    }
}

pub async fn rewrite(stage: &Stage, request: Request<UpdateCustomerNoteRequest>) -> String {
    stage.customer_notes().update_customer_note(request).await.unwrap().into_inner().change_id
}

pub async fn delete_note(stage: &Stage, note: &CustomerNote) -> String {
    let message = DeleteCustomerNoteRequest {
        business_id: WILLOW.to_string(),
        customer_id: note.customer_id.clone(),
        note_id: note.id.clone(),
    };
    let answer = stage.customer_notes().delete_customer_note(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().change_id
}

pub async fn notes(stage: &Stage, customer: &str) -> Vec<CustomerNote> {
    let message = ListCustomerNotesRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_owned(),
        ..Default::default()
    };
    let answer = stage.customer_notes().list_customer_notes(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().notes
}

/// A note but for its version, which grows with each change.
pub fn without_version(notes: Vec<CustomerNote>) -> Vec<CustomerNote> {
    notes.into_iter().map(|note| CustomerNote { version: 0, ..note }).collect()
}

pub async fn record_test(stage: &Stage, customer: &str) -> (PatchTest, String) {
    let request = stage.employee_of(WILLOW, test_of(WILLOW, customer));
    let answer = stage.customer_records().record_patch_test(request).await.unwrap().into_inner();
    (answer.patch_test.unwrap(), answer.change_id)
}

pub async fn delete_test(stage: &Stage, test: &PatchTest) -> String {
    let message = DeletePatchTestRequest {
        business_id: WILLOW.to_string(),
        customer_id: test.customer_id.clone(),
        patch_test_id: test.id.clone(),
    };
    let answer = stage.customer_records().delete_patch_test(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().change_id
}

pub async fn tests(stage: &Stage, customer: &str) -> Vec<PatchTest> {
    let message = ListPatchTestsRequest { business_id: WILLOW.to_string(), customer_id: customer.to_owned() };
    let answer = stage.customer_records().list_patch_tests(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().patch_tests
}

pub async fn mix(stage: &Stage, customer: &str) -> (Formula, String) {
    let message = RecordFormulaRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_owned(),
        text: "6/0, 20 vol".to_owned(),
        mixed_on: "2026-05-30".to_owned(),
        appointment_id: Uuid::from_u128(7).to_string(),
    };
    let answer = stage.customer_records().record_formula(stage.employee_of(WILLOW, message)).await;
    let answer = answer.unwrap().into_inner();
    (answer.formula.unwrap(), answer.change_id)
}

pub async fn delete_formula(stage: &Stage, formula: &Formula) -> String {
    let message = DeleteFormulaRequest {
        business_id: WILLOW.to_string(),
        customer_id: formula.customer_id.clone(),
        formula_id: formula.id.clone(),
    };
    let answer = stage.customer_records().delete_formula(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().change_id
}

pub async fn formulas(stage: &Stage, customer: &str) -> Vec<Formula> {
    let message = ListFormulasRequest { business_id: WILLOW.to_string(), customer_id: customer.to_owned() };
    let answer = stage.customer_records().list_formulas(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().formulas
}

pub fn answering(customer: &str, given: bool) -> RecordMarketingConsentRequest {
    let business_id = WILLOW.to_string();
    RecordMarketingConsentRequest { business_id, customer_id: customer.to_owned(), given }
}

pub async fn answer(stage: &Stage, request: Request<RecordMarketingConsentRequest>) -> String {
    stage.customers().record_marketing_consent(request).await.unwrap().into_inner().change_id
}

pub async fn consent(stage: &Stage, customer: &str) -> Option<MarketingConsent> {
    let message = GetCustomerRequest { business_id: WILLOW.to_string(), customer_id: customer.to_owned() };
    let answer = stage.customers().get_customer(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().customer.unwrap().marketing_consent
}

pub async fn answers(stage: &Stage, customer: &str) -> Vec<ConsentChange> {
    let message =
        ListConsentChangesRequest { business_id: WILLOW.to_string(), customer_id: customer.to_owned() };
    let answer = stage.customer_records().list_consent_changes(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().changes
}

pub async fn note_follow_up(stage: &Stage, customer: &Customer) -> (FollowUp, String) {
    let message = CreateFollowUpRequest {
        business_id: WILLOW.to_string(),
        text: "Call back".to_owned(),
        customer_id: customer.id.clone(),
        ..Default::default()
    };
    let answer = stage.follow_ups().create_follow_up(stage.employee_of(WILLOW, message)).await;
    let answer = answer.unwrap().into_inner();
    (answer.follow_up.unwrap(), answer.change_id)
}

pub async fn assign(stage: &Stage, follow_up: &FollowUp, employee: &str) -> String {
    let message = AssignFollowUpRequest {
        business_id: WILLOW.to_string(),
        follow_up_id: follow_up.id.clone(),
        employee_id: employee.to_owned(),
        due_at: Some(to_proto("2026-06-02T15:00:00Z".parse().unwrap())),
    };
    let answer = stage.follow_ups().assign_follow_up(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().change_id
}

pub async fn complete(stage: &Stage, follow_up: &FollowUp) -> String {
    let message =
        CompleteFollowUpRequest { business_id: WILLOW.to_string(), follow_up_id: follow_up.id.clone() };
    let answer = stage.follow_ups().complete_follow_up(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().change_id
}

pub async fn reopen(stage: &Stage, request: Request<ReopenFollowUpRequest>) -> String {
    stage.follow_ups().reopen_follow_up(request).await.unwrap().into_inner().change_id
}

pub fn reopening(follow_up: &FollowUp) -> ReopenFollowUpRequest {
    ReopenFollowUpRequest { business_id: WILLOW.to_string(), follow_up_id: follow_up.id.clone() }
}

pub async fn follow_ups(stage: &Stage, state: FollowUpState) -> Vec<FollowUp> {
    let message = ListFollowUpsRequest {
        business_id: WILLOW.to_string(),
        state: state.into(),
        ..ListFollowUpsRequest::default()
    };
    let answer = stage.follow_ups().list_follow_ups(stage.employee_of(WILLOW, message)).await;
    let open = answer.unwrap().into_inner().follow_ups;
    open.into_iter().map(|one| FollowUp { version: 0, ..one }).collect()
}

/// A stage whose clock reads parts of a microsecond, as the machine's does and no row keeps.
pub async fn precise() -> Stage {
    let stage = Stage::open().await;
    stage.time.advance(SignedDuration::from_nanos(123));
    stage
}
