//! Time off: asked for, decided, taken back, and what it takes away.

use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        ApproveTimeOffRequest, DeclineTimeOffRequest, ListTimeOffRequest, RequestTimeOffRequest, TimeOff,
        TimeOffKind, TimeOffState, WithdrawTimeOffRequest,
    },
    time::to_proto,
};
use sqlx::AssertSqlSafe;
use tonic::Status;
use uuid::Uuid;

use crate::{
    events::schedule_versions,
    salon::{ANA, BEN, COLOUR, CUT, Salon, WILLOW, booking, by, field, local, reason, shown, with_key},
};

/// Whole days of Ana's.
pub fn days(first: &str, last: &str) -> RequestTimeOffRequest {
    RequestTimeOffRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        kind: TimeOffKind::Holiday.into(),
        reason: "by the sea".to_owned(),
        first_date: first.to_owned(),
        last_date: last.to_owned(),
        ..RequestTimeOffRequest::default()
    }
}

/// A part of Tuesday of Ana's.
pub fn part(from: &str, to: &str) -> RequestTimeOffRequest {
    RequestTimeOffRequest {
        starts_at: Some(to_proto(local("2026-06-02", from))),
        ends_at: Some(to_proto(local("2026-06-02", to))),
        kind: TimeOffKind::Training.into(),
        ..days("", "")
    }
}

pub fn approval(id: &str) -> ApproveTimeOffRequest {
    ApproveTimeOffRequest {
        business_id: WILLOW.to_string(),
        time_off_id: id.to_owned(),
        note: "have fun".to_owned(),
        ..ApproveTimeOffRequest::default()
    }
}

pub fn refusal(id: &str) -> DeclineTimeOffRequest {
    DeclineTimeOffRequest {
        business_id: WILLOW.to_string(),
        time_off_id: id.to_owned(),
        note: "we are short".to_owned(),
    }
}

pub fn withdrawal(id: &str) -> WithdrawTimeOffRequest {
    WithdrawTimeOffRequest {
        business_id: WILLOW.to_string(),
        time_off_id: id.to_owned(),
        note: String::new(),
    }
}

pub fn list() -> ListTimeOffRequest {
    ListTimeOffRequest { business_id: WILLOW.to_string(), ..ListTimeOffRequest::default() }
}

pub async fn ask(salon: &Salon, request: RequestTimeOffRequest) -> Result<TimeOff, Status> {
    let response = salon.time_off().request_time_off(salon.employee(request)).await?;
    Ok(response.into_inner().time_off.unwrap())
}

pub async fn approve(salon: &Salon, id: &str) -> Result<TimeOff, Status> {
    let response = salon.time_off().approve_time_off(salon.manager(approval(id))).await?;
    Ok(response.into_inner().time_off.unwrap())
}

async fn decline(salon: &Salon, id: &str) -> Result<TimeOff, Status> {
    let response = salon.time_off().decline_time_off(salon.manager(refusal(id))).await?;
    Ok(response.into_inner().time_off.unwrap())
}

async fn withdraw(salon: &Salon, id: &str) -> Result<TimeOff, Status> {
    let response = salon.time_off().withdraw_time_off(salon.manager(withdrawal(id))).await?;
    Ok(response.into_inner().time_off.unwrap())
}

pub async fn listed(salon: &Salon, request: ListTimeOffRequest) -> Vec<TimeOff> {
    salon.time_off().list_time_off(salon.employee(request)).await.unwrap().into_inner().time_off
}

pub fn ids(time_off: &[TimeOff]) -> Vec<&str> {
    time_off.iter().map(|time_off| time_off.id.as_str()).collect()
}

fn visits(time_off: &TimeOff) -> Vec<&str> {
    time_off.appointments.iter().map(|one| one.appointment_id.as_str()).collect()
}

#[tokio::test]
async fn only_what_is_approved_takes_working_time_away_and_withdrawn_gives_it_back() {
    let salon = Salon::open().await;
    let offered = async || salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len();
    assert_eq!(offered().await, 35);
    let holiday = ask(&salon, days("2026-06-02", "2026-06-03")).await.unwrap();
    assert_eq!(offered().await, 35);
    approve(&salon, &holiday.id).await.unwrap();
    assert_eq!(offered().await, 0);
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, BEN)]).await.len(), 35);
    assert_eq!(salon.search(vec![by(CUT, ANA)], "2026-06-04").await.unwrap().offers.len(), 35);
    let refused = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotWorking);
    withdraw(&salon, &holiday.id).await.unwrap();
    assert_eq!(offered().await, 35);
    let other = ask(&salon, days("2026-06-02", "2026-06-02")).await.unwrap();
    decline(&salon, &other.id).await.unwrap();
    assert_eq!(offered().await, 35);
}

