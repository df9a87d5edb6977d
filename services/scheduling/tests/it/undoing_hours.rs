//! Hours and closures that are taken back.

use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        ListDayHoursRequest, ListWeeklySchedulesRequest, RemoveDayHoursRequest,
        RemoveOpeningExceptionRequest, RemoveWeeklyScheduleRequest, SetDayHoursRequest,
        SetOpeningHoursRequest, SetWeeklyScheduleRequest, UndoChangeRequest,
    },
};
use sqlx::AssertSqlSafe;
use tonic::Status;

use crate::{
    closures::closed,
    hours::WAITING,
    inbox::open_lines,
    salon::{ANA, CUT, Salon, WILLOW, anyone, by, hours, local, reason, weekdays, with_key},
};

const TUESDAY: &str = "2026-06-02";

async fn undo(salon: &Salon, change: &str) -> Result<(), Status> {
    let request = UndoChangeRequest { business_id: WILLOW.to_string(), change_id: change.to_owned() };
    salon.changes().undo_change(salon.manager(request)).await.map(drop)
}

async fn offered(salon: &Salon) -> Vec<String> {
    salon.offered_on_tuesday(vec![by(CUT, ANA)]).await
}

fn week(from: i32, to: i32, effective_from: &str) -> SetWeeklyScheduleRequest {
    SetWeeklyScheduleRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        spans: weekdays(from, to),
        effective_from: effective_from.to_owned(),
        ..SetWeeklyScheduleRequest::default()
    }
}

fn day(from: i32, to: i32) -> SetDayHoursRequest {
    SetDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        date: TUESDAY.to_owned(),
        spans: hours(from, to),
        ..SetDayHoursRequest::default()
    }
}

async fn set_week(salon: &Salon, request: SetWeeklyScheduleRequest) -> String {
    salon.schedules().set_weekly_schedule(salon.manager(request)).await.unwrap().into_inner().change_id
}

async fn set_day(salon: &Salon, request: SetDayHoursRequest) -> String {
    salon.schedules().set_day_hours(salon.manager(request)).await.unwrap().into_inner().change_id
}

async fn weeks(salon: &Salon) -> usize {
    let list = ListWeeklySchedulesRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        ..Default::default()
    };
    salon.schedules().list_weekly_schedules(salon.manager(list)).await.unwrap().into_inner().schedules.len()
}

async fn days(salon: &Salon) -> usize {
    let list = ListDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        ..Default::default()
    };
    salon.schedules().list_day_hours(salon.manager(list)).await.unwrap().into_inner().days.len()
}

#[tokio::test]
async fn a_change_whose_answer_was_lost_is_answered_again_with_its_undo() {
    let salon = Salon::open().await;
    let before = offered(&salon).await;
    let again = async || {
        let request = with_key(salon.manager(week(9, 12, "")), "lost");
        let week = salon.schedules().set_weekly_schedule(request).await.unwrap().into_inner();
        let request = with_key(salon.manager(day(13, 15)), "lost");
        let day = salon.schedules().set_day_hours(request).await.unwrap().into_inner();
        [week.change_id, day.change_id]
    };
    let changes = again().await;
    assert_eq!(again().await, changes);
    // What is only looked at takes no key.
    let preview = SetDayHoursRequest { validate_only: true, ..day(13, 15) };
    let preview = salon.schedules().set_day_hours(with_key(salon.manager(preview), "look")).await.unwrap();
    assert_eq!(preview.into_inner().change_id, "");
    for change in changes.iter().rev() {
        undo(&salon, change).await.unwrap();
    }
    assert_eq!(offered(&salon).await, before);
}

#[tokio::test]
async fn a_changed_week_is_as_it_was_and_its_visits_are_stranded_no_more() {
    let salon = Salon::open().await;
    let before = offered(&salon).await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "16:00")).await.unwrap();
    let change = set_week(&salon, week(9, 12, "")).await;
    assert_eq!((open_lines(&salon).await.len(), offered(&salon).await.len()), (1, 11));
    undo(&salon, &change).await.unwrap();
    assert!(open_lines(&salon).await.is_empty());
    assert_eq!(offered(&salon).await.len(), before.len() - 3);

    let added = set_week(&salon, week(9, 12, TUESDAY)).await;
    assert_eq!(weeks(&salon).await, 2);
    undo(&salon, &added).await.unwrap();
    assert_eq!(weeks(&salon).await, 1);
    set_week(&salon, week(9, 12, TUESDAY)).await;
    let removal = RemoveWeeklyScheduleRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        effective_from: TUESDAY.to_owned(),
        ..Default::default()
    };
    let removed = salon.schedules().remove_weekly_schedule(salon.manager(removal)).await.unwrap();
    undo(&salon, &removed.into_inner().change_id).await.unwrap();
    assert_eq!((weeks(&salon).await, offered(&salon).await.len()), (2, 11));
}

