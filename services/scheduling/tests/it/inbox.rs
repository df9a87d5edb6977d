//! The open lines of the inbox: what closes one, and what does not.

use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        AddOpeningExceptionRequest, AppointmentState as State, ApproveTimeOffRequest, ContactOutcome,
        DismissProposalRequest, ListStrandedAppointmentsRequest, MoveToWaitlistRequest,
        ProposedSince as Since, RecordContactRequest, RemoveDayHoursRequest, SetDayHoursRequest,
        StrandedAppointment, StrandedReason, WaitlistState,
    },
    time::to_proto,
};
use sqlx::AssertSqlSafe;
use tonic::Status;
use uuid::Uuid;

use crate::{
    absence::{busy_monday, late, report, sick},
    changing::undo,
    closures, moving,
    progress::{restore, set},
    proposal::{apply, dismiss, dismissal, get, list, listed},
    salon::{
        ANA, BEN, CUT, Salon, WILLOW, booking, by, field, hours, local, monday, reason, shown, weekdays,
        with_key,
    },
    squeezing_in,
    time_off::{approval, ask, days},
};

const MIA: Uuid = Uuid::from_u128(0xd1);
pub const TUESDAY: &str = "2026-06-02";

pub async fn open_lines(salon: &Salon) -> Vec<StrandedAppointment> {
    let request = ListStrandedAppointmentsRequest { business_id: WILLOW.to_string(), ..Default::default() };
    salon.days().list_stranded_appointments(salon.employee(request)).await.unwrap().into_inner().stranded
}

pub async fn open_ids(salon: &Salon) -> Vec<String> {
    open_lines(salon).await.into_iter().map(|line| line.appointment_id).collect()
}

pub fn contact(appointment: &str, outcome: ContactOutcome) -> RecordContactRequest {
    RecordContactRequest {
        business_id: WILLOW.to_string(),
        appointment_id: appointment.to_owned(),
        outcome: outcome.into(),
        note: "the sister answered".to_owned(),
    }
}

pub async fn record(salon: &Salon, appointment: &str, outcome: ContactOutcome) -> Result<(), Status> {
    salon.days().record_contact(salon.employee(contact(appointment, outcome))).await.map(drop)
}

pub async fn set_day(salon: &Salon, employee: Uuid, date: &str, from: i32, to: i32) {
    let request = SetDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: employee.to_string(),
        date: date.to_owned(),
        spans: hours(from, to),
        ..Default::default()
    };
    salon.schedules().set_day_hours(salon.manager(request)).await.unwrap();
}

pub async fn remove_day(salon: &Salon, employee: Uuid, date: &str) -> Result<(), Status> {
    let request = RemoveDayHoursRequest {
        business_id: WILLOW.to_string(),
        employee_id: employee.to_string(),
        date: date.to_owned(),
        ..Default::default()
    };
    salon.schedules().remove_day_hours(salon.manager(request)).await.map(drop)
}

pub fn waiting(appointment: &str) -> MoveToWaitlistRequest {
    MoveToWaitlistRequest {
        business_id: WILLOW.to_string(),
        appointment_id: appointment.to_owned(),
        first_date: TUESDAY.to_owned(),
        last_date: "2026-06-05".to_owned(),
        note: "mornings".to_owned(),
        ..MoveToWaitlistRequest::default()
    }
}

/// A visit of Mia's on Tuesday at ten with Ana, who is not there before twelve.
pub async fn stranded() -> (Salon, String) {
    let salon = Salon::open().await;
    let mut superuser = salon.superuser().await;
    let mia = format!("INSERT INTO customer VALUES ('{WILLOW}', '{MIA}', 'Mia Wong', '+442071234567')");
    sqlx::raw_sql(AssertSqlSafe(mia)).execute(&mut superuser).await.unwrap();
    let mut request = booking(vec![by(CUT, ANA)], local(TUESDAY, "10:00"));
    request.customer_id = MIA.to_string();
    let visit = salon.book_as(salon.agent(request)).await.unwrap().id;
    set_day(&salon, ANA, TUESDAY, 12, 18).await;
    (salon, visit)
}

#[tokio::test]
async fn a_line_says_who_comes_how_to_reach_them_and_why_the_employee_is_not_there() {
    let (salon, visit) = stranded().await;
    let lines = open_lines(&salon).await;
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((line.appointment_id.as_str(), line.employee_id.clone()), (visit.as_str(), ANA.to_string()));
    assert_eq!((line.customer_name.as_str(), line.customer_phone.as_str()), ("Mia Wong", "+442071234567"));
    assert_eq!((line.reason(), line.contacts.len()), (StrandedReason::NotWorking, 0));
    closures::add(&salon, closures::closed(TUESDAY, TUESDAY)).await.unwrap();
    assert_eq!(open_lines(&salon).await[0].reason(), StrandedReason::Closed);
}

