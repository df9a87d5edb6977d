//! A patch test two days before a colour.

use jiff::Timestamp;
use proto::{
    error::Reason,
    frontdesk::{
        error::v1 as error,
        scheduling::v1::{
            Appointment, BookAppointmentRequest, BookFromWaitlistRequest, BookWalkInRequest,
            CreateHoldRequest, Dependency, DependencyRule, ExplainAvailabilityRequest, JoinWaitlistRequest,
            ListWaitlistRequest, PlanSeriesRequest, Recurrence, SearchAvailabilityRequest, VisitItem,
            visit_obstacle::Kind,
        },
    },
    time::to_proto,
};
use tonic::Status;
use uuid::Uuid;

use crate::{
    delay,
    dependencies::rule,
    moving,
    salon::{
        ANA, BEN, CALL, COLOUR, CUT, Salon, WILLOW, anyone, booking, by, field, local, reason, shown, starts,
    },
};

const MIA: Uuid = Uuid::from_u128(0x3a);
const NOAH: Uuid = Uuid::from_u128(0x3b);

/// Two days before, and half a year at most.
fn patch_test() -> Dependency {
    Dependency { least_hours: 48, most_days: Some(183), ..rule(1, CUT, COLOUR, DependencyRule::EarlierVisit) }
}

/// Willow, where a colour needs a cut before, as it were a patch test. Mia has one on Tuesday until
/// half past nine.
async fn salon() -> Salon {
    let salon = Salon::open().await;
    salon.depend(patch_test()).await.unwrap();
    book(&salon, vec![by(CUT, ANA)], MIA, local("2026-06-02", "09:00")).await.unwrap();
    salon
}

async fn book(
    salon: &Salon,
    items: Vec<VisitItem>,
    customer: Uuid,
    start: Timestamp,
) -> Result<Appointment, Status> {
    let request = BookAppointmentRequest { customer_id: customer.to_string(), ..booking(items, start) };
    salon.book_as(salon.agent(request)).await
}

async fn offered(salon: &Salon, customer: &str, date: &str) -> Vec<String> {
    let request = SearchAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(COLOUR, ANA)],
        from: Some(to_proto(local(date, "00:00"))),
        to: Some(to_proto(local(date, "23:55"))),
        page_size: 200,
        customer_id: customer.to_owned(),
        ..SearchAvailabilityRequest::default()
    };
    starts(&salon.search_as(salon.agent(request)).await.unwrap().offers)
}

#[tokio::test]
async fn offers_begin_when_the_earlier_visit_is_long_enough_ago() {
    let salon = salon().await;
    assert_eq!(offered(&salon, &MIA.to_string(), "2026-06-03").await, [""; 0]);
    let thursday = offered(&salon, &MIA.to_string(), "2026-06-04").await;
    assert_eq!((thursday[0].as_str(), thursday.last().unwrap().as_str()), ("09:30", "16:45"));
    for stranger in [NOAH.to_string(), String::new()] {
        assert_eq!(offered(&salon, &stranger, "2026-06-04").await, [""; 0]);
    }
}

#[tokio::test]
async fn a_booking_without_the_earlier_visit_is_refused_for_every_role() {
    let salon = salon().await;
    let start = local("2026-06-04", "09:30");
    for (customer, start) in [(NOAH, start), (MIA, local("2026-06-04", "09:15"))] {
        let refused = book(&salon, vec![by(COLOUR, ANA)], customer, start).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::EarlierVisit);
    }
    let unnamed = salon.book(vec![by(COLOUR, ANA)], start).await.unwrap_err();
    assert_eq!(reason(&unnamed), Reason::EarlierVisit);
    let booked = book(&salon, vec![by(COLOUR, ANA)], MIA, start).await.unwrap();
    // Nor is it brought to where it would not have been booked.
    let early = moving::send(&salon, moving::request(&booked.id, local("2026-06-03", "12:00"))).await;
    assert_eq!(reason(&early.unwrap_err()), Reason::EarlierVisit);
    moving::send(&salon, moving::request(&booked.id, local("2026-06-05", "12:00"))).await.unwrap();
}

#[tokio::test]
async fn a_visit_that_runs_late_is_not_asked_again() {
    let salon = salon().await;
    let booked = book(&salon, vec![by(COLOUR, ANA)], MIA, local("2026-06-04", "09:30")).await.unwrap();
    salon.time.set(local("2026-06-04", "09:15"));
    let delayed = delay::delay(&salon, &booked.id, 30).await.unwrap();
    assert_eq!(shown(delayed.appointment.unwrap().starts_at.as_ref()), "10:00");
}

