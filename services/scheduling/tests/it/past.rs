//! Answers as of an instant, and under hypotheses.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        ExplainAvailabilityRequest, ExplainAvailabilityResponse, Hypothesis, HypotheticalTime,
        SearchAvailabilityRequest, SearchAvailabilityResponse, Service, obstacle::Kind,
    },
    time::to_proto,
};
use uuid::Uuid;

use crate::{
    explaining,
    race::Dice,
    salon::{
        ANA, BEN, COLOUR, CUT, Salon, WILLOW, anyone, by, fact, field, local, reason, service, starts,
        weekdays,
    },
};

const TUESDAY: &str = "2026-06-02";

/// A search of Tuesday, the day after the clock's.
fn tuesday(items: Vec<proto::frontdesk::scheduling::v1::VisitItem>) -> SearchAvailabilityRequest {
    let from = local(TUESDAY, "00:00");
    SearchAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items,
        from: Some(to_proto(from)),
        to: Some(to_proto(from + SignedDuration::from_hours(24))),
        page_size: 200,
        ..SearchAvailabilityRequest::default()
    }
}

fn as_of(at: Timestamp, request: SearchAvailabilityRequest) -> SearchAvailabilityRequest {
    SearchAvailabilityRequest { as_of: Some(to_proto(at)), ..request }
}

/// One thing that changes what is free.
async fn change(salon: &Salon, dice: &mut Dice, step: u128) {
    let (items, start) = (dice.visit(), dice.start());
    match dice.roll(9) {
        0..=2 => drop(salon.book(items, start).await),
        3 => drop(salon.hold(items, start).await),
        4 => {
            let booked = salon.booked().await;
            if !booked.is_empty() {
                drop(salon.cancel(&dice.pick(&booked).id).await);
            }
        }
        5 => {
            let to = start + SignedDuration::from_mins(5 * (1 + dice.roll(20) as i64));
            let id = dice.pick(&["a", "b", "c"]);
            salon.import(vec![fact(id, start, to)]).await.unwrap();
        }
        6 => {
            let until = 12 + dice.roll(8) as i32;
            salon.set_week(dice.pick(&[ANA, BEN]), weekdays(9, until)).await;
        }
        7 => {
            let chair = service(Uuid::from_u128(0x900 + step), &format!("Service {step}"), &[30], &[ANA]);
            salon.create_service(chair).await.unwrap();
        }
        _ => drop(salon.release_call().await),
    }
}

struct Said {
    at: Timestamp,
    search: SearchAvailabilityRequest,
    found: SearchAvailabilityResponse,
    question: ExplainAvailabilityRequest,
    explained: ExplainAvailabilityResponse,
}

#[tokio::test]
async fn an_instant_later_on_is_answered_as_it_was_answered_then() {
    for seed in [3, 5, 7] {
        let salon = Salon::with_a_basin().await;
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ seed);
        let mut said = vec![];
        for step in 0..25 {
            salon.time.advance(SignedDuration::from_secs(60 + dice.roll(120) as i64));
            change(&salon, &mut dice, step).await;
            salon.time.advance(SignedDuration::from_secs(1));
            let search = tuesday(dice.visit());
            let question = explaining::request(dice.visit(), dice.start());
            said.push(Said {
                at: salon.time.now(),
                found: salon.search_as(salon.agent(search.clone())).await.unwrap(),
                explained: salon.explain_as(question.clone()).await.unwrap(),
                search,
                question,
            });
        }
        salon.time.advance(SignedDuration::from_hours(5));
        for Said { at, search, found, question, explained } in said {
            let again = salon.search_as(salon.agent(as_of(at, search))).await.unwrap();
            assert_eq!(again, found, "seed {seed} at {at}");
            let question = ExplainAvailabilityRequest { as_of: Some(to_proto(at)), ..question };
            assert_eq!(salon.explain_as(question).await.unwrap(), explained, "seed {seed} at {at}");
        }
    }
}

#[tokio::test]
async fn only_what_is_kept_can_be_asked_about() {
    let salon = Salon::open().await;
    let refused = async |at: Timestamp| {
        let request = salon.agent(as_of(at, tuesday(vec![anyone(CUT)])));
        field(&salon.search_as(request).await.unwrap_err())
    };
    let now = salon.time.now();
    assert_eq!(refused(now + SignedDuration::from_secs(1)).await, "as_of");
    assert_eq!(refused(now - SignedDuration::from_secs(1)).await, "as_of");
    assert_eq!(refused(now - SignedDuration::from_hours(24 * 367)).await, "as_of");
    assert!(salon.search_as(salon.agent(as_of(now, tuesday(vec![anyone(CUT)])))).await.is_ok());
}