#[tokio::test]
async fn a_squeezed_in_customer_is_stranded_by_time_off_and_closures_and_not_by_hours() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], monday("15:00")).await.unwrap();
    let beside = squeezing_in::squeeze(&salon, vec![by(CUT, ANA)], monday("15:00")).await.id;
    let evening = squeezing_in::squeeze(&salon, vec![by(CUT, ANA)], monday("18:00")).await.id;
    let tuesday = squeezing_in::squeeze(&salon, vec![by(CUT, BEN)], local(TUESDAY, "18:00")).await.id;
    assert!(open_ids(&salon).await.is_empty(), "after hours on purpose");
    let answer = report(&salon, sick(ANA)).await.unwrap();
    let off = answer.time_off.unwrap();
    assert!(off.appointments.iter().any(|visit| visit.appointment_id == beside), "{off:?}");
    let proposal = answer.proposal.unwrap();
    let line = proposal.lines.iter().position(|line| line.appointment_id == beside).unwrap();
    let open = open_ids(&salon).await;
    assert!(open.len() == 3 && open.contains(&evening), "she does not come back after her hours");
    apply(&salon, &proposal, &[line]).await.unwrap();
    assert!(!open_ids(&salon).await.contains(&beside), "Ben has time for her");
    let closing = closures::closed(TUESDAY, TUESDAY);
    let asked = salon.manager(AddOpeningExceptionRequest { validate_only: true, ..closing.clone() });
    let asked = salon.opening_exceptions().add_opening_exception(asked).await.unwrap().into_inner();
    assert_eq!(asked.stranded.iter().map(|one| &one.appointment_id).collect::<Vec<_>>(), [&tuesday]);
    closures::add(&salon, closing).await.unwrap();
    let line = open_lines(&salon).await.pop().unwrap();
    assert_eq!((line.appointment_id.clone(), line.reason()), (tuesday.clone(), StrandedReason::Closed));
    record(&salon, &tuesday, ContactOutcome::Told).await.unwrap();
    set_day(&salon, BEN, TUESDAY, 12, 18).await;
    assert!(!open_ids(&salon).await.contains(&tuesday), "still closed");
}

#[tokio::test]
async fn a_stranded_visit_that_went_by_is_asked_about_for_a_week_until_it_is_known_what_became_of_it() {
    let (salon, visit) = stranded().await;
    salon.time.set(local(TUESDAY, "11:00"));
    let line = open_lines(&salon).await.remove(0);
    assert_eq!(line.appointment_id, visit);
    assert_eq!(line.ends_at, Some(to_proto(local(TUESDAY, "10:30"))));
    set(&salon, &visit, State::NoShow).await.unwrap();
    assert!(open_ids(&salon).await.is_empty());
    set(&salon, &visit, State::Booked).await.unwrap();
    assert_eq!(open_ids(&salon).await, core::slice::from_ref(&visit));
    salon.cancel(&visit).await.unwrap();
    assert!(open_ids(&salon).await.is_empty());
    restore(&salon, &visit).await.unwrap();
    salon.time.set(local("2026-06-09", "10:29"));
    assert_eq!(open_ids(&salon).await, core::slice::from_ref(&visit));
    let told = salon.employee(contact(&visit, ContactOutcome::Told));
    let told = salon.days().record_contact(told).await.unwrap().into_inner();
    assert!(open_ids(&salon).await.is_empty());
    set_day(&salon, BEN, "2026-06-09", 12, 18).await;
    assert!(open_ids(&salon).await.is_empty(), "what was said about the past stands");
    undo(&salon, &told.change_id).await.unwrap();
    assert_eq!(open_ids(&salon).await, [visit]);
    salon.time.set(local("2026-06-09", "10:30"));
    assert!(open_ids(&salon).await.is_empty());
}

