//! Days as people look at them.

use proto::{
    frontdesk::scheduling::v1::{
        AppointmentState, BookAppointmentRequest, BusyOrigin, DayColumn, DayUnavailableReason, DayVisit,
        DelayWindow, GetAppointmentRequest, GetDayRequest, GetDayResponse, ListStrandedAppointmentsRequest,
        RequestTimeOffRequest, SetAppointmentStateRequest, SetDayHoursRequest, TimeOffKind,
    },
    time::to_proto,
};
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    blocks::{block, request as blocking},
    closures::{add, closed},
    delay::delay,
    salon::{
        ANA, BEN, COLOUR, CUT, STRANGER, Salon, WILLOW, booking, by, fact, field, hours, local, monday,
        shown, weekdays,
    },
    time_off::{approve, days as whole_days},
};

const TUESDAY: &str = "2026-06-02";
/// Stranded visits that are listed at most.
const LISTED: usize = 200;

fn days(first_date: &str, last_date: &str) -> GetDayRequest {
    GetDayRequest {
        business_id: WILLOW.to_string(),
        first_date: first_date.to_owned(),
        last_date: last_date.to_owned(),
        ..GetDayRequest::default()
    }
}

async fn read(salon: &Salon, request: Request<GetDayRequest>) -> Result<GetDayResponse, Status> {
    Ok(salon.days().get_day(request).await?.into_inner())
}

async fn tuesday(salon: &Salon) -> GetDayResponse {
    read(salon, salon.employee(days(TUESDAY, ""))).await.unwrap()
}

fn column(day: &GetDayResponse, employee: Uuid) -> &DayColumn {
    day.columns.iter().find(|column| column.employee_id == employee.to_string()).unwrap()
}

fn working(column: &DayColumn) -> Vec<(i32, i32)> {
    column.working.iter().map(|span| (span.from_minute / 60, span.to_minute / 60)).collect()
}

fn unavailable(column: &DayColumn, reason: DayUnavailableReason) -> Vec<(i32, i32)> {
    let of_reason = column.unavailable.iter().filter(|span| span.reason() == reason);
    of_reason.map(|span| (span.from_minute / 60, span.to_minute / 60)).collect()
}

fn visit<'a>(day: &'a GetDayResponse, id: &str) -> &'a DayVisit {
    day.visits.iter().find(|visit| visit.appointment.as_ref().unwrap().id == id).unwrap()
}

async fn own_hours(salon: &Salon, from: i32, to: i32) {
    let request = SetDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        date: TUESDAY.to_owned(),
        spans: hours(from, to),
        validate_only: false,
    };
    salon.schedules().set_day_hours(salon.manager(request)).await.unwrap();
}

#[tokio::test]
async fn a_day_says_who_works_and_what_keeps_them_from_it() {
    let salon = Salon::open().await;
    own_hours(&salon, 10, 17).await;
    let holiday = RequestTimeOffRequest { employee_id: BEN.to_string(), ..whole_days(TUESDAY, TUESDAY) };
    let holiday = salon.time_off().request_time_off(salon.manager(holiday)).await.unwrap().into_inner();
    approve(&salon, &holiday.time_off.unwrap().id).await.unwrap();
    let lunch = block(&salon, blocking(ANA, local(TUESDAY, "12:00"), local(TUESDAY, "13:00"))).await.unwrap();
    salon.import(vec![fact("dentist", local(TUESDAY, "15:00"), local(TUESDAY, "16:00"))]).await.unwrap();

    let day = tuesday(&salon).await;
    assert_eq!((day.time_zone.as_str(), day.days.len()), ("Europe/London", 1));
    assert_eq!(day.days[0].spans, hours(9, 18));
    let ana = column(&day, ANA);
    assert_eq!(working(ana), [(10, 17)]);
    assert_eq!((ana.weekly.clone(), ana.has_own_hours), (hours(9, 18), true));
    assert_eq!(unavailable(ana, DayUnavailableReason::Closed), [(0, 9), (18, 24)]);
    assert_eq!(unavailable(ana, DayUnavailableReason::NotWorking), [(9, 10), (17, 18)]);
    assert_eq!(unavailable(ana, DayUnavailableReason::Blocked), [(12, 13)]);
    assert_eq!(unavailable(ana, DayUnavailableReason::Busy), [(15, 16)]);
    let of = |reason| ana.unavailable.iter().find(|span| span.reason() == reason).unwrap();
    assert_eq!(of(DayUnavailableReason::Blocked).block_id, lunch.id);
    assert_eq!(of(DayUnavailableReason::Busy).busy_origin(), BusyOrigin::Calendar);
    assert_eq!(day.blocks[0].block.as_ref().unwrap().title, "Lunch");

    let ben = column(&day, BEN);
    assert_eq!((working(ben), ben.has_own_hours), (vec![], false));
    assert_eq!(unavailable(ben, DayUnavailableReason::TimeOff), [(0, 24)]);
    assert_eq!(unavailable(ben, DayUnavailableReason::NotWorking), []);
    let off = ben.unavailable.iter().find(|span| span.reason() == DayUnavailableReason::TimeOff).unwrap();
    assert_eq!(off.time_off_kind(), TimeOffKind::Holiday);
}

