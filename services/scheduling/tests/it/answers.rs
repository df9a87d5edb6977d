//! Answers that are kept in Redis.

use boot::peer::PeerChannel;
use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        GetOpeningHoursRequest, ListServicesRequest, ListServicesResponse, SetOpeningHoursRequest,
        catalogue_service_client::CatalogueServiceClient,
    },
};
use sqlx::AssertSqlSafe;
use testkit::{as_agent, as_user};
use tonic::Request;
use uuid::Uuid;

use crate::salon::{CONNECTION, OTHER, Salon, WILLOW, reason, service, weekdays};

fn list(business: BusinessId, page_size: i32, page_token: &str) -> ListServicesRequest {
    ListServicesRequest { business_id: business.to_string(), page_size, page_token: page_token.to_owned() }
}

async fn listed(channel: PeerChannel, request: Request<ListServicesRequest>) -> ListServicesResponse {
    CatalogueServiceClient::new(channel).list_services(request).await.unwrap().into_inner()
}

async fn names(salon: &Salon, channel: PeerChannel) -> Vec<String> {
    let request = as_user(&salon.host, Role::Guest, WILLOW, list(WILLOW, 0, ""));
    listed(channel, request).await.services.into_iter().map(|service| service.name).collect()
}

async fn opens(salon: &Salon) -> (String, Option<i32>) {
    let message = GetOpeningHoursRequest { business_id: WILLOW.to_string() };
    let request = as_user(&salon.host, Role::Guest, WILLOW, message);
    let hours = salon.schedules().get_opening_hours(request).await.unwrap().into_inner();
    (hours.time_zone, hours.spans.first().map(|span| span.from_minute))
}

/// Changes a table behind the service's back.
async fn behind(salon: &Salon, sql: &'static str) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut salon.superuser().await).await.unwrap();
}

#[tokio::test]
async fn services_are_read_once_and_again_after_every_change_by_all_replicas() {
    let redis = testkit::redis().await;
    let salon = Salon::open_with(Some(&redis)).await;
    let replica = salon.replica().await;
    assert_eq!(names(&salon, salon.channel()).await, ["Colour", "Cut", "Massage"]);
    behind(&salon, "UPDATE service SET name = 'Trim' WHERE name = 'Cut'").await;
    for channel in [salon.channel(), replica.clone()] {
        assert_eq!(names(&salon, channel).await, ["Colour", "Cut", "Massage"], "it is kept");
    }
    salon.create_service(service(Uuid::from_u128(9), "Shave", &[20], &[])).await.unwrap();
    for channel in [replica, salon.channel()] {
        assert_eq!(names(&salon, channel).await, ["Colour", "Massage", "Shave", "Trim"]);
    }
}

#[tokio::test]
async fn opening_hours_are_read_once_and_again_after_every_change() {
    let redis = testkit::redis().await;
    let salon = Salon::open_with(Some(&redis)).await;
    assert_eq!(opens(&salon).await, ("Europe/London".to_owned(), Some(540)));
    behind(&salon, "UPDATE opening_hours SET from_minute = 300").await;
    assert_eq!(opens(&salon).await, ("Europe/London".to_owned(), Some(540)), "it is kept");
    salon.set_hours_in(WILLOW, "Europe/Paris", weekdays(10, 18)).await;
    assert_eq!(opens(&salon).await, ("Europe/Paris".to_owned(), Some(600)));
    salon.set_hours(WILLOW, vec![]).await;
    assert_eq!(opens(&salon).await, ("Europe/London".to_owned(), None));
}

#[tokio::test]
async fn a_refused_change_leaves_answers_as_they_were() {
    let redis = testkit::redis().await;
    let salon = Salon::open_with(Some(&redis)).await;
    let before = names(&salon, salon.channel()).await;
    let taken = salon.create_service(service(Uuid::from_u128(9), "Cut", &[20], &[])).await;
    assert_eq!(reason(&taken.unwrap_err()), Reason::AlreadyExists);
    let request = SetOpeningHoursRequest {
        business_id: WILLOW.to_string(),
        time_zone: "Moon/Crater".to_owned(),
        spans: vec![],
        ..Default::default()
    };
    salon.schedules().set_opening_hours(salon.manager(request)).await.unwrap_err();
    assert_eq!(names(&salon, salon.channel()).await, before);
    assert_eq!(opens(&salon).await.1, Some(540));
}

