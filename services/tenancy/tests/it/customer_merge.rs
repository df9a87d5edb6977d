//! Two records of one person, made one and two again.

use caller::{BusinessId, IDEMPOTENCY_HEADER, Role};
use proptest::prelude::*;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        tenancy::v1::{
            CreateCustomerNoteRequest, CreateFollowUpRequest, Customer, CustomerMerge, CustomerNote,
            GetCustomerRequest, ListCustomerMergesRequest, ListCustomerNotesRequest, ListCustomersRequest,
            ListFollowUpsRequest, MergeCustomersRequest, MergeCustomersResponse, PreviewCustomerMergeRequest,
            RecordMarketingConsentRequest, UndoCustomerMergeRequest, UpdateCustomerRequest,
        },
    },
};
use testkit::as_user;
use tonic::{Request, Status};

use crate::{
    event::{followed, next},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn manager<T>(stage: &Stage, business: BusinessId, message: T) -> Request<T> {
    as_user(&stage.host, Role::Manager, business, message)
}

fn with_key<T>(mut request: Request<T>, key: &str) -> Request<T> {
    request.metadata_mut().insert(IDEMPOTENCY_HEADER, key.parse().unwrap());
    request
}

fn merging(business: BusinessId, survivor: &str, merged: &str) -> MergeCustomersRequest {
    MergeCustomersRequest {
        business_id: business.to_string(),
        customer_id: survivor.to_owned(),
        merged_customer_id: merged.to_owned(),
        ..MergeCustomersRequest::default()
    }
}

async fn merge(stage: &Stage, survivor: &str, merged: &str) -> Result<MergeCustomersResponse, Status> {
    let request = manager(stage, WILLOW, merging(WILLOW, survivor, merged));
    Ok(stage.customer_merges().merge_customers(request).await?.into_inner())
}

fn undoing(merge: &CustomerMerge) -> UndoCustomerMergeRequest {
    UndoCustomerMergeRequest {
        business_id: WILLOW.to_string(),
        customer_id: merge.customer_id.clone(),
        merge_id: merge.id.clone(),
    }
}

async fn undo(stage: &Stage, merge: &CustomerMerge) -> Result<CustomerMerge, Status> {
    let undone = stage.customer_merges().undo_customer_merge(manager(stage, WILLOW, undoing(merge))).await?;
    Ok(undone.into_inner().merge.unwrap())
}

async fn get(stage: &Stage, id: &str) -> Customer {
    let message = GetCustomerRequest { business_id: WILLOW.to_string(), customer_id: id.to_owned() };
    let response = stage.customers().get_customer(manager(stage, WILLOW, message)).await;
    response.unwrap().into_inner().customer.unwrap()
}

async fn note(stage: &Stage, customer: &str, text: &str) {
    let message = CreateCustomerNoteRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_owned(),
        text: text.to_owned(),
        pinned: false,
    };
    stage.customer_notes().create_customer_note(stage.employee_of(WILLOW, message)).await.unwrap();
}

async fn notes(stage: &Stage, customer: &str) -> Vec<CustomerNote> {
    let message = ListCustomerNotesRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_owned(),
        ..ListCustomerNotesRequest::default()
    };
    let listed = stage.customer_notes().list_customer_notes(stage.employee_of(WILLOW, message)).await;
    listed.unwrap().into_inner().notes
}

async fn texts(stage: &Stage, customer: &str) -> Vec<String> {
    let mut texts: Vec<_> = notes(stage, customer).await.into_iter().map(|note| note.text).collect();
    texts.sort();
    texts
}

async fn listed(stage: &Stage, phone: &str) -> Vec<String> {
    let message = ListCustomersRequest {
        business_id: WILLOW.to_string(),
        phone: phone.to_owned(),
        ..ListCustomersRequest::default()
    };
    let response = stage.customers().list_customers(manager(stage, WILLOW, message)).await.unwrap();
    response.into_inner().customers.into_iter().map(|customer| customer.name).collect()
}

/// Two customers of a business, merged.
pub async fn merged_pair(stage: &Stage, business: BusinessId) {
    let ana = stage.customer(business, "Ana", "").await;
    let twin = stage.customer(business, "A. Prior", "").await;
    let request = manager(stage, business, merging(business, &ana.id, &twin.id));
    stage.customer_merges().merge_customers(request).await.unwrap();
}