#[tokio::test]
async fn time_off_that_began_days_ago_ends_in_the_day() {
    let salon = Salon::open().await;
    let mut training = whole_days("", "");
    training.starts_at = Some(to_proto(local("2026-05-30", "09:00")));
    training.ends_at = Some(to_proto(local(TUESDAY, "12:00")));
    let training = salon.time_off().request_time_off(salon.employee(training)).await.unwrap().into_inner();
    approve(&salon, &training.time_off.unwrap().id).await.unwrap();
    let day = tuesday(&salon).await;
    let ana = column(&day, ANA);
    assert_eq!(working(ana), [(12, 18)]);
    assert_eq!(unavailable(ana, DayUnavailableReason::TimeOff), [(0, 12)]);
}

#[tokio::test]
async fn a_closed_day_has_its_name_and_a_week_a_column_for_each_day() {
    let salon = Salon::open().await;
    add(&salon, closed(TUESDAY, TUESDAY)).await.unwrap();
    let week = read(&salon, salon.employee(days("2026-06-01", "2026-06-07"))).await.unwrap();
    let dates: Vec<_> = week.days.iter().map(|day| day.date.as_str()).collect();
    assert_eq!((dates[0], dates.len()), ("2026-06-01", 7));
    assert_eq!(week.days[1].spans, []);
    assert!(!week.days[1].label.is_empty());
    assert_eq!(week.columns.len(), 14);
    let one = GetDayRequest { employee_id: BEN.to_string(), ..days("2026-06-01", "2026-06-07") };
    let columns = read(&salon, salon.employee(one)).await.unwrap().columns;
    assert_eq!(columns.iter().filter(|column| column.employee_id == BEN.to_string()).count(), 7);
    assert_eq!(columns.len(), 7);
}

