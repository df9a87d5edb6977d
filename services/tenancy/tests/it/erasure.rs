//! Customers who are erased: what goes, what stays, and how the services that keep something of them are asked.

use std::sync::Arc;

use cache::Cache;
use caller::{BusinessId, InstallationScope};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        auth::internal::v1::FoundMember,
        erasure::internal::v1::{ErasePersonResponse, KnownRecord},
        tenancy::v1::{
            ColumnMapping, CreateCustomerNoteRequest, CreateFollowUpRequest, DateOrder, EraseCustomerRequest,
            Erasure, GetCustomerRequest, GetErasureRequest, ImportKind, ImportLineState, ImportState,
            ListCustomerNotesRequest, ListCustomersRequest, ListOpenErasuresRequest,
            ListOpenErasuresResponse, MergeCustomersRequest, UpdateCustomerRequest,
        },
    },
};
use tenancy::store::Store;
use tonic::Status;
use uuid::Uuid;

use crate::{
    customer_export,
    holders::Holders,
    import::imports,
    stage::{LINDE, Stage, WILLOW, assert_refused},
};

const PHONE: &str = "+442079460018";
const VISIT: &str = "01900000-0000-7000-8000-00000000a001";
const CALL: &str = "01900000-0000-7000-8000-00000000c001";

/// A manager has a customer erased.
pub async fn erase(stage: &Stage, business: BusinessId, customer_id: &str) -> Result<Erasure, Status> {
    let message =
        EraseCustomerRequest { business_id: business.to_string(), customer_id: customer_id.to_owned() };
    let answer = stage.erasures().erase_customer(stage.manager_of(business, message)).await?;
    Ok(answer.into_inner().erasure.unwrap())
}

async fn erasure(stage: &Stage, customer_id: &str) -> Option<Erasure> {
    let message = GetErasureRequest { business_id: WILLOW.to_string(), customer_id: customer_id.to_owned() };
    let answer = stage.erasures().get_erasure(stage.employee_of(WILLOW, message)).await;
    answer.unwrap().into_inner().erasure
}

async fn until(stage: &Stage, customer_id: &str, is: impl Fn(&Erasure) -> bool) -> Erasure {
    loop {
        let erasure = erasure(stage, customer_id).await.unwrap();
        if is(&erasure) {
            return erasure;
        }
        // What waits is looked at again a second later.
        stage.time.advance(SignedDuration::from_secs(1));
        tokio::task::yield_now().await;
    }
}

async fn note(stage: &Stage, customer_id: &str, text: &str) -> Result<(), Status> {
    let message = CreateCustomerNoteRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer_id.to_owned(),
        text: text.to_owned(),
        pinned: false,
    };
    stage.customer_notes().create_customer_note(stage.employee_of(WILLOW, message)).await.map(drop)
}

async fn follow_up(
    stage: &Stage,
    text: &str,
    customer_id: &str,
    phone: &str,
    call_id: &str,
) -> Result<(), Status> {
    let message = CreateFollowUpRequest {
        business_id: WILLOW.to_string(),
        text: text.to_owned(),
        customer_id: customer_id.to_owned(),
        phone: phone.to_owned(),
        call_id: call_id.to_owned(),
        ..Default::default()
    };
    stage.follow_ups().create_follow_up(stage.employee_of(WILLOW, message)).await.map(drop)
}

/// A service's answer that it has erased `records` records.
fn erased(records: i32) -> ErasePersonResponse {
    ErasePersonResponse { record_count: records, ..Default::default() }
}

