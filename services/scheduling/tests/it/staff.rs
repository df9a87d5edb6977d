//! When everybody works, read at once.

use proto::frontdesk::scheduling::v1::{ListStaffSchedulesRequest, SetDayHoursRequest};

use crate::salon::{ANA, BEN, Salon, WILLOW, field, hours, weekdays};

fn staff(first_date: &str, last_date: &str, page_size: i32, page_token: &str) -> ListStaffSchedulesRequest {
    ListStaffSchedulesRequest {
        business_id: WILLOW.to_string(),
        first_date: first_date.to_owned(),
        last_date: last_date.to_owned(),
        page_size,
        page_token: page_token.to_owned(),
    }
}

#[tokio::test]
async fn everybodys_weeks_and_dates_are_read_at_once_as_far_as_they_count_on_the_dates() {
    let salon = Salon::open().await;
    salon.set_week_from(ANA, "2026-06-08", weekdays(10, 12)).await;
    salon.set_week_from(ANA, "2026-07-06", weekdays(14, 16)).await;
    for date in ["2026-05-31", "2026-06-04", "2026-06-15"] {
        let hours = SetDayHoursRequest {
            business_id: WILLOW.to_string(),
            employee_id: ANA.to_string(),
            date: date.to_owned(),
            spans: hours(9, 10),
            validate_only: false,
        };
        salon.schedules().set_day_hours(salon.manager(hours)).await.unwrap();
    }
    let request = salon.employee(staff("2026-06-01", "2026-06-14", 0, ""));
    let answer = salon.schedules().list_staff_schedules(request).await.unwrap().into_inner();
    let ids: Vec<_> = answer.staff.iter().map(|one| one.employee_id.clone()).collect();
    assert_eq!((ids, answer.next_page_token.as_str()), (vec![ANA.to_string(), BEN.to_string()], ""));
    let of = |index: usize| {
        let one = &answer.staff[index];
        let weeks: Vec<_> = one.schedules.iter().map(|week| week.effective_from.as_str()).collect();
        let days: Vec<_> = one.days.iter().map(|day| day.date.as_str()).collect();
        (weeks, days)
    };
    assert_eq!(of(0), (vec!["", "2026-06-08"], vec!["2026-06-04"]));
    assert_eq!(of(1), (vec![""], vec![]));
    assert_eq!(answer.staff[0].schedules[1].spans, weekdays(10, 12));

    let request = salon.employee(staff("2026-06-08", "2026-06-08", 1, ""));
    let first = salon.schedules().list_staff_schedules(request).await.unwrap().into_inner();
    assert_eq!(first.staff[0].schedules.len(), 1);
    let request = salon.employee(staff("2026-06-08", "2026-06-08", 1, &first.next_page_token));
    let second = salon.schedules().list_staff_schedules(request).await.unwrap().into_inner();
    assert_eq!(
        (second.staff[0].employee_id.clone(), second.next_page_token),
        (BEN.to_string(), String::new())
    );
}

#[tokio::test]
async fn dates_of_everybodys_hours_are_bounded_and_name_their_field() {
    let salon = Salon::open().await;
    let refused = async |first, last, token| {
        let request = salon.employee(staff(first, last, 0, token));
        field(&salon.schedules().list_staff_schedules(request).await.unwrap_err())
    };
    assert_eq!(refused("", "2026-06-01", "").await, "first_date");
    assert_eq!(refused("2026-06-01", "2026-05-31", "").await, "last_date");
    assert_eq!(refused("2026-06-01", "2027-06-03", "").await, "last_date");
    assert_eq!(refused("2026-06-01", "2026-06-02", "bm9wZQ").await, "page_token");
}