#[tokio::test]
async fn a_visit_that_was_called_off_does_not_count() {
    let salon = salon().await;
    let test = book(&salon, vec![by(CUT, BEN)], NOAH, local("2026-06-02", "09:00")).await.unwrap();
    assert!(!offered(&salon, &NOAH.to_string(), "2026-06-04").await.is_empty());
    salon.cancel(&test.id).await.unwrap();
    assert_eq!(offered(&salon, &NOAH.to_string(), "2026-06-04").await, [""; 0]);
}

#[tokio::test]
async fn a_guest_of_whom_nothing_is_known_is_not_let_in() {
    let salon = salon().await;
    let guest = VisitItem { guest: 1, ..by(COLOUR, BEN) };
    let both = vec![by(COLOUR, ANA), guest];
    let refused = book(&salon, both, MIA, local("2026-06-04", "10:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::EarlierVisit);
    let with_a_cut = vec![by(COLOUR, ANA), VisitItem { guest: 1, ..by(CUT, BEN) }];
    book(&salon, with_a_cut, MIA, local("2026-06-04", "10:00")).await.unwrap();
}

#[tokio::test]
async fn a_hold_is_kept_for_one_customer_and_not_booked_for_another() {
    let salon = salon().await;
    let start = local("2026-06-04", "10:00");
    let request = |customer: Uuid| CreateHoldRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(COLOUR, ANA)],
        starts_at: Some(to_proto(start)),
        call_id: CALL.to_string(),
        customer_id: customer.to_string(),
    };
    let refused = salon.availability().create_hold(salon.agent(request(NOAH))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::EarlierVisit);
    let held = salon.availability().create_hold(salon.agent(request(MIA))).await.unwrap().into_inner();
    let booking = |customer: Uuid| BookAppointmentRequest {
        business_id: WILLOW.to_string(),
        hold_id: held.hold.clone().unwrap().id,
        customer_id: customer.to_string(),
        ..BookAppointmentRequest::default()
    };
    let refused = salon.book_as(salon.agent(booking(NOAH))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::EarlierVisit);
    salon.book_as(salon.agent(booking(MIA))).await.unwrap();
}

#[tokio::test]
async fn an_explanation_names_the_rule_and_says_it() {
    let salon = salon().await;
    let explain = async |customer: Uuid, language: &str| {
        let request = ExplainAvailabilityRequest {
            business_id: WILLOW.to_string(),
            items: vec![by(COLOUR, ANA)],
            starts_at: Some(to_proto(local("2026-06-03", "10:00"))),
            customer_id: customer.to_string(),
            language: language.to_owned(),
            ..ExplainAvailabilityRequest::default()
        };
        salon.explain_as(request).await.unwrap()
    };
    let explained = explain(MIA, "en").await;
    assert!(explained.offer.is_none());
    let [obstacle] = explained.obstacles.as_slice() else { panic!("{:?}", explained.obstacles) };
    assert_eq!((obstacle.kind(), obstacle.record_id.clone()), (Kind::EarlierVisit, patch_test().id));
    assert_eq!(shown(explained.next_offer.unwrap().starts_at.as_ref()), "09:30");
    assert_eq!(
        explained.sentence,
        "Colour needs Cut on an earlier visit, 2 days before at least, but 9:30 am on Thursday 4 June is free."
    );
    assert_eq!(
        explain(NOAH, "de").await.sentence,
        "Vor Colour braucht es bei einem früheren Besuch Cut, mindestens 2 Tage vorher, \
         und in den zwei Wochen danach ist nichts frei."
    );
}

#[tokio::test]
async fn a_search_as_of_before_the_earlier_visit_was_booked_offers_nothing() {
    let salon = salon().await;
    let before = salon.time.now();
    salon.time.advance(jiff::SignedDuration::from_mins(1));
    book(&salon, vec![by(CUT, BEN)], NOAH, local("2026-06-02", "10:00")).await.unwrap();
    let request = |as_of| SearchAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(COLOUR, BEN)],
        from: Some(to_proto(local("2026-06-04", "00:00"))),
        customer_id: NOAH.to_string(),
        as_of,
        ..SearchAvailabilityRequest::default()
    };
    let now = salon.search_as(salon.agent(request(None))).await.unwrap();
    assert_eq!(shown(now.offers[0].starts_at.as_ref()), "10:30");
    let then = salon.search_as(salon.agent(request(Some(to_proto(before))))).await.unwrap();
    assert!(then.offers.is_empty());
}