#[tokio::test]
async fn hours_that_change_later_ask_about_no_visit_that_took_place() {
    let salon = Salon::open().await;
    let kept = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "14:00")).await.unwrap().id;
    let strand = salon.book(vec![by(CUT, BEN)], local(TUESDAY, "14:00")).await.unwrap().id;
    set_day(&salon, BEN, TUESDAY, 9, 12).await;
    salon.time.set(local(TUESDAY, "14:30"));
    for employee in [ANA, BEN] {
        salon.set_week(employee, weekdays(9, 12)).await;
    }
    assert_eq!(open_ids(&salon).await, [strand], "{kept} ended when Ana worked until six");
    remove_day(&salon, BEN, TUESDAY).await.unwrap();
    salon.set_week(BEN, weekdays(9, 18)).await;
    assert!(open_ids(&salon).await.is_empty(), "Ben worked after all");
}

#[tokio::test]
async fn moving_cancelling_arriving_and_waiting_close_a_line() {
    let salon = Salon::open().await;
    let mut visits = vec![];
    for time in ["09:00", "09:30", "10:00", "10:30", "11:00"] {
        let mut request = booking(vec![by(CUT, ANA)], local(TUESDAY, time));
        request.customer_id = MIA.to_string();
        visits.push(salon.book_as(salon.agent(request)).await.unwrap().id);
    }
    set_day(&salon, ANA, TUESDAY, 12, 18).await;
    assert_eq!(open_ids(&salon).await, visits);
    moving::send(&salon, moving::request(&visits[0], local(TUESDAY, "15:00"))).await.unwrap();
    salon.cancel(&visits[1]).await.unwrap();
    salon.time.set(local(TUESDAY, "08:45"));
    set(&salon, &visits[2], State::Arrived).await.unwrap();
    salon.waitlist().move_to_waitlist(salon.employee(waiting(&visits[3]))).await.unwrap();
    assert_eq!(open_ids(&salon).await, visits[4..]);
}

#[tokio::test]
async fn a_visit_becomes_an_entry_of_the_waitlist_in_one_step() {
    let (salon, visit) = stranded().await;
    let send = async || {
        let request = with_key(salon.employee(waiting(&visit)), "k1");
        salon.waitlist().move_to_waitlist(request).await.unwrap().into_inner()
    };
    let answer = send().await;
    assert_eq!(answer, send().await);
    let (entry, cancelled) = (answer.entry.unwrap(), answer.appointment.unwrap());
    assert_eq!((entry.state(), entry.customer_id.clone()), (WaitlistState::Waiting, MIA.to_string()));
    assert_eq!((entry.first_date.as_str(), entry.note.as_str()), (TUESDAY, "mornings"));
    let [item] = &entry.items[..] else { panic!("{entry:?}") };
    assert_eq!((item.employee_id.as_str(), item.preferred_employee_id.clone()), ("", ANA.to_string()));
    assert_eq!((cancelled.state(), cancelled.id.as_str()), (State::Cancelled, visit.as_str()));
    assert_eq!(salon.count("SELECT count(*) FROM waitlist_entry").await, 1);
    assert_eq!(salon.count("SELECT count(*) FROM audit WHERE action = 'MoveToWaitlist'").await, 2);

    let refused = async |request| {
        salon.waitlist().move_to_waitlist(salon.employee(request)).await.map(drop).unwrap_err()
    };
    assert_eq!(reason(&refused(waiting(&visit)).await), Reason::WrongState);
    let walk_in = salon.book(vec![by(CUT, BEN)], local(TUESDAY, "10:00")).await.unwrap().id;
    assert_eq!(field(&refused(waiting(&walk_in)).await), "appointment_id");
    let past = MoveToWaitlistRequest {
        first_date: "2026-05-30".to_owned(),
        last_date: "2026-05-31".to_owned(),
        ..waiting(&walk_in)
    };
    assert_eq!(field(&refused(past).await), "appointment_id");
    let stale = MoveToWaitlistRequest { version: 7, ..waiting(&walk_in) };
    assert_eq!(reason(&refused(stale).await), Reason::Stale);
    assert_eq!(salon.count("SELECT count(*) FROM waitlist_entry").await, 1);
}

