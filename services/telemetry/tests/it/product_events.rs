//! What people and services do with the product.

use caller::{BusinessId, Role, UserId};
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::v1::{
        CountProductEventsRequest, ExportProductEventsRequest, ListProductEventsRequest, NotedEvent,
        ProductEvent, ProductEventFilter, ProductEventType, RecordProductEventsRequest, Speaker,
        product_event_service_client::ProductEventServiceClient,
    },
    time::to_proto,
};
use testkit::{SESSION, USER, as_person, as_user};
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::{
    desk::{Desk, LINE, OTHER, SALON, at, ended, field, said, started},
    following::{follow_visits, visit},
};

fn client(desk: &Desk) -> ProductEventServiceClient<Channel> {
    ProductEventServiceClient::new(desk.channel.clone())
}

fn opened(page: &str) -> NotedEvent {
    NotedEvent {
        r#type: ProductEventType::PageOpened.into(),
        schema_version: 1,
        page: page.to_owned(),
        age_ms: 2_000,
        ..NotedEvent::default()
    }
}

fn noted(business: BusinessId, events: Vec<NotedEvent>) -> RecordProductEventsRequest {
    RecordProductEventsRequest { business_id: business.to_string(), events, tab_id: "tab-1".to_owned() }
}

async fn note(desk: &Desk, business: BusinessId, events: Vec<NotedEvent>) -> Result<(), Status> {
    let request = as_user(&desk.host, Role::Guest, business, noted(business, events));
    client(desk).record_product_events(request).await.map(drop)
}

async fn listed(desk: &Desk, filter: ProductEventFilter) -> Result<Vec<ProductEvent>, Status> {
    let message = ListProductEventsRequest { filter: Some(filter), ..ListProductEventsRequest::default() };
    let request = as_person(&desk.host, USER, SESSION, None, Some(Role::Admin), message);
    Ok(client(desk).list_product_events(request).await?.into_inner().events)
}

