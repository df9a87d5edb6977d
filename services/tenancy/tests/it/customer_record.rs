//! Patch tests, formulas and answers about advertising.

use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::{CustomerRecordChanged, event::Payload},
        tenancy::v1::{
            ConsentChange, CreateEmployeeRequest, DeleteFormulaRequest, DeletePatchTestRequest, Formula,
            ListConsentChangesRequest, ListFormulasRequest, ListPatchTestsRequest, MergeCustomersRequest,
            PatchTest, PatchTestResult, RecordFormulaRequest, RecordMarketingConsentRequest,
            RecordPatchTestRequest,
        },
    },
    time::to_proto,
};
use testkit::{USER, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    event::{followed, next},
    stage::{LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused},
};

pub fn test_of(business: BusinessId, customer: &str) -> RecordPatchTestRequest {
    RecordPatchTestRequest {
        business_id: business.to_string(),
        customer_id: customer.to_owned(),
        subject: "Full colour".to_owned(),
        tested_on: "2026-05-30".to_owned(),
        result: PatchTestResult::NoReaction.into(),
        valid_until: "2026-11-30".to_owned(),
    }
}

pub async fn record_test(stage: &Stage, request: RecordPatchTestRequest) -> Result<PatchTest, Status> {
    let business = BusinessId(request.business_id.parse().unwrap());
    let response = stage.customer_records().record_patch_test(stage.employee_of(business, request)).await?;
    Ok(response.into_inner().patch_test.unwrap())
}

fn formula_of(business: BusinessId, customer: &str, text: &str, mixed_on: &str) -> RecordFormulaRequest {
    RecordFormulaRequest {
        business_id: business.to_string(),
        customer_id: customer.to_owned(),
        text: text.to_owned(),
        mixed_on: mixed_on.to_owned(),
        appointment_id: String::new(),
    }
}

async fn record_formula(stage: &Stage, request: RecordFormulaRequest) -> Result<Formula, Status> {
    let business = BusinessId(request.business_id.parse().unwrap());
    let response = stage.customer_records().record_formula(stage.employee_of(business, request)).await?;
    Ok(response.into_inner().formula.unwrap())
}

/// A customer with one record of each kind.
pub async fn recorded(stage: &Stage, business: BusinessId) {
    let customer = stage.customer(business, "Mia", "").await;
    record_test(stage, test_of(business, &customer.id)).await.unwrap();
    record_formula(stage, formula_of(business, &customer.id, "6/0, 20 vol", "2026-05-30")).await.unwrap();
    let consent = RecordMarketingConsentRequest {
        business_id: business.to_string(),
        customer_id: customer.id,
        given: true,
    };
    stage.customers().record_marketing_consent(stage.employee_of(business, consent)).await.unwrap();
}

async fn tests(stage: &Stage, business: BusinessId, customer: &str) -> Result<Vec<PatchTest>, Status> {
    let message =
        ListPatchTestsRequest { business_id: business.to_string(), customer_id: customer.to_owned() };
    let response = stage.customer_records().list_patch_tests(stage.employee_of(business, message)).await?;
    Ok(response.into_inner().patch_tests)
}

async fn formulas(stage: &Stage, customer: &str) -> Vec<Formula> {
    let message = ListFormulasRequest { business_id: WILLOW.to_string(), customer_id: customer.to_owned() };
    let response = stage.customer_records().list_formulas(stage.employee_of(WILLOW, message)).await;
    response.unwrap().into_inner().formulas
}

async fn answers(stage: &Stage, customer: &str) -> Vec<ConsentChange> {
    let message =
        ListConsentChangesRequest { business_id: WILLOW.to_string(), customer_id: customer.to_owned() };
    let response = stage.customer_records().list_consent_changes(stage.employee_of(WILLOW, message)).await;
    response.unwrap().into_inner().changes
}

/// The employee who calls has a name.
async fn employed(stage: &Stage) {
    let message = CreateEmployeeRequest {
        business_id: WILLOW.to_string(),
        employee_id: String::new(),
        name: "Sofia".to_owned(),
        user_id: USER.to_string(),
    };
    stage.employees().create_employee(stage.owner_of(WILLOW, message)).await.unwrap();
}

#[tokio::test]
async fn a_patch_test_is_kept_with_who_recorded_it_told_and_deleted_once() {
    let stage = Stage::open().await;
    employed(&stage).await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let mut stream = followed(&stage).await;
    let recorded = record_test(&stage, test_of(WILLOW, &mia.id)).await.unwrap();
    assert_eq!(
        (recorded.subject.as_str(), recorded.tested_on.as_str(), recorded.valid_until.as_str()),
        ("Full colour", "2026-05-30", "2026-11-30")
    );
    assert_eq!((recorded.author_name.as_str(), recorded.result()), ("Sofia", PatchTestResult::NoReaction));
    assert_eq!(recorded.created_at, Some(to_proto(stage.host.clock.now())));
    let endless = RecordPatchTestRequest {
        valid_until: String::new(),
        tested_on: "2026-06-01".to_owned(),
        ..test_of(WILLOW, &mia.id)
    };
    let later = record_test(&stage, endless).await.unwrap();
    assert_eq!(tests(&stage, WILLOW, &mia.id).await.unwrap(), [later, recorded.clone()]);

    let delete = || DeletePatchTestRequest {
        business_id: WILLOW.to_string(),
        customer_id: mia.id.clone(),
        patch_test_id: recorded.id.clone(),
    };
    for _ in 0..2 {
        stage.customer_records().delete_patch_test(stage.employee_of(WILLOW, delete())).await.unwrap();
    }
    assert_eq!(tests(&stage, WILLOW, &mia.id).await.unwrap().len(), 1);
    let mut told = vec![];
    while told.len() < 3 {
        let event = next(&mut stream).await;
        if let Some(Payload::CustomerRecord(CustomerRecordChanged { record_id, .. })) = event.payload {
            told.push((record_id == recorded.id, event.version));
        }
    }
    assert_eq!(told, [(true, 1), (false, 1), (true, 2)]);
}