#[tokio::test]
async fn pages_of_any_size_and_number_are_those_of_the_list() {
    let redis = testkit::redis().await;
    let salon = Salon::open_with(Some(&redis)).await;
    for _ in 0..2 {
        let (mut names, mut token) = (vec![], String::new());
        loop {
            let request = as_user(&salon.host, Role::Guest, WILLOW, list(WILLOW, 1, &token));
            let page = listed(salon.channel(), request).await;
            names.extend(page.services.into_iter().map(|service| service.name));
            token = page.next_page_token;
            if token.is_empty() {
                break;
            }
        }
        assert_eq!(names, ["Colour", "Cut", "Massage"]);
    }
    let whole = as_user(&salon.host, Role::Guest, WILLOW, list(WILLOW, 200, ""));
    assert_eq!(listed(salon.channel(), whole).await.services.len(), 3);
}

#[tokio::test]
async fn managers_guests_and_the_agent_share_what_is_kept_of_their_own_business_alone() {
    let redis = testkit::redis().await;
    let salon = Salon::open_with(Some(&redis)).await;
    salon.set_hours(OTHER, weekdays(9, 18)).await;
    let guest = as_user(&salon.host, Role::Guest, WILLOW, list(WILLOW, 0, ""));
    let guest = listed(salon.channel(), guest).await;
    let manager = as_user(&salon.host, Role::Manager, WILLOW, list(WILLOW, 0, ""));
    let mut manager = listed(salon.channel(), manager).await;
    let agent = as_agent(&salon.host, CONNECTION, WILLOW, list(WILLOW, 0, ""));
    assert_eq!(listed(salon.channel(), agent).await, manager);
    assert!(manager.services.iter().any(|service| !service.employee_ids.is_empty()));
    for service in &mut manager.services {
        service.employee_ids.clear();
        service.overrides.clear();
    }
    assert_eq!(guest, manager, "a guest reads the same without employees");
    let other = as_user(&salon.host, Role::Owner, OTHER, list(OTHER, 0, ""));
    assert!(listed(salon.channel(), other).await.services.is_empty());
    let stranger = as_user(&salon.host, Role::Owner, OTHER, list(WILLOW, 0, ""));
    let refused = salon.catalogue().list_services(stranger).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound, "what is kept is asked for after the gate");
}

#[tokio::test]
async fn that_a_business_is_unknown_is_not_kept() {
    let redis = testkit::redis().await;
    let salon = Salon::empty_with(Some(&redis)).await;
    let message = || GetOpeningHoursRequest { business_id: WILLOW.to_string() };
    let early = salon.schedules().get_opening_hours(salon.manager(message())).await.unwrap_err();
    assert_eq!(reason(&early), Reason::Unavailable);
    // As tenancy's log adds it.
    behind(
        &salon,
        "INSERT INTO business_settings (business_id, time_zone)
         VALUES ('01900000-0000-7000-8000-000000000001', 'Europe/London')",
    )
    .await;
    assert_eq!(opens(&salon).await, ("Europe/London".to_owned(), None));
}

#[tokio::test]
async fn nothing_is_missed_when_redis_is_gone() {
    let redis = testkit::redis().await;
    let salon = Salon::open_with(Some(&redis)).await;
    names(&salon, salon.channel()).await;
    drop(redis);
    salon.create_service(service(Uuid::from_u128(9), "Shave", &[20], &[])).await.unwrap();
    assert_eq!(names(&salon, salon.channel()).await, ["Colour", "Cut", "Massage", "Shave"]);
    salon.set_hours(WILLOW, weekdays(11, 18)).await;
    assert_eq!(opens(&salon).await.1, Some(660));
}