/// Ana without a number, and another record of hers with one; each with a note.
async fn twins() -> (Stage, Customer, Customer) {
    let stage = Stage::open().await;
    let ana = stage.try_customer(WILLOW, "Ana Prior", "", "ana@mail.example").await.unwrap();
    let twin = stage.try_customer(WILLOW, "A. Prior", "07700 900 123", "old@mail.example").await.unwrap();
    note(&stage, &ana.id, "Likes tea").await;
    note(&stage, &twin.id, "Allergic to nuts").await;
    (stage, ana, twin)
}

#[tokio::test]
async fn the_one_that_stays_has_what_both_had_and_the_other_leads_to_it() {
    let (stage, ana, twin) = twins().await;
    let consent = RecordMarketingConsentRequest {
        business_id: WILLOW.to_string(),
        customer_id: twin.id.clone(),
        given: true,
    };
    let asked = stage.customers().record_marketing_consent(stage.employee_of(WILLOW, consent)).await;
    let answer = asked.unwrap().into_inner().customer.unwrap().marketing_consent;
    let about_twin = CreateFollowUpRequest {
        business_id: WILLOW.to_string(),
        text: "Call back".to_owned(),
        customer_id: twin.id.clone(),
        ..CreateFollowUpRequest::default()
    };
    stage.follow_ups().create_follow_up(stage.employee_of(WILLOW, about_twin)).await.unwrap();
    let preview = PreviewCustomerMergeRequest {
        business_id: WILLOW.to_string(),
        customer_id: ana.id.clone(),
        merged_customer_id: twin.id.clone(),
    };
    let preview = stage.customer_merges().preview_customer_merge(manager(&stage, WILLOW, preview)).await;
    let preview = preview.unwrap().into_inner();
    assert_eq!(preview.customer, Some(ana.clone()));

    let merged = merge(&stage, &ana.id, &twin.id).await.unwrap();
    let survivor = get(&stage, &ana.id).await;
    assert_eq!((Some(survivor.clone()), Some(survivor.clone())), (merged.customer, preview.combined));
    assert_eq!(
        (
            survivor.name.as_str(),
            survivor.phone.as_str(),
            survivor.email.as_str(),
            survivor.marketing_consent
        ),
        ("Ana Prior", "+447700900123", "ana@mail.example", answer)
    );
    assert_eq!(get(&stage, &twin.id).await.merged_into, ana.id);
    assert_eq!(texts(&stage, &ana.id).await, ["Allergic to nuts", "Likes tea"]);
    assert_eq!(listed(&stage, "").await, ["Ana Prior"]);
    assert_eq!(listed(&stage, "07700 900 123").await, ["Ana Prior"]);
    let list = ListFollowUpsRequest { business_id: WILLOW.to_string(), ..ListFollowUpsRequest::default() };
    let open = stage.follow_ups().list_follow_ups(manager(&stage, WILLOW, list)).await.unwrap().into_inner();
    let about: Vec<_> =
        open.follow_ups.iter().map(|one| (&one.customer_id, one.customer_name.as_str())).collect();
    assert_eq!(about, [(&ana.id, "Ana Prior")]);
    let merge = merged.merge.unwrap();
    assert_eq!((merge.merged_name.as_str(), merge.undone_at), ("A. Prior", None));
    let list = ListCustomerMergesRequest { business_id: WILLOW.to_string(), customer_id: ana.id.clone() };
    let merges = stage.customer_merges().list_customer_merges(manager(&stage, WILLOW, list)).await.unwrap();
    assert_eq!(merges.into_inner().merges, [merge]);
}

