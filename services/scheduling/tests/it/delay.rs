//! Visits that run late, or over.

use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Appointment, AppointmentState as State, DelayAppointmentRequest, DelayAppointmentResponse, Proposal,
        ProposalState, ProposedChange as Change,
    },
};
use tonic::Status;
use tonic_types::StatusExt;

use crate::{
    blocks,
    changing::undo,
    progress::set,
    proposal::{apply, violation},
    salon::{ANA, BEN, COLOUR, CUT, Salon, WILLOW, booking, by, field, monday, reason, shown, with_key},
};

fn request(appointment: &str, minutes: i32) -> DelayAppointmentRequest {
    DelayAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: appointment.to_owned(),
        minutes,
        version: 0,
    }
}

pub async fn delay(salon: &Salon, id: &str, minutes: i32) -> Result<DelayAppointmentResponse, Status> {
    Ok(salon.proposals().delay_appointment(salon.employee(request(id, minutes))).await?.into_inner())
}

async fn done(salon: &Salon, id: &str, minutes: i32) -> Appointment {
    let answer = delay(salon, id, minutes).await.unwrap();
    assert_eq!(answer.proposal, None);
    answer.appointment.unwrap()
}

async fn proposed(salon: &Salon, id: &str, minutes: i32) -> Proposal {
    let before = salon.booked().await;
    let answer = delay(salon, id, minutes).await.unwrap();
    assert_eq!(salon.booked().await, before);
    assert!(before.contains(&answer.appointment.unwrap()));
    answer.proposal.unwrap()
}

async fn cut(salon: &Salon, time: &str) -> String {
    salon.book(vec![by(CUT, ANA)], monday(time)).await.unwrap().id
}

/// A cut of Ana's that has begun.
async fn begun(salon: &Salon, time: &str) -> String {
    let id = cut(salon, time).await;
    set(salon, &id, State::InService).await.unwrap();
    id
}

/// Ben can't help.
async fn alone(salon: &Salon) {
    blocks::block(salon, blocks::request(BEN, monday("09:00"), monday("18:00"))).await.unwrap();
}

fn hours(visit: &Appointment) -> (String, String) {
    (shown(visit.starts_at.as_ref()), shown(visit.ends_at.as_ref()))
}

/// What each line changes, when it starts then and by whom.
fn told(proposal: &Proposal) -> Vec<(Change, String, i32, String)> {
    let line = |line: &proto::frontdesk::scheduling::v1::ProposalLine| {
        let to = line.to.clone().unwrap();
        (line.change(), shown(to.starts_at.as_ref()), line.shift_minutes, to.employee_ids[0].clone())
    };
    proposal.lines.iter().map(line).collect()
}

#[tokio::test]
async fn a_late_visit_with_nothing_in_its_way_starts_later_at_once() {
    let salon = Salon::open().await;
    let visit = cut(&salon, "10:00").await;
    cut(&salon, "10:45").await;
    let late = done(&salon, &visit, 15).await;
    assert_eq!((hours(&late), late.version), (("10:15".into(), "10:45".into()), 2));
    // From the next employee's start on, the old time is free again.
    cut(&salon, "09:30").await;
    assert_eq!(salon.overlaps().await, 0);
    assert_eq!(salon.count("SELECT count(*) FROM audit WHERE action = 'DelayAppointment'").await, 1);
}

