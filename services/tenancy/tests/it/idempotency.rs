use caller::{BusinessId, IDEMPOTENCY_HEADER, Role, UserId};
use futures::future::join_all;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        CreateBusinessRequest, CreateCustomerRequest, CreateEmployeeRequest, CreateVoiceConnectionRequest,
        Customer, VoicePlatform,
    },
};
use testkit::{SESSION, USER, as_person};
use tonic::{Request, Status};

use crate::stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused, created, new_customer};

fn keyed(
    stage: &Stage,
    business: BusinessId,
    key: &str,
    message: CreateCustomerRequest,
) -> Request<CreateCustomerRequest> {
    under(key, stage.employee_of(business, message))
}

/// A request with an idempotency key.
fn under<T>(key: &str, mut request: Request<T>) -> Request<T> {
    request.metadata_mut().insert(IDEMPOTENCY_HEADER, key.parse().unwrap());
    request
}

pub async fn add(stage: &Stage, business: BusinessId, key: &str, name: &str) -> Result<Customer, Status> {
    let request = keyed(stage, business, key, new_customer(business, name, "+442079460018", ""));
    stage.customers().create_customer(request).await.map(created)
}

#[tokio::test]
async fn a_repeated_attempt_has_one_effect_and_one_answer() {
    let stage = Stage::open().await;
    let first = add(&stage, WILLOW, "k1", "Ana").await.unwrap();
    let again = add(&stage, WILLOW, "k1", "Ana").await.unwrap();
    assert_eq!(first, again);
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 1);
    let published = format!("SELECT count(*) FROM outbox WHERE aggregate_id = '{}'", first.id);
    assert_eq!(stage.count(&published).await, 1);
}

#[tokio::test]
async fn another_body_under_the_same_key_is_refused() {
    let stage = Stage::open().await;
    add(&stage, WILLOW, "k1", "Ana").await.unwrap();
    assert_refused(add(&stage, WILLOW, "k1", "Mia").await, Reason::IdempotencyKeyReused);
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 1);
}

#[tokio::test]
async fn attempts_at_the_same_time_have_one_effect_and_one_answer() {
    let stage = Stage::open().await;
    let answers = join_all((0..12).map(|_| add(&stage, WILLOW, "k1", "Ana"))).await;
    let first = answers[0].as_ref().unwrap();
    for answer in &answers {
        assert_eq!(answer.as_ref().unwrap(), first);
    }
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 1);
}

#[tokio::test]
async fn without_a_key_or_under_another_each_attempt_counts() {
    let stage = Stage::open().await;
    add(&stage, WILLOW, "k1", "Ana").await.unwrap();
    add(&stage, WILLOW, "k2", "Ana").await.unwrap();
    stage.customer(WILLOW, "Ana", "+442079460018").await;
    stage.customer(WILLOW, "Ana", "+442079460018").await;
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 4);
}

#[tokio::test]
async fn a_key_means_nothing_in_another_business() {
    let stage = Stage::open().await;
    let willows = add(&stage, WILLOW, "k1", "Ana").await.unwrap();
    let lindes = add(&stage, LINDE, "k1", "Bertha").await.unwrap();
    assert_ne!(willows.id, lindes.id);
    assert_eq!(lindes.name, "Bertha");
}

#[tokio::test]
async fn a_key_means_nothing_under_another_person() {
    let stage = Stage::open().await;
    let anas = add(&stage, WILLOW, "k1", "Ana").await.unwrap();
    let colleague = |name| {
        let message = new_customer(WILLOW, name, "+442079460018", "");
        let user = UserId(uuid::Uuid::from_u128(0xbe));
        let mut request = as_person(&stage.host, user, SESSION, Some(WILLOW), Some(Role::Employee), message);
        request.metadata_mut().insert(IDEMPOTENCY_HEADER, "k1".parse().unwrap());
        request
    };
    let bens = stage.customers().create_customer(colleague("Ben")).await.map(created).unwrap();
    assert_ne!(bens.id, anas.id, "another person's answer is not given away");
    let again = stage.customers().create_customer(colleague("Ben")).await.map(created).unwrap();
    assert_eq!(again, bens);
    assert_eq!(add(&stage, WILLOW, "k1", "Ana").await.unwrap(), anas);
}

#[tokio::test]
async fn a_refused_attempt_leaves_its_key_free() {
    let stage = Stage::open().await;
    let nowhere = BusinessId(uuid::Uuid::from_u128(9));
    stage.business(nowhere, "Nowhere", "", "Etc/UTC").await;
    // Refused in the transaction that claimed the key: only the business knows its country.
    let national = new_customer(nowhere, "Ana", "020 7946 0018", "");
    let result = stage.customers().create_customer(keyed(&stage, nowhere, "k1", national)).await;
    assert_field_refused(result, "phone");
    assert_eq!(stage.count("SELECT count(*) FROM idempotency_key").await, 0);
    add(&stage, nowhere, "k1", "Ana").await.unwrap();
}