#[tokio::test]
async fn undoing_it_restores_both_and_happens_once() {
    let (stage, ana, twin) = twins().await;
    let merged = merge(&stage, &ana.id, &twin.id).await.unwrap().merge.unwrap();
    let undone = undo(&stage, &merged).await.unwrap();
    assert!(undone.undone_by.starts_with("user:"), "{undone:?}");
    assert_eq!(unversioned(get(&stage, &ana.id).await), unversioned(ana.clone()));
    assert_eq!(unversioned(get(&stage, &twin.id).await), unversioned(twin.clone()));
    assert_eq!(texts(&stage, &ana.id).await, ["Likes tea"]);
    assert_eq!(texts(&stage, &twin.id).await, ["Allergic to nuts"]);
    assert_eq!(listed(&stage, "07700 900 123").await, ["A. Prior"]);
    assert_eq!(undo(&stage, &merged).await.unwrap(), undone, "again, it stays so");
    let again = merge(&stage, &ana.id, &twin.id).await.unwrap().merge.unwrap();
    assert_ne!(again.id, merged.id);
}

#[tokio::test]
async fn a_merge_cannot_be_undone_later_than_ten_minutes_or_after_a_change() {
    let (stage, ana, twin) = twins().await;
    let merged = merge(&stage, &ana.id, &twin.id).await.unwrap().merge.unwrap();
    let rename = |id: &str, name: &str| UpdateCustomerRequest {
        business_id: WILLOW.to_string(),
        customer_id: id.to_owned(),
        name: name.to_owned(),
        ..UpdateCustomerRequest::default()
    };
    let before = get(&stage, &ana.id).await;
    stage.customers().update_customer(manager(&stage, WILLOW, rename(&ana.id, "Anna Prior"))).await.unwrap();
    assert_refused(undo(&stage, &merged).await, Reason::WrongState);
    let back =
        UpdateCustomerRequest { phone: before.phone, email: before.email, ..rename(&ana.id, &before.name) };
    stage.customers().update_customer(manager(&stage, WILLOW, back)).await.unwrap();
    let refused = stage.customers().update_customer(manager(&stage, WILLOW, rename(&twin.id, "Twin"))).await;
    assert_refused(refused, Reason::WrongState);
    stage.time.advance(jiff::SignedDuration::from_mins(10));
    undo(&stage, &merged).await.unwrap();

    let merged = merge(&stage, &ana.id, &twin.id).await.unwrap().merge.unwrap();
    stage.time.advance(jiff::SignedDuration::from_mins(10) + jiff::SignedDuration::from_millis(1));
    assert_refused(undo(&stage, &merged).await, Reason::WrongState);
    assert_eq!(get(&stage, &twin.id).await.merged_into, ana.id);
}

#[tokio::test]
async fn a_repeated_merge_is_the_first_one_and_a_stale_or_impossible_one_is_refused() {
    let (stage, ana, twin) = twins().await;
    let stale = MergeCustomersRequest { merged_version: 7, ..merging(WILLOW, &ana.id, &twin.id) };
    let refused = stage.customer_merges().merge_customers(manager(&stage, WILLOW, stale)).await;
    assert_refused(refused, Reason::Stale);
    assert_field_refused(merge(&stage, &ana.id, &ana.id).await, "merged_customer_id");
    let keyed = || with_key(manager(&stage, WILLOW, merging(WILLOW, &ana.id, &twin.id)), "k1");
    let first = stage.customer_merges().merge_customers(keyed()).await.unwrap().into_inner();
    let second = stage.customer_merges().merge_customers(keyed()).await.unwrap().into_inner();
    assert_eq!(first, second);
    assert_eq!(merge(&stage, &ana.id, &twin.id).await.unwrap().merge, first.merge);
    assert_eq!(stage.count("SELECT count(*) FROM customer_merge").await, 1);
    let ben = stage.customer(WILLOW, "Ben", "").await;
    assert_refused(merge(&stage, &ben.id, &twin.id).await, Reason::WrongState);
    assert_refused(merge(&stage, &twin.id, &ben.id).await, Reason::WrongState);
}

#[tokio::test]
async fn employees_do_not_merge_and_nothing_of_another_business_is_merged() {
    let (stage, ana, twin) = twins().await;
    let request = || merging(WILLOW, &ana.id, &twin.id);
    let refused = stage.customer_merges().merge_customers(stage.employee_of(WILLOW, request())).await;
    assert_refused(refused, Reason::RoleTooLow);
    let bertha = stage.customer(LINDE, "Bertha", "").await;
    assert_refused(merge(&stage, &ana.id, &bertha.id).await, Reason::NotFound);
    assert_refused(merge(&stage, &bertha.id, &ana.id).await, Reason::NotFound);
    let foreign = stage.customer_merges().merge_customers(manager(&stage, LINDE, request())).await;
    assert_refused(foreign, Reason::NotFound);
    let merged = merge(&stage, &ana.id, &twin.id).await.unwrap().merge.unwrap();
    let undone =
        stage.customer_merges().undo_customer_merge(stage.employee_of(WILLOW, undoing(&merged))).await;
    assert_refused(undone, Reason::RoleTooLow);
}

