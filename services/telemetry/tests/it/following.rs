//! What happens here when tenancy changes a customer, or scheduling a visit.

use boot::peer::Peer;
use caller::Role;
use proto::{
    frontdesk::{
        events::v1::{Event, event::Payload},
        scheduling::v1::{Appointment, AppointmentState, PlacedItem},
        telemetry::{internal::v1::FinishToolCallRequest, v1::ListCallsRequest},
        tenancy::v1::Customer,
    },
    time::to_proto,
};
use testkit::{USER, as_user, event_log};
use uuid::Uuid;

use crate::desk::{Desk, SALON, answered, at, started};

pub const MIA: Uuid = Uuid::from_u128(0xd1);
/// The service of every visit.
pub const CUT: Uuid = Uuid::from_u128(0x5e1);
const TWIN: Uuid = Uuid::from_u128(0xd2);

/// A customer, perhaps as part of another.
pub fn customer(position: i64, version: i64, id: Uuid, name: &str, whole: Option<Uuid>) -> Event {
    let customer = Customer {
        id: id.to_string(),
        name: name.to_owned(),
        merged_into: whole.map(|whole| whole.to_string()).unwrap_or_default(),
        ..Customer::default()
    };
    event_log::event(position, SALON, id, version, Payload::Customer(customer))
}

/// Has the service follow a log of tenancy with these events to its end.
pub async fn follow(desk: &Desk, events: Vec<Event>) {
    let last = events.last().unwrap().position;
    telemetry::follow(log(desk, "tenancy", events).await, &desk.app, &desk.host);
    caught_up(desk, "tenancy", last).await;
}

/// Has the service follow a log of scheduling with these events to its end.
pub async fn follow_visits(desk: &Desk, events: Vec<Event>) {
    let last = events.last().unwrap().position;
    telemetry::follow_visits(log(desk, "scheduling", events).await, &desk.app, &desk.host);
    caught_up(desk, "scheduling", last).await;
}

async fn log(desk: &Desk, service: &'static str, events: Vec<Event>) -> Peer {
    event_log::service(service, &event_log::Events::new(events), &desk.host).await
}

async fn caught_up(desk: &Desk, service: &'static str, last: i64) {
    while !outbox::caught_up(&desk.app, "telemetry", service, last).await.unwrap() {
        tokio::task::yield_now().await;
    }
}

/// A visit that was booked in a call, as scheduling tells of it.
pub fn visit(
    position: i64,
    call_id: &str,
    id: Uuid,
    version: i64,
    price: (i32, &str),
    cancelled: bool,
) -> Event {
    let state = if cancelled { AppointmentState::Cancelled } else { AppointmentState::Booked };
    let item = PlacedItem { service_id: CUT.to_string(), ..PlacedItem::default() };
    let appointment = Appointment {
        id: id.to_string(),
        call_id: call_id.to_owned(),
        state: state.into(),
        version,
        price_minor: price.0,
        currency: price.1.to_owned(),
        items: vec![item],
        ..Appointment::default()
    };
    Event {
        occurred_at: Some(to_proto(at("2026-06-01T08:00:00Z"))),
        ..event_log::event(position, SALON, id, version, Payload::Appointment(appointment))
    }
}

/// The same, told of as a person's doing.
pub fn by_person(event: Event) -> Event {
    Event { actor: format!("user:{USER}"), ..event }
}

#[tokio::test]
async fn a_call_is_of_the_customer_whom_its_own_became_part_of_until_that_is_undone() {
    let desk = Desk::open().await;
    desk.record("event-1", started("platform-1")).await.unwrap();
    let begun = desk.begin("event-2").await.unwrap();
    let found = FinishToolCallRequest {
        customer_id: TWIN.to_string(),
        customer_name: "M. Wong".to_owned(),
        ..answered(&begun.tool_call_id)
    };
    desk.finish(found).await.unwrap();
    let whose = async || {
        let one = desk.get(&begun.call_id).await.unwrap().call.unwrap();
        let listed = desk.list(0, "").await.unwrap().calls.remove(0);
        assert_eq!((&listed.customer_id, &listed.customer_name), (&one.customer_id, &one.customer_name));
        (one.customer_id, one.customer_name)
    };
    let twin = (TWIN.to_string(), "M. Wong".to_owned());
    assert_eq!(whose().await, twin, "before tenancy told of anyone");
    let mut told = vec![customer(1, 1, MIA, "Mia", None), customer(2, 1, TWIN, "M. Wong", None)];
    follow(&desk, told.clone()).await;
    assert_eq!(whose().await, twin);
    told.push(customer(3, 2, TWIN, "M. Wong", Some(MIA)));
    follow(&desk, told.clone()).await;
    assert_eq!(whose().await, (MIA.to_string(), "Mia".to_owned()));
    assert_eq!((of(&desk, MIA).await, of(&desk, Uuid::from_u128(9)).await), (1, 0), "the list of hers");
    told.push(customer(4, 2, MIA, "Mia Wong", None));
    follow(&desk, told.clone()).await;
    assert_eq!(whose().await, (MIA.to_string(), "Mia Wong".to_owned()), "by the name of today");
    told.push(customer(5, 3, TWIN, "M. Wong", None));
    follow(&desk, told).await;
    assert_eq!(whose().await, twin);
    assert_eq!((of(&desk, MIA).await, of(&desk, TWIN).await), (0, 1));
}

/// How many calls the list of a customer's has.
async fn of(desk: &Desk, customer: Uuid) -> usize {
    let message = ListCallsRequest {
        business_id: SALON.to_string(),
        customer_id: customer.to_string(),
        ..ListCallsRequest::default()
    };
    let request = as_user(&desk.host, Role::Employee, SALON, message);
    desk.calls().list_calls(request).await.unwrap().into_inner().calls.len()
}