#[tokio::test]
async fn each_holder_is_asked_with_what_the_earlier_ones_answered() {
    let holders = Arc::<Holders>::default();
    let stage = Stage::holding(&holders).await;
    let ana = stage.try_customer(WILLOW, "Ana Prior", PHONE, "ana@example.com").await.unwrap();
    holders.answer("telemetry", Some(ErasePersonResponse { call_ids: vec![CALL.to_owned()], ..erased(1) }));
    let visit = KnownRecord { id: VISIT.to_owned(), version: 7 };
    let answer = ErasePersonResponse { visits: vec![visit.clone()], cancelled_count: 2, ..erased(4) };
    holders.answer("scheduling", Some(answer));
    follow_up(&stage, "Asked about colours", "", "", CALL).await.unwrap();
    follow_up(&stage, "Of someone else", "", "", VISIT).await.unwrap();

    let begun = erase(&stage, WILLOW, &ana.id).await.unwrap();
    assert_eq!((begun.holders.len(), &begun.finished_at), (4, &None));
    let done = until(&stage, &ana.id, |erasure| erasure.finished_at.is_some()).await;
    assert_eq!(done.cancelled_visit_count, 2);
    let counts: Vec<_> = done.holders.iter().map(|one| (one.service.as_str(), one.record_count)).collect();
    assert_eq!(counts, [("tenancy", 1), ("telemetry", 1), ("scheduling", 4), ("calendar-sync", 0)]);

    let asked = holders.asked();
    let services: Vec<_> = asked.iter().map(|(service, _)| *service).collect();
    assert_eq!(services, ["telemetry", "scheduling", "calendar-sync"]);
    for (service, request) in &asked {
        assert_eq!(request.customers, [KnownRecord { id: ana.id.clone(), version: 2 }], "{service}");
        let person = (&request.names[..], &request.phones[..], &request.emails[..]);
        assert_eq!(
            person,
            (&["Ana Prior".to_owned()][..], &[PHONE.to_owned()][..], &["ana@example.com".to_owned()][..])
        );
    }
    assert_eq!(asked[1].1.call_ids, [CALL]);
    assert_eq!(asked[2].1.visits, [visit]);
    assert_eq!(stage.count("SELECT count(*) FROM follow_up").await, 1, "what was said in the call is gone");
    let left =
        "SELECT count(*) FROM customer_erasure WHERE names <> '{}' OR phones <> '{}' OR emails <> '{}'";
    assert_eq!(stage.count(left).await, 0, "nobody is asked any more");
}

#[tokio::test]
async fn a_holder_that_waits_or_is_away_is_shown_and_asked_again() {
    let holders = Arc::<Holders>::default();
    let stage = Stage::holding(&holders).await;
    let ana = stage.try_customer(WILLOW, "Ana", PHONE, "").await.unwrap();
    holders.answer("telemetry", None);
    let waiting = ErasePersonResponse { waiting_for: "3 entries".to_owned(), ..Default::default() };
    holders.answer("calendar-sync", Some(waiting));
    erase(&stage, WILLOW, &ana.id).await.unwrap();
    let waits = |service: &'static str, text: &'static str| {
        move |erasure: &Erasure| {
            erasure.holders.iter().any(|one| one.service == service && one.waiting_for == text)
        }
    };
    let away = until(&stage, &ana.id, waits("telemetry", "telemetry to answer")).await;
    assert!(away.holders[0].confirmed_at.is_some() && away.holders[2].confirmed_at.is_none());
    holders.answer("telemetry", Some(erased(0)));
    let slow = until(&stage, &ana.id, waits("calendar-sync", "3 entries")).await;
    assert!(slow.holders[2].confirmed_at.is_some() && slow.finished_at.is_none());
    holders.answer("calendar-sync", Some(erased(3)));
    let done = until(&stage, &ana.id, |erasure| erasure.finished_at.is_some()).await;
    assert!(done.holders.iter().all(|one| one.waiting_for.is_empty()));
}

async fn open(stage: &Stage, page_token: &str) -> ListOpenErasuresResponse {
    let message = ListOpenErasuresRequest {
        business_id: WILLOW.to_string(),
        page_size: 1,
        page_token: page_token.to_owned(),
    };
    let answer = stage.erasures().list_open_erasures(stage.manager_of(WILLOW, message)).await;
    answer.unwrap().into_inner()
}

