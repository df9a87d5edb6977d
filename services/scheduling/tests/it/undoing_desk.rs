//! What the desk does all day, taken back: squeezing in, the waitlist, calls about stranded visits, one change after the
//! other.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Appointment, AppointmentState as State, BookAppointmentRequest, BookFromWaitlistRequest,
        BookWalkInRequest, CancelAppointmentRequest, ContactOutcome, LeaveWaitlistRequest,
        ListTimeOffRequest, ListWaitlistRequest, MoveAppointmentRequest, MoveAppointmentResponse,
        RestoreAppointmentRequest, TimeOff, TimeOffState, WaitlistEntry, WaitlistState,
    },
    time::to_proto,
};
use tonic::Status;

use crate::{
    changing::{self, TUESDAY, make_cuts_dearer, undo, without_version},
    events::events,
    inbox::{contact, open_ids, open_lines, remove_day, set_day},
    moving,
    progress::{self, set},
    salon::{ANA, BEN, CUT, Salon, WILLOW, anyone, booking, by, field, local, monday, reason, shown},
    time_off::{approve, ask, days, withdrawal},
    waitlist::request as wish,
};

async fn moved(salon: &Salon, request: MoveAppointmentRequest) -> Result<(Appointment, String), Status> {
    let answer = salon.appointments().move_appointment(salon.manager(request)).await?;
    let MoveAppointmentResponse { appointment, change_id } = answer.into_inner();
    Ok((appointment.unwrap(), change_id))
}

fn beside(visit: &Appointment, start: Timestamp) -> MoveAppointmentRequest {
    MoveAppointmentRequest { squeeze_in: true, ..moving::request(&visit.id, start) }
}

fn ten() -> Timestamp {
    local(TUESDAY, "10:00")
}

#[tokio::test]
async fn a_visit_that_is_squeezed_in_elsewhere_stays_the_same_visit_and_comes_back() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, BEN)], ten()).await.unwrap();
    salon.book(vec![by(CUT, ANA)], ten()).await.unwrap();
    make_cuts_dearer(&salon).await;
    let to_ana = MoveAppointmentRequest { employee_ids: vec![ANA.to_string()], ..beside(&visit, ten()) };
    let (now, change) = moved(&salon, to_ana).await.unwrap();
    assert_eq!((now.id.as_str(), now.squeezed_in), (visit.id.as_str(), true));
    assert_eq!((now.items[0].employee_id.clone(), now.price_minor), (ANA.to_string(), visit.price_minor));
    // Ben's time is free, and given back with the undo.
    let bens = salon.book(vec![by(CUT, BEN)], ten()).await.unwrap();
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::SlotTaken);
    salon.cancel(&bens.id).await.unwrap();
    let restored = undo(&salon, &change).await.unwrap();
    assert_eq!(without_version(&restored[0]), without_version(&visit));
    let taken = salon.book(vec![by(CUT, BEN)], ten()).await.unwrap_err();
    assert_eq!(reason(&taken), Reason::SlotTaken);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn only_a_manager_moves_a_visit_beside_others_and_names_whose_time_it_takes() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, BEN)], ten()).await.unwrap();
    for request in [salon.employee(beside(&visit, ten())), salon.agent(beside(&visit, ten()))] {
        let refused = salon.appointments().move_appointment(request).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::RoleTooLow);
    }
    let unnamed = MoveAppointmentRequest { employee_ids: vec![String::new()], ..beside(&visit, ten()) };
    assert_eq!(field(&moved(&salon, unnamed).await.unwrap_err()), "employee_ids[0]");
    let early = beside(&visit, local("2026-05-31", "10:00"));
    assert_eq!(reason(&moved(&salon, early).await.unwrap_err()), Reason::TooSoon);
    // Outside working time is fine: that is what it is for.
    let (late, _) = moved(&salon, beside(&visit, local(TUESDAY, "20:00"))).await.unwrap();
    assert_eq!(shown(late.starts_at.as_ref()), "20:00");
}

