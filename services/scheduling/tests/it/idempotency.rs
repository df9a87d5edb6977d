//! Attempts that are repeated.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        BookAppointmentRequest, CancelAppointmentRequest, CreateDependencyRequest, CreateHoldRequest,
        CreateResourceRequest, Dependency, DependencyRule, Resource,
    },
    time::to_proto,
};
use testkit::{SESSION, as_person};
use tonic::Response;
use uuid::Uuid;

use crate::salon::{
    ANA, COLOUR, CUT, OTHER, Salon, WILLOW, anyone, booking, by, local, reason, weekdays, with_key,
};

fn nine() -> jiff::Timestamp {
    local("2026-06-02", "09:00")
}

fn request() -> BookAppointmentRequest {
    booking(vec![anyone(CUT)], nine())
}

#[tokio::test]
async fn a_repeated_booking_gets_the_first_answer_and_has_one_effect() {
    let salon = Salon::open().await;
    let first = salon.book_as(with_key(salon.agent(request()), "k1")).await.unwrap();
    salon.time.advance(SignedDuration::from_hours(23));
    let again = salon.book_as(with_key(salon.agent(request()), "k1")).await.unwrap();
    assert_eq!(first, again);
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 1);
    let other = salon.book_as(with_key(salon.agent(request()), "k2")).await.unwrap();
    assert_ne!(other.id, first.id);
}

#[tokio::test]
async fn a_key_is_good_for_one_request() {
    let salon = Salon::open().await;
    salon.book_as(with_key(salon.agent(request()), "k1")).await.unwrap();
    let other = BookAppointmentRequest { notes: "other".to_owned(), ..request() };
    let refused = salon.book_as(with_key(salon.agent(other), "k1")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::IdempotencyKeyReused);
}

#[tokio::test]
async fn a_key_ends_after_a_day() {
    let salon = Salon::open().await;
    let wednesday = || booking(vec![by(CUT, ANA)], local("2026-06-03", "12:00"));
    salon.book_as(with_key(salon.agent(wednesday()), "k1")).await.unwrap();
    salon.time.advance(SignedDuration::from_hours(24));
    let refused = salon.book_as(with_key(salon.agent(wednesday()), "k1")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
}

#[tokio::test]
async fn a_refused_attempt_may_be_repeated_with_its_key() {
    let salon = Salon::open().await;
    let blocking = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    let wanted = || booking(vec![by(CUT, ANA)], nine());
    let refused = salon.book_as(with_key(salon.agent(wanted()), "k1")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    salon.cancel(&blocking.id).await.unwrap();
    salon.book_as(with_key(salon.agent(wanted()), "k1")).await.unwrap();
}

#[tokio::test]
async fn a_key_belongs_to_its_actor_its_method_and_its_business() {
    let salon = Salon::open().await;
    salon.set_hours(OTHER, weekdays(9, 18)).await;
    let key = |request| with_key(request, "k1");
    salon.book_as(key(salon.agent(request()))).await.unwrap();
    let person = |id| {
        let user = caller::UserId(Uuid::from_u128(id));
        as_person(&salon.host, user, SESSION, Some(WILLOW), Some(Role::Employee), request())
    };
    salon.book_as(key(person(1))).await.unwrap();
    let refused = salon.book_as(key(person(2))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    let hold = CreateHoldRequest {
        business_id: WILLOW.to_string(),
        items: vec![anyone(CUT)],
        starts_at: Some(to_proto(local("2026-06-02", "12:00"))),
        call_id: String::new(),
        ..Default::default()
    };
    let hold = with_key(salon.agent(hold), "k1");
    salon.availability().create_hold(hold).await.unwrap();
}

#[tokio::test]
async fn one_key_from_many_at_once_has_one_effect_and_one_answer() {
    let salon = Salon::open().await;
    let attempts = (0..30).map(|_| salon.book_as(with_key(salon.agent(request()), "k1")));
    let answers = futures::future::join_all(attempts).await;
    let first = answers[0].as_ref().unwrap();
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap() == first));
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 1);
}

#[tokio::test]
async fn holds_and_cancellations_are_repeated_safely_as_well() {
    let salon = Salon::open().await;
    let hold = || {
        let request = CreateHoldRequest {
            business_id: WILLOW.to_string(),
            items: vec![by(CUT, ANA)],
            starts_at: Some(to_proto(nine())),
            call_id: String::new(),
            ..Default::default()
        };
        with_key(salon.agent(request), "h")
    };
    let first = salon.availability().create_hold(hold()).await.unwrap().into_inner();
    assert_eq!(salon.availability().create_hold(hold()).await.unwrap().into_inner(), first);
    let booked = salon.book_hold(&first.hold.unwrap().id).await.unwrap();
    let cancel = || {
        let request = CancelAppointmentRequest {
            business_id: WILLOW.to_string(),
            appointment_id: booked.id.clone(),
            reason: String::new(),
        };
        with_key(salon.agent(request), "c")
    };
    let first = salon.appointments().cancel_appointment(cancel()).await.unwrap().into_inner();
    assert_eq!(salon.appointments().cancel_appointment(cancel()).await.unwrap().into_inner(), first);
    assert_eq!(salon.booked().await[0].version, 2);
}

#[tokio::test]
async fn a_resource_is_created_once_per_key() {
    let salon = Salon::open().await;
    let create = async |name: &str| {
        let resource = Resource { name: name.to_owned(), kind: "basin".to_owned(), ..Default::default() };
        let message = CreateResourceRequest { business_id: WILLOW.to_string(), resource: Some(resource) };
        let request = with_key(salon.manager(message), "k1");
        salon.resources().create_resource(request).await.map(Response::into_inner)
    };
    let first = create("Basin 1").await.unwrap();
    assert_eq!(create("Basin 1").await.unwrap(), first, "its own name is not taken");
    assert_eq!(reason(&create("Basin 2").await.unwrap_err()), Reason::IdempotencyKeyReused);
    assert_eq!(salon.count("SELECT count(*) FROM resource").await, 1);
}

#[tokio::test]
async fn a_rule_between_services_is_created_once_per_key() {
    let salon = Salon::open().await;
    let create = async |rule: DependencyRule| {
        let dependency = Dependency {
            first_service_id: COLOUR.to_string(),
            then_service_id: CUT.to_string(),
            rule: rule.into(),
            ..Default::default()
        };
        let message =
            CreateDependencyRequest { business_id: WILLOW.to_string(), dependency: Some(dependency) };
        let request = with_key(salon.manager(message), "k1");
        salon.dependencies().create_dependency(request).await.map(Response::into_inner)
    };
    let first = create(DependencyRule::Order).await.unwrap();
    assert_eq!(create(DependencyRule::Order).await.unwrap(), first, "it does not repeat itself");
    let refused = create(DependencyRule::SameEmployee).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::IdempotencyKeyReused);
    assert_eq!(salon.count("SELECT count(*) FROM dependency").await, 1);
}