#[tokio::test]
async fn time_that_is_supposed_to_be_taken_is_not_offered() {
    let salon = Salon::open().await;
    let supposed = Hypothesis {
        taken: vec![HypotheticalTime {
            subject_id: ANA.to_string(),
            from: Some(to_proto(local(TUESDAY, "00:00"))),
            to: Some(to_proto(local(TUESDAY, "17:00"))),
        }],
        without_visit_ids: vec![],
    };
    let search =
        SearchAvailabilityRequest { hypothesis: Some(supposed.clone()), ..tuesday(vec![by(CUT, ANA)]) };
    let found = salon.search_as(salon.agent(search)).await.unwrap();
    assert_eq!(starts(&found.offers), ["17:00", "17:15", "17:30"]);
    let question = explaining::request(vec![by(CUT, ANA)], local(TUESDAY, "10:00"));
    let explained = salon
        .explain_as(ExplainAvailabilityRequest { hypothesis: Some(supposed), ..question })
        .await
        .unwrap();
    assert_eq!(explained.items[0].candidates[0].obstacles[0].kind(), Kind::Supposed);
    // Nothing of it is kept.
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[0], "09:00");
}

#[tokio::test]
async fn a_visit_that_is_supposed_to_go_leaves_its_time() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(COLOUR, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let without = Hypothesis { without_visit_ids: vec![booked.id.clone()], taken: vec![] };
    let search = SearchAvailabilityRequest { hypothesis: Some(without), ..tuesday(vec![by(CUT, ANA)]) };
    let found = salon.search_as(salon.agent(search)).await.unwrap();
    assert_eq!(starts(&found.offers)[0], "09:00");
    let refused = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
}

#[tokio::test]
async fn what_lies_over_a_visit_that_is_supposed_to_go_takes_its_time() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    salon.import(vec![fact("dentist", local(TUESDAY, "09:00"), local(TUESDAY, "09:20"))]).await.unwrap();
    let without = Hypothesis { without_visit_ids: vec![booked.id.clone()], taken: vec![] };
    let search =
        SearchAvailabilityRequest { hypothesis: Some(without.clone()), ..tuesday(vec![by(CUT, ANA)]) };
    let found = salon.search_as(salon.agent(search)).await.unwrap();
    assert_eq!(starts(&found.offers)[0], "09:30");
    let question = explaining::request(vec![by(CUT, ANA)], local(TUESDAY, "09:15"));
    let explained =
        salon.explain_as(ExplainAvailabilityRequest { hypothesis: Some(without), ..question }).await.unwrap();
    assert_eq!(explained.items[0].candidates[0].obstacles[0].kind(), Kind::Busy);
}

#[tokio::test]
async fn a_malformed_hypothesis_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |hypothesis: Hypothesis| {
        let search = SearchAvailabilityRequest { hypothesis: Some(hypothesis), ..tuesday(vec![anyone(CUT)]) };
        field(&salon.search_as(salon.agent(search)).await.unwrap_err())
    };
    let time = |subject: &str, from: &str, to: &str| HypotheticalTime {
        subject_id: subject.to_owned(),
        from: Some(to_proto(local(TUESDAY, from))),
        to: Some(to_proto(local(TUESDAY, to))),
    };
    let taken = |time| Hypothesis { taken: vec![time], without_visit_ids: vec![] };
    assert_eq!(refused(taken(time("Ana", "09:00", "10:00"))).await, "hypothesis.taken[0].subject_id");
    assert_eq!(refused(taken(time(&ANA.to_string(), "10:00", "09:00"))).await, "hypothesis.taken[0].to");
    let open = HypotheticalTime { from: None, ..time(&ANA.to_string(), "09:00", "10:00") };
    assert_eq!(refused(taken(open)).await, "hypothesis.taken[0].from");
    let visit = Hypothesis { without_visit_ids: vec!["x".to_owned()], taken: vec![] };
    assert_eq!(refused(visit).await, "hypothesis.without_visit_ids[0]");
    let many = Hypothesis { without_visit_ids: vec![ANA.to_string(); 51], taken: vec![] };
    assert_eq!(refused(many).await, "hypothesis.without_visit_ids");
}

#[tokio::test]
async fn a_schedule_of_every_part_is_kept_whole() {
    let salon = Salon::open().await;
    salon.create_resource(Uuid::from_u128(0xc1), "Basin", "basin").await.unwrap();
    let wash = Service {
        resource_kinds: vec!["basin".to_owned()],
        ..service(Uuid::from_u128(0xa5), "Wash", &[20], &[ANA])
    };
    salon.create_service(wash).await.unwrap();
    salon.set_week_from(ANA, "2026-06-08", weekdays(10, 14)).await;
    let now = salon.time.now();
    let search = |items| SearchAvailabilityRequest {
        to: Some(to_proto(local("2026-06-12", "00:00"))),
        ..tuesday(items)
    };
    let items = vec![by(Uuid::from_u128(0xa5), ANA)];
    let found = salon.search_as(salon.agent(search(items.clone()))).await.unwrap();
    assert!(!found.offers.is_empty());
    let again = salon.search_as(salon.agent(as_of(now, search(items)))).await.unwrap();
    assert_eq!(again, found);
}
