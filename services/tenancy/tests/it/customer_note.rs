//! Notes about customers.

use caller::{BusinessId, IDEMPOTENCY_HEADER, Role, UserId};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::{CustomerNoteChanged, event::Payload},
        tenancy::v1::{
            CreateCustomerNoteRequest, CreateEmployeeRequest, CustomerNote, DeleteCustomerNoteRequest,
            GetPinnedNotesRequest, ListCustomerNotesRequest, UpdateCustomerNoteRequest,
        },
    },
    time::to_proto,
};
use testkit::{SESSION, as_agent, as_person, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    event::{followed, next},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn about(business: BusinessId, customer: &str, text: &str) -> CreateCustomerNoteRequest {
    CreateCustomerNoteRequest {
        business_id: business.to_string(),
        customer_id: customer.to_owned(),
        text: text.to_owned(),
        pinned: false,
    }
}

async fn write(stage: &Stage, message: CreateCustomerNoteRequest) -> Result<CustomerNote, Status> {
    let business = BusinessId(message.business_id.parse().unwrap());
    let response = stage.customer_notes().create_customer_note(stage.employee_of(business, message)).await?;
    Ok(response.into_inner().note.unwrap())
}

/// A note about a new customer.
pub async fn noted(stage: &Stage, business: BusinessId) -> CustomerNote {
    let customer = stage.customer(business, "Mia", "").await;
    write(stage, about(business, &customer.id, "Allergic to nuts")).await.unwrap()
}

fn change(note: &CustomerNote) -> UpdateCustomerNoteRequest {
    UpdateCustomerNoteRequest {
        business_id: WILLOW.to_string(),
        customer_id: note.customer_id.clone(),
        note_id: note.id.clone(),
        text: note.text.clone(),
        pinned: note.pinned,
        version: note.version,
    }
}

async fn update(stage: &Stage, message: UpdateCustomerNoteRequest) -> Result<CustomerNote, Status> {
    let response = stage.customer_notes().update_customer_note(stage.employee_of(WILLOW, message)).await?;
    Ok(response.into_inner().note.unwrap())
}

async fn delete(stage: &Stage, business: BusinessId, note: &CustomerNote) -> Result<(), Status> {
    let message = DeleteCustomerNoteRequest {
        business_id: business.to_string(),
        customer_id: note.customer_id.clone(),
        note_id: note.id.clone(),
    };
    stage.customer_notes().delete_customer_note(stage.employee_of(business, message)).await.map(drop)
}

fn list(customer: &str, page_token: &str) -> ListCustomerNotesRequest {
    ListCustomerNotesRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_owned(),
        page_size: 2,
        page_token: page_token.to_owned(),
    }
}

async fn notes(stage: &Stage, customer: &str) -> Vec<CustomerNote> {
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = stage.employee_of(WILLOW, list(customer, &token));
        let page = stage.customer_notes().list_customer_notes(request).await.unwrap().into_inner();
        seen.extend(page.notes);
        token = page.next_page_token;
        if token.is_empty() {
            return seen;
        }
    }
}

async fn texts(stage: &Stage, customer: &str) -> Vec<String> {
    notes(stage, customer).await.into_iter().map(|note| note.text).collect()
}

#[tokio::test]
async fn pinned_notes_come_first_then_the_latest_a_page_at_a_time() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    for (text, pinned) in
        [("first", false), ("pinned", true), ("second", false), ("pinned later", true), ("third", false)]
    {
        write(&stage, CreateCustomerNoteRequest { pinned, ..about(WILLOW, &mia.id, text) }).await.unwrap();
        stage.time.advance(SignedDuration::from_secs(1));
    }
    noted(&stage, WILLOW).await;
    assert_eq!(texts(&stage, &mia.id).await, ["pinned later", "pinned", "third", "second", "first"]);
}

