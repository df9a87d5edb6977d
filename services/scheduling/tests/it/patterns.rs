//! Weeks from a date on, and hours of single dates.

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        DaySpan, ListDayHoursRequest, ListWeeklySchedulesRequest, RemoveDayHoursRequest,
        RemoveWeeklyScheduleRequest, SetDayHoursRequest, SetWeeklyScheduleRequest, WeeklySpan,
    },
};
use testkit::as_user;
use tonic::Status;

use crate::{
    events::schedule_versions,
    salon::{ANA, CUT, OTHER, Salon, WILLOW, by, field, hours, reason, starts, weekdays},
};

fn week(effective_from: &str, spans: Vec<WeeklySpan>) -> SetWeeklyScheduleRequest {
    SetWeeklyScheduleRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        spans,
        effective_from: effective_from.to_owned(),
        ..Default::default()
    }
}

fn day(date: &str, spans: Vec<DaySpan>) -> SetDayHoursRequest {
    SetDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        date: date.to_owned(),
        spans,
        ..Default::default()
    }
}

fn weeks(page_size: i32, page_token: &str) -> ListWeeklySchedulesRequest {
    ListWeeklySchedulesRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        page_size,
        page_token: page_token.to_owned(),
    }
}

fn days(page_size: i32, page_token: &str) -> ListDayHoursRequest {
    ListDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        from_date: String::new(),
        page_size,
        page_token: page_token.to_owned(),
    }
}

async fn set(salon: &Salon, request: SetWeeklyScheduleRequest) -> Result<(), Status> {
    salon.schedules().set_weekly_schedule(salon.manager(request)).await.map(drop)
}

async fn set_day(salon: &Salon, request: SetDayHoursRequest) -> Result<(), Status> {
    salon.schedules().set_day_hours(salon.manager(request)).await.map(drop)
}

async fn remove(salon: &Salon, effective_from: &str) -> Result<(), Status> {
    let request = RemoveWeeklyScheduleRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        effective_from: effective_from.to_owned(),
        ..Default::default()
    };
    salon.schedules().remove_weekly_schedule(salon.manager(request)).await.map(drop)
}

async fn remove_day(salon: &Salon, date: &str) -> Result<(), Status> {
    let request = RemoveDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        date: date.to_owned(),
        ..Default::default()
    };
    salon.schedules().remove_day_hours(salon.manager(request)).await.map(drop)
}

/// The first and the last start offered of Ana.
async fn offered(salon: &Salon, date: &str) -> Option<(String, String)> {
    let offers = salon.search(vec![by(CUT, ANA)], date).await.unwrap().offers;
    let starts = starts(&offers);
    Some((starts.first()?.clone(), starts.last()?.clone()))
}

fn some(first: &str, last: &str) -> Option<(String, String)> {
    Some((first.to_owned(), last.to_owned()))
}

/// Since when each of Ana's weeks counts, page by page.
async fn listed(salon: &Salon) -> Vec<String> {
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = salon.employee(weeks(1, &token));
        let page = salon.schedules().list_weekly_schedules(request).await.unwrap().into_inner();
        seen.extend(page.schedules.into_iter().map(|week| week.effective_from));
        token = page.next_page_token;
        if token.is_empty() {
            return seen;
        }
    }
}

#[tokio::test]
async fn a_week_counts_from_its_date_up_to_the_next_ones() {
    let salon = Salon::open().await;
    assert_eq!(offered(&salon, "2026-06-16").await, some("09:00", "17:30"));
    set(&salon, week("2026-06-16", weekdays(12, 14))).await.unwrap();
    set(&salon, week("2026-06-09", vec![])).await.unwrap();
    assert_eq!(offered(&salon, "2026-06-08").await, some("09:00", "17:30"));
    assert_eq!(offered(&salon, "2026-06-09").await, None);
    assert_eq!(offered(&salon, "2026-06-15").await, None);
    assert_eq!(offered(&salon, "2026-06-16").await, some("12:00", "13:30"));
    assert_eq!(listed(&salon).await, ["", "2026-06-09", "2026-06-16"]);
}

