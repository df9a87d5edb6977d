//! What is known of a customer, and how it changes.

use caller::{IDEMPOTENCY_HEADER, Role};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        tenancy::v1::{Customer, MarketingConsent, RecordMarketingConsentRequest, UpdateCustomerRequest},
    },
    time::to_proto,
};
use testkit::{as_agent, as_user};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::{
    event::{followed, next},
    stage::{LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn of(customer: &Customer) -> UpdateCustomerRequest {
    let Customer { id, name, phone, email, version, tags, .. } = customer.clone();
    UpdateCustomerRequest {
        business_id: WILLOW.to_string(),
        customer_id: id,
        name,
        phone,
        email,
        tags,
        version,
    }
}

async fn send(stage: &Stage, request: Request<UpdateCustomerRequest>) -> Result<Customer, Status> {
    Ok(stage.customers().update_customer(request).await?.into_inner().customer.unwrap())
}

async fn update(stage: &Stage, message: UpdateCustomerRequest) -> Result<Customer, Status> {
    send(stage, stage.employee_of(WILLOW, message)).await
}

async fn consent(stage: &Stage, customer: &Customer, given: bool) -> Result<Customer, Status> {
    let (business_id, customer_id) = (WILLOW.to_string(), customer.id.clone());
    let message = RecordMarketingConsentRequest { business_id, customer_id, given };
    let response = stage.customers().record_marketing_consent(stage.employee_of(WILLOW, message)).await?;
    Ok(response.into_inner().customer.unwrap())
}

#[tokio::test]
async fn an_employee_changes_a_customer_and_finds_them_by_what_is_new() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", "07700 900 123").await;
    let message = UpdateCustomerRequest {
        name: "Ana Prior".to_owned(),
        phone: "020 7946 0018".to_owned(),
        email: "Ana@Example.com".to_owned(),
        tags: ["VIP", "Colour", "vip"].map(str::to_owned).to_vec(),
        ..of(&ana)
    };
    let changed = update(&stage, message).await.unwrap();
    let expected = Customer {
        name: "Ana Prior".to_owned(),
        phone: "+442079460018".to_owned(),
        email: "Ana@example.com".to_owned(),
        tags: vec!["VIP".to_owned(), "Colour".to_owned()],
        version: 2,
        ..ana
    };
    assert_eq!(changed, expected);
    let list = proto::frontdesk::tenancy::v1::ListCustomersRequest {
        business_id: WILLOW.to_string(),
        query: "prior".to_owned(),
        ..Default::default()
    };
    let found = stage.customers().list_customers(stage.employee_of(WILLOW, list)).await.unwrap();
    assert_eq!(found.into_inner().customers, [expected]);
}

#[tokio::test]
async fn number_address_and_tags_are_taken_away_by_leaving_them_empty() {
    let stage = Stage::open().await;
    let ana = stage.try_customer(WILLOW, "Ana", "07700 900 123", "ana@example.com").await.unwrap();
    let tagged =
        update(&stage, UpdateCustomerRequest { tags: vec!["VIP".to_owned()], ..of(&ana) }).await.unwrap();
    let emptied =
        UpdateCustomerRequest { phone: String::new(), email: String::new(), tags: vec![], ..of(&tagged) };
    let changed = update(&stage, emptied).await.unwrap();
    assert_eq!((changed.phone.as_str(), changed.email.as_str(), changed.tags.len()), ("", "", 0));
    assert_eq!(changed.version, 3);
}

#[tokio::test]
async fn of_two_who_change_a_customer_at_once_the_second_is_told() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", "").await;
    let change = |name: &str, version| UpdateCustomerRequest { name: name.to_owned(), version, ..of(&ana) };
    update(&stage, change("Anna", 1)).await.unwrap();
    let second = update(&stage, change("Annie", 1)).await;
    let details = second.as_ref().unwrap_err().get_details_error_info().unwrap();
    assert_eq!(details.metadata.get("version").map(String::as_str), Some("2"));
    assert_refused(second, Reason::Stale);
    // Without a version the last one counts.
    assert_eq!(update(&stage, change("Annie", 0)).await.unwrap().version, 3);
    let (one, other) = tokio::join!(update(&stage, change("Anya", 3)), update(&stage, change("Anouk", 3)));
    assert_ne!(one.is_ok(), other.is_ok(), "one of two at the same time: {one:?} {other:?}");
}