#[tokio::test]
async fn the_pinned_notes_of_several_customers_are_read_at_once() {
    let stage = Stage::open().await;
    let [mia, ben, zoe] = [
        stage.customer(WILLOW, "Mia", "").await,
        stage.customer(WILLOW, "Ben", "").await,
        stage.customer(WILLOW, "Zoe", "").await,
    ];
    let theirs = stage.customer(LINDE, "Lea", "").await;
    for (business, customer, text, pinned) in [
        (WILLOW, &mia.id, "Allergic to nuts", true),
        (WILLOW, &mia.id, "Likes tea", false),
        (WILLOW, &zoe.id, "Deaf in one ear", true),
        (LINDE, &theirs.id, "Allergic to henna", true),
        (WILLOW, &mia.id, "Faints at needles", true),
    ] {
        write(&stage, CreateCustomerNoteRequest { pinned, ..about(business, customer, text) }).await.unwrap();
        stage.time.advance(SignedDuration::from_secs(1));
    }
    let pinned = async |customers: &[&str]| {
        let customer_ids = customers.iter().map(|id| (*id).to_owned()).collect();
        let request = GetPinnedNotesRequest { business_id: WILLOW.to_string(), customer_ids };
        Ok::<_, Status>(
            stage.customer_notes().get_pinned_notes(stage.employee_of(WILLOW, request)).await?.into_inner(),
        )
    };
    let found = pinned(&[&zoe.id, &ben.id, &theirs.id, &mia.id]).await.unwrap().customers;
    let told: Vec<_> = found.iter().map(|one| (one.customer_id.as_str(), one.texts.clone())).collect();
    assert_eq!(
        told,
        [
            (zoe.id.as_str(), vec!["Deaf in one ear".to_owned()]),
            (mia.id.as_str(), vec!["Faints at needles".to_owned(), "Allergic to nuts".to_owned()]),
        ]
    );
    assert_field_refused(pinned(&[]).await, "customer_ids");
}

#[tokio::test]
async fn a_note_says_who_wrote_it_and_when() {
    let stage = Stage::open().await;
    let note = noted(&stage, WILLOW).await;
    let by = format!("user:{}", testkit::USER);
    assert_eq!((note.created_by.as_str(), note.author_name.as_str()), (by.as_str(), ""));
    assert_eq!(note.created_at, Some(to_proto(stage.host.clock.now())));
    let sofia = CreateEmployeeRequest {
        business_id: WILLOW.to_string(),
        name: "Sofia".to_owned(),
        user_id: testkit::USER.to_string(),
        ..CreateEmployeeRequest::default()
    };
    stage.employees().create_employee(stage.owner_of(WILLOW, sofia)).await.unwrap();
    assert_eq!(
        notes(&stage, &note.customer_id).await,
        [CustomerNote { author_name: "Sofia".to_owned(), ..note }]
    );
}

#[tokio::test]
async fn a_note_is_rewritten_pinned_and_deleted() {
    let stage = Stage::open().await;
    let note = noted(&stage, WILLOW).await;
    let pinned = update(&stage, UpdateCustomerNoteRequest { pinned: true, ..change(&note) }).await.unwrap();
    assert_eq!((pinned.pinned, pinned.version), (true, 2));
    assert_refused(update(&stage, change(&note)).await, Reason::Stale);
    assert_eq!(update(&stage, change(&pinned)).await.unwrap(), pinned, "the same again is no change");
    let text = "Allergic to walnuts".to_owned();
    update(&stage, UpdateCustomerNoteRequest { text, version: 0, ..change(&pinned) }).await.unwrap();
    assert_eq!(texts(&stage, &note.customer_id).await, ["Allergic to walnuts"]);
    delete(&stage, WILLOW, &note).await.unwrap();
    delete(&stage, WILLOW, &note).await.unwrap();
    assert!(notes(&stage, &note.customer_id).await.is_empty());
    assert_refused(update(&stage, change(&pinned)).await, Reason::NotFound);
}

#[tokio::test]
async fn a_note_says_who_put_other_words_into_it() {
    let stage = Stage::open().await;
    let note = noted(&stage, WILLOW).await;
    let editor = UserId(Uuid::from_u128(0xed));
    let sofia = CreateEmployeeRequest {
        business_id: WILLOW.to_string(),
        name: "Sofia".to_owned(),
        user_id: editor.to_string(),
        ..CreateEmployeeRequest::default()
    };
    stage.employees().create_employee(stage.owner_of(WILLOW, sofia)).await.unwrap();
    let text = "Allergic to walnuts".to_owned();
    let message = UpdateCustomerNoteRequest { text: text.clone(), ..change(&note) };
    let request = as_person(&stage.host, editor, SESSION, Some(WILLOW), Some(Role::Employee), message);
    let edited =
        stage.customer_notes().update_customer_note(request).await.unwrap().into_inner().note.unwrap();
    let expected = CustomerNote {
        text,
        edited_by: format!("user:{editor}"),
        editor_name: "Sofia".to_owned(),
        version: 2,
        ..note.clone()
    };
    assert_eq!(edited, expected, "the author stays named");
    assert_eq!(notes(&stage, &note.customer_id).await, [expected]);
    let own = update(&stage, UpdateCustomerNoteRequest { text: note.text.clone(), ..change(&edited) }).await;
    assert_eq!(own.unwrap(), CustomerNote { version: 3, ..note }, "the words are the author's again");
}