#[tokio::test]
async fn changes_of_one_visit_are_taken_back_one_after_the_other() {
    let salon = Salon::open().await;
    let first = changing::booked(&salon).await;
    let (second, moved_once) =
        moved(&salon, moving::request(&first.id, local(TUESDAY, "11:00"))).await.unwrap();
    let longer = changing::to(&first, vec![changing::item(CUT, ANA), changing::item(CUT, BEN)]);
    let answer = changing::change(&salon, longer).await.unwrap();
    let (third, changed) = (answer.appointment.unwrap(), answer.change_id);
    let (_, moved_twice) = moved(&salon, moving::request(&first.id, local(TUESDAY, "14:00"))).await.unwrap();
    // Not the one before the last: the last one still holds.
    assert_eq!(reason(&undo(&salon, &changed).await.unwrap_err()), Reason::Stale);
    for (change, before) in [(moved_twice, &third), (changed, &second), (moved_once, &first)] {
        let restored = undo(&salon, &change).await.unwrap();
        assert_eq!(without_version(&restored[0]), without_version(before));
    }
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn states_and_a_cancellation_are_taken_back_before_the_move_they_followed() {
    let salon = Salon::open().await;
    let first = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap();
    let (second, moved) = moved(&salon, moving::request(&first.id, monday("11:00"))).await.unwrap();
    let state = async |state| {
        salon.time.advance(SignedDuration::from_mins(1));
        let request = salon.employee(progress::request(&first.id, state));
        salon.appointments().set_appointment_state(request).await.unwrap().into_inner().change_id
    };
    let confirmed = state(State::Confirmed).await;
    let cancelled = CancelAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: first.id.clone(),
        ..CancelAppointmentRequest::default()
    };
    salon.time.advance(SignedDuration::from_mins(1));
    let cancelled = salon.appointments().cancel_appointment(salon.employee(cancelled)).await.unwrap();
    let cancelled = cancelled.into_inner().change_id;
    let standing = undo(&salon, &cancelled).await.unwrap();
    assert_eq!(standing[0].state(), State::Confirmed);
    let arrived = state(State::Arrived).await;
    let begun = state(State::InService).await;
    let completed = state(State::Completed).await;
    for (change, before) in [
        (completed, State::InService),
        (begun, State::Arrived),
        (arrived, State::Confirmed),
        (confirmed, State::Booked),
    ] {
        assert_eq!(undo(&salon, &change).await.unwrap()[0].state(), before);
    }
    assert_eq!(without_version(&salon.booked().await[0]), without_version(&second));
    assert_eq!(without_version(&undo(&salon, &moved).await.unwrap()[0]), without_version(&first));
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn withdrawn_time_off_stands_again_where_it_stood() {
    let salon = Salon::open().await;
    let offered = async || salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len();
    let withdraw = async |id: &str| {
        let request = salon.employee(withdrawal(id));
        salon.time_off().withdraw_time_off(request).await.unwrap().into_inner().change_id
    };
    let state = async || {
        let request = ListTimeOffRequest { business_id: WILLOW.to_string(), ..Default::default() };
        let listed = salon.time_off().list_time_off(salon.employee(request)).await.unwrap();
        listed.into_inner().time_off[0].clone()
    };
    let id = ask(&salon, days(TUESDAY, TUESDAY)).await.unwrap().id;
    let change = withdraw(&id).await;
    undo(&salon, &change).await.unwrap();
    assert_eq!(state().await.state(), TimeOffState::Requested);

    let approved = approve(&salon, &id).await.unwrap();
    let change = withdraw(&id).await;
    assert_eq!(offered().await, 35);
    undo(&salon, &change).await.unwrap();
    assert_eq!(offered().await, 0);
    assert_eq!(TimeOff { version: 0, ..state().await }, TimeOff { version: 0, ..approved });
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::NotFound);
}

async fn book(salon: &Salon, request: BookAppointmentRequest) -> (Appointment, String) {
    let answer = salon.appointments().book_appointment(salon.employee(request)).await.unwrap().into_inner();
    (answer.appointment.unwrap(), answer.change_id)
}

