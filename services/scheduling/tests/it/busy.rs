//! Busy facts from outside calendars and booking systems, and conflicts with bookings.

use caller::{Role, UserId};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::{
        internal::v1::{BusyFact, ImportBusyRequest, shortfall::Kind},
        v1::{BusyOrigin, Conflict},
    },
};
use testkit::{SESSION, as_person, as_service, as_user};
use uuid::Uuid;

use crate::salon::{
    ANA, BEN, CUT, OTHER, PROVIDER, Salon, WILLOW, by, fact, field, local, reason, removed, shown, weekdays,
};

pub fn at(time: &str) -> jiff::Timestamp {
    local("2026-06-02", time)
}

pub const OPEN_BUSY: &str = "SELECT count(*) FROM ledger WHERE is_open AND kind = 'BUSY'";

#[tokio::test]
async fn repeating_an_import_changes_nothing() {
    let salon = Salon::open().await;
    let facts = || vec![fact("a", at("09:00"), at("10:00")), fact("b", at("09:30"), at("11:00"))];
    for _ in 0..3 {
        assert_eq!(salon.import(facts()).await.unwrap(), 0);
    }
    assert_eq!(salon.count("SELECT count(*) FROM ledger").await, 2);
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact").await, 2);
    assert_eq!(salon.count("SELECT version FROM business_day").await, 1);
}

#[tokio::test]
async fn a_moved_fact_frees_what_it_took() {
    let salon = Salon::open().await;
    salon.import(vec![fact("a", at("09:00"), at("10:00"))]).await.unwrap();
    salon.import(vec![fact("a", at("10:00"), at("11:00"))]).await.unwrap();
    let offered = salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
    assert_eq!(offered[..4], ["09:00", "09:15", "09:30", "11:00"]);
    assert_eq!(salon.count(OPEN_BUSY).await, 1);
    assert_eq!(salon.count("SELECT count(*) FROM ledger").await, 2);
}

#[tokio::test]
async fn a_removed_fact_frees_its_time_and_may_come_back() {
    let salon = Salon::open().await;
    salon.import(vec![fact("a", at("09:00"), at("18:00"))]).await.unwrap();
    assert!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.is_empty());
    salon.import(vec![removed("a"), removed("never-known")]).await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len(), 35);
    salon.import(vec![fact("a", at("09:00"), at("17:30"))]).await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await, ["17:30"]);
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact").await, 1);
}

#[tokio::test]
async fn a_fact_that_takes_no_time_is_no_fact() {
    let salon = Salon::open().await;
    salon.import(vec![fact("reminder", at("09:00"), at("09:00"))]).await.unwrap();
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact").await, 0);
}

#[tokio::test]
async fn a_holiday_blocks_all_its_days() {
    let salon = Salon::open().await;
    let holiday = fact("holiday", local("2026-06-01", "00:00"), local("2026-06-06", "00:00"));
    salon.import(vec![holiday]).await.unwrap();
    assert_eq!(salon.count(OPEN_BUSY).await, 5);
    assert!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.is_empty());
    let friday = salon.book(vec![by(CUT, ANA)], local("2026-06-05", "12:00")).await.unwrap_err();
    assert_eq!(reason(&friday), Reason::SlotTaken);
    salon.book(vec![by(CUT, ANA)], local("2026-06-06", "12:00")).await.unwrap();
}