#[tokio::test]
async fn a_visit_says_when_its_employee_is_free_and_what_is_kept_free_around_it() {
    let salon = Salon::open().await;
    let colour = salon.book(vec![by(COLOUR, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let cancelled = salon.book(vec![by(CUT, BEN)], local(TUESDAY, "10:00")).await.unwrap();
    salon.cancel(&cancelled.id).await.unwrap();
    let day = tuesday(&salon).await;
    assert_eq!(day.visits.len(), 1, "a cancelled visit takes no time");
    let [item] = visit(&day, &colour.id).items.as_slice() else { panic!("one service") };
    let processing: Vec<_> = item.processing.iter().map(|span| (span.from_minute, span.to_minute)).collect();
    assert_eq!(processing, [(30, 60)]);
    assert_eq!((item.buffer_before_minutes, item.buffer_after_minutes, item.is_stranded), (0, 10, false));
}

#[tokio::test]
async fn an_employee_is_as_free_within_a_delayed_visit() {
    let salon = Salon::open().await;
    let colour = salon.book(vec![by(COLOUR, ANA)], monday("10:00")).await.unwrap();
    let free = async || {
        let day = read(&salon, salon.employee(days("", ""))).await.unwrap();
        let [item] = visit(&day, &colour.id).items.as_slice() else { panic!("one service") };
        item.processing.iter().map(|span| (span.from_minute, span.to_minute)).collect::<Vec<_>>()
    };
    assert_eq!(free().await, [(30, 60)]);
    delay(&salon, &colour.id, 15).await.unwrap();
    assert_eq!(free().await, [(30, 60)], "it starts later");
    set_state(&salon, &colour.id, AppointmentState::InService).await;
    delay(&salon, &colour.id, 25).await.unwrap();
    assert_eq!(free().await, [(30, 60)], "it ends later");
}

#[tokio::test]
async fn a_visit_is_stranded_while_its_customer_is_to_come_and_its_employee_is_not_at_work() {
    let salon = Salon::open().await;
    let early = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let fine = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "14:00")).await.unwrap();
    let processing = salon.book(vec![by(COLOUR, ANA)], local(TUESDAY, "15:00")).await.unwrap();
    let mut beside = booking(vec![by(CUT, ANA)], local(TUESDAY, "09:00"));
    beside.squeeze_in = true;
    let beside = salon.book_as(salon.manager(beside)).await.unwrap();
    own_hours(&salon, 12, 18).await;
    let is_stranded = |day: &GetDayResponse, id: &str| visit(day, id).items[0].is_stranded;
    let day = tuesday(&salon).await;
    assert!(is_stranded(&day, &early.id));
    for id in [&fine.id, &processing.id, &beside.id] {
        assert!(!is_stranded(&day, id));
    }
    let listed = stranded(&salon, "").await;
    assert_eq!(listed, [(early.id.clone(), vec!["Cut".to_owned()])]);
    assert_eq!(stranded(&salon, &BEN.to_string()).await, []);

    salon.time.set(local(TUESDAY, "08:45"));
    set_state(&salon, &early.id, AppointmentState::Arrived).await;
    assert!(!is_stranded(&tuesday(&salon).await, &early.id), "the customer is here");
    assert_eq!(stranded(&salon, "").await, []);
}

#[tokio::test]
async fn a_visit_offers_the_states_that_it_may_be_brought_to() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let day = tuesday(&salon).await;
    let steps: Vec<_> = visit(&day, &booked.id)
        .steps
        .iter()
        .map(|step| {
            let bounds = [step.from.as_ref(), step.until.as_ref()].map(shown_or_empty).join("-");
            (step.state(), bounds)
        })
        .collect();
    assert_eq!(
        steps,
        [
            (AppointmentState::Confirmed, "-09:00".to_owned()),
            (AppointmentState::Arrived, "07:00-".to_owned()),
            (AppointmentState::InService, "07:00-".to_owned()),
            (AppointmentState::Completed, "09:00-".to_owned()),
            (AppointmentState::NoShow, "09:00-".to_owned()),
        ]
    );
    let late = |window: Option<&DelayWindow>| {
        let window = window.unwrap();
        [window.from.as_ref(), window.until.as_ref()].map(shown_or_empty).join("-")
    };
    assert_eq!(late(visit(&day, &booked.id).delay_window.as_ref()), "07:00-09:30");
    salon.time.set(local(TUESDAY, "08:45"));
    set_state(&salon, &booked.id, AppointmentState::Arrived).await;
    let request =
        GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: booked.id.clone() };
    let detail = salon.appointments().get_appointment(salon.employee(request)).await.unwrap().into_inner();
    let states: Vec<_> = detail.steps.iter().map(|step| step.state()).collect();
    assert_eq!(states, [AppointmentState::InService, AppointmentState::Completed]);
    assert_eq!(late(detail.delay_window.as_ref()), "07:00-09:30");
    let back = detail.step_back.unwrap();
    assert_eq!(
        (back.state(), shown_or_empty(back.until.as_ref())),
        (AppointmentState::Booked, "00:00".to_owned())
    );
}

