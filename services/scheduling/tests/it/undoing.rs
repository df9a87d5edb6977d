//! Changes of several records that are taken back: all of it, or nothing.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            Appointment, AppointmentState as State, CancelRestOfSeriesRequest, JoinWaitlistRequest,
            ListTimeOffRequest, ListWaitlistRequest, MoveRestOfSeriesRequest, OptimiseDayRequest, Proposal,
            ProposalState, ProposedChange as Change, Series, TimeOffState, UndoChangeRequest,
            UndoChangeResponse,
        },
    },
};
use testkit::as_user;
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    absence::{busy_monday, report, sick},
    events::events,
    inbox::open_lines,
    moving,
    progress::set,
    proposal::{apply, dismissal, get, list, listed},
    salon::{ANA, BEN, CUT, OTHER, Salon, WILLOW, anyone, by, local, monday, reason, with_key},
    series::{self, weekly},
    time_off::{approval, ask, days},
};

const TUESDAY: &str = "2026-06-02";

fn request(change: &str) -> UndoChangeRequest {
    UndoChangeRequest { business_id: WILLOW.to_string(), change_id: change.to_owned() }
}

async fn send(salon: &Salon, request: Request<UndoChangeRequest>) -> Result<UndoChangeResponse, Status> {
    Ok(salon.changes().undo_change(request).await?.into_inner())
}

async fn undo(salon: &Salon, change: &str) -> Result<Vec<Appointment>, Status> {
    Ok(send(salon, salon.manager(request(change))).await?.appointments)
}

/// A visit but for its version, which grows with each change.
fn without_version(visits: &[Appointment]) -> Vec<Appointment> {
    visits.iter().map(|visit| Appointment { version: 0, ..visit.clone() }).collect()
}

/// Four visits with Ana at ten, of which the second is confirmed and the third was moved by itself.
async fn four() -> (Salon, Series) {
    let salon = Salon::open().await;
    let wanted = series::request(vec![by(CUT, ANA)], local(TUESDAY, "10:00"), weekly(4));
    let booked = series::book(&salon, wanted).await.unwrap();
    set(&salon, &booked.appointments[1].id, State::Confirmed).await.unwrap();
    let alone = moving::request(&booked.appointments[2].id, local("2026-06-18", "12:00"));
    moving::send(&salon, alone).await.unwrap();
    let now = series::get(&salon, &booked.id).await;
    (salon, now)
}

fn rest_cancelled(series: &Series, from: usize) -> CancelRestOfSeriesRequest {
    CancelRestOfSeriesRequest {
        business_id: WILLOW.to_string(),
        series_id: series.id.clone(),
        from_appointment_id: series.appointments[from].id.clone(),
        ..CancelRestOfSeriesRequest::default()
    }
}

async fn cancel(salon: &Salon, request: CancelRestOfSeriesRequest) -> (Series, String) {
    let answer = salon.series().cancel_rest_of_series(salon.manager(request)).await.unwrap().into_inner();
    (answer.series.unwrap(), answer.change_id)
}

async fn shift(salon: &Salon, request: MoveRestOfSeriesRequest) -> (Series, String) {
    let answer = salon.series().move_rest_of_series(salon.manager(request)).await.unwrap().into_inner();
    (answer.series.unwrap(), answer.change_id)
}

#[tokio::test]
async fn a_cancelled_rest_is_booked_again_as_it_was() {
    let (salon, before) = four().await;
    let (now, change) = cancel(&salon, rest_cancelled(&before, 1)).await;
    assert_eq!(now.appointments.iter().filter(|one| one.state() == State::Cancelled).count(), 3);
    let restored = undo(&salon, &change).await.unwrap();
    assert_eq!(restored.len(), 3);
    let now = series::get(&salon, &before.id).await;
    assert_eq!(without_version(&now.appointments), without_version(&before.appointments));
    assert_eq!(now.appointments[1].state(), State::Confirmed);
    assert_eq!(salon.overlaps().await, 0);
    // Their time is theirs again.
    let taken = salon.book(vec![by(CUT, ANA)], local("2026-06-18", "12:00")).await.unwrap_err();
    assert_eq!(reason(&taken), Reason::SlotTaken);
    let noted = "SELECT count(*) FROM audit WHERE action = 'UndoChange'";
    assert_eq!(salon.count(noted).await, 4);
}