#[tokio::test]
async fn a_fact_over_a_booking_becomes_a_conflict_with_both_sides() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    let facts = || vec![fact("dentist", at("09:30"), at("11:00")), fact("lunch", at("12:00"), at("13:00"))];
    assert_eq!(salon.import(facts()).await.unwrap(), 1);
    assert_eq!(salon.import(facts()).await.unwrap(), 1);
    let conflicts = salon.conflicts().await;
    assert_eq!(conflicts.len(), 1);
    let conflict = &conflicts[0];
    assert_eq!((&conflict.appointment_id, &conflict.employee_id), (&booked.id, &ANA.to_string()));
    assert_eq!(
        (conflict.title.as_str(), conflict.origin(), conflict.source_id.clone()),
        ("dentist elsewhere", BusyOrigin::Calendar, Uuid::from_u128(0xca1).to_string())
    );
    assert_eq!(conflict.appointment.as_ref(), salon.booked().await.first());
    assert_eq!(
        (shown(conflict.starts_at.as_ref()), shown(conflict.ends_at.as_ref())),
        ("09:30".into(), "11:00".into())
    );
    // The booking stays, and the rest of the fact's time is taken.
    let offered = salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
    assert_eq!(offered[..4], ["09:00", "11:00", "11:15", "11:30"]);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn what_stands_in_a_colleagues_calendar_is_named_to_managers_alone() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    salon.book(vec![by(CUT, BEN)], at("12:00")).await.unwrap();
    salon.import(vec![fact("dentist", at("10:00"), at("10:30"))]).await.unwrap();
    let visit = BusyFact { employee_id: BEN.to_string(), ..fact("visit", at("12:00"), at("12:30")) };
    salon.import_from_provider(vec![visit]).await.unwrap();
    let titles = |conflicts: Vec<Conflict>| -> Vec<String> {
        conflicts.into_iter().map(|conflict| conflict.title).collect()
    };
    let all = ["dentist elsewhere", "visit elsewhere"];
    assert_eq!(titles(salon.conflicts().await), all);
    let own = salon.conflicts_seen(|request| salon.employee(request)).await;
    assert_eq!(titles(own), all, "it is Ana's own calendar");
    let colleague = UserId(Uuid::from_u128(0xc0));
    let as_colleague =
        |request| as_person(&salon.host, colleague, SESSION, Some(WILLOW), Some(Role::Employee), request);
    let seen = titles(salon.conflicts_seen(as_colleague).await);
    assert_eq!(seen, ["", "visit elsewhere"], "the time is known, and not what it is for");
}

#[tokio::test]
async fn a_booking_system_reports_for_several_people_at_once_and_passes_a_visit_on() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, BEN)], at("10:00")).await.unwrap();
    let of = |who: Uuid, id: &str, from: &str, to: &str| BusyFact {
        employee_id: who.to_string(),
        ..fact(id, at(from), at(to))
    };
    let facts = || vec![of(ANA, "visit-1", "09:00", "17:30"), of(BEN, "visit-2", "10:15", "11:00")];
    for _ in 0..2 {
        assert_eq!(salon.import_from_provider(facts()).await.unwrap(), 1);
    }
    let conflict = &salon.conflicts().await[0];
    assert_eq!((conflict.origin(), &conflict.source_id), (BusyOrigin::Provider, &PROVIDER.to_string()));
    assert_eq!((&conflict.appointment_id, &conflict.employee_id), (&booked.id, &BEN.to_string()));
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await, ["17:30"]);
    // The visit over there goes from Ben to Ana, who is free then by now.
    let passed_on = vec![removed("visit-1"), of(ANA, "visit-2", "10:15", "11:00")];
    let unnamed = salon.import_all_from_provider(vec![passed_on[0].clone()]).await.unwrap();
    let Some(Kind::Refused(refused)) = &unnamed.shortfalls[0].kind else { panic!("{unnamed:?}") };
    assert_eq!(refused.field, "employee_id");
    let passed_on = passed_on.into_iter().map(|fact| BusyFact { employee_id: ANA.to_string(), ..fact });
    assert_eq!(salon.import_from_provider(passed_on.collect()).await.unwrap(), 0);
    assert_eq!(salon.conflicts().await, []);
    let offered = salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
    assert_eq!(offered[..6], ["09:00", "09:15", "09:30", "09:45", "11:00", "11:15"]);
    assert_eq!(salon.count(OPEN_BUSY).await, 1);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_source_that_is_told_to_be_the_booking_system_is_called_that_from_then_on() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    let facts = || vec![fact("visit", at("10:00"), at("10:30"))];
    salon.import(facts()).await.unwrap();
    assert_eq!(salon.conflicts().await[0].origin(), BusyOrigin::Calendar);
    let request = ImportBusyRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        provider_connection_id: Uuid::from_u128(0xca1).to_string(),
        facts: facts(),
        ..Default::default()
    };
    salon.busy().import_busy(salon.service("calendar-sync", request)).await.unwrap();
    let conflicts = salon.conflicts().await;
    assert_eq!((conflicts.len(), conflicts[0].origin()), (1, BusyOrigin::Provider));
}