#[tokio::test]
async fn erasures_that_have_not_ended_are_listed_the_earliest_first_and_late_after_an_hour() {
    let holders = Arc::<Holders>::default();
    let stage = Stage::holding(&holders).await;
    let waiting = ErasePersonResponse { waiting_for: "3 entries".to_owned(), ..Default::default() };
    holders.answer("calendar-sync", Some(waiting));
    let waits = |erasure: &Erasure| erasure.holders[3].waiting_for == "3 entries";
    let (ana, ben) = (stage.customer(WILLOW, "Ana", "").await, stage.customer(WILLOW, "Ben", "").await);
    erase(&stage, WILLOW, &ana.id).await.unwrap();
    until(&stage, &ana.id, waits).await;
    stage.time.advance(SignedDuration::from_mins(61));
    erase(&stage, WILLOW, &ben.id).await.unwrap();
    until(&stage, &ben.id, waits).await;
    // A holder that was being asked while the hour passed refused the passport, and is asked again.
    until(&stage, &ana.id, waits).await;

    let first = open(&stage, "").await;
    let second = open(&stage, &first.next_page_token).await;
    assert_eq!(second.next_page_token, "");
    let listed: Vec<_> = [&first, &second].iter().flat_map(|page| &page.erasures).collect();
    let told: Vec<_> = listed.iter().map(|one| (one.customer_id.as_str(), one.late)).collect();
    assert_eq!(told, [(ana.id.as_str(), true), (ben.id.as_str(), false)]);
    assert!(listed.iter().all(|one| waits(one)), "what they wait for is said");

    let store = Store::new(stage.database.connect(&stage.host).await, Cache::open(&stage.host));
    let overdue = async || {
        let tx = store.begin_installation(&InstallationScope::worker("test"));
        tx.open_erasures_from_before(tx.now() - SignedDuration::from_hours(24)).await.unwrap()
    };
    assert_eq!(overdue().await, 0);
    stage.time.advance(SignedDuration::from_mins(23 * 60));
    assert_eq!(overdue().await, 1, "one began more than a day ago");

    holders.answer("calendar-sync", Some(erased(3)));
    for customer in [&ana, &ben] {
        until(&stage, &customer.id, |erasure| erasure.finished_at.is_some()).await;
    }
    assert_eq!((open(&stage, "").await.erasures, overdue().await), (vec![], 0));
}

#[tokio::test]
async fn what_is_kept_with_a_customer_goes_at_once_and_what_is_of_others_stays() {
    let holders = Arc::<Holders>::default();
    let stage = Stage::holding(&holders).await;
    let ana = stage.try_customer(WILLOW, "Ana Prior", PHONE, "ana@example.com").await.unwrap();
    let twin = stage.try_customer(WILLOW, "A. Prior", "", "a.prior@example.com").await.unwrap();
    let tom = stage.try_customer(WILLOW, "Tom", PHONE, "").await.unwrap();
    note(&stage, &ana.id, "Ana is allergic").await.unwrap();
    note(&stage, &twin.id, "A. likes tea").await.unwrap();
    note(&stage, &tom.id, "Tom is quiet").await.unwrap();
    follow_up(&stage, "Call Ana", &ana.id, "", "").await.unwrap();
    follow_up(&stage, "Call back", "", PHONE, "").await.unwrap();
    follow_up(&stage, "Call Tom", &tom.id, PHONE, "").await.unwrap();
    let merge = MergeCustomersRequest {
        business_id: WILLOW.to_string(),
        customer_id: ana.id.clone(),
        merged_customer_id: twin.id.clone(),
        ..Default::default()
    };
    stage.customer_merges().merge_customers(stage.manager_of(WILLOW, merge)).await.unwrap();

    assert_refused(erase(&stage, WILLOW, &twin.id).await, Reason::WrongState);
    erase(&stage, WILLOW, &ana.id).await.unwrap();
    let get = GetCustomerRequest { business_id: WILLOW.to_string(), customer_id: ana.id.clone() };
    let shown = stage.customers().get_customer(stage.employee_of(WILLOW, get)).await.unwrap().into_inner();
    let shown = shown.customer.unwrap();
    let left = (shown.name.as_str(), shown.phone.as_str(), shown.email.as_str());
    assert_eq!((left, shown.erased_at.is_some()), (("Erased customer", "", ""), true));
    let list = ListCustomersRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let listed =
        stage.customers().list_customers(stage.employee_of(WILLOW, list)).await.unwrap().into_inner();
    assert_eq!(listed.customers.iter().map(|one| &one.id).collect::<Vec<_>>(), [&tom.id]);
    for (table, rows) in [("customer_note", 1), ("follow_up", 1)] {
        assert_eq!(stage.count(&format!("SELECT count(*) FROM {table}")).await, rows, "{table}");
    }
    for text in ["Ana", "A. Prior", "a.prior", "allergic", "likes tea", "Call Ana", "Call back"] {
        let entries =
            format!("SELECT count(*) FROM change_entry WHERE concat(before, after) LIKE '%{text}%'");
        assert_eq!(stage.count(&entries).await, 0, "{text} is left in the changes");
    }
    let told =
        "SELECT count(*) FROM change_entry WHERE before ->> 'name' = 'erased' AND action = 'EraseCustomer'";
    assert_eq!(stage.count(told).await, 2, "who erased whom is on record");
    assert!(stage.count("SELECT count(*) FROM change_entry WHERE after ->> 'name' = 'Tom'").await > 0);

    // Nothing new is kept of a person who was erased.
    assert_refused(note(&stage, &ana.id, "again").await, Reason::WrongState);
    assert_refused(follow_up(&stage, "again", &ana.id, "", "").await, Reason::WrongState);
    let update = UpdateCustomerRequest {
        business_id: WILLOW.to_string(),
        customer_id: ana.id.clone(),
        name: "Ana".to_owned(),
        ..Default::default()
    };
    let updated = stage.customers().update_customer(stage.employee_of(WILLOW, update)).await;
    assert_refused(updated, Reason::WrongState);
    until(&stage, &ana.id, |erasure| erasure.finished_at.is_some()).await;
    let events = format!("SELECT count(*) FROM outbox WHERE aggregate_id = '{}'", ana.id);
    assert_eq!(stage.count(&events).await, 1, "the last event alone is left in the log");
    let again = erase(&stage, WILLOW, &ana.id).await.unwrap();
    assert!(again.finished_at.is_some(), "once is enough");
}