#[tokio::test]
async fn a_booking_is_taken_back_after_the_moves_that_followed_it() {
    let salon = Salon::open().await;
    let (visit, booked) = book(&salon, booking(vec![by(CUT, ANA)], ten())).await;
    let (_, change) = moved(&salon, moving::request(&visit.id, local(TUESDAY, "11:00"))).await.unwrap();
    assert_eq!(reason(&undo(&salon, &booked).await.unwrap_err()), Reason::Stale);
    undo(&salon, &change).await.unwrap();
    let gone = undo(&salon, &booked).await.unwrap();
    assert_eq!((gone[0].id.as_str(), gone[0].state()), (visit.id.as_str(), State::Cancelled));
    // The time is free again.
    salon.book(vec![by(CUT, ANA)], ten()).await.unwrap();
}

#[tokio::test]
async fn a_booking_that_a_colleague_changed_since_stays() {
    let salon = Salon::open().await;
    let (visit, booked) = book(&salon, booking(vec![by(CUT, ANA)], ten())).await;
    set(&salon, &visit.id, State::Confirmed).await.unwrap();
    assert_eq!(reason(&undo(&salon, &booked).await.unwrap_err()), Reason::Stale);
    assert_eq!(salon.booked().await[0].state(), State::Confirmed);
}

#[tokio::test]
async fn a_walk_in_is_taken_back_and_the_agent_takes_no_booking_back() {
    let salon = Salon::open().await;
    let request = BookWalkInRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(CUT, ANA)],
        ..BookWalkInRequest::default()
    };
    let answer = salon.appointments().book_walk_in(salon.employee(request)).await.unwrap().into_inner();
    let gone = undo(&salon, &answer.change_id).await.unwrap();
    assert_eq!(gone[0].state(), State::Cancelled);
    let request = salon.agent(booking(vec![by(CUT, ANA)], ten()));
    let answer = salon.appointments().book_appointment(request).await.unwrap().into_inner();
    assert_eq!(answer.change_id, "");
}

#[tokio::test]
async fn a_change_that_another_one_followed_is_not_taken_back() {
    let salon = Salon::open().await;
    let visit = changing::booked(&salon).await;
    let (_, change) = moved(&salon, moving::request(&visit.id, local(TUESDAY, "11:00"))).await.unwrap();
    let confirmed = set(&salon, &visit.id, State::Confirmed).await.unwrap();
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::Stale);
    assert_eq!(salon.booked().await, [confirmed]);
}

async fn entry_of(salon: &Salon) -> Option<WaitlistEntry> {
    let list = ListWaitlistRequest { business_id: WILLOW.to_string(), ..ListWaitlistRequest::default() };
    let list = salon.waitlist().list_waitlist(salon.manager(list)).await.unwrap().into_inner();
    list.waiting.into_iter().next()?.entry
}

async fn joined(salon: &Salon) -> (WaitlistEntry, String) {
    let request = salon.manager(wish(vec![anyone(CUT)]));
    let answer = salon.waitlist().join_waitlist(request).await.unwrap().into_inner();
    (answer.entry.unwrap(), answer.change_id)
}

async fn left(salon: &Salon, entry: &WaitlistEntry) -> String {
    let request = LeaveWaitlistRequest {
        business_id: WILLOW.to_string(),
        entry_id: entry.id.clone(),
        reason: "moved away".to_owned(),
    };
    salon.waitlist().leave_waitlist(salon.employee(request)).await.unwrap().into_inner().change_id
}