#[tokio::test]
async fn a_part_of_a_day_leaves_the_rest_and_approved_parts_may_overlap() {
    let salon = Salon::open().await;
    for (from, to) in [("10:00", "12:00"), ("11:00", "17:02")] {
        let part = ask(&salon, part(from, to)).await.unwrap();
        approve(&salon, &part.id).await.unwrap();
    }
    let offered = salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
    assert_eq!(offered, ["09:00", "09:15", "09:30", "17:15", "17:30"]);
}

#[tokio::test]
async fn a_request_says_what_was_asked_and_a_decision_who_decided() {
    let salon = Salon::open().await;
    let requested = ask(&salon, days("2026-06-02", "2026-06-03")).await.unwrap();
    assert_eq!((requested.state(), requested.kind()), (TimeOffState::Requested, TimeOffKind::Holiday));
    assert_eq!((requested.first_date.as_str(), requested.last_date.as_str()), ("2026-06-02", "2026-06-03"));
    assert_eq!(requested.starts_at, Some(to_proto(local("2026-06-02", "00:00"))));
    assert_eq!(requested.ends_at, Some(to_proto(local("2026-06-04", "00:00"))));
    assert_eq!(requested.requested_by, format!("user:{}", testkit::USER));
    assert_eq!((requested.version, requested.decision.as_ref()), (1, None));
    let approved = approve(&salon, &requested.id).await.unwrap();
    assert_eq!((approved.state(), approved.version), (TimeOffState::Approved, 2));
    let decision = approved.decision.as_ref().unwrap();
    assert_eq!(decision.decided_by, format!("user:{}", testkit::USER));
    assert_eq!(decision.note, "have fun");
    assert_eq!(decision.decided_at, Some(to_proto(salon.time.now())));
    assert_eq!(listed(&salon, list()).await, [approved]);
}

#[tokio::test]
async fn a_decision_is_not_decided_again() {
    let salon = Salon::open().await;
    let requested = async || ask(&salon, days("2026-06-02", "2026-06-02")).await.unwrap().id;
    let wrong = |answer: Result<TimeOff, Status>| reason(&answer.unwrap_err()) == Reason::WrongState;
    let approved = requested().await;
    approve(&salon, &approved).await.unwrap();
    assert!(wrong(approve(&salon, &approved).await) && wrong(decline(&salon, &approved).await));
    let declined = requested().await;
    decline(&salon, &declined).await.unwrap();
    assert!(wrong(approve(&salon, &declined).await) && wrong(decline(&salon, &declined).await));
    assert!(wrong(withdraw(&salon, &declined).await));
    withdraw(&salon, &approved).await.unwrap();
    assert!(wrong(withdraw(&salon, &approved).await) && wrong(approve(&salon, &approved).await));
}

#[tokio::test]
async fn the_appointments_that_stand_in_it_stay_and_are_named() {
    let salon = Salon::open().await;
    let at = |time| local("2026-06-02", time);
    let inside = salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    let later = salon.book(vec![by(COLOUR, ANA)], at("11:00")).await.unwrap();
    salon.book(vec![by(CUT, ANA)], at("09:00")).await.unwrap();
    salon.book(vec![by(CUT, BEN)], at("10:00")).await.unwrap();
    salon.hold(vec![by(CUT, ANA)], at("10:30")).await.unwrap();
    let cancelled = salon.book(vec![by(CUT, ANA)], at("11:30")).await.unwrap();
    salon.cancel(&cancelled.id).await.unwrap();
    let requested = ask(&salon, part("09:30", "17:00")).await.unwrap();
    assert_eq!(visits(&requested), [inside.id.as_str(), later.id.as_str()]);
    assert_eq!(shown(requested.appointments[1].starts_at.as_ref()), "11:00");
    let approved = approve(&salon, &requested.id).await.unwrap();
    assert_eq!(approved.appointments, requested.appointments);
    assert_eq!(salon.booked().await.iter().filter(|visit| visit.state == inside.state).count(), 4);
    // The colour's processing time leaves Ana free, and its buffer is no service.
    let between = ask(&salon, part("11:30", "12:00")).await.unwrap();
    assert!(between.appointments.is_empty());
    let buffer = ask(&salon, part("12:15", "12:30")).await.unwrap();
    assert!(buffer.appointments.is_empty());
    let lists = listed(&salon, list()).await;
    let all: Vec<_> = lists.iter().map(|time_off| visits(time_off).len()).collect();
    assert_eq!(all, [2, 0, 0]);
    assert!(withdraw(&salon, &requested.id).await.unwrap().appointments.is_empty());
}