#[tokio::test]
async fn a_calendar_and_a_booking_system_may_name_their_entries_alike() {
    let salon = Salon::open().await;
    salon.import(vec![fact("1", at("09:00"), at("10:00"))]).await.unwrap();
    let theirs = BusyFact { employee_id: BEN.to_string(), ..fact("1", at("09:00"), at("10:00")) };
    salon.import_from_provider(vec![theirs]).await.unwrap();
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact").await, 2);
    salon.import(vec![removed("1")]).await.unwrap();
    assert_eq!(salon.count(OPEN_BUSY).await, 1);
}

#[tokio::test]
async fn an_import_has_one_source() {
    let salon = Salon::open().await;
    let facts = vec![fact("a", at("09:00"), at("10:00"))];
    let request = ImportBusyRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        facts,
        ..Default::default()
    };
    let mut client = salon.busy();
    let none = salon.service("calendar-sync", request.clone());
    assert_eq!(field(&client.import_busy(none).await.unwrap_err()), "calendar_id");
    let both = ImportBusyRequest {
        calendar_id: Uuid::from_u128(0xca1).to_string(),
        provider_connection_id: PROVIDER.to_string(),
        ..request.clone()
    };
    let both = salon.service("calendar-sync", both);
    assert_eq!(field(&client.import_busy(both).await.unwrap_err()), "provider_connection_id");
    let wrong = ImportBusyRequest { provider_connection_id: "square".to_owned(), ..request };
    let wrong = salon.service("calendar-sync", wrong);
    assert_eq!(field(&client.import_busy(wrong).await.unwrap_err()), "provider_connection_id");
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact").await, 0);
}

#[tokio::test]
async fn a_fact_over_several_bookings_conflicts_with_each() {
    let salon = Salon::open().await;
    for hour in ["10:00", "11:00", "12:00"] {
        salon.book(vec![by(CUT, ANA)], at(hour)).await.unwrap();
    }
    salon.book(vec![by(CUT, BEN)], at("10:00")).await.unwrap();
    assert_eq!(salon.import(vec![fact("away", at("10:15"), at("12:15"))]).await.unwrap(), 1);
    assert_eq!(salon.conflicts().await.len(), 3);
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[..4], ["09:00", "09:15", "09:30", "12:30"]);
}

#[tokio::test]
async fn a_conflict_is_settled_when_its_fact_moves_away_or_goes() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    salon.import(vec![fact("dentist", at("10:00"), at("11:00"))]).await.unwrap();
    assert_eq!(salon.import(vec![fact("dentist", at("10:30"), at("11:30"))]).await.unwrap(), 0);
    assert_eq!(salon.conflicts().await, []);
    assert_eq!(salon.import(vec![fact("dentist", at("10:15"), at("11:30"))]).await.unwrap(), 1);
    assert_eq!(salon.conflicts().await.len(), 1);
    assert_eq!(salon.import(vec![removed("dentist")]).await.unwrap(), 0);
    assert_eq!(salon.conflicts().await, []);
    assert_eq!(salon.count("SELECT count(*) FROM conflict WHERE closed_at IS NOT NULL").await, 2);
}

#[tokio::test]
async fn a_conflict_is_settled_when_its_appointment_is_cancelled_and_the_fact_takes_the_time() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    salon.import(vec![fact("dentist", at("10:15"), at("11:00"))]).await.unwrap();
    salon.cancel(&booked.id).await.unwrap();
    assert_eq!(salon.conflicts().await, []);
    let offered = salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
    assert_eq!(offered[..5], ["09:00", "09:15", "09:30", "09:45", "11:00"]);
    let refused = salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    // And gives it back when it is gone.
    salon.import(vec![removed("dentist")]).await.unwrap();
    salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
}