#[tokio::test]
async fn followers_hear_of_the_one_that_stays_before_its_parts() {
    let (stage, ana, twin) = twins().await;
    let mut stream = followed(&stage).await;
    merge(&stage, &ana.id, &twin.id).await.unwrap();
    let mut told = vec![];
    while told.len() < 4 {
        if let Some(Payload::Customer(customer)) = next(&mut stream).await.payload {
            told.push((customer.name, customer.merged_into));
        }
    }
    let told: Vec<_> = told.iter().map(|(name, whole)| (name.as_str(), whole.as_str())).collect();
    assert_eq!(told, [("Ana Prior", ""), ("A. Prior", ""), ("Ana Prior", ""), ("A. Prior", &ana.id)]);
}

fn unversioned(customer: Customer) -> Customer {
    Customer { version: 0, ..customer }
}

/// What happens to one of four customers.
#[derive(Debug, Clone, Copy)]
enum Step {
    Merge(usize, usize),
    /// The latest merge that stands.
    Undo,
    Note(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..4_usize, 0..4_usize).prop_map(|(survivor, merged)| Step::Merge(survivor, merged)),
        2 => Just(Step::Undo),
        1 => (0..4_usize).prop_map(Step::Note),
    ]
}

/// All that is known of the customers, but for how often they changed.
async fn picture(stage: &Stage, ids: &[String]) -> Vec<(Customer, Vec<String>)> {
    let mut picture = vec![];
    for id in ids {
        picture.push((unversioned(get(stage, id).await), texts(stage, id).await));
    }
    picture
}

/// A customer with what they have.
type Standing = (Customer, Vec<String>);

/// Random merges, undone in reverse: after each undoing all is as it was before that merge, and notes that were
/// written meanwhile stay with the record they were written to.
async fn run(steps: Vec<Step>) {
    let stage = Stage::open().await;
    let mut ids = vec![];
    for (name, phone, email) in [
        ("Ana", "", "ana@mail.example"),
        ("Ben", "07700 900 111", ""),
        ("Cleo", "07700 900 222", "cleo@mail.example"),
        ("Dina", "", ""),
    ] {
        ids.push(stage.try_customer(WILLOW, name, phone, email).await.unwrap().id);
    }
    let mut standing: Vec<(CustomerMerge, Vec<Standing>)> = vec![];
    let mut written = 0;
    for step in steps {
        match step {
            Step::Note(of) => {
                written += 1;
                note(&stage, &ids[of], &format!("note {written}")).await;
                // What was written since is no part of what a merge changed.
                for (_, before) in &mut standing {
                    before.clear();
                }
            }
            Step::Merge(survivor, merged) => {
                let before = picture(&stage, &ids).await;
                let possible = survivor != merged
                    && before[survivor].0.merged_into.is_empty()
                    && before[merged].0.merged_into.is_empty();
                match merge(&stage, &ids[survivor], &ids[merged]).await {
                    Ok(done) if possible => standing.push((done.merge.unwrap(), before)),
                    Ok(_) => assert_eq!(before[merged].0.merged_into, ids[survivor], "merged already"),
                    Err(_) => assert!(!possible),
                }
            }
            Step::Undo => {
                let Some((merge, before)) = standing.pop() else { continue };
                undo(&stage, &merge).await.unwrap();
                if !before.is_empty() {
                    assert_eq!(picture(&stage, &ids).await, before);
                }
            }
        }
    }
    let wholes = listed(&stage, "").await.len();
    assert_eq!(wholes, 4 - standing.len(), "each merge leaves one customer fewer");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn merges_undone_in_reverse_leave_everything_as_it_was(steps in prop::collection::vec(step(), 1..12)) {
        tokio::runtime::Runtime::new().unwrap().block_on(run(steps));
    }
}