#[tokio::test]
async fn an_approval_says_whom_it_would_strand_and_changes_nothing_until_it_is_meant() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap().id;
    let here = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "11:00")).await.unwrap().id;
    salon.time.set(local(TUESDAY, "09:15"));
    set(&salon, &here, State::Arrived).await.unwrap();
    let off = ask(&salon, days(TUESDAY, TUESDAY)).await.unwrap();
    let named: Vec<_> = off.appointments.iter().map(|one| one.appointment_id.clone()).collect();
    assert_eq!(named, core::slice::from_ref(&visit), "who has arrived is not to be moved");
    let trail = salon.trail().await;
    let asked = ApproveTimeOffRequest { validate_only: true, ..approval(&off.id) };
    let answer = salon.time_off().approve_time_off(salon.manager(asked)).await.unwrap().into_inner();
    assert_eq!(answer.time_off, None);
    assert_eq!(answer.stranded[0].appointment_id, visit);
    assert_eq!((answer.stranded.len(), open_ids(&salon).await.len()), (1, 0));
    assert_eq!(salon.trail().await, trail);

    let answer =
        salon.time_off().approve_time_off(salon.manager(approval(&off.id))).await.unwrap().into_inner();
    assert_eq!(answer.stranded[0].appointment_id, visit);
    assert_eq!(open_ids(&salon).await, [visit]);
    let again = ApproveTimeOffRequest { validate_only: true, ..approval(&off.id) };
    let again = salon.time_off().approve_time_off(salon.manager(again)).await.unwrap_err();
    assert_eq!(reason(&again), Reason::WrongState);
}

#[tokio::test]
async fn a_dismissal_says_whom_it_leaves_stranded_and_closes_no_line() {
    let (salon, [ten, eleven, perm]) = busy_monday().await;
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    apply(&salon, &proposal, &[0]).await.unwrap();
    let left = [eleven, perm];
    let ids = |stranded: &[StrandedAppointment]| -> Vec<_> {
        stranded.iter().map(|one| one.appointment_id.clone()).collect()
    };
    assert_eq!(open_ids(&salon).await, left);
    let asked = DismissProposalRequest { validate_only: true, ..dismissal(&proposal.id) };
    let answer = salon.proposals().dismiss_proposal(salon.employee(asked)).await.unwrap().into_inner();
    assert_eq!((answer.proposal, ids(&answer.stranded)), (None, left.to_vec()));
    assert_eq!(listed(&salon, list()).await.proposals.len(), 1);
    dismiss(&salon, &proposal.id).await.unwrap();
    assert!(listed(&salon, list()).await.proposals.is_empty());
    assert_eq!(open_ids(&salon).await, left);
    assert!(!open_ids(&salon).await.contains(&ten));
}

#[tokio::test]
async fn a_sick_employee_s_proposal_leaves_out_whose_customer_is_here() {
    let salon = Salon::open().await;
    let ten = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap().id;
    let eleven = salon.book(vec![by(CUT, ANA)], monday("11:00")).await.unwrap().id;
    set(&salon, &ten, State::Arrived).await.unwrap();
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    let visits: Vec<_> = proposal.lines.iter().map(|line| line.appointment_id.clone()).collect();
    assert_eq!(visits, core::slice::from_ref(&eleven));
    assert_eq!(open_ids(&salon).await, [eleven]);
}

#[tokio::test]
async fn a_proposal_notices_what_was_changed_by_hand() {
    let (salon, [ten, eleven, perm]) = busy_monday().await;
    let proposal = report(&salon, late(ANA, monday("14:30"))).await.unwrap().proposal.unwrap();
    assert_eq!((proposal.lines.len(), proposal.applicable_line_count), (3, 3));
    set(&salon, &ten, State::Confirmed).await.unwrap();
    moving::send(&salon, moving::request(&eleven, monday("16:00"))).await.unwrap();
    salon.cancel(&perm).await.unwrap();
    let seen = get(&salon, &proposal.id).await.unwrap();
    let since: Vec<_> = seen.lines.iter().map(|line| line.since()).collect();
    assert_eq!(since, [Since::Unspecified, Since::Moved, Since::Cancelled]);
    let current = seen.lines[1].current.as_ref().unwrap();
    assert_eq!(
        (shown(current.starts_at.as_ref()), current.employee_ids.clone()),
        ("16:00".into(), vec![ANA.to_string()])
    );
    assert_eq!((seen.line_count, seen.open_line_count, seen.applicable_line_count), (3, 1, 1));
    let open = listed(&salon, list()).await.proposals;
    assert_eq!((open.len(), open[0].open_line_count), (1, 1));
    for line in [1, 2] {
        assert_eq!(reason(&apply(&salon, &proposal, &[line]).await.unwrap_err()), Reason::Stale);
    }
    // A confirmed visit is where it was.
    let applied = apply(&salon, &proposal, &[0]).await.unwrap().proposal.unwrap();
    assert_eq!((applied.open_line_count, applied.lines[0].since()), (0, Since::Unspecified));
    assert!(listed(&salon, list()).await.proposals.is_empty(), "nothing of it is left to do");
}
