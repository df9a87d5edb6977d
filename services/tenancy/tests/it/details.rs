//! What a business says of itself.

use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        tenancy::v1::{Business, GetBusinessRequest, UpdateBusinessRequest},
    },
};
use testkit::{as_agent, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    event::{followed, next},
    stage::{LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn details() -> UpdateBusinessRequest {
    UpdateBusinessRequest {
        business_id: WILLOW.to_string(),
        name: "Willow".to_owned(),
        address: "14 Lamb's Conduit Street".to_owned(),
        phone: "020 7946 0014".to_owned(),
        email: "hello@Willow.example".to_owned(),
        website: "willow.example/book".to_owned(),
        currency: "GBP".to_owned(),
        brand_color: "#148C84".to_owned(),
        version: 1,
    }
}

async fn update(stage: &Stage, message: UpdateBusinessRequest) -> Result<Business, Status> {
    let response = stage.businesses().update_business(stage.owner_of(WILLOW, message)).await?;
    Ok(response.into_inner().business.expect("a business is returned"))
}

async fn read(stage: &Stage, business: BusinessId) -> Business {
    let message = GetBusinessRequest { business_id: business.to_string() };
    let request = as_user(&stage.host, Role::Guest, business, message);
    stage.businesses().get_business(request).await.unwrap().into_inner().business.unwrap()
}

#[tokio::test]
async fn an_owner_changes_them_and_everyone_reads_them_at_once() {
    let redis = testkit::redis().await;
    let stage = Stage::open_with(Some(&redis)).await;
    let mut log = followed(&stage).await;
    for _ in [WILLOW, LINDE] {
        next(&mut log).await;
    }
    assert_eq!(read(&stage, WILLOW).await.name, "Willow & Co");
    let changed = update(&stage, details()).await.unwrap();
    let expected = Business {
        id: WILLOW.to_string(),
        name: "Willow".to_owned(),
        address: "14 Lamb's Conduit Street".to_owned(),
        phone: "+442079460014".to_owned(),
        time_zone: "Europe/London".to_owned(),
        version: 2,
        email: "hello@willow.example".to_owned(),
        website: "https://willow.example/book".to_owned(),
        currency: "GBP".to_owned(),
        brand_color: "#148c84".to_owned(),
        logo_digest: String::new(),
    };
    assert_eq!(changed, expected);
    assert_eq!(read(&stage, WILLOW).await, expected, "the kept answer went with the change");
    assert_eq!(read(&stage, LINDE).await.name, "Salon Linde");
    let event = next(&mut log).await;
    assert_eq!((event.business_id.as_str(), event.version), (&*WILLOW.to_string(), 2));
    assert_eq!(event.payload, Some(Payload::Business(expected)));
}

#[tokio::test]
async fn the_same_again_changes_nothing_and_an_old_version_is_stale() {
    let stage = Stage::open().await;
    let changed = update(&stage, details()).await.unwrap();
    let again = update(&stage, UpdateBusinessRequest { version: 0, ..details() }).await.unwrap();
    assert_eq!(again, changed);
    assert_eq!(stage.count("SELECT count(*) FROM outbox").await, 3);
    let stale = update(&stage, UpdateBusinessRequest { name: "Other".to_owned(), ..details() }).await;
    assert_refused(stale, Reason::Stale);
    assert_eq!(read(&stage, WILLOW).await.name, "Willow");
    let emptied =
        UpdateBusinessRequest { business_id: WILLOW.to_string(), name: "W".to_owned(), ..Default::default() };
    let emptied = update(&stage, emptied).await.unwrap();
    assert_eq!((emptied.phone.as_str(), emptied.brand_color.as_str(), emptied.version), ("", "", 3));
}

#[tokio::test]
async fn only_its_owner_changes_a_business() {
    let stage = Stage::open().await;
    let manager = as_user(&stage.host, Role::Manager, WILLOW, details());
    assert_refused(stage.businesses().update_business(manager).await, Reason::RoleTooLow);
    let stranger = as_user(&stage.host, Role::Owner, LINDE, details());
    assert_refused(stage.businesses().update_business(stranger).await, Reason::NotFound);
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, details());
    assert_refused(stage.businesses().update_business(agent).await, Reason::RoleTooLow);
    assert_eq!(read(&stage, WILLOW).await.version, 1);
}

#[tokio::test]
async fn a_malformed_field_is_named() {
    let stage = Stage::open().await;
    let wrong: [Spoilt<UpdateBusinessRequest>; 9] = [
        ("name", |r| r.name = " ".to_owned()),
        ("name", |r| r.name = "Willow\u{202E}oC".to_owned()),
        ("address", |r| r.address = "x".repeat(301)),
        ("phone", |r| r.phone = "call us".to_owned()),
        ("email", |r| r.email = "willow".to_owned()),
        ("website", |r| r.website = "javascript:alert(1)".to_owned()),
        ("currency", |r| r.currency = "gbp".to_owned()),
        ("brand_color", |r| r.brand_color = "teal".to_owned()),
        ("version", |r| r.version = -1),
    ];
    for (field, spoil) in wrong {
        let mut message = details();
        spoil(&mut message);
        assert_field_refused(update(&stage, message).await, field);
    }
}