#[tokio::test]
async fn the_viewer_is_told_what_they_may_do() {
    let salon = Salon::open().await;
    // Ana signs in as the tests' person.
    let lunch = |employee| blocking(employee, local(TUESDAY, "12:00"), local(TUESDAY, "13:00"));
    salon.blocks().block_time(salon.employee(lunch(ANA))).await.unwrap();
    block(&salon, lunch(BEN)).await.unwrap();

    let may = |day: &GetDayResponse| {
        let own = |employee: Uuid| {
            let block =
                day.blocks.iter().find(|one| one.block.as_ref().unwrap().employee_id == employee.to_string());
            (column(day, employee).may_block, block.unwrap().may_unblock)
        };
        (day.may_squeeze_in, own(ANA), own(BEN))
    };
    let is_own = |day: &GetDayResponse| [ANA, BEN].map(|employee| column(day, employee).own);
    let as_employee = read(&salon, salon.employee(days(TUESDAY, ""))).await.unwrap();
    assert_eq!(may(&as_employee), (false, (true, true), (false, false)));
    assert_eq!(is_own(&as_employee), [true, false]);
    let as_manager = read(&salon, salon.manager(days(TUESDAY, ""))).await.unwrap();
    assert_eq!(may(&as_manager), (true, (true, true), (true, true)));
}

#[tokio::test]
async fn a_day_without_a_date_is_today_by_the_salons_clock() {
    let salon = Salon::open().await;
    salon.time.set(local("2026-06-04", "00:30"));
    let day = read(&salon, salon.employee(days("", ""))).await.unwrap();
    let dates: Vec<_> = day.days.iter().map(|day| day.date.as_str()).collect();
    assert_eq!(dates, ["2026-06-04"], "it is still the third in UTC");
}

#[tokio::test]
async fn days_are_bounded_and_name_their_field() {
    let salon = Salon::open().await;
    let refused =
        async |request: GetDayRequest| field(&read(&salon, salon.employee(request)).await.unwrap_err());
    assert_eq!(refused(days("", TUESDAY)).await, "first_date");
    assert_eq!(refused(days(TUESDAY, "2026-06-01")).await, "last_date");
    assert_eq!(refused(days(TUESDAY, "2026-06-16")).await, "last_date");
    assert!(read(&salon, salon.employee(days(TUESDAY, "2026-06-15"))).await.is_ok());
    let unknown = GetDayRequest { employee_id: STRANGER.to_string(), ..days(TUESDAY, "") };
    assert!(read(&salon, salon.employee(unknown)).await.is_err());
}

#[tokio::test]
async fn a_day_of_years_ago_still_says_who_worked() {
    let salon = Salon::open().await;
    salon.set_week_from(ANA, "2023-01-01", weekdays(10, 12)).await;
    let day = read(&salon, salon.employee(days("2023-06-06", ""))).await.unwrap();
    assert_eq!(working(column(&day, ANA)), [(10, 12)]);
    assert!(monday("00:00") > local("2023-06-06", "00:00"));
}

#[tokio::test]
async fn however_many_visits_are_squeezed_in_the_stranded_ones_are_listed() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], local("2026-06-04", "15:00")).await.unwrap();
    let squeezed = || BookAppointmentRequest {
        squeeze_in: true,
        ..booking(vec![by(CUT, ANA)], local(TUESDAY, "19:00"))
    };
    for _ in 0..=LISTED {
        salon.book_as(salon.manager(squeezed())).await.unwrap();
    }
    salon.set_week_from(ANA, "2026-06-01", weekdays(9, 12)).await;
    assert_eq!(stranded(&salon, "").await.iter().map(|(id, _)| id).collect::<Vec<_>>(), [&visit.id]);
}

fn shown_or_empty(at: Option<&pbjson_types::Timestamp>) -> String {
    at.map(|at| shown(Some(at))).unwrap_or_default()
}

async fn set_state(salon: &Salon, id: &str, state: AppointmentState) {
    let request = SetAppointmentStateRequest {
        business_id: WILLOW.to_string(),
        appointment_id: id.to_owned(),
        state: state.into(),
        version: 0,
    };
    salon.appointments().set_appointment_state(salon.employee(request)).await.unwrap();
}

/// Stranded visits, with what is done.
async fn stranded(salon: &Salon, employee: &str) -> Vec<(String, Vec<String>)> {
    let request = ListStrandedAppointmentsRequest {
        business_id: WILLOW.to_string(),
        employee_id: employee.to_owned(),
        ..ListStrandedAppointmentsRequest::default()
    };
    let answer = salon.days().list_stranded_appointments(salon.employee(request)).await.unwrap();
    answer.into_inner().stranded.into_iter().map(|one| (one.appointment_id, one.service_names)).collect()
}
