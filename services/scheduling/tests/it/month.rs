//! How full the days of a month are.

use proto::frontdesk::scheduling::v1::{
    AppointmentState, BookAppointmentRequest, GetMonthRequest, GetMonthResponse, MonthDay,
    RequestTimeOffRequest, SetAppointmentStateRequest,
};
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    blocks::{block, request as blocking},
    closures::{add, closed},
    salon::{ANA, BEN, COLOUR, CUT, STRANGER, Salon, WILLOW, booking, by, fact, field, hours, local},
    time_off::{approve, days as whole_days},
};

const TUESDAY: &str = "2026-06-02";
/// Of a salon that is open from nine to six.
const DAY_MINUTES: i32 = 540;

fn june(employee: Option<Uuid>) -> GetMonthRequest {
    GetMonthRequest {
        business_id: WILLOW.to_string(),
        month: "2026-06".to_owned(),
        employee_id: employee.map(|employee| employee.to_string()).unwrap_or_default(),
    }
}

async fn read(salon: &Salon, request: Request<GetMonthRequest>) -> Result<GetMonthResponse, Status> {
    Ok(salon.days().get_month(request).await?.into_inner())
}

async fn load(salon: &Salon, date: &str, employee: Option<Uuid>) -> MonthDay {
    let month = read(salon, salon.employee(june(employee))).await.unwrap();
    let on = |day: &MonthDay| day.opening.as_ref().unwrap().date == date;
    month.days.into_iter().find(on).unwrap()
}

fn figures(day: &MonthDay) -> (i32, i32, i32) {
    (day.bookable_minutes, day.booked_minutes, day.visits)
}

#[tokio::test]
async fn a_month_has_all_of_its_days_and_says_when_the_salon_is_open() {
    let salon = Salon::open().await;
    add(&salon, closed(TUESDAY, TUESDAY)).await.unwrap();
    let month = read(&salon, salon.employee(june(None))).await.unwrap();
    assert_eq!((month.time_zone.as_str(), month.days.len()), ("Europe/London", 30));
    let opening = |index: usize| month.days[index].opening.clone().unwrap();
    assert_eq!((opening(0).date.as_str(), opening(29).date.as_str()), ("2026-06-01", "2026-06-30"));
    assert_eq!(opening(0).spans, hours(9, 18));
    assert_eq!((opening(1).spans, opening(1).label.as_str()), (vec![], "Christmas"));
    assert_eq!(figures(&month.days[1]), (0, 0, 0));
}

#[tokio::test]
async fn what_can_be_booked_leaves_out_time_off_blocks_and_outside_calendars() {
    let salon = Salon::open().await;
    assert_eq!(figures(&load(&salon, TUESDAY, None).await), (2 * DAY_MINUTES, 0, 0));
    let holiday = RequestTimeOffRequest { employee_id: BEN.to_string(), ..whole_days(TUESDAY, TUESDAY) };
    let holiday = salon.time_off().request_time_off(salon.manager(holiday)).await.unwrap().into_inner();
    approve(&salon, &holiday.time_off.unwrap().id).await.unwrap();
    assert_eq!(figures(&load(&salon, TUESDAY, None).await), (DAY_MINUTES, 0, 0));
    block(&salon, blocking(ANA, local(TUESDAY, "12:00"), local(TUESDAY, "13:00"))).await.unwrap();
    salon.import(vec![fact("dentist", local(TUESDAY, "15:00"), local(TUESDAY, "16:00"))]).await.unwrap();
    assert_eq!(figures(&load(&salon, TUESDAY, None).await), (DAY_MINUTES - 120, 0, 0));
    assert_eq!(figures(&load(&salon, "2026-06-03", None).await), (2 * DAY_MINUTES, 0, 0));
}

#[tokio::test]
async fn booked_is_what_visits_take_of_working_time_but_not_what_was_missed() {
    let salon = Salon::open().await;
    let cut = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let length = 30;
    assert_eq!(figures(&load(&salon, TUESDAY, None).await), (2 * DAY_MINUTES, length, 1));
    assert_eq!(figures(&load(&salon, TUESDAY, Some(ANA)).await), (DAY_MINUTES, length, 1));
    assert_eq!(figures(&load(&salon, TUESDAY, Some(BEN)).await), (DAY_MINUTES, 0, 0));

    // An employee is free while a colour works in.
    let colour = salon.book(vec![by(COLOUR, BEN)], local(TUESDAY, "10:00")).await.unwrap();
    let whole = colour.ends_at.as_ref().unwrap().seconds - colour.starts_at.as_ref().unwrap().seconds;
    let ben = load(&salon, TUESDAY, Some(BEN)).await;
    assert!(0 < ben.booked_minutes && i64::from(ben.booked_minutes) * 60 < whole);

    // A visit in the evening is none of the working time.
    let late =
        BookAppointmentRequest { squeeze_in: true, ..booking(vec![by(CUT, ANA)], local(TUESDAY, "19:00")) };
    salon.book_as(salon.manager(late)).await.unwrap();
    assert_eq!(figures(&load(&salon, TUESDAY, Some(ANA)).await), (DAY_MINUTES, length, 2));

    salon.time.set(local(TUESDAY, "10:20"));
    let missed = SetAppointmentStateRequest {
        business_id: WILLOW.to_string(),
        appointment_id: cut.id,
        state: AppointmentState::NoShow.into(),
        ..SetAppointmentStateRequest::default()
    };
    salon.appointments().set_appointment_state(salon.manager(missed)).await.unwrap();
    assert_eq!(figures(&load(&salon, TUESDAY, Some(ANA)).await), (DAY_MINUTES, 0, 2));
}

#[tokio::test]
async fn a_month_is_named_as_the_calendar_does() {
    let salon = Salon::open().await;
    for month in ["", "2026", "2026-6", "2026-13", "2026-06-01", "1999-12"] {
        let request = GetMonthRequest { month: month.to_owned(), ..june(None) };
        assert_eq!(field(&read(&salon, salon.employee(request)).await.unwrap_err()), "month", "{month}");
    }
    assert!(read(&salon, salon.employee(june(Some(STRANGER)))).await.is_err());
}