#[tokio::test]
async fn a_moved_rest_is_back_where_it_was_and_moves_on_as_before() {
    let (salon, before) = four().await;
    let wanted = MoveRestOfSeriesRequest {
        employee_ids: vec![BEN.to_string()],
        ..series::rest(&before, 2, local("2026-06-19", "15:00"))
    };
    let (moved, change) = shift(&salon, wanted.clone()).await;
    assert_eq!(series::starts(&moved.appointments)[2..], ["06-19 15:00", "06-26 15:00"]);
    undo(&salon, &change).await.unwrap();
    let now = series::get(&salon, &before.id).await;
    assert_eq!(without_version(&now.appointments), without_version(&before.appointments));
    // The third is known as moved by itself: the first takes the fourth along, and not it.
    let (again, _) = shift(&salon, series::rest(&before, 0, local(TUESDAY, "09:00"))).await;
    assert_eq!(
        series::starts(&again.appointments),
        ["06-02 09:00", "06-09 09:00", "06-18 12:00", "06-23 09:00"]
    );
}

#[tokio::test]
async fn all_of_a_series_that_is_still_to_come_changes_from_any_of_its_visits() {
    let (salon, before) = four().await;
    salon.time.set(local(TUESDAY, "09:45"));
    set(&salon, &before.appointments[0].id, State::InService).await.unwrap();
    let to_ben = MoveRestOfSeriesRequest {
        starts_at: None,
        employee_ids: vec![BEN.to_string()],
        extra_minutes: vec![15],
        whole_series: true,
        ..series::rest(&before, 2, local(TUESDAY, "09:00"))
    };
    let (moved, change) = shift(&salon, to_ben).await;
    let who: Vec<_> = moved.appointments.iter().map(|one| one.items[0].employee_id.clone()).collect();
    assert_eq!(who, [ANA, BEN, BEN, BEN].map(|who| who.to_string()), "what has begun stays");
    assert_eq!(series::starts(&moved.appointments), series::starts(&before.appointments));
    let extra: Vec<_> = moved.appointments.iter().map(|one| one.items[0].extra_minutes).collect();
    assert_eq!(extra, [0, 15, 15, 15]);
    undo(&salon, &change).await.unwrap();
    let whole = CancelRestOfSeriesRequest { whole_series: true, ..rest_cancelled(&before, 3) };
    let (cancelled, change) = cancel(&salon, whole).await;
    let states: Vec<_> = cancelled.appointments.iter().map(Appointment::state).collect();
    assert_eq!(states, [State::InService, State::Cancelled, State::Cancelled, State::Cancelled]);
    undo(&salon, &change).await.unwrap();
    let now = series::get(&salon, &before.id).await;
    assert_eq!(without_version(&now.appointments[1..]), without_version(&before.appointments[1..]));
}

#[tokio::test]
async fn a_booked_series_is_cancelled_whole() {
    let salon = Salon::open().await;
    let wanted = series::request(vec![by(CUT, ANA)], local(TUESDAY, "10:00"), weekly(3));
    let answer = salon.series().book_series(salon.manager(wanted)).await.unwrap().into_inner();
    let cancelled = undo(&salon, &answer.change_id).await.unwrap();
    assert!(cancelled.iter().all(|visit| visit.state() == State::Cancelled) && cancelled.len() == 3);
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
}

#[tokio::test]
async fn nothing_is_undone_if_one_of_the_places_is_taken_or_one_of_the_visits_was_changed() {
    let (salon, before) = four().await;
    let (_, change) = shift(&salon, series::rest(&before, 0, local(TUESDAY, "14:00"))).await;
    let other = salon.book(vec![by(CUT, ANA)], local("2026-06-09", "10:00")).await.unwrap();
    let now = salon.booked().await;
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::SlotTaken);
    assert_eq!(salon.booked().await, now);
    salon.cancel(&other.id).await.unwrap();
    // A refused attempt leaves the change to be undone.
    set(&salon, &before.appointments[3].id, State::Confirmed).await.unwrap();
    let now = salon.booked().await;
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::Stale);
    assert_eq!(salon.booked().await, now);
}

