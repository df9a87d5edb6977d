//! Changes of the working time that leave appointments without it.

use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        AddOpeningExceptionRequest, RemoveOpeningExceptionRequest, RemoveWeeklyScheduleRequest,
        SetDayHoursRequest, SetOpeningHoursRequest, SetWeeklyScheduleRequest, StrandedAppointment,
    },
};
use uuid::Uuid;

use crate::{
    closures::{add, closed},
    salon::{ANA, BEN, CUT, Salon, WILLOW, by, hours, local, reason, weekdays},
};

fn ids(stranded: &[StrandedAppointment]) -> Vec<&str> {
    stranded.iter().map(|one| one.appointment_id.as_str()).collect()
}

fn week(employee: Uuid, effective_from: &str, from: i32, to: i32) -> SetWeeklyScheduleRequest {
    SetWeeklyScheduleRequest {
        business_id: WILLOW.to_string(),
        employee_id: employee.to_string(),
        spans: weekdays(from, to),
        effective_from: effective_from.to_owned(),
        validate_only: true,
    }
}

async fn by_week(salon: &Salon, request: SetWeeklyScheduleRequest) -> Vec<StrandedAppointment> {
    salon.schedules().set_weekly_schedule(salon.manager(request)).await.unwrap().into_inner().stranded
}

#[tokio::test]
async fn a_week_tells_whom_it_strands_and_changes_nothing_until_it_is_meant() {
    let salon = Salon::open().await;
    let early = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:00")).await.unwrap();
    let later = salon.book(vec![by(CUT, ANA)], local("2026-06-09", "09:30")).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local("2026-06-02", "14:00")).await.unwrap();
    salon.book(vec![by(CUT, BEN)], local("2026-06-02", "09:00")).await.unwrap();
    let bookings = salon.count("SELECT count(*) FROM ledger WHERE is_open").await;
    let stranded = by_week(&salon, week(ANA, "", 12, 18)).await;
    assert_eq!(ids(&stranded), [early.id.as_str(), later.id.as_str()]);
    assert_eq!(stranded[0].employee_id, ANA.to_string());
    assert_eq!(stranded[0].starts_at, early.starts_at);
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[0], "09:30");

    let meant = SetWeeklyScheduleRequest { validate_only: false, ..week(ANA, "2026-06-08", 12, 18) };
    assert_eq!(ids(&by_week(&salon, meant).await), [later.id.as_str()]);
    // It was outside of working time before: that is nothing new.
    assert!(by_week(&salon, week(ANA, "2026-06-08", 13, 18)).await.is_empty());
    assert_eq!(salon.count("SELECT count(*) FROM ledger WHERE is_open").await, bookings);
}

#[tokio::test]
async fn asking_alone_neither_announces_nor_is_in_the_trail() {
    let salon = Salon::open().await;
    let (trail, events) = (salon.trail().await, salon.count("SELECT count(*) FROM outbox").await);
    by_week(&salon, week(ANA, "", 12, 18)).await;
    assert_eq!(salon.trail().await, trail);
    assert_eq!(salon.count("SELECT count(*) FROM outbox").await, events);
}

#[tokio::test]
async fn hours_of_a_date_and_a_removed_week_tell_whom_they_strand() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await.unwrap();
    let day = SetDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        date: "2026-06-02".to_owned(),
        spans: hours(12, 18),
        validate_only: true,
    };
    let answer = salon.schedules().set_day_hours(salon.manager(day)).await.unwrap().into_inner();
    assert_eq!(ids(&answer.stranded), [visit.id.as_str()]);
    let week = RemoveWeeklyScheduleRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        effective_from: String::new(),
        validate_only: true,
    };
    let answer = salon.schedules().remove_weekly_schedule(salon.manager(week.clone())).await.unwrap();
    assert_eq!(ids(&answer.into_inner().stranded), [visit.id.as_str()]);
    let unknown = RemoveWeeklyScheduleRequest { effective_from: "2026-06-02".to_owned(), ..week };
    let refused = salon.schedules().remove_weekly_schedule(salon.manager(unknown)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
}

#[tokio::test]
async fn opening_hours_and_closures_strand_the_visits_outside_them() {
    let salon = Salon::open().await;
    let ana = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:00")).await.unwrap();
    let ben = salon.book(vec![by(CUT, BEN)], local("2026-06-02", "10:00")).await.unwrap();
    let opening = SetOpeningHoursRequest {
        business_id: WILLOW.to_string(),
        time_zone: "Europe/London".to_owned(),
        spans: weekdays(10, 18),
        validate_only: true,
    };
    let answer = salon.schedules().set_opening_hours(salon.manager(opening)).await.unwrap().into_inner();
    assert_eq!(ids(&answer.stranded), [ana.id.as_str()]);

    let asked = AddOpeningExceptionRequest { validate_only: true, ..closed("2026-06-02", "2026-06-02") };
    let asked = salon.manager(asked);
    let answer = salon.opening_exceptions().add_opening_exception(asked).await.unwrap().into_inner();
    assert_eq!(
        (answer.opening_exception, ids(&answer.stranded)),
        (None, vec![ana.id.as_str(), ben.id.as_str()])
    );
    let meant = AddOpeningExceptionRequest { spans: hours(9, 11), ..closed("2026-06-02", "2026-06-02") };
    let special = add(&salon, meant).await.unwrap();
    let removal = RemoveOpeningExceptionRequest {
        business_id: WILLOW.to_string(),
        opening_exception_id: special.id,
        validate_only: true,
    };
    let removal = salon.manager(removal);
    let answer = salon.opening_exceptions().remove_opening_exception(removal).await.unwrap().into_inner();
    assert!(answer.stranded.is_empty());
}

#[tokio::test]
async fn cancelled_and_past_visits_are_not_stranded() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:00")).await.unwrap();
    salon.cancel(&visit.id).await.unwrap();
    assert!(by_week(&salon, week(ANA, "", 12, 18)).await.is_empty());
}
