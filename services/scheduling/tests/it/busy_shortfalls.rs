//! Busy facts that can't be held as they are sent.

use jiff::SignedDuration;
use proptest::{prelude::*, test_runner::TestRunner};
use proto::{
    frontdesk::scheduling::internal::v1::{BusyFact, shortfall::Kind},
    time::to_proto,
};

use crate::{
    busy::{OPEN_BUSY, at},
    salon::{ANA, CUT, STRANGER, Salon, by, fact, local, removed},
};

/// What a poisoned fact falls short by.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Short {
    Refused(&'static str),
    OutOfRange,
    HeldUntil(jiff::Timestamp),
}

/// Facts that can't be held as they are sent.
fn poisons() -> Vec<(BusyFact, Short)> {
    let good = || fact("poison", at("09:00"), at("10:00"));
    let time = |text: &str| Some(to_proto(text.parse().unwrap()));
    let wire = |seconds| Some(pbjson_types::Timestamp { seconds, nanos: 0 });
    // The salon's clock is at the first of June.
    let until = "2027-06-01T00:00:00Z".parse().unwrap();
    vec![
        (fact("", at("09:00"), at("10:00")), Short::Refused("external_id")),
        (fact(&"x".repeat(1025), at("09:00"), at("10:00")), Short::Refused("external_id")),
        (fact("fact-0", at("09:00"), at("10:00")), Short::Refused("external_id")),
        (fact("poison", at("10:00"), at("09:00")), Short::Refused("ends_at")),
        (BusyFact { ends_at: None, ..good() }, Short::Refused("ends_at")),
        (BusyFact { starts_at: wire(i64::MIN), ..good() }, Short::Refused("starts_at")),
        (BusyFact { ends_at: wire(i64::MAX), ..good() }, Short::Refused("ends_at")),
        (BusyFact { title: "x\0".to_owned(), ..good() }, Short::Refused("title")),
        (BusyFact { title: "x".repeat(1001), ..good() }, Short::Refused("title")),
        (BusyFact { employee_id: "Ana".to_owned(), ..good() }, Short::Refused("employee_id")),
        (BusyFact { employee_id: STRANGER.to_string(), ..good() }, Short::Refused("employee_id")),
        (
            BusyFact {
                starts_at: time("1850-01-01T00:00:00Z"),
                ends_at: time("1850-01-02T00:00:00Z"),
                ..good()
            },
            Short::OutOfRange,
        ),
        (
            BusyFact {
                starts_at: time("2200-01-01T00:00:00Z"),
                ends_at: time("9999-12-30T00:00:00Z"),
                ..good()
            },
            Short::OutOfRange,
        ),
        (
            BusyFact {
                starts_at: time("0001-01-01T00:00:00Z"),
                ends_at: time("9999-12-30T00:00:00Z"),
                ..good()
            },
            Short::HeldUntil(until),
        ),
    ]
}

/// A batch of so many facts, each an hour of another day, with one poisoned fact among them.
fn batch(good: usize, poison: BusyFact, place: usize) -> Vec<BusyFact> {
    let day = |n: usize| at("12:00") + SignedDuration::from_hours(24 * i64::try_from(n).unwrap());
    let mut facts: Vec<_> = (0..good)
        .map(|n| fact(&format!("fact-{n}"), day(n), day(n) + SignedDuration::from_hours(1)))
        .collect();
    facts.insert(place, poison);
    facts
}

async fn check_poison(salon: &Salon, good: usize, which: usize, place: usize) {
    sqlx::raw_sql("TRUNCATE busy_fact, ledger CASCADE").execute(&mut salon.superuser().await).await.unwrap();
    let (poison, expected) = poisons().swap_remove(which);
    let place = if poison.external_id == "fact-0" { place.max(1) } else { place };
    let answer = salon.import_all(batch(good, poison, place)).await.unwrap();
    let [shortfall] = &answer.shortfalls[..] else { panic!("not one shortfall: {answer:?}") };
    let short = match shortfall.kind.clone().unwrap() {
        Kind::Refused(refused) => {
            assert!(!refused.fault.is_empty());
            let Short::Refused(field) = expected else { panic!("{refused:?} and not {expected:?}") };
            assert_eq!(refused.field, field);
            expected.clone()
        }
        Kind::OutOfRange(_) => Short::OutOfRange,
        Kind::HeldUntil(until) => Short::HeldUntil(proto::time::required("until", Some(&until)).unwrap()),
    };
    assert_eq!((usize::try_from(shortfall.index).unwrap(), &short), (place, &expected));
    let held = i64::try_from(good).unwrap() + i64::from(matches!(expected, Short::HeldUntil(_)));
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact WHERE starts_at IS NOT NULL").await, held);
    assert_eq!(
        salon.count("SELECT count(DISTINCT fact_id) FROM ledger WHERE is_open AND kind = 'BUSY'").await,
        held
    );
}

#[tokio::test]
async fn every_poisoned_fact_is_named_alone_and_all_others_are_held() {
    let salon = Salon::open().await;
    for which in 0..poisons().len() {
        check_poison(&salon, 3, which, 1).await;
    }
}

#[test]
fn one_poisoned_fact_anywhere_in_a_batch_stops_no_other() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let salon = runtime.block_on(Salon::open());
    let batches = (1_usize..40).prop_flat_map(|good| (Just(good), 0..poisons().len(), 0..=good));
    let mut runner = TestRunner::new(ProptestConfig::with_cases(24));
    let result = runner.run(&batches, |(good, which, place)| {
        runtime.block_on(check_poison(&salon, good, which, place));
        Ok(())
    });
    result.unwrap();
    runtime.block_on(async { drop(salon) });
}

#[tokio::test]
async fn a_long_time_is_held_for_a_year_and_carried_on_when_it_is_told_again() {
    let salon = Salon::open().await;
    let sabbatical = || fact("sabbatical", local("2026-01-01", "00:00"), local("2029-01-01", "00:00"));
    let until = async |salon: &Salon| {
        let answer = salon.import_all(vec![sabbatical()]).await.unwrap();
        match answer.shortfalls.first().and_then(|shortfall| shortfall.kind.clone()) {
            Some(Kind::HeldUntil(until)) => proto::time::required("until", Some(&until)).unwrap(),
            other => panic!("not held for a while: {other:?}"),
        }
    };
    let first = until(&salon).await;
    assert!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.is_empty());
    assert_eq!(until(&salon).await, first);
    salon.time.advance(SignedDuration::from_hours(24 * 200));
    assert_eq!(until(&salon).await, first + SignedDuration::from_hours(24 * 200));
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact").await, 1);
    salon.import(vec![removed("sabbatical")]).await.unwrap();
    assert_eq!(salon.count(OPEN_BUSY).await, 0);
}