#[tokio::test]
async fn a_new_title_reaches_the_conflict() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    salon.import(vec![fact("dentist", at("10:00"), at("11:00"))]).await.unwrap();
    let mut renamed = fact("dentist", at("10:00"), at("11:00"));
    // A calendar that lost a character is read nevertheless.
    renamed.title = "M\u{FFFD}dico".to_owned();
    assert_eq!(salon.import(vec![renamed]).await.unwrap(), 1);
    assert_eq!(salon.conflicts().await[0].title, "M\u{FFFD}dico");
}

#[tokio::test]
async fn the_same_import_from_many_at_once_takes_effect_once() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    let facts = || vec![fact("a", at("10:00"), at("11:00")), fact("b", at("14:00"), at("15:00"))];
    let imports = futures::future::join_all((0..12).map(|_| salon.import(facts()))).await;
    assert!(imports.into_iter().all(|conflicts| conflicts.unwrap() == 1));
    assert_eq!(salon.conflicts().await.len(), 1);
    assert_eq!(salon.count(OPEN_BUSY).await, 2);
    assert_eq!(salon.count("SELECT count(*) FROM ledger WHERE kind = 'BUSY'").await, 2);
}

#[tokio::test]
async fn imports_and_bookings_at_once_leave_no_overlap() {
    let salon = Salon::open().await;
    let times: Vec<_> = (0..8).map(|n| at("09:00") + SignedDuration::from_mins(60 * n)).collect();
    let books = times.iter().map(|start| salon.book(vec![by(CUT, ANA)], *start));
    let imports = times.iter().enumerate().map(|(n, start)| {
        salon.import(vec![fact(&format!("f{n}"), *start, *start + SignedDuration::from_mins(20))])
    });
    let (booked, imported) =
        futures::join!(futures::future::join_all(books), futures::future::join_all(imports));
    assert_eq!(salon.overlaps().await, 0);
    let booked = booked.iter().filter(|booking| booking.is_ok()).count();
    let conflicts: i32 = imported.into_iter().map(Result::unwrap).sum();
    assert_eq!(booked as i32, conflicts, "every booking that came first meets its fact");
    assert_eq!(salon.conflicts().await.len() as i32, conflicts);
}

#[tokio::test]
async fn a_batch_that_names_no_source_or_too_much_is_refused_as_a_whole() {
    let salon = Salon::open().await;
    let refused = async |facts| field(&salon.import(facts).await.unwrap_err());
    assert_eq!(refused(vec![fact("a", at("09:00"), at("10:00")); 501]).await, "facts");
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact").await, 0);
}

#[tokio::test]
async fn calendars_alone_import_and_into_their_business_alone() {
    let salon = Salon::open().await;
    salon.set_hours(OTHER, weekdays(9, 18)).await;
    let request = ImportBusyRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        calendar_id: Uuid::from_u128(0xca1).to_string(),
        facts: vec![fact("a", at("09:00"), at("10:00"))],
        ..Default::default()
    };
    let mut client = salon.busy();
    let manager = as_user(&salon.host, Role::Owner, WILLOW, request.clone());
    assert_eq!(reason(&client.import_busy(manager).await.unwrap_err()), Reason::RoleTooLow);
    let local = as_service("local", &salon.host, Some(WILLOW), request.clone());
    assert_eq!(reason(&client.import_busy(local).await.unwrap_err()), Reason::RoleTooLow);
    let foreign = as_service("calendar-sync", &salon.host, Some(OTHER), request.clone());
    assert_eq!(reason(&client.import_busy(foreign).await.unwrap_err()), Reason::NotFound);
    let wrong = ImportBusyRequest { calendar_id: "primary".to_owned(), ..request.clone() };
    let wrong = salon.service("calendar-sync", wrong);
    assert_eq!(field(&client.import_busy(wrong).await.unwrap_err()), "calendar_id");
    let wrong = ImportBusyRequest { employee_id: String::new(), ..request };
    let wrong = salon.service("calendar-sync", wrong);
    assert_eq!(field(&client.import_busy(wrong).await.unwrap_err()), "employee_id");
    assert_eq!(salon.count("SELECT count(*) FROM busy_fact").await, 0);
}