#[tokio::test]
async fn formulas_come_newest_first_with_their_visit() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let visit = Uuid::from_u128(7).to_string();
    record_formula(&stage, formula_of(WILLOW, &mia.id, "5/0", "2026-03-01")).await.unwrap();
    let latest = RecordFormulaRequest {
        appointment_id: visit.clone(),
        ..formula_of(WILLOW, &mia.id, "6/0 + 6/7\n20 vol, 35 min", "2026-05-01")
    };
    let latest = record_formula(&stage, latest).await.unwrap();
    record_formula(&stage, formula_of(WILLOW, &mia.id, "4/0", "2026-04-01")).await.unwrap();
    let listed = formulas(&stage, &mia.id).await;
    let texts: Vec<_> = listed.iter().map(|formula| formula.text.as_str()).collect();
    assert_eq!(texts, ["6/0 + 6/7\n20 vol, 35 min", "4/0", "5/0"]);
    assert_eq!(listed[0].appointment_id, visit);
    let delete = DeleteFormulaRequest {
        business_id: WILLOW.to_string(),
        customer_id: mia.id.clone(),
        formula_id: latest.id,
    };
    stage.customer_records().delete_formula(stage.employee_of(WILLOW, delete)).await.unwrap();
    assert_eq!(formulas(&stage, &mia.id).await.len(), 2);
}

#[tokio::test]
async fn every_answer_about_advertising_is_kept_once_with_who_recorded_it() {
    let stage = Stage::open().await;
    employed(&stage).await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    for given in [true, true, false] {
        stage.time.advance(jiff::SignedDuration::from_mins(1));
        let message = RecordMarketingConsentRequest {
            business_id: WILLOW.to_string(),
            customer_id: mia.id.clone(),
            given,
        };
        stage.customers().record_marketing_consent(stage.employee_of(WILLOW, message)).await.unwrap();
    }
    let kept: Vec<_> =
        answers(&stage, &mia.id).await.into_iter().map(|change| (change.given, change.author_name)).collect();
    assert_eq!(kept, [(false, "Sofia".to_owned()), (true, "Sofia".to_owned())]);
}

#[tokio::test]
async fn records_of_a_merged_customer_are_among_those_of_the_one_that_stays() {
    let stage = Stage::open().await;
    let [mia, twin] = [stage.customer(WILLOW, "Mia", "").await, stage.customer(WILLOW, "M. Wong", "").await];
    for customer in [&mia, &twin] {
        record_test(&stage, test_of(WILLOW, &customer.id)).await.unwrap();
        record_formula(&stage, formula_of(WILLOW, &customer.id, "6/0", "2026-05-01")).await.unwrap();
    }
    let merge = MergeCustomersRequest {
        business_id: WILLOW.to_string(),
        customer_id: mia.id.clone(),
        merged_customer_id: twin.id.clone(),
        ..MergeCustomersRequest::default()
    };
    let request = as_user(&stage.host, Role::Manager, WILLOW, merge);
    stage.customer_merges().merge_customers(request).await.unwrap();
    assert_eq!(tests(&stage, WILLOW, &mia.id).await.unwrap().len(), 2);
    assert_eq!(formulas(&stage, &mia.id).await.len(), 2);
}

#[tokio::test]
async fn records_are_of_a_business_and_for_its_staff() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    record_test(&stage, test_of(WILLOW, &mia.id)).await.unwrap();
    assert_refused(tests(&stage, LINDE, &mia.id).await, Reason::NotFound);
    assert_refused(record_test(&stage, test_of(LINDE, &mia.id)).await, Reason::NotFound);
    let formula = formula_of(LINDE, &mia.id, "6/0", "2026-05-01");
    assert_refused(record_formula(&stage, formula).await, Reason::NotFound);
    let guest = as_user(&stage.host, Role::Guest, WILLOW, test_of(WILLOW, &mia.id));
    assert_refused(stage.customer_records().record_patch_test(guest).await, Reason::RoleTooLow);
}

#[tokio::test]
async fn a_malformed_patch_test_is_refused_by_its_field() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let spoilt: [Spoilt<RecordPatchTestRequest>; 6] = [
        ("subject", |request| request.subject = " ".to_owned()),
        ("subject", |request| request.subject = "a".repeat(101)),
        ("tested_on", |request| request.tested_on = "30/05/2026".to_owned()),
        ("tested_on", |request| request.tested_on = String::new()),
        ("valid_until", |request| request.valid_until = "2026-05-29".to_owned()),
        ("result", |request| request.result = 0),
    ];
    for (field, spoil) in spoilt {
        let mut request = test_of(WILLOW, &mia.id);
        spoil(&mut request);
        assert_field_refused(record_test(&stage, request).await, field);
    }
    let empty = formula_of(WILLOW, &mia.id, "", "2026-05-01");
    assert_field_refused(record_formula(&stage, empty).await, "text");
}