#[tokio::test]
async fn what_pages_note_is_kept_with_who_acted_and_when() {
    let desk = Desk::open().await;
    let exported = NotedEvent {
        r#type: ProductEventType::FileExported.into(),
        detail: "calls".to_owned(),
        ..opened("/:businessId/calls")
    };
    note(&desk, SALON, vec![opened("/:businessId/insights")]).await.unwrap();
    desk.time.advance(SignedDuration::from_mins(1));
    note(&desk, OTHER, vec![exported]).await.unwrap();
    let events = listed(&desk, ProductEventFilter::default()).await.unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!((events[0].r#type(), events[0].detail.as_str()), (ProductEventType::FileExported, "calls"));
    assert_eq!(events[0].business_id, OTHER.to_string());
    assert_eq!((events[1].page.as_str(), events[1].schema_version), ("/:businessId/insights", 1));
    assert_eq!((events[1].actor.clone(), events[1].tab_id.as_str()), (format!("user:{USER}"), "tab-1"));
    assert_eq!(events[1].occurred_at, Some(to_proto(at("2026-06-01T07:59:58Z"))));

    let of_salon = ProductEventFilter { business_id: SALON.to_string(), ..Default::default() };
    assert_eq!(listed(&desk, of_salon).await.unwrap().len(), 1);
    let types = vec![ProductEventType::PageOpened.into()];
    let pages = ProductEventFilter { types, ..Default::default() };
    assert_eq!(listed(&desk, pages).await.unwrap(), [events[1].clone()]);
    let by = ProductEventFilter { actor: "user:nobody".to_owned(), ..Default::default() };
    assert!(listed(&desk, by).await.unwrap().is_empty());
    let later = ProductEventFilter { from: Some(to_proto(at("2026-06-01T08:00:30Z"))), ..Default::default() };
    assert_eq!(listed(&desk, later).await.unwrap(), [events[0].clone()]);
}

#[tokio::test]
async fn calls_note_their_end_and_visits_that_were_booked_in_them_once() {
    let desk = Desk::open().await;
    let call = desk.record("e1", started("platform-1")).await.unwrap().call_id;
    desk.record("e2", ended("platform-1")).await.unwrap();
    let mut spoken = ended("platform-1");
    spoken.turns = vec![said(Speaker::Caller, "Hi")];
    desk.record("e3", spoken).await.unwrap();
    let of = |position, version| visit(position, &call, Uuid::from_u128(1), version, (4500, "GBP"), false);
    follow_visits(&desk, vec![of(1, 1), of(2, 2)]).await;
    let events = listed(&desk, ProductEventFilter::default()).await.unwrap();
    let mut told: Vec<_> = events.iter().map(|event| (event.r#type(), event.actor.clone())).collect();
    told.sort_by_key(|(kind, _)| i32::from(*kind));
    let (agent, follower) = (format!("agent:{LINE}"), "service:telemetry".to_owned());
    assert_eq!(told, [(ProductEventType::CallEnded, agent), (ProductEventType::CallBooked, follower)]);
}

type Spoil = fn(&mut NotedEvent);

#[tokio::test]
async fn nothing_of_a_person_is_taken_in_and_no_more_than_a_page_notes() {
    let desk = Desk::open().await;
    let refused = async |events| field(&note(&desk, SALON, events).await.unwrap_err());
    assert_eq!(refused(vec![]).await, "events");
    assert_eq!(refused(vec![opened("/"); 41]).await, "events");
    let wrong: [(&str, Spoil); 9] = [
        ("events[1].type", |e| e.r#type = 0),
        ("events[1].type", |e| e.r#type = ProductEventType::CallEnded.into()),
        ("events[1].schema_version", |e| e.schema_version = 0),
        ("events[1].schema_version", |e| e.schema_version = 2),
        ("events[1].page", |e| e.page = "/search?q=ana".to_owned()),
        ("events[1].page", |e| e.page = format!("/{}", Uuid::nil())),
        ("events[1].detail", |e| e.detail = "Ana".to_owned()),
        ("events[1].age_ms", |e| e.age_ms = -1),
        ("events[1].age_ms", |e| e.age_ms = 15 * 60_000 + 1),
    ];
    for (name, spoil) in wrong {
        let mut event = opened("/");
        spoil(&mut event);
        assert_eq!(refused(vec![opened("/"), event]).await, name);
    }
    let message = RecordProductEventsRequest { tab_id: "a b".to_owned(), ..noted(SALON, vec![opened("/")]) };
    let result = client(&desk).record_product_events(as_user(&desk.host, Role::Guest, SALON, message)).await;
    assert_eq!(field(&result.unwrap_err()), "tab_id");
    assert_eq!(desk.count("SELECT count(*) FROM product_event").await, 0);
}

#[tokio::test]
async fn events_are_counted_by_step_and_exported_page_by_page() {
    let desk = Desk::open().await;
    for _ in 0..3 {
        note(&desk, SALON, vec![opened("/:businessId/calls")]).await.unwrap();
        desk.time.advance(SignedDuration::from_mins(1));
    }
    let filter = || ProductEventFilter {
        from: Some(to_proto(at("2026-06-01T07:59:00Z"))),
        to: Some(to_proto(at("2026-06-01T08:03:00Z"))),
        ..Default::default()
    };
    let admin = (Some(Role::Admin), None::<BusinessId>);
    let count = |filter, steps| {
        let message = CountProductEventsRequest { filter: Some(filter), steps, zone: String::new() };
        as_person(&desk.host, USER, SESSION, admin.1, admin.0, message)
    };
    let counts = client(&desk).count_product_events(count(filter(), 2)).await.unwrap().into_inner().counts;
    let told: Vec<_> = counts.iter().map(|count| (count.step, count.events)).collect();
    assert_eq!(told, [(0, 2), (1, 1)]);
    let refused = client(&desk).count_product_events(count(filter(), 0)).await.unwrap_err();
    assert_eq!(field(&refused), "steps");
    let unbounded = ProductEventFilter { to: None, ..filter() };
    let refused = client(&desk).count_product_events(count(unbounded, 2)).await.unwrap_err();
    assert_eq!(field(&refused), "filter.to");
    let message = ExportProductEventsRequest { filter: Some(filter()), page_token: String::new() };
    let request = as_person(&desk.host, USER, SESSION, admin.1, admin.0, message);
    let exported = client(&desk).export_product_events(request).await.unwrap().into_inner();
    assert_eq!((exported.events, exported.next_page_token.as_str()), (3, ""));
    assert_eq!(exported.csv.matches("\"PAGE_OPENED\"").count(), 3);
    assert!(exported.csv.starts_with("\"At\",\"Business\""));
}

#[tokio::test]
async fn a_day_is_counted_from_midnight_to_midnight_however_long_it_is() {
    let desk = Desk::open().await;
    // The clocks of London go back in the night to the 25th of October, which has 25 hours.
    let hours =
        ["2026-10-24T22:59:00Z", "2026-10-24T23:01:00Z", "2026-10-25T23:59:00Z", "2026-10-26T00:01:00Z"];
    for hour in hours {
        desk.time.advance(at(hour).duration_since(desk.time.now()));
        note(&desk, SALON, vec![opened("/:businessId/calls")]).await.unwrap();
    }
    let counted = async |to: &str, steps, zone: &str| {
        let filter = ProductEventFilter {
            from: Some(to_proto(at("2026-10-23T23:00:00Z"))),
            to: Some(to_proto(at(to))),
            ..Default::default()
        };
        let message = CountProductEventsRequest { filter: Some(filter), steps, zone: zone.to_owned() };
        let request = as_person(&desk.host, USER, SESSION, None, Some(Role::Admin), message);
        let answer = client(&desk).count_product_events(request).await?.into_inner();
        Ok::<Vec<_>, tonic::Status>(answer.counts.iter().map(|count| (count.step, count.events)).collect())
    };
    let days = counted("2026-10-27T00:00:00Z", 3, "Europe/London").await.unwrap();
    assert_eq!(days, [(0, 1), (1, 2), (2, 1)]);
    let refused = counted("2026-10-27T00:00:00Z", 3, "Atlantis").await.unwrap_err();
    assert_eq!(field(&refused), "zone");
    let empty = counted("2026-10-23T23:00:00Z", 1, "Europe/London").await.unwrap_err();
    assert_eq!(field(&empty), "filter.to");
}

#[tokio::test]
async fn a_person_notes_so_much_in_an_hour_and_keeps_no_other_from_it() {
    let desk = Desk::open().await;
    for _ in 0..100 {
        note(&desk, SALON, vec![opened("/"); 40]).await.unwrap();
    }
    let refused = note(&desk, SALON, vec![opened("/")]).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RateLimited));
    note(&desk, OTHER, vec![opened("/")]).await.unwrap();
    let message = noted(SALON, vec![opened("/")]);
    let other = UserId(Uuid::from_u128(0xf0));
    let request = as_person(&desk.host, other, SESSION, Some(SALON), Some(Role::Guest), message);
    client(&desk).record_product_events(request).await.unwrap();
    desk.time.advance(SignedDuration::from_mins(61));
    note(&desk, SALON, vec![opened("/")]).await.unwrap();
}

#[tokio::test]
async fn events_are_kept_for_ninety_days_and_then_swept() {
    let desk = Desk::open().await;
    note(&desk, SALON, vec![opened("/")]).await.unwrap();
    desk.time.advance(SignedDuration::from_hours(24 * 89));
    note(&desk, SALON, vec![opened("/")]).await.unwrap();
    desk.time.advance(SignedDuration::from_hours(48));
    let events = listed(&desk, ProductEventFilter::default()).await.unwrap();
    assert_eq!(events.len(), 1, "what is too old is not shown before it is swept");
    assert_eq!(telemetry::sweep_product_events(&desk.app).await.unwrap(), 1);
    assert_eq!(desk.count("SELECT count(*) FROM product_event").await, 1);
}

#[tokio::test]
async fn only_administrators_read_and_only_members_note() {
    let desk = Desk::open().await;
    let list = || ListProductEventsRequest::default();
    let owner = client(&desk).list_product_events(as_user(&desk.host, Role::Owner, SALON, list())).await;
    assert_eq!(reason_of(&owner.unwrap_err()), Some(Reason::RoleTooLow));
    let request = as_user(&desk.host, Role::Owner, OTHER, noted(SALON, vec![opened("/")]));
    let stranger = client(&desk).record_product_events(request).await.unwrap_err();
    assert_eq!(reason_of(&stranger), Some(Reason::NotFound));
}