#[tokio::test]
async fn an_applied_proposal_is_open_again_and_its_visits_are_stranded_as_before() {
    let (salon, [ten, eleven, perm]) = busy_monday().await;
    let before = salon.booked().await;
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    let one = applied(&salon, &proposal, &[0]).await;
    let other = applied(&salon, &proposal, &[1]).await;
    let lines = async || open_lines(&salon).await.into_iter().map(|line| line.appointment_id);
    assert_eq!(lines().await.collect::<Vec<_>>(), core::slice::from_ref(&perm));
    // In any order: each line by itself.
    undo(&salon, &one).await.unwrap();
    assert_eq!(lines().await.collect::<Vec<_>>(), [ten.clone(), perm.clone()]);
    undo(&salon, &other).await.unwrap();
    assert_eq!(lines().await.collect::<Vec<_>>(), [ten, eleven, perm]);
    assert_eq!(without_version(&salon.booked().await), without_version(&before));
    let now = get(&salon, &proposal.id).await.unwrap();
    assert!(now.lines.iter().all(|line| !line.is_applied) && now.state() == ProposalState::Open);
    assert_eq!(now.open_line_count, 3);
    apply(&salon, &now, &[0, 1]).await.unwrap();
}

async fn applied(salon: &Salon, proposal: &Proposal, lines: &[usize]) -> String {
    let request = crate::proposal::request(proposal, lines);
    salon.proposals().apply_proposal(salon.manager(request)).await.unwrap().into_inner().change_id
}

#[tokio::test]
async fn two_visits_that_swapped_hands_swap_back() {
    let (salon, _, proposal) = crate::proposal::swap().await;
    let before = salon.booked().await;
    let change = applied(&salon, &proposal, &[0, 1]).await;
    undo(&salon, &change).await.unwrap();
    assert_eq!(without_version(&salon.booked().await), without_version(&before));
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_customer_who_was_served_from_the_waitlist_waits_again() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:10")).await.unwrap();
    let join = JoinWaitlistRequest {
        business_id: WILLOW.to_string(),
        customer_id: Uuid::from_u128(0xd1).to_string(),
        items: vec![anyone(CUT)],
        first_date: TUESDAY.to_owned(),
        last_date: TUESDAY.to_owned(),
        ..JoinWaitlistRequest::default()
    };
    salon.waitlist().join_waitlist(salon.agent(join)).await.unwrap();
    let optimise = OptimiseDayRequest {
        business_id: WILLOW.to_string(),
        date: TUESDAY.to_owned(),
        seed: 7,
        include_waitlist: true,
        ..OptimiseDayRequest::default()
    };
    let found = salon.proposals().optimise_day(salon.manager(optimise)).await.unwrap().into_inner();
    let proposal = found.proposal.unwrap();
    assert!(proposal.lines.iter().any(|line| line.change() == Change::Booking));
    let whole: Vec<_> = (0..proposal.lines.len()).collect();
    let change = applied(&salon, &proposal, &whole).await;
    let waits = async || {
        let list = ListWaitlistRequest { business_id: WILLOW.to_string(), ..ListWaitlistRequest::default() };
        salon.waitlist().list_waitlist(salon.manager(list)).await.unwrap().into_inner().waiting.len()
    };
    assert_eq!(waits().await, 0);
    undo(&salon, &change).await.unwrap();
    assert_eq!(waits().await, 1);
    let states = salon.booked().await.into_iter().map(|visit| visit.state());
    assert_eq!(states.filter(|state| *state == State::Booked).count(), 1);
}

#[tokio::test]
async fn a_dismissed_proposal_is_open_again() {
    let (salon, _) = busy_monday().await;
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    let dismissed = salon.proposals().dismiss_proposal(salon.manager(dismissal(&proposal.id))).await;
    let change = dismissed.unwrap().into_inner().change_id;
    assert!(listed(&salon, list()).await.proposals.is_empty());
    undo(&salon, &change).await.unwrap();
    assert_eq!(listed(&salon, list()).await.proposals.len(), 1);
    apply(&salon, &proposal, &[0]).await.unwrap();
}