#[tokio::test]
async fn imported_appointments_of_a_customer_lose_their_cells() {
    let stage = Stage::open().await;
    let ana = stage.try_customer(WILLOW, "Ana Prior", PHONE, "ana@example.com").await.unwrap();
    stage.customer(WILLOW, "Tom Ash", "").await;
    let imports = imports(&stage, WILLOW);
    let table = "reference,start,employee,service,client,mobile,notes\n\
        1,2026-06-02 09:00,Mia,Cut,Ana Prior,020 7946 0018,Allergic\n\
        2,2026-06-02 10:00,Mia,Cut,Tom Ash,,Quiet\n";
    let checked = imports.checked(ImportKind::Appointments, table).await;
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, ImportState::Done).await;
    assert_eq!((done.imported_count, done.failed_count), (2, 0));

    erase(&stage, WILLOW, &ana.id).await.unwrap();
    until(&stage, &ana.id, |erasure| erasure.holders[0].confirmed_at.is_some()).await;
    let lines = imports.lines(&done.id, ImportLineState::Imported).await;
    assert_eq!((lines.len(), lines[0].cells.is_empty()), (2, true), "{lines:?}");
    assert!(lines[1].cells.contains(&"Quiet".to_owned()), "the line of another customer stays");
    assert_eq!(stage.count("SELECT count(*) FROM import_line WHERE cells::text LIKE '%Allergic%'").await, 0);
}

#[tokio::test]
async fn a_customer_who_is_a_member_as_well_is_erased_from_a_list_of_employees() {
    let stage = Stage::open().await;
    let ana = stage.try_customer(WILLOW, "Ana Prior", PHONE, "ana@example.com").await.unwrap();
    let member = FoundMember {
        user_id: Uuid::from_u128(1).to_string(),
        name: "Ana Prior".to_owned(),
        role: "EMPLOYEE".to_owned(),
        disabled: false,
    };
    stage.onboarding.is_member("ana@example.com", member);
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Employees, "name,email\nAna,ana@example.com\n").await;
    assert_eq!(imports.lines(&checked.id, ImportLineState::Good).await[0].linked_to, "Ana Prior");
    erase(&stage, WILLOW, &ana.id).await.unwrap();
    until(&stage, &ana.id, |erasure| erasure.holders[0].confirmed_at.is_some()).await;
    let line = imports.lines(&checked.id, ImportLineState::Good).await.remove(0);
    assert_eq!((line.cells.is_empty(), line.linked_to.as_str()), (true, ""));
}