#[tokio::test]
async fn every_change_of_a_note_is_published_without_what_it_says() {
    let stage = Stage::open().await;
    let note = noted(&stage, WILLOW).await;
    let pinned = update(&stage, UpdateCustomerNoteRequest { pinned: true, ..change(&note) }).await.unwrap();
    update(&stage, change(&pinned)).await.unwrap();
    delete(&stage, WILLOW, &note).await.unwrap();
    let (mut stream, mut told) = (followed(&stage).await, vec![]);
    let changed = CustomerNoteChanged { note_id: note.id.clone(), customer_id: note.customer_id.clone() };
    while told.len() < 3 {
        let event = next(&mut stream).await;
        if let Some(Payload::CustomerNote(of)) = event.payload {
            assert_eq!((of, &event.aggregate_id), (changed.clone(), &note.id));
            told.push(event.version);
        }
    }
    assert_eq!(told, [1, 2, 3]);
}

#[tokio::test]
async fn a_repeated_attempt_writes_one_note() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let attempt = async || {
        let mut request = stage.employee_of(WILLOW, about(WILLOW, &mia.id, "Likes tea"));
        request.metadata_mut().insert(IDEMPOTENCY_HEADER, "k1".parse().unwrap());
        stage.customer_notes().create_customer_note(request).await.unwrap().into_inner().note
    };
    assert_eq!(attempt().await, attempt().await);
    assert_eq!(texts(&stage, &mia.id).await, ["Likes tea"]);
}

#[tokio::test]
async fn malformed_notes_are_refused_by_their_field_and_those_of_others_are_not_found() {
    let stage = Stage::open().await;
    let note = noted(&stage, WILLOW).await;
    for text in [String::new(), "a".repeat(2_001)] {
        assert_field_refused(write(&stage, about(WILLOW, &note.customer_id, &text)).await, "text");
        assert_field_refused(
            update(&stage, UpdateCustomerNoteRequest { text, ..change(&note) }).await,
            "text",
        );
    }
    assert_field_refused(write(&stage, about(WILLOW, "mia", "a")).await, "customer_id");
    let version = UpdateCustomerNoteRequest { version: -1, ..change(&note) };
    assert_field_refused(update(&stage, version).await, "version");
    let page = stage.employee_of(WILLOW, list(&note.customer_id, "bm9wZQ"));
    assert_field_refused(stage.customer_notes().list_customer_notes(page).await, "page_token");

    let theirs = noted(&stage, LINDE).await;
    assert_refused(write(&stage, about(WILLOW, &theirs.customer_id, "a")).await, Reason::NotFound);
    assert_refused(update(&stage, change(&theirs)).await, Reason::NotFound);
    let listed = stage.employee_of(WILLOW, list(&theirs.customer_id, ""));
    assert_refused(stage.customer_notes().list_customer_notes(listed).await, Reason::NotFound);
    delete(&stage, WILLOW, &theirs).await.unwrap();
    assert_eq!(stage.count("SELECT count(*) FROM customer_note").await, 2, "another salon's note stays");
    // A note is found with its own customer alone.
    let other = stage.customer(WILLOW, "Ida", "").await;
    let moved = UpdateCustomerNoteRequest { customer_id: other.id, ..change(&note) };
    assert_refused(update(&stage, moved).await, Reason::NotFound);
}

#[tokio::test]
async fn guests_and_agents_neither_read_nor_write_notes() {
    let stage = Stage::open().await;
    let note = noted(&stage, WILLOW).await;
    let mut client = stage.customer_notes();
    let guest = as_user(&stage.host, Role::Guest, WILLOW, list(&note.customer_id, ""));
    assert_refused(client.list_customer_notes(guest).await, Reason::RoleTooLow);
    let guest = as_user(&stage.host, Role::Guest, WILLOW, about(WILLOW, &note.customer_id, "a"));
    assert_refused(client.create_customer_note(guest).await, Reason::RoleTooLow);
    let guest = as_user(&stage.host, Role::Guest, WILLOW, change(&note));
    assert_refused(client.update_customer_note(guest).await, Reason::RoleTooLow);
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, list(&note.customer_id, ""));
    assert_refused(client.list_customer_notes(agent).await, Reason::RoleTooLow);
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, about(WILLOW, &note.customer_id, "a"));
    assert_refused(client.create_customer_note(agent).await, Reason::RoleTooLow);
}