#[tokio::test]
async fn after_a_day_a_key_is_new_again() {
    let stage = Stage::open().await;
    let first = add(&stage, WILLOW, "k1", "Ana").await.unwrap();
    stage.time.advance(SignedDuration::from_hours(24) - SignedDuration::from_secs(1));
    assert_eq!(add(&stage, WILLOW, "k1", "Ana").await.unwrap(), first);
    stage.time.advance(SignedDuration::from_secs(1));
    let second = add(&stage, WILLOW, "k1", "Mia").await.unwrap();
    assert_ne!(second.id, first.id);
    assert_eq!(add(&stage, WILLOW, "k1", "Mia").await.unwrap(), second);
}

#[tokio::test]
async fn expired_keys_are_swept_away() {
    let stage = Stage::open().await;
    for n in 0..30 {
        add(&stage, WILLOW, &format!("old-{n}"), "Ana").await.unwrap();
    }
    stage.time.advance(SignedDuration::from_hours(25));
    add(&stage, WILLOW, "new-1", "Ana").await.unwrap();
    add(&stage, WILLOW, "new-2", "Ana").await.unwrap();
    let database = stage.database.connect(&stage.host).await;
    assert_eq!(database.sweep_idempotency_keys().await.unwrap(), 30);
    assert_eq!(stage.count("SELECT count(*) FROM idempotency_key WHERE key LIKE 'old-%'").await, 0);
    assert_eq!(stage.count("SELECT count(*) FROM idempotency_key").await, 2);
}

#[tokio::test]
async fn a_malformed_key_is_refused() {
    let stage = Stage::open().await;
    let request = keyed(&stage, WILLOW, "a b", new_customer(WILLOW, "Ana", "", ""));
    assert_field_refused(stage.customers().create_customer(request).await, "Idempotency-Key");
}

#[tokio::test]
async fn an_employee_is_created_once_per_key() {
    let stage = Stage::open().await;
    let create = async |name: &str| {
        let message = CreateEmployeeRequest {
            business_id: WILLOW.to_string(),
            name: name.to_owned(),
            ..Default::default()
        };
        let request = under("k1", stage.owner_of(WILLOW, message));
        stage.employees().create_employee(request).await.map(tonic::Response::into_inner)
    };
    let first = create("Ana").await.unwrap();
    assert_eq!(create("Ana").await.unwrap(), first);
    assert_refused(create("Mia").await, Reason::IdempotencyKeyReused);
    assert_eq!(stage.count("SELECT count(*) FROM employee").await, 1);
}

#[tokio::test]
async fn a_voice_connection_is_created_once_per_key() {
    let stage = Stage::open().await;
    let create = async |secret: &str| {
        let message = CreateVoiceConnectionRequest {
            business_id: WILLOW.to_string(),
            platform: VoicePlatform::Retell.into(),
            label: "Main line".to_owned(),
            secret: secret.to_owned(),
            ..Default::default()
        };
        let request = under("k1", stage.owner_of(WILLOW, message));
        stage.voice_connections().create_voice_connection(request).await.map(tonic::Response::into_inner)
    };
    let first = create("key_hunter2").await.unwrap();
    assert_eq!(create("key_hunter2").await.unwrap(), first);
    assert_refused(create("key_hunter3").await, Reason::IdempotencyKeyReused);
    assert_eq!(stage.count("SELECT count(*) FROM voice_connection").await, 1);
}

#[tokio::test]
async fn a_business_is_created_once_per_key_of_an_administrator() {
    let stage = Stage::empty().await;
    let create = async |user: UserId, name: &str| {
        let message = CreateBusinessRequest {
            name: name.to_owned(),
            time_zone: "Europe/London".to_owned(),
            ..Default::default()
        };
        let request = as_person(&stage.host, user, SESSION, None, Some(Role::Admin), message);
        let created = stage.businesses().create_business(under("k1", request)).await;
        created.map(tonic::Response::into_inner)
    };
    let first = create(USER, "Willow & Co").await.unwrap();
    assert_eq!(create(USER, "Willow & Co").await.unwrap(), first);
    assert_refused(create(USER, "Harbour").await, Reason::IdempotencyKeyReused);
    let other = create(UserId(uuid::Uuid::from_u128(0xbe)), "Harbour").await.unwrap();
    assert_ne!(other, first, "a key means nothing under another person");
    assert_eq!(stage.count("SELECT count(*) FROM business").await, 2);
    stage.time.advance(SignedDuration::from_hours(25));
    let database = stage.database.connect(&stage.host).await;
    assert_eq!(database.sweep_idempotency_keys().await.unwrap(), 2);
}