#[tokio::test]
async fn a_person_whose_line_was_read_as_headings_is_erased_from_them() {
    let stage = Stage::open().await;
    let ana = stage.try_customer(WILLOW, "Ana Prior", PHONE, "ana@example.com").await.unwrap();
    let imports = imports(&stage, WILLOW);
    let (id, _) = imports.previewed(ImportKind::Customers, "Ana Prior,020 7946 0018\nTom Ash,\n", None).await;
    let fields = ["name", "phone"].map(ToOwned::to_owned).to_vec();
    let mapping = Some(ColumnMapping { fields, no_headings: false });
    imports.check_as(&id, mapping, DateOrder::Unspecified).await.unwrap();
    erase(&stage, WILLOW, &ana.id).await.unwrap();
    until(&stage, &ana.id, |erasure| erasure.holders[0].confirmed_at.is_some()).await;
    assert!(imports.whole(&id).await.table_columns.is_empty());
}

#[tokio::test]
async fn a_table_that_is_called_by_a_persons_name_loses_it() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana Prior", "").await;
    let imports = imports(&stage, WILLOW);
    let (named, other) =
        (imports.begin(ImportKind::Customers).await, imports.begin(ImportKind::Customers).await);
    let rename = format!("UPDATE import SET file_name = 'ana-prior_2026.csv' WHERE id = '{named}'");
    sqlx::query(sqlx::AssertSqlSafe(rename)).execute(&mut stage.superuser().await).await.unwrap();
    erase(&stage, WILLOW, &ana.id).await.unwrap();
    until(&stage, &ana.id, |erasure| erasure.holders[0].confirmed_at.is_some()).await;
    assert_eq!(imports.get(&named).await.file_name, "");
    assert_eq!(imports.get(&other).await.file_name, "table.csv");
}

#[tokio::test]
async fn the_log_keeps_the_news_of_an_export_until_it_is_mailed_and_no_longer() {
    let holders = Arc::<Holders>::default();
    let stage = Stage::holding(&holders).await;
    let ana = stage.customer(WILLOW, "Ana Prior", "").await;
    customer_export::begin(&stage, WILLOW, &ana.id).await.unwrap();
    erase(&stage, WILLOW, &ana.id).await.unwrap();
    let letter = "the letter to the owners about an export";
    until(&stage, &ana.id, |erasure| erasure.holders[0].waiting_for == letter).await;
    let named = "SELECT count(*) FROM outbox WHERE encode(event, 'escape') LIKE '%Ana Prior%'";
    assert_eq!(stage.count(named).await, 1, "the owners are told");
    let done = until(&stage, &ana.id, |erasure| erasure.finished_at.is_some()).await;
    assert!(done.holders[0].confirmed_at.is_some());
    assert_eq!(stage.count(named).await, 0);
}

#[tokio::test]
async fn only_managers_of_the_business_erase_and_one_who_was_not_erased_says_so() {
    let holders = Arc::<Holders>::default();
    let stage = Stage::holding(&holders).await;
    let ana = stage.customer(WILLOW, "Ana", "").await;
    let message = |business: BusinessId| EraseCustomerRequest {
        business_id: business.to_string(),
        customer_id: ana.id.clone(),
    };
    let employee = stage.erasures().erase_customer(stage.employee_of(WILLOW, message(WILLOW))).await;
    assert_refused(employee, Reason::RoleTooLow);
    let other = stage.erasures().erase_customer(stage.manager_of(LINDE, message(LINDE))).await;
    assert_refused(other, Reason::NotFound);
    assert_eq!(erasure(&stage, &ana.id).await, None);
    let list = |business: BusinessId| ListOpenErasuresRequest {
        business_id: business.to_string(),
        ..Default::default()
    };
    let employee = stage.erasures().list_open_erasures(stage.employee_of(WILLOW, list(WILLOW))).await;
    assert_refused(employee, Reason::RoleTooLow);
    holders.answer("telemetry", None);
    erase(&stage, WILLOW, &stage.customer(WILLOW, "Tom", "").await.id).await.unwrap();
    let theirs = stage.erasures().list_open_erasures(stage.manager_of(LINDE, list(LINDE))).await;
    assert_eq!(theirs.unwrap().into_inner().erasures, []);
    let notes = ListCustomerNotesRequest {
        business_id: WILLOW.to_string(),
        customer_id: ana.id.clone(),
        ..Default::default()
    };
    stage.customer_notes().list_customer_notes(stage.employee_of(WILLOW, notes)).await.unwrap();
}