#[tokio::test]
async fn walk_ins_series_and_the_waitlist_keep_the_rule() {
    let salon = salon().await;
    let walk_in = BookWalkInRequest {
        business_id: WILLOW.to_string(),
        items: vec![anyone(COLOUR)],
        within_minutes: 720,
        customer_id: MIA.to_string(),
        ..BookWalkInRequest::default()
    };
    let refused = salon.appointments().book_walk_in(salon.employee(walk_in)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::EarlierVisit);

    let plan = PlanSeriesRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(COLOUR, ANA)],
        starts_at: Some(to_proto(local("2026-06-03", "10:00"))),
        recurrence: Some(Recurrence { cadence: 1, every: 1, count: 2 }),
        customer_id: MIA.to_string(),
    };
    let planned = salon.series().plan_series(salon.employee(plan)).await.unwrap().into_inner().occurrences;
    assert_eq!(planned[0].reason(), error::Reason::EarlierVisit);
    assert!(planned[1].offer.is_some());

    for (customer, waits) in [(MIA, true), (NOAH, false)] {
        let entry = JoinWaitlistRequest {
            business_id: WILLOW.to_string(),
            customer_id: customer.to_string(),
            items: vec![by(COLOUR, ANA)],
            first_date: "2026-06-03".to_owned(),
            last_date: "2026-06-04".to_owned(),
            ..JoinWaitlistRequest::default()
        };
        let joined = salon.waitlist().join_waitlist(salon.employee(entry)).await.unwrap().into_inner();
        let list = ListWaitlistRequest { business_id: WILLOW.to_string(), ..ListWaitlistRequest::default() };
        let listed = salon.waitlist().list_waitlist(salon.employee(list)).await.unwrap().into_inner();
        let entry = listed.waiting.iter().find(|one| one.entry == joined.entry).unwrap();
        assert_eq!(
            entry.offer.as_ref().map(|offer| shown(offer.starts_at.as_ref())),
            waits.then(|| "09:30".to_owned())
        );
        let book = BookFromWaitlistRequest {
            business_id: WILLOW.to_string(),
            entry_id: entry.entry.clone().unwrap().id,
            starts_at: Some(to_proto(local("2026-06-04", "09:30"))),
            ..BookFromWaitlistRequest::default()
        };
        let booked = salon.waitlist().book_from_waitlist(salon.employee(book)).await;
        assert_eq!(booked.map_err(|status| reason(&status)).err(), (!waits).then_some(Reason::EarlierVisit));
    }
}

#[tokio::test]
async fn a_wrong_field_of_the_rule_is_named() {
    let salon = Salon::open().await;
    assert_eq!(salon.depend(patch_test()).await.unwrap(), patch_test());
    let wrong = [
        ("dependency.most_days", Dependency { most_days: Some(0), ..patch_test() }),
        ("dependency.most_days", Dependency { most_days: Some(731), ..patch_test() }),
        ("dependency.least_hours", Dependency { most_days: Some(1), least_hours: 25, ..patch_test() }),
        ("dependency.least_hours", Dependency { least_hours: -1, ..patch_test() }),
        ("dependency.least_gap_minutes", Dependency { least_gap_minutes: 5, ..patch_test() }),
        ("dependency.most_gap_minutes", Dependency { most_gap_minutes: Some(5), ..patch_test() }),
        (
            "dependency.least_hours",
            Dependency { rule: DependencyRule::Parallel.into(), most_days: None, ..patch_test() },
        ),
        (
            "dependency.most_days",
            Dependency { rule: DependencyRule::Order.into(), least_hours: 0, ..patch_test() },
        ),
    ];
    for (name, dependency) in wrong {
        let dependency = Dependency { id: String::new(), ..dependency };
        assert_eq!(field(&salon.depend(dependency).await.unwrap_err()), name);
    }
    let back = Dependency {
        id: Uuid::from_u128(2).to_string(),
        ..rule(2, COLOUR, CUT, DependencyRule::EarlierVisit)
    };
    assert_eq!(reason(&salon.depend(back).await.unwrap_err()), Reason::Contradiction);
}