#[tokio::test]
async fn the_same_again_is_no_change_and_a_repeated_attempt_has_one_effect() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", "07700 900 123").await;
    assert_eq!(update(&stage, of(&ana)).await.unwrap(), ana);
    let attempt = || {
        let message = UpdateCustomerRequest { name: "Anna".to_owned(), ..of(&ana) };
        let mut request = stage.employee_of(WILLOW, message);
        request.metadata_mut().insert(IDEMPOTENCY_HEADER, "k1".parse().unwrap());
        request
    };
    let first = send(&stage, attempt()).await.unwrap();
    assert_eq!(send(&stage, attempt()).await.unwrap(), first);
    let published = format!("SELECT count(*) FROM outbox WHERE aggregate_id = '{}'", ana.id);
    assert_eq!(stage.count(&published).await, 2);
}

#[tokio::test]
async fn each_change_of_a_customer_is_published_whole() {
    let stage = Stage::open().await;
    let mut stream = followed(&stage).await;
    next(&mut stream).await;
    next(&mut stream).await;
    let ana = stage.customer(WILLOW, "Ana", "").await;
    next(&mut stream).await;
    let renamed =
        update(&stage, UpdateCustomerRequest { name: "Anna".to_owned(), ..of(&ana) }).await.unwrap();
    let event = next(&mut stream).await;
    assert_eq!((event.version, event.payload), (2, Some(Payload::Customer(renamed))));
    let asked = consent(&stage, &ana, true).await.unwrap();
    assert_eq!(next(&mut stream).await.payload, Some(Payload::Customer(asked)));
}

#[tokio::test]
async fn consent_is_recorded_with_its_time_and_who_asked_first() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", "").await;
    let at = stage.host.clock.now();
    let recorded_by = format!("user:{}", testkit::USER);
    let given = consent(&stage, &ana, true).await.unwrap();
    let expected =
        MarketingConsent { given: true, recorded_at: Some(to_proto(at)), recorded_by: recorded_by.clone() };
    assert_eq!((given.marketing_consent.clone(), given.version), (Some(expected), 2));
    stage.time.advance(SignedDuration::from_hours(1));
    assert_eq!(consent(&stage, &ana, true).await.unwrap(), given, "asked again");
    let withdrawn = consent(&stage, &ana, false).await.unwrap();
    let later = Some(to_proto(at + SignedDuration::from_hours(1)));
    let expected = MarketingConsent { given: false, recorded_at: later, recorded_by };
    assert_eq!((withdrawn.marketing_consent.clone(), withdrawn.version), (Some(expected), 3));
    // A change of the rest leaves it alone.
    let renamed =
        update(&stage, UpdateCustomerRequest { name: "Anna".to_owned(), ..of(&withdrawn) }).await.unwrap();
    assert_eq!(renamed.marketing_consent, withdrawn.marketing_consent);
}

#[tokio::test]
async fn a_malformed_field_of_a_change_is_named() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", "").await;
    let wrong: [Spoilt<UpdateCustomerRequest>; 10] = [
        ("business_id", |r| r.business_id = "willow".to_owned()),
        ("customer_id", |r| r.customer_id = "ana".to_owned()),
        ("name", |r| r.name = " ".to_owned()),
        ("name", |r| r.name = "x".repeat(201)),
        ("phone", |r| r.phone = "12".to_owned()),
        ("email", |r| r.email = "ana at example.com".to_owned()),
        ("tags", |r| r.tags = vec!["a".to_owned(); 21]),
        ("tags[1]", |r| r.tags = vec!["VIP".to_owned(), "x".repeat(41)]),
        ("tags[0]", |r| r.tags = vec![String::new()]),
        ("version", |r| r.version = -1),
    ];
    for (field, spoil) in wrong {
        let mut message = of(&ana);
        spoil(&mut message);
        assert_field_refused(update(&stage, message).await, field);
    }
    assert_eq!(stage.count("SELECT max(version) FROM customer").await, 1);
}

#[tokio::test]
async fn neither_guests_nor_agents_nor_others_change_a_customer() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", "").await;
    let guest = as_user(&stage.host, Role::Guest, WILLOW, of(&ana));
    assert_refused(send(&stage, guest).await, Reason::RoleTooLow);
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, of(&ana));
    assert_refused(send(&stage, agent).await, Reason::RoleTooLow);
    let stranger = stage.owner_of(LINDE, of(&ana));
    assert_refused(send(&stage, stranger).await, Reason::NotFound);
    let elsewhere = UpdateCustomerRequest { business_id: LINDE.to_string(), ..of(&ana) };
    assert_refused(send(&stage, stage.owner_of(LINDE, elsewhere)).await, Reason::NotFound);
    let gone = Customer { id: Uuid::from_u128(9).to_string(), ..ana };
    assert_refused(update(&stage, of(&gone)).await, Reason::NotFound);
    assert_eq!(consent(&stage, &gone, true).await.unwrap_err().code(), Code::NotFound);
}