#[tokio::test]
async fn a_week_is_replaced_by_another_of_its_date_and_the_one_before_goes_on_without_it() {
    let salon = Salon::open().await;
    set(&salon, week("2026-06-09", weekdays(12, 14))).await.unwrap();
    set(&salon, week("2026-06-09", weekdays(15, 16))).await.unwrap();
    assert_eq!(offered(&salon, "2026-06-10").await, some("15:00", "15:30"));
    assert_eq!(listed(&salon).await, ["", "2026-06-09"]);
    remove(&salon, "2026-06-09").await.unwrap();
    assert_eq!(offered(&salon, "2026-06-10").await, some("09:00", "17:30"));
    remove(&salon, "").await.unwrap();
    assert_eq!(offered(&salon, "2026-06-10").await, None);
    assert_eq!(reason(&remove(&salon, "").await.unwrap_err()), Reason::NotFound);
    assert_eq!(reason(&remove(&salon, "2026-06-09").await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn only_the_week_that_counts_and_later_ones_matter_however_many_came_before() {
    let salon = Salon::open().await;
    for year in 2001..=2024 {
        set(&salon, week(&format!("{year}-01-01"), vec![])).await.unwrap();
    }
    set(&salon, week("2024-02-01", weekdays(10, 11))).await.unwrap();
    assert_eq!(offered(&salon, "2026-06-10").await, some("10:00", "10:30"));
}

#[tokio::test]
async fn hours_of_a_date_count_instead_of_the_week_until_they_are_removed() {
    let salon = Salon::open().await;
    assert_eq!(offered(&salon, "2026-06-02").await, some("09:00", "17:30"));
    set_day(&salon, day("2026-06-02", hours(8, 10))).await.unwrap();
    assert_eq!(offered(&salon, "2026-06-02").await, some("09:00", "09:30"));
    set_day(&salon, day("2026-06-02", vec![])).await.unwrap();
    assert_eq!(offered(&salon, "2026-06-02").await, None);
    assert_eq!(offered(&salon, "2026-06-03").await, some("09:00", "17:30"));
    remove_day(&salon, "2026-06-02").await.unwrap();
    assert_eq!(offered(&salon, "2026-06-02").await, some("09:00", "17:30"));
    assert_eq!(reason(&remove_day(&salon, "2026-06-02").await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn who_has_no_week_works_on_the_dates_that_say_so() {
    let salon = Salon::open().await;
    remove(&salon, "").await.unwrap();
    set_day(&salon, day("2026-06-02", hours(9, 10))).await.unwrap();
    assert_eq!(offered(&salon, "2026-06-02").await, some("09:00", "09:30"));
    assert_eq!(offered(&salon, "2026-06-03").await, None);
}

#[tokio::test]
async fn hours_of_dates_are_listed_by_date_a_page_at_a_time() {
    let salon = Salon::open().await;
    for date in ["2026-06-04", "2026-06-02", "2026-07-01"] {
        set_day(&salon, day(date, hours(9, 10))).await.unwrap();
    }
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = salon.employee(days(2, &token));
        let page = salon.schedules().list_day_hours(request).await.unwrap().into_inner();
        seen.extend(page.days);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let dates: Vec<_> = seen.iter().map(|day| day.date.as_str()).collect();
    assert_eq!(dates, ["2026-06-02", "2026-06-04", "2026-07-01"]);
    assert_eq!(seen[0].spans, hours(9, 10));
    let later = ListDayHoursRequest { from_date: "2026-06-03".to_owned(), ..days(1, "") };
    let later = salon.schedules().list_day_hours(salon.employee(later)).await.unwrap().into_inner();
    assert_eq!(later.days[0].date, "2026-06-04");
}

#[tokio::test]
async fn malformed_weeks_and_dates_name_their_field() {
    let salon = Salon::open().await;
    for date in ["2026-6-1", "01.06.2026", "2200-01-01", "always"] {
        assert_eq!(field(&set(&salon, week(date, vec![])).await.unwrap_err()), "effective_from");
        assert_eq!(field(&remove(&salon, date).await.unwrap_err()), "effective_from");
        assert_eq!(field(&set_day(&salon, day(date, vec![])).await.unwrap_err()), "date");
        assert_eq!(field(&remove_day(&salon, date).await.unwrap_err()), "date");
    }
    assert_eq!(field(&set_day(&salon, day("", vec![])).await.unwrap_err()), "date");
    assert_eq!(field(&set_day(&salon, day("2026-06-02", hours(10, 9))).await.unwrap_err()), "spans[0]");
    let unnamed = SetDayHoursRequest { employee_id: String::new(), ..day("2026-06-02", vec![]) };
    assert_eq!(field(&set_day(&salon, unnamed).await.unwrap_err()), "employee_id");
    let list = salon.schedules().list_weekly_schedules(salon.employee(weeks(0, "bm9wZQ"))).await;
    assert_eq!(field(&list.unwrap_err()), "page_token");
    let list = salon.schedules().list_day_hours(salon.employee(days(0, "bm9wZQ"))).await;
    assert_eq!(field(&list.unwrap_err()), "page_token");
    let list = ListDayHoursRequest { from_date: "x".to_owned(), ..days(0, "") };
    let list = salon.schedules().list_day_hours(salon.employee(list)).await;
    assert_eq!(field(&list.unwrap_err()), "from_date");
}

#[tokio::test]
async fn weeks_and_dates_are_changed_by_managers_and_read_by_employees_of_the_business_alone() {
    let salon = Salon::open().await;
    let cases = [(Role::Employee, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)];
    for (role, business, expected) in cases {
        let request = as_user(&salon.host, role, business, day("2026-06-02", vec![]));
        assert_eq!(reason(&salon.schedules().set_day_hours(request).await.unwrap_err()), expected);
        let request = as_user(&salon.host, role, business, week("2026-06-02", vec![]));
        assert_eq!(reason(&salon.schedules().set_weekly_schedule(request).await.unwrap_err()), expected);
    }
    let request = as_user(&salon.host, Role::Guest, WILLOW, weeks(0, ""));
    let refused = salon.schedules().list_weekly_schedules(request).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    salon.set_hours(OTHER, vec![]).await;
    let theirs = ListWeeklySchedulesRequest { business_id: OTHER.to_string(), ..weeks(0, "") };
    let theirs = as_user(&salon.host, Role::Owner, OTHER, theirs);
    let refused = salon.schedules().list_weekly_schedules(theirs).await.unwrap_err();
    assert_eq!(field(&refused), "employee_id", "the employee is another business's");
}

#[tokio::test]
async fn each_change_is_told_and_audited_once() {
    let salon = Salon::open().await;
    set(&salon, week("2026-06-09", vec![])).await.unwrap();
    set_day(&salon, day("2026-06-02", vec![])).await.unwrap();
    remove_day(&salon, "2026-06-02").await.unwrap();
    remove(&salon, "2026-06-09").await.unwrap();
    remove(&salon, "2026-06-09").await.unwrap_err();
    assert_eq!(schedule_versions(&salon).await, (1..=10).collect::<Vec<_>>());
    let trail = salon.trail().await;
    let actions: Vec<_> = trail[6..].iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["SetWeeklySchedule", "SetDayHours", "RemoveDayHours", "RemoveWeeklySchedule"]);
}