#[tokio::test]
async fn changed_hours_of_a_day_are_as_they_were() {
    let salon = Salon::open().await;
    let before = offered(&salon).await;
    let first = set_day(&salon, day(9, 10)).await;
    let second = set_day(&salon, day(9, 11)).await;
    // The latest first: the one before it was changed since.
    assert_eq!(reason(&undo(&salon, &first).await.unwrap_err()), Reason::Stale);
    undo(&salon, &second).await.unwrap();
    assert_eq!(offered(&salon).await, ["09:00", "09:15", "09:30"]);
    undo(&salon, &first).await.unwrap();
    assert_eq!((days(&salon).await, offered(&salon).await), (0, before));

    set_day(&salon, day(9, 10)).await;
    let removal = RemoveDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        date: TUESDAY.to_owned(),
        ..Default::default()
    };
    let removed = salon.schedules().remove_day_hours(salon.manager(removal)).await.unwrap();
    undo(&salon, &removed.into_inner().change_id).await.unwrap();
    assert_eq!(days(&salon).await, 1);
}

#[tokio::test]
async fn a_closure_is_gone_and_a_removed_one_is_back() {
    let salon = Salon::open().await;
    let before = salon.offered_on_tuesday(vec![anyone(CUT)]).await;
    let close = async || {
        let request = salon.manager(closed(TUESDAY, TUESDAY));
        salon.opening_exceptions().add_opening_exception(request).await.unwrap().into_inner()
    };
    let added = close().await;
    assert!(salon.offered_on_tuesday(vec![anyone(CUT)]).await.is_empty());
    undo(&salon, &added.change_id).await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![anyone(CUT)]).await, before);

    let id = close().await.opening_exception.unwrap().id;
    let removal = RemoveOpeningExceptionRequest {
        business_id: WILLOW.to_string(),
        opening_exception_id: id,
        ..Default::default()
    };
    let removed = salon.opening_exceptions().remove_opening_exception(salon.manager(removal)).await.unwrap();
    let change = removed.into_inner().change_id;
    undo(&salon, &change).await.unwrap();
    assert!(salon.offered_on_tuesday(vec![anyone(CUT)]).await.is_empty());
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn opening_hours_and_their_zone_are_as_they_were() {
    let salon = Salon::open().await;
    let before = salon.offered_on_tuesday(vec![anyone(CUT)]).await;
    let hours = SetOpeningHoursRequest {
        business_id: WILLOW.to_string(),
        time_zone: "Europe/Berlin".to_owned(),
        spans: weekdays(9, 10),
        ..Default::default()
    };
    let change = salon.schedules().set_opening_hours(salon.manager(hours.clone())).await.unwrap();
    let change = change.into_inner().change_id;
    let again = salon.schedules().set_opening_hours(salon.manager(hours)).await.unwrap().into_inner();
    assert_eq!(again.change_id, "", "nothing was different");
    undo(&salon, &change).await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![anyone(CUT)]).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_hours_that_two_change_at_once_are_taken_back_one_after_the_other() {
    let salon = Salon::open().await;
    let offers = async || salon.offered_on_tuesday(vec![anyone(CUT)]).await;
    let before = offers().await;
    // Both changes have arrived before either is made.
    let mut holder = salon.superuser().await;
    let take = format!("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('schedule:{WILLOW}', 0))");
    sqlx::raw_sql(AssertSqlSafe(take)).execute(&mut holder).await.unwrap();
    let set = async |to: i32| {
        let request = SetOpeningHoursRequest {
            business_id: WILLOW.to_string(),
            time_zone: "Europe/London".to_owned(),
            spans: weekdays(9, to),
            ..Default::default()
        };
        salon.schedules().set_opening_hours(salon.manager(request)).await.unwrap().into_inner().change_id
    };
    let release = async {
        while salon.count(WAITING).await < 2 {
            tokio::task::yield_now().await;
        }
        sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
    };
    let (until_ten, until_eleven, ()) = tokio::join!(set(10), set(11), release);
    let [short, long] = [3, 7];
    let (last, first, in_between) = match offers().await.len() {
        offered if offered == short => (until_ten, until_eleven, long),
        offered => {
            assert_eq!(offered, long);
            (until_eleven, until_ten, short)
        }
    };
    assert_eq!(reason(&undo(&salon, &first).await.unwrap_err()), Reason::Stale);
    undo(&salon, &last).await.unwrap();
    assert_eq!(offers().await.len(), in_between, "the other change still counts");
    undo(&salon, &first).await.unwrap();
    assert_eq!(offers().await, before);
}

#[tokio::test]
async fn hours_are_taken_back_by_managers_within_ten_minutes_and_previews_are_nothing_to_take_back() {
    let salon = Salon::open().await;
    let preview = SetWeeklyScheduleRequest { validate_only: true, ..week(9, 12, "") };
    assert_eq!(set_week(&salon, preview).await, "");
    let change = set_week(&salon, week(9, 12, "")).await;
    let request = UndoChangeRequest { business_id: WILLOW.to_string(), change_id: change.clone() };
    let refused = salon.changes().undo_change(salon.employee(request)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    salon.time.advance(SignedDuration::from_mins(10));
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::NotFound);
    assert_eq!(offered(&salon).await.len(), 11);
}
