//! Opening hours and weekly schedules.

use core::cell::Cell;

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        GetOpeningHoursRequest, SetOpeningHoursRequest, SetWeeklyScheduleRequest, WeeklySpan,
    },
};
use sqlx::AssertSqlSafe;
use testkit::as_user;
use tonic::Request;

use crate::salon::{ANA, BEN, CUT, OTHER, Salon, WILLOW, anyone, by, field, local, reason, weekdays};

/// How many statements wait for a lock.
pub const WAITING: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND datname = current_database()";

fn span(weekday: i32, from_minute: i32, to_minute: i32) -> WeeklySpan {
    WeeklySpan { weekday, from_minute, to_minute }
}

fn opening(spans: Vec<WeeklySpan>) -> SetOpeningHoursRequest {
    SetOpeningHoursRequest {
        business_id: WILLOW.to_string(),
        time_zone: "Europe/London".to_owned(),
        spans,
        ..Default::default()
    }
}

fn week(spans: Vec<WeeklySpan>) -> SetWeeklyScheduleRequest {
    SetWeeklyScheduleRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        spans,
        effective_from: String::new(),
        ..Default::default()
    }
}

async fn get(salon: &Salon) -> (String, Vec<WeeklySpan>) {
    let request = GetOpeningHoursRequest { business_id: WILLOW.to_string() };
    let request = as_user(&salon.host, Role::Guest, WILLOW, request);
    let response = salon.schedules().get_opening_hours(request).await.unwrap().into_inner();
    (response.time_zone, response.spans)
}

#[tokio::test]
async fn hours_are_replaced_whole_and_read_by_day_and_minute() {
    let salon = Salon::open().await;
    let spans = vec![span(2, 840, 1080), span(1, 540, 720), span(2, 540, 780)];
    salon.schedules().set_opening_hours(salon.manager(opening(spans))).await.unwrap();
    let sorted = vec![span(1, 540, 720), span(2, 540, 780), span(2, 840, 1080)];
    assert_eq!(get(&salon).await, ("Europe/London".to_owned(), sorted));
    let offered = salon.offered_on_tuesday(vec![anyone(CUT)]).await;
    assert!(offered.contains(&"12:30".to_owned()) && offered.contains(&"14:00".to_owned()));
    assert!(!offered.contains(&"12:45".to_owned()) && !offered.contains(&"13:00".to_owned()));
}

#[tokio::test]
async fn an_employee_works_within_both_patterns() {
    let salon = Salon::open().await;
    salon.schedules().set_weekly_schedule(salon.manager(week(vec![span(2, 480, 600)]))).await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await, ["09:00", "09:15", "09:30"]);
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, BEN)]).await.len(), 35);
    salon.schedules().set_weekly_schedule(salon.manager(week(vec![]))).await.unwrap();
    assert!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.is_empty());
}

#[tokio::test]
async fn a_business_without_hours_is_closed() {
    let salon = Salon::open().await;
    salon.schedules().set_opening_hours(salon.manager(opening(vec![]))).await.unwrap();
    assert!(salon.offered_on_tuesday(vec![anyone(CUT)]).await.is_empty());
}

#[tokio::test]
async fn hours_move_with_the_zone() {
    let salon = Salon::open().await;
    salon.set_hours_in(WILLOW, "america/new_york", weekdays(9, 18)).await;
    assert_eq!(get(&salon).await.0, "America/New_York");
    // Nine in New York is two in London.
    assert_eq!(salon.offered_on_tuesday(vec![anyone(CUT)]).await[0], "14:00");
}

#[tokio::test]
async fn malformed_hours_name_their_field() {
    let salon = Salon::open().await;
    let refused = async |request: SetOpeningHoursRequest| {
        field(&salon.schedules().set_opening_hours(salon.manager(request)).await.unwrap_err())
    };
    for zone in ["", "Europe/Londn", "+01:00", "x\n"] {
        assert_eq!(
            refused(SetOpeningHoursRequest { time_zone: zone.to_owned(), ..opening(vec![]) }).await,
            "time_zone"
        );
    }
    assert_eq!(refused(opening(vec![span(1, 540, 720), span(0, 0, 5)])).await, "spans[1].weekday");
    assert_eq!(refused(opening(vec![span(1, 541, 720)])).await, "spans[0]");
    assert_eq!(refused(opening(vec![span(1, 720, 540)])).await, "spans[0]");
    assert_eq!(refused(opening(vec![span(1, 540, 720), span(1, 700, 800)])).await, "spans[1]");
    assert_eq!(refused(opening(vec![span(1, -5, 720)])).await, "spans[0]");
    assert_eq!(refused(opening(vec![span(1, 0, 5); 101])).await, "spans");
    let unnamed = SetWeeklyScheduleRequest { employee_id: String::new(), ..week(vec![]) };
    let refused = salon.schedules().set_weekly_schedule(salon.manager(unnamed)).await.unwrap_err();
    assert_eq!(field(&refused), "employee_id");
    assert_eq!(get(&salon).await.1.len(), 6);
}

#[tokio::test]
async fn hours_are_changed_by_managers_of_the_business_alone() {
    let salon = Salon::open().await;
    let cases = [(Role::Employee, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)];
    for (role, business, expected) in cases {
        let request = as_user(&salon.host, role, business, opening(vec![]));
        assert_eq!(reason(&salon.schedules().set_opening_hours(request).await.unwrap_err()), expected);
        let request = as_user(&salon.host, role, business, week(vec![]));
        assert_eq!(reason(&salon.schedules().set_weekly_schedule(request).await.unwrap_err()), expected);
    }
    let request = GetOpeningHoursRequest { business_id: WILLOW.to_string() };
    let request: Request<_> = as_user(&salon.host, Role::Owner, OTHER, request);
    let refused = salon.schedules().get_opening_hours(request).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    assert_eq!(get(&salon).await.1.len(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn later_bookings_queue_behind_a_change_of_hours() {
    let salon = Salon::open().await;
    // Holds Tuesday's row like another booking would: the first booking waits for it while it shares
    // the schedule.
    let mut holder = salon.superuser().await;
    let take = format!("BEGIN; INSERT INTO business_day VALUES ('{WILLOW}', '2026-06-02', 1, '2026-06-01')");
    sqlx::raw_sql(AssertSqlSafe(take)).execute(&mut holder).await.unwrap();
    let waiting = async |n: i64| {
        while salon.count(WAITING).await < n {
            tokio::task::yield_now().await;
        }
    };
    let first = async { salon.book(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await };
    let change = async {
        waiting(1).await;
        salon.set_week(ANA, vec![]).await;
    };
    let overtaken = Cell::new(false);
    let later = async {
        waiting(2).await;
        let booked = salon.book(vec![by(CUT, ANA)], local("2026-06-03", "10:00")).await;
        overtaken.set(true);
        booked
    };
    let end = async {
        while salon.count(WAITING).await < 3 && !overtaken.get() {
            tokio::task::yield_now().await;
        }
        sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
    };
    let (first, (), later, ()) = tokio::join!(first, change, later, end);
    first.unwrap();
    assert_eq!(reason(&later.unwrap_err()), Reason::NotWorking);
}

#[tokio::test]
async fn a_business_that_has_not_arrived_has_no_hours_yet() {
    let salon = Salon::empty().await;
    let request = GetOpeningHoursRequest { business_id: WILLOW.to_string() };
    let refused = salon.schedules().get_opening_hours(salon.agent(request)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Unavailable);
    let refused = salon.schedules().set_weekly_schedule(salon.manager(week(vec![]))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Unavailable);
}