#[tokio::test]
async fn a_request_names_the_customers_that_are_booked_then_and_what_for() {
    let salon = Salon::open().await;
    let mia = Uuid::from_u128(0xd1);
    let known = format!("INSERT INTO customer VALUES ('{WILLOW}', '{mia}', 'Mia Wong', '+442071234567')");
    sqlx::raw_sql(AssertSqlSafe(known)).execute(&mut salon.superuser().await).await.unwrap();
    let mut request = booking(vec![by(CUT, ANA), by(COLOUR, ANA)], local("2026-06-02", "10:00"));
    request.customer_id = mia.to_string();
    salon.book_as(salon.agent(request)).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local("2026-06-02", "15:00")).await.unwrap();
    ask(&salon, days("2026-06-02", "2026-06-02")).await.unwrap();
    let told = listed(&salon, list()).await.remove(0).appointments;
    let told: Vec<_> = told.iter().map(|one| (one.customer_name.as_str(), one.service_names.len())).collect();
    assert_eq!(told, [("Mia Wong", 2), ("", 1)]);
}

#[tokio::test]
async fn time_off_is_listed_by_start_a_page_at_a_time_and_by_whose_and_where_it_stands() {
    let salon = Salon::open().await;
    let first = ask(&salon, days("2026-06-02", "2026-06-20")).await.unwrap();
    let second = ask(&salon, days("2026-06-04", "2026-06-04")).await.unwrap();
    let bens = RequestTimeOffRequest { employee_id: BEN.to_string(), ..days("2026-06-03", "2026-06-03") };
    let bens = salon.time_off().request_time_off(salon.manager(bens)).await.unwrap();
    let bens = bens.into_inner().time_off.unwrap();
    decline(&salon, &second.id).await.unwrap();
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = ListTimeOffRequest { page_size: 1, page_token: token, ..list() };
        let page = salon.time_off().list_time_off(salon.employee(request)).await.unwrap().into_inner();
        assert_eq!(page.time_zone, "Europe/London");
        seen.extend(page.time_off);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(ids(&seen), [&first.id, &bens.id, &second.id]);
    let of_ben = ListTimeOffRequest { employee_id: BEN.to_string(), ..list() };
    assert_eq!(ids(&listed(&salon, of_ben).await), [&bens.id]);
    let declined = ListTimeOffRequest { state: TimeOffState::Declined.into(), ..list() };
    assert_eq!(ids(&listed(&salon, declined).await), [&second.id]);
    let late = ListTimeOffRequest { from: Some(to_proto(local("2026-06-04", "00:00"))), ..list() };
    assert_eq!(ids(&listed(&salon, late).await), [&first.id, &second.id]);
}

#[tokio::test]
async fn a_malformed_request_names_its_field() {
    let salon = Salon::open().await;
    let day = || days("2026-06-02", "2026-06-03");
    let instant = |time| Some(to_proto(local("2026-06-02", time)));
    let cases = [
        (RequestTimeOffRequest { employee_id: String::new(), ..day() }, "employee_id"),
        (RequestTimeOffRequest { kind: 0, ..day() }, "kind"),
        (RequestTimeOffRequest { kind: 99, ..day() }, "kind"),
        (RequestTimeOffRequest { reason: "x".repeat(201), ..day() }, "reason"),
        (days("", ""), "first_date"),
        (days("2026-06-02", ""), "last_date"),
        (days("2026-06-02", "2026-06-01"), "last_date"),
        (days("2026-06-02", "2027-06-04"), "last_date"),
        (days("tomorrow", "2026-06-01"), "first_date"),
        (RequestTimeOffRequest { starts_at: instant("10:00"), ..day() }, "first_date"),
        (RequestTimeOffRequest { starts_at: instant("10:00"), ..days("", "") }, "ends_at"),
        (RequestTimeOffRequest { ends_at: instant("10:00"), ..days("", "") }, "starts_at"),
        (part("10:00", "10:00"), "ends_at"),
        (part("10:00", "09:00"), "ends_at"),
    ];
    for (request, expected) in cases {
        assert_eq!(field(&ask(&salon, request).await.unwrap_err()), expected);
    }
    let asked = ask(&salon, day()).await.unwrap();
    let long = ApproveTimeOffRequest { note: "x".repeat(201), ..approval(&asked.id) };
    let refused = salon.time_off().approve_time_off(salon.manager(long)).await.unwrap_err();
    assert_eq!(field(&refused), "note");
    assert_eq!(field(&approve(&salon, "x").await.unwrap_err()), "time_off_id");
    assert_eq!(field(&decline(&salon, "").await.unwrap_err()), "time_off_id");
    assert_eq!(field(&withdraw(&salon, "").await.unwrap_err()), "time_off_id");
    let refused =
        async |request| field(&salon.time_off().list_time_off(salon.employee(request)).await.unwrap_err());
    assert_eq!(refused(ListTimeOffRequest { employee_id: "x".to_owned(), ..list() }).await, "employee_id");
    assert_eq!(refused(ListTimeOffRequest { page_token: "bm9wZQ".to_owned(), ..list() }).await, "page_token");
    assert_eq!(refused(ListTimeOffRequest { page_size: -1, ..list() }).await, "page_size");
}