#[tokio::test]
async fn running_late_pushes_two_followers_and_all_go_at_once() {
    let salon = Salon::open().await;
    alone(&salon).await;
    let visits = [cut(&salon, "10:00").await, cut(&salon, "10:30").await, cut(&salon, "11:00").await];
    let proposal = proposed(&salon, &visits[0], 10).await;
    let ana = || ANA.to_string();
    assert_eq!(
        told(&proposal),
        [
            (Change::Move, "10:10".into(), 10, ana()),
            (Change::Move, "10:40".into(), 10, ana()),
            (Change::Move, "11:10".into(), 10, ana()),
        ]
    );
    let refused = apply(&salon, &proposal, &[2, 0]).await.unwrap_err();
    assert_eq!((reason(&refused), violation(&refused)), (Reason::SlotTaken, "line_ids[1]".to_owned()));
    let answer = apply(&salon, &proposal, &[2, 0, 1]).await.unwrap();
    let moved: Vec<_> = answer.appointments.iter().map(|visit| (visit.id.clone(), hours(visit).0)).collect();
    let [first, second, third] = visits;
    assert_eq!(moved, [(first, "10:10".into()), (second, "10:40".into()), (third, "11:10".into())]);
    assert_eq!(answer.proposal.unwrap().state(), ProposalState::Applied);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_follower_alone_goes_aside_where_that_costs_less_than_to_push_on() {
    let salon = Salon::open().await;
    let first = cut(&salon, "10:00").await;
    for time in ["10:30", "11:00"] {
        cut(&salon, time).await;
    }
    let proposal = proposed(&salon, &first, 20).await;
    assert_eq!(
        told(&proposal),
        [
            (Change::Move, "10:20".into(), 20, ANA.to_string()),
            (Change::Move, "10:30".into(), 0, BEN.to_string()),
        ]
    );
    // The follower may go first, and the late visit then.
    apply(&salon, &proposal, &[1]).await.unwrap();
    let answer = apply(&salon, &proposal, &[0]).await.unwrap();
    assert_eq!(answer.proposal.unwrap().state(), ProposalState::Applied);
}

#[tokio::test]
async fn a_visit_in_service_runs_over_and_past_closing() {
    let salon = Salon::open().await;
    let visit = begun(&salon, "09:00").await;
    let longer = done(&salon, &visit, 20).await;
    assert_eq!((hours(&longer), longer.state()), (("09:00".into(), "09:50".into()), State::InService));
    assert_eq!(shown(longer.items[0].ends_at.as_ref()), "09:50");
    let refused = salon.book(vec![by(CUT, ANA)], monday("09:45")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    salon.time.advance(SignedDuration::from_mins(8 * 60 + 30));
    let last = begun(&salon, "17:30").await;
    assert_eq!(hours(&done(&salon, &last, 25).await).1, "18:25");
    // Done before the new end, the rest is free.
    set(&salon, &last, State::Completed).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn the_buffer_comes_after_an_overrun() {
    let salon = Salon::open().await;
    let colour = salon.book(vec![by(COLOUR, ANA)], monday("09:00")).await.unwrap();
    set(&salon, &colour.id, State::InService).await.unwrap();
    done(&salon, &colour.id, 30).await;
    // Until 10:45, and ten minutes to clean up.
    let refused = salon.book(vec![by(CUT, ANA)], monday("10:50")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    cut(&salon, "10:55").await;
    // What came before the end stays as it was: she was free while it took effect.
    cut(&salon, "09:30").await;
}

#[tokio::test]
async fn an_overrun_proposes_a_place_for_its_follower() {
    let salon = Salon::open().await;
    let visit = begun(&salon, "09:00").await;
    let follower = cut(&salon, "09:30").await;
    let proposal = proposed(&salon, &visit, 20).await;
    assert_eq!(
        told(&proposal),
        [
            (Change::Extension, "09:00".into(), 0, ANA.to_string()),
            (Change::Move, "09:30".into(), 0, BEN.to_string()),
        ]
    );
    let answer = apply(&salon, &proposal, &[0, 1]).await.unwrap();
    let ends: Vec<_> = answer.appointments.iter().map(|visit| (visit.id.clone(), hours(visit).1)).collect();
    assert_eq!(ends, [(visit, "09:50".to_owned()), (follower, "10:00".to_owned())]);
    assert_eq!(answer.appointments[0].state(), State::InService);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_visit_that_has_not_begun_is_never_delayed_past_closing() {
    let salon = Salon::open().await;
    let last = cut(&salon, "17:30").await;
    // Nor to where it would have begun already.
    let nine = cut(&salon, "09:00").await;
    salon.time.set(monday("09:25"));
    assert_eq!(reason(&delay(&salon, &nine, 10).await.unwrap_err()), Reason::TooSoon);
    assert_eq!(hours(&done(&salon, &nine, 30).await).0, "09:30");
    salon.time.set(monday("17:15"));
    let refused = delay(&salon, &last, 5).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotWorking);
}

#[tokio::test]
async fn a_visit_is_late_around_its_time_and_not_days_ahead() {
    let salon = Salon::open().await;
    let visit = cut(&salon, "12:00").await;
    let refused = delay(&salon, &visit, 15).await.unwrap_err();
    let from = refused.get_details_error_info().unwrap().metadata["from"].clone();
    assert_eq!((reason(&refused), from.parse().unwrap()), (Reason::NotYet, monday("10:00")));
    salon.time.set(monday("12:30"));
    let refused = delay(&salon, &visit, 60).await.unwrap_err();
    let until = refused.get_details_error_info().unwrap().metadata["until"].clone();
    assert_eq!((reason(&refused), until.parse().unwrap()), (Reason::NoLonger, monday("12:30")));
    salon.time.set(monday("10:00"));
    assert_eq!(hours(&done(&salon, &visit, 15).await).0, "12:15");
}

#[tokio::test]
async fn what_is_no_visit_ahead_is_not_pushed() {
    let salon = Salon::open().await;
    let visit = cut(&salon, "10:00").await;
    blocks::block(&salon, blocks::request(ANA, monday("10:30"), monday("11:00"))).await.unwrap();
    assert_eq!(reason(&delay(&salon, &visit, 10).await.unwrap_err()), Reason::SlotTaken);
    let working = begun(&salon, "09:30").await;
    let early = cut(&salon, "09:00").await;
    assert_eq!(reason(&delay(&salon, &early, 10).await.unwrap_err()), Reason::SlotTaken);
    let held = cut(&salon, "11:00").await;
    salon.hold(vec![by(CUT, ANA)], monday("11:30")).await.unwrap();
    assert_eq!(reason(&delay(&salon, &held, 10).await.unwrap_err()), Reason::SlotTaken);
    assert_eq!(salon.count("SELECT count(*) FROM proposal").await, 0);
    assert_eq!(salon.booked().await.iter().filter(|visit| visit.version == 1).count(), 3);
    assert!(salon.booked().await.iter().any(|visit| visit.id == working && visit.version == 2));
}

#[tokio::test]
async fn a_squeezed_in_visit_is_delayed_beside_others() {
    let salon = Salon::open().await;
    cut(&salon, "10:00").await;
    let mut squeezed = booking(vec![by(CUT, ANA)], monday("10:00"));
    squeezed.squeeze_in = true;
    let visit = salon.book_as(salon.manager(squeezed)).await.unwrap();
    let late = done(&salon, &visit.id, 10).await;
    assert_eq!((hours(&late).0, late.squeezed_in), ("10:10".into(), true));
    set(&salon, &visit.id, State::InService).await.unwrap();
    let longer = done(&salon, &visit.id, 10).await;
    assert_eq!((hours(&longer), longer.squeezed_in), (("10:10".into(), "10:50".into()), true));
}

#[tokio::test]
async fn a_malformed_stale_or_late_delay_is_refused() {
    let salon = Salon::open().await;
    let visit = cut(&salon, "10:00").await;
    for minutes in [-5, 0, 7, 245] {
        assert_eq!(field(&delay(&salon, &visit, minutes).await.unwrap_err()), "minutes", "{minutes}");
    }
    let stale = salon.employee(DelayAppointmentRequest { version: 7, ..request(&visit, 10) });
    let refused = salon.proposals().delay_appointment(stale).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Stale);
    salon.cancel(&visit).await.unwrap();
    assert_eq!(reason(&delay(&salon, &visit, 10).await.unwrap_err()), Reason::WrongState);
    assert_eq!(reason(&delay(&salon, &ANA.to_string(), 10).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn a_repeated_delay_with_its_key_has_one_effect() {
    let salon = Salon::open().await;
    let visit = cut(&salon, "10:00").await;
    let send = async || {
        let request = with_key(salon.employee(request(&visit, 10)), "k1");
        salon.proposals().delay_appointment(request).await.unwrap().into_inner()
    };
    let (first, again) = (send().await, send().await);
    assert_eq!(first, again);
    assert_eq!(salon.booked().await, [first.appointment.unwrap()]);
}

#[tokio::test]
async fn a_delay_is_taken_back_before_and_after_the_visit_began() {
    let salon = Salon::open().await;
    let visit = cut(&salon, "10:00").await;
    let late = delay(&salon, &visit, 15).await.unwrap();
    let [back] = &undo(&salon, &late.change_id).await.unwrap()[..] else { panic!("one visit") };
    assert_eq!(hours(back), ("10:00".into(), "10:30".into()));
    assert_eq!(reason(&undo(&salon, &late.change_id).await.unwrap_err()), Reason::NotFound);

    set(&salon, &visit, State::InService).await.unwrap();
    let longer = delay(&salon, &visit, 15).await.unwrap();
    assert_eq!(hours(&longer.appointment.unwrap()), ("10:00".into(), "10:45".into()));
    let [back] = &undo(&salon, &longer.change_id).await.unwrap()[..] else { panic!("one visit") };
    assert_eq!((hours(back), back.state()), (("10:00".into(), "10:30".into()), State::InService));
    cut(&salon, "10:30").await;
    assert_eq!(salon.overlaps().await, 0);

    // What only was proposed is dismissed, not undone.
    alone(&salon).await;
    assert_eq!(delay(&salon, &visit, 15).await.unwrap().change_id, "");
}