#[tokio::test]
async fn who_was_taken_off_the_waitlist_has_their_place_again_and_who_was_put_there_leaves() {
    let salon = Salon::open().await;
    let (entry, put) = joined(&salon).await;
    let taken_off = left(&salon, &entry).await;
    assert_eq!(entry_of(&salon).await, None);
    assert_eq!(reason(&undo(&salon, &put).await.unwrap_err()), Reason::Stale);
    undo(&salon, &taken_off).await.unwrap();
    assert_eq!(entry_of(&salon).await, Some(WaitlistEntry { version: 3, ..entry.clone() }));
    undo(&salon, &put).await.unwrap();
    assert_eq!(entry_of(&salon).await, None);
    let told = events(&salon).await.into_iter().filter(|event| event.aggregate_id == entry.id);
    assert_eq!(told.map(|event| event.version).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(salon.trail().await.last().unwrap().0, "UndoChange");
}

#[tokio::test]
async fn a_customer_who_was_booked_from_the_waitlist_waits_again() {
    let salon = Salon::open().await;
    let (entry, _) = joined(&salon).await;
    let request = BookFromWaitlistRequest {
        business_id: WILLOW.to_string(),
        entry_id: entry.id.clone(),
        starts_at: Some(to_proto(ten())),
        call_id: String::new(),
    };
    let booked = salon.waitlist().book_from_waitlist(salon.employee(request)).await.unwrap().into_inner();
    assert_eq!(booked.entry.unwrap().state(), WaitlistState::Booked);
    let undone = undo(&salon, &booked.change_id).await.unwrap();
    assert_eq!(undone[0].state(), State::Cancelled);
    assert_eq!(entry_of(&salon).await, Some(WaitlistEntry { version: 3, ..entry }));
}

#[tokio::test]
async fn a_call_that_was_noted_by_mistake_leaves_the_line_open() {
    let salon = Salon::open().await;
    let visit = changing::booked(&salon).await.id;
    set_day(&salon, ANA, TUESDAY, 12, 18).await;
    let note = async |outcome| {
        let request = salon.employee(contact(&visit, outcome));
        salon.days().record_contact(request).await.unwrap().into_inner().change_id
    };
    let no_answer = note(ContactOutcome::NoAnswer).await;
    let told = note(ContactOutcome::Told).await;
    assert!(open_ids(&salon).await.is_empty());
    undo(&salon, &told).await.unwrap();
    let lines = open_lines(&salon).await;
    assert_eq!((lines.len(), lines[0].contacts.len()), (1, 1));
    undo(&salon, &no_answer).await.unwrap();
    assert!(open_lines(&salon).await[0].contacts.is_empty());
    // A change of the hours ended it meanwhile: nothing is left to take back.
    let told = note(ContactOutcome::Told).await;
    remove_day(&salon, ANA, TUESDAY).await.unwrap();
    assert_eq!(reason(&undo(&salon, &told).await.unwrap_err()), Reason::Stale);
}

/// A cancellation taken back by hand; what it is now, and the change.
async fn restored(salon: &Salon, visit: &Appointment) -> (Appointment, String) {
    let request = RestoreAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: visit.id.clone(),
        version: 0,
    };
    let answer = salon.appointments().restore_appointment(salon.manager(request)).await.unwrap().into_inner();
    (answer.appointment.unwrap(), answer.change_id)
}

#[tokio::test]
async fn a_cancellation_that_was_taken_back_by_mistake_counts_again_with_who_cancelled_and_why() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], ten()).await.unwrap();
    assert_eq!(visit.cancellation, None);
    let cancelled = salon.cancel(&visit.id).await.unwrap();
    let why = cancelled.cancellation.clone().unwrap();
    assert!(why.cancelled_by.starts_with("agent:"), "{why:?}");
    assert_eq!((why.reason.as_str(), why.cancelled_at), ("ill", Some(to_proto(salon.host.clock.now()))));
    salon.time.advance(SignedDuration::from_mins(5));
    let (again, change) = restored(&salon, &visit).await;
    assert_eq!((again.state(), &again.cancellation), (State::Booked, &None));

    let back = undo(&salon, &change).await.unwrap();
    assert_eq!(without_version(&back[0]), without_version(&cancelled));
    salon.book(vec![by(CUT, ANA)], ten()).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_restored_visit_that_was_moved_since_is_not_cancelled_again() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], ten()).await.unwrap();
    salon.cancel(&visit.id).await.unwrap();
    let (_, change) = restored(&salon, &visit).await;
    let (_, move_back) = moved(&salon, moving::request(&visit.id, local(TUESDAY, "11:00"))).await.unwrap();
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::Stale);
    undo(&salon, &move_back).await.unwrap();
    assert_eq!(undo(&salon, &change).await.unwrap()[0].state(), State::Cancelled);
}