#[tokio::test]
async fn a_decision_about_time_off_is_to_be_made_again() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap().id;
    let off = ask(&salon, days(TUESDAY, TUESDAY)).await.unwrap();
    let approved = salon.time_off().approve_time_off(salon.manager(approval(&off.id))).await.unwrap();
    assert_eq!(open_lines(&salon).await[0].appointment_id, visit);
    undo(&salon, &approved.into_inner().change_id).await.unwrap();
    assert!(open_lines(&salon).await.is_empty());
    assert_eq!(states(&salon).await, [TimeOffState::Requested]);
    let approved = salon.time_off().approve_time_off(salon.manager(approval(&off.id))).await.unwrap();
    // The employee of the same account is no manager any more.
    let change = approved.into_inner().change_id;
    let refused = send(&salon, salon.employee(request(&change))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
}

async fn states(salon: &Salon) -> Vec<TimeOffState> {
    let list = ListTimeOffRequest { business_id: WILLOW.to_string(), ..ListTimeOffRequest::default() };
    let list = salon.time_off().list_time_off(salon.manager(list)).await.unwrap().into_inner();
    list.time_off.iter().map(|off| off.state()).collect()
}

#[tokio::test]
async fn a_reported_absence_and_its_proposal_are_gone() {
    let (salon, _) = busy_monday().await;
    let answer = report(&salon, sick(ANA)).await.unwrap();
    assert_eq!(open_lines(&salon).await.len(), 3);
    undo(&salon, &answer.change_id).await.unwrap();
    assert!(open_lines(&salon).await.is_empty());
    assert_eq!(states(&salon).await, [TimeOffState::Withdrawn]);
    assert_eq!(get(&salon, answer.proposal.unwrap().id).await.unwrap().state(), ProposalState::Dismissed);
    salon.book(vec![by(CUT, ANA)], monday("12:00")).await.unwrap();
}

#[tokio::test]
async fn a_change_is_undone_once_within_ten_minutes_by_the_account_that_made_it() {
    let (salon, before) = four().await;
    let (_, change) = cancel(&salon, rest_cancelled(&before, 2)).await;
    let unknown = undo(&salon, &ANA.to_string()).await.unwrap_err();
    assert_eq!(reason(&unknown), Reason::NotFound);
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, request(&change));
        assert_eq!(reason(&send(&salon, request).await.unwrap_err()), expected);
    }
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    let foreign = UndoChangeRequest { business_id: OTHER.to_string(), ..request(&change) };
    let foreign = as_user(&salon.host, Role::Owner, OTHER, foreign);
    assert_eq!(reason(&send(&salon, foreign).await.unwrap_err()), Reason::NotFound);
    sqlx::query("UPDATE undoable_change SET made_by = 'user:other'")
        .execute(&mut salon.superuser().await)
        .await
        .unwrap();
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::NotFound);

    let (_, change) = cancel(&salon, rest_cancelled(&before, 1)).await;
    let repeated = async || send(&salon, with_key(salon.manager(request(&change)), "k1")).await.unwrap();
    assert_eq!(repeated().await, repeated().await);
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::NotFound, "it was undone");

    let (_, change) = cancel(&salon, rest_cancelled(&before, 1)).await;
    salon.time.advance(SignedDuration::from_mins(10));
    assert_eq!(reason(&undo(&salon, &change).await.unwrap_err()), Reason::NotFound);
    // What can't be undone any more is not kept.
    cancel(&salon, rest_cancelled(&before, 0)).await;
    assert_eq!(salon.count("SELECT count(*) FROM undoable_change").await, 1);
}

#[tokio::test]
async fn what_an_undo_changes_is_told_to_followers() {
    let (salon, before) = four().await;
    let (_, change) = cancel(&salon, rest_cancelled(&before, 2)).await;
    let told = events(&salon).await.len();
    let restored = undo(&salon, &change).await.unwrap();
    let after: Vec<_> = events(&salon)
        .await
        .into_iter()
        .skip(told)
        .filter_map(|event| match event.payload {
            Some(Payload::Appointment(visit)) => Some(visit),
            _ => None,
        })
        .collect();
    assert_eq!(without_order(after), without_order(restored));
}

fn without_order(mut visits: Vec<Appointment>) -> Vec<Appointment> {
    visits.sort_by(|one, other| one.id.cmp(&other.id));
    visits
}