#[tokio::test]
async fn a_day_that_the_zone_left_out_is_refused() {
    let salon = Salon::open().await;
    salon.set_hours_in(WILLOW, "Pacific/Apia", vec![]).await;
    let refused = ask(&salon, days("2011-12-30", "2011-12-30")).await.unwrap_err();
    assert_eq!(field(&refused), "first_date");
}

#[tokio::test]
async fn whole_days_move_with_the_zone() {
    let salon = Salon::open().await;
    let holiday = ask(&salon, days("2026-06-02", "2026-06-02")).await.unwrap();
    approve(&salon, &holiday.id).await.unwrap();
    salon.set_hours_in(WILLOW, "America/New_York", crate::salon::weekdays(0, 24)).await;
    salon.set_week(ANA, crate::salon::weekdays(0, 24)).await;
    // From four in the morning in London it is Tuesday in New York.
    let offered = salon.search(vec![by(CUT, ANA)], "2026-06-02").await.unwrap().offers;
    assert_eq!(shown(offered.last().unwrap().starts_at.as_ref()), "04:30");
    let moved = &listed(&salon, list()).await[0];
    assert_eq!(shown(moved.starts_at.as_ref()), "05:00");
}

#[tokio::test]
async fn repeated_calls_have_one_effect_and_each_change_is_told_and_audited_once() {
    let salon = Salon::open().await;
    let request = || with_key(salon.employee(days("2026-06-02", "2026-06-02")), "k1");
    let first = salon.time_off().request_time_off(request()).await.unwrap().into_inner();
    let again = salon.time_off().request_time_off(request()).await.unwrap().into_inner();
    assert_eq!(first, again);
    let id = first.time_off.unwrap().id;
    let approve = || with_key(salon.manager(approval(&id)), "k1");
    let first = salon.time_off().approve_time_off(approve()).await.unwrap().into_inner();
    let again = salon.time_off().approve_time_off(approve()).await.unwrap().into_inner();
    assert_eq!(first, again);
    decline(&salon, &id).await.unwrap_err();
    withdraw(&salon, &id).await.unwrap();
    assert_eq!(schedule_versions(&salon).await, (1..=9).collect::<Vec<_>>());
    let trail = salon.trail().await;
    let actions: Vec<_> = trail[6..].iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["RequestTimeOff", "ApproveTimeOff", "WithdrawTimeOff"]);
}

#[tokio::test]
async fn an_approval_names_whatever_was_booked_before_it_and_nothing_is_booked_after() {
    let salon = Salon::open().await;
    let requested = ask(&salon, days("2026-06-02", "2026-06-02")).await.unwrap();
    let bookings: Vec<_> = (9..17)
        .map(|hour| salon.book(vec![by(CUT, ANA)], local("2026-06-02", &format!("{hour:02}:00"))))
        .collect();
    let (approved, booked) =
        tokio::join!(approve(&salon, &requested.id), futures::future::join_all(bookings));
    let approved = approved.unwrap();
    let mut booked: Vec<_> = booked.into_iter().filter_map(|booked| Some(booked.ok()?.id)).collect();
    let mut named = visits(&approved);
    booked.sort();
    named.sort_unstable();
    assert_eq!(named, booked);
    assert!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.is_empty());
}
