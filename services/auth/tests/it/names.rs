//! What businesses are called and recognised by, from tenancy's log.

use database::Database;
use proto::frontdesk::{
    auth::v1::{ListMyMembershipsRequest, Membership},
    events::v1::{CustomersExported, Event, event::Payload},
    tenancy::v1::Business,
};
use sealing::SealingKey;
use testkit::{SESSION, as_person, event_log};

use crate::fixture::{Auth, EMAIL, business, config, user};

fn event(position: i64, payload: Payload, version: i64) -> Event {
    event_log::event(position, business(1), business(1).0, version, payload)
}

fn named(position: i64, name: &str, version: i64) -> Event {
    let business =
        Business { id: business(1).to_string(), name: name.to_owned(), version, ..Default::default() };
    event(position, Payload::Business(business), version)
}

/// Has auth follow a log of tenancy's.
async fn following(auth: &Auth) -> (event_log::Events, Database) {
    let log = event_log::Events::new(vec![]);
    let tenancy = event_log::service("tenancy", &log, &auth.host).await;
    let database = auth.database.connect(&auth.host).await;
    tokio::spawn(auth::follow(tenancy, database.clone(), SealingKey::new([2; 32]), &auth.host));
    (log, database)
}

async fn caught_up(database: &Database, target: i64) {
    while !outbox::caught_up(database, "auth", "tenancy", target).await.unwrap() {
        tokio::task::yield_now().await;
    }
}

async fn membership(auth: &Auth) -> Membership {
    let message = ListMyMembershipsRequest::default();
    let request = as_person(&auth.host, user(1), SESSION, None, None, message);
    let response = auth.accounts().list_my_memberships(request).await.unwrap().into_inner();
    response.memberships.into_iter().next().unwrap()
}

async fn name(auth: &Auth) -> String {
    membership(auth).await.business_name
}

#[tokio::test]
async fn a_membership_shows_the_businesss_latest_name_once_it_has_arrived() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.set_role(user(1), business(1), "OWNER").await.unwrap();
    assert_eq!(name(&auth).await, "");

    let (log, database) = following(&auth).await;
    let caught_up = async |target| caught_up(&database, target).await;

    log.send_modify(|log| log.push(named(1, "Willow", 1)));
    caught_up(1).await;
    assert_eq!(name(&auth).await, "Willow");
    log.send_modify(|log| log.extend([named(2, "Willow & Co", 3), named(3, "Outdated", 2)]));
    caught_up(3).await;
    assert_eq!(name(&auth).await, "Willow & Co");
}

#[tokio::test]
async fn a_membership_shows_the_businesss_colour_and_logo_until_they_are_taken_away() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.set_role(user(1), business(1), "GUEST").await.unwrap();
    // As an earlier release kept it: the same version says more now.
    let kept = "INSERT INTO business_name (business_id, name, version) VALUES (:business_id, 'Willow', 1)
        RETURNING name";
    auth.peek(kept, database::named! { business_id: business(1).0 }).await.unwrap();
    let (log, database) = following(&auth).await;
    let recognised = |position, color: &str, digest: &str| {
        let business = Business {
            id: business(1).to_string(),
            name: "Willow".to_owned(),
            brand_color: color.to_owned(),
            logo_digest: digest.to_owned(),
            ..Default::default()
        };
        event(position, Payload::Business(business), position)
    };
    for (position, color, digest) in [(1, "#148c84", "4f2a"), (2, "", "")] {
        log.send_modify(|log| log.push(recognised(position, color, digest)));
        caught_up(&database, position).await;
        let shown = membership(&auth).await;
        assert_eq!((shown.brand_color.as_str(), shown.logo_digest.as_str()), (color, digest));
    }
}

#[tokio::test]
async fn the_owners_of_a_business_are_told_by_mail_who_exported_whose_data() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.add(2, "manager@demo.test").await;
    auth.set_role(user(1), business(1), "OWNER").await.unwrap();
    auth.set_role(user(2), business(1), "MANAGER").await.unwrap();
    let (log, database) = following(&auth).await;
    let exported = |customer_name: &str| {
        Payload::CustomersExported(CustomersExported {
            user_id: user(2).to_string(),
            customer_name: customer_name.to_owned(),
            ..CustomersExported::default()
        })
    };
    log.send_modify(|log| {
        log.extend([named(1, "Willow", 1), event(2, exported(""), 2), event(3, exported("Mia"), 3)]);
    });
    caught_up(&database, 3).await;
    let mails = auth.mails().await;
    let told: Vec<_> =
        mails.iter().map(|[to, subject, text]| (to.as_str(), subject.as_str(), text)).collect();
    assert_eq!(told.len(), 2, "the owner alone is told: {told:?}");
    for ((to, subject, text), what) in
        told.iter().zip(["the list of all customers of Willow", "the data of the customer Mia of Willow"])
    {
        assert_eq!((*to, *subject), (EMAIL, "Customers of Willow were exported"));
        assert!(text.contains(what) && text.contains("Olive Owner"), "{text}");
    }
}

#[tokio::test]
async fn the_whole_service_starts_without_tenancy_and_stops_when_told() {
    let auth = Auth::start().await;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = tokio_util::sync::CancellationToken::new();
    let serving = tokio::spawn(auth::serve(config(&auth.database), listener, shutdown.clone()));
    let mut health = tonic_health::pb::health_client::HealthClient::new(
        testkit::peer("auth", address, &auth.host).channel(),
    );
    let request = tonic_health::pb::HealthCheckRequest::default();
    while health.check(request.clone()).await.is_err() {
        assert!(!serving.is_finished(), "{:?}", serving.await);
        tokio::task::yield_now().await;
    }
    shutdown.cancel();
    serving.await.unwrap().unwrap();
}
