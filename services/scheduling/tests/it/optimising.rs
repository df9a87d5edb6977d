//! Optimised days, which change only when an employee applies them.

use caller::Role;
use engine::optimiser::{Input, Run, optimise};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Agreement, GetProposalInputRequest, JoinWaitlistRequest, OptimiseDayRequest, OptimiseDayResponse,
        Proposal, ProposalState, ProposedChange as Change, ProposedPlace, proposal::Cause,
    },
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    absence::{busy_monday, report, sick},
    moving,
    proposal::apply,
    salon::{
        ANA, BEN, CUT, OTHER, Salon, WILLOW, by, field, local, monday, reason, service, shown, weekdays,
        with_key,
    },
};

const PERM: Uuid = Uuid::from_u128(0xc4);
const TUESDAY: &str = "2026-06-02";

fn on(date: &str) -> OptimiseDayRequest {
    OptimiseDayRequest {
        business_id: WILLOW.to_string(),
        date: date.to_owned(),
        seed: 7,
        ..OptimiseDayRequest::default()
    }
}

async fn better(salon: &Salon, request: OptimiseDayRequest) -> Result<OptimiseDayResponse, Status> {
    Ok(salon.proposals().optimise_day(salon.manager(request)).await?.into_inner())
}

async fn input(salon: &Salon, proposal: &Proposal) -> String {
    let request =
        GetProposalInputRequest { business_id: WILLOW.to_string(), proposal_id: proposal.id.clone() };
    let response = salon.proposals().get_proposal_input(salon.manager(request)).await.unwrap();
    response.into_inner().input
}

fn start(place: Option<&ProposedPlace>) -> String {
    place.map(|place| shown(place.starts_at.as_ref())).unwrap_or_default()
}

/// What each line changes, from when and to when.
fn lines(proposal: &Proposal) -> Vec<(Change, String, String)> {
    let line = |line: &proto::frontdesk::scheduling::v1::ProposalLine| {
        (line.change(), start(line.from.as_ref()), start(line.to.as_ref()))
    };
    proposal.lines.iter().map(line).collect()
}

async fn starts(salon: &Salon) -> Vec<String> {
    salon.booked().await.iter().map(|visit| shown(visit.starts_at.as_ref())).collect()
}

/// Ana works two hours, and makes a perm of 80 minutes in the middle: twenty are lost before it, and
/// twenty after.
async fn perm() -> (Salon, String) {
    let salon = Salon::open().await;
    salon.create_service(service(PERM, "Perm", &[80], &[ANA])).await.unwrap();
    salon.set_week(ANA, weekdays(9, 11)).await;
    let visit = salon.book(vec![by(PERM, ANA)], local(TUESDAY, "09:20")).await.unwrap();
    (salon, visit.id)
}

#[tokio::test]
async fn a_gap_closes_once_the_proposal_is_applied() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:10")).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let found = better(&salon, on(TUESDAY)).await.unwrap();
    let (before, after) = (found.before.unwrap(), found.after.unwrap());
    assert_eq!((before.total, before.lost_minutes), (30, 30));
    assert_eq!((after.total, after.touched, after.moved_minutes, after.lost_minutes), (17, 1, 10, 0));
    let proposal = found.proposal.unwrap();
    assert_eq!(lines(&proposal), [(Change::Move, "09:10".to_owned(), "09:00".to_owned())]);
    assert_eq!(proposal.cause, found.run.clone().map(Cause::Optimisation));
    assert!(found.run.unwrap().reproducible);
    // Nothing has happened yet.
    assert_eq!(starts(&salon).await, ["09:10", "10:00"]);
    let applied = apply(&salon, &proposal, &[0]).await.unwrap();
    assert_eq!(applied.proposal.unwrap().state(), ProposalState::Applied);
    assert_eq!(starts(&salon).await, ["09:00", "10:00"]);
    let nothing = better(&salon, on(TUESDAY)).await.unwrap();
    assert_eq!((nothing.proposal, nothing.before), (None, nothing.after));
    assert_eq!(nothing.before.unwrap().total, 0);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn what_brings_less_than_a_call_is_worth_is_not_proposed() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:10")).await.unwrap();
    let found = better(&salon, on(TUESDAY)).await.unwrap();
    assert_eq!((found.proposal, found.before), (None, found.after));
    assert_eq!(found.after.unwrap().lost_minutes, 10);
    assert_eq!(found.run.unwrap().gained_minutes, 0);
    assert_eq!(salon.count("SELECT count(*) FROM proposal").await, 0);
    // A gap more that the same move closes is.
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let found = better(&salon, on(TUESDAY)).await.unwrap();
    assert_eq!(found.before.unwrap().lost_minutes, 30);
    let proposal = found.proposal.unwrap();
    let Some(Cause::Optimisation(cause)) = proposal.cause else { panic!("{:?}", proposal.cause) };
    let gained = found.before.unwrap().lost_minutes - found.after.unwrap().lost_minutes;
    assert_eq!((cause.gained_minutes, cause.currency.as_str()), (gained, "GBP"));
    assert!(cause.gained_minor > 0, "{cause:?}");
}

#[tokio::test]
async fn a_visit_moves_by_at_most_a_quarter_of_an_hour_unless_agreed() {
    let (salon, visit) = perm().await;
    let found = better(&salon, on(TUESDAY)).await.unwrap();
    assert_eq!(found.before.unwrap().lost_minutes, 40);
    assert_eq!(found.after.unwrap().total, 23);
    assert_eq!(found.proposal.unwrap().lines[0].shift_minutes.abs(), 15);
    let agreed = vec![Agreement { appointment_id: visit, minutes: 20 }];
    let found = better(&salon, OptimiseDayRequest { agreed, ..on(TUESDAY) }).await.unwrap();
    assert_eq!(found.after.unwrap().total, 19);
    assert_eq!(found.proposal.unwrap().lines[0].shift_minutes.abs(), 20);
}

#[tokio::test]
async fn who_waits_is_served_where_others_make_room_and_all_is_as_it_was_worked_out() {
    let (salon, _) = perm().await;
    let request = JoinWaitlistRequest {
        business_id: WILLOW.to_string(),
        customer_id: Uuid::from_u128(0xd1).to_string(),
        items: vec![by(CUT, ANA)],
        first_date: TUESDAY.to_owned(),
        last_date: TUESDAY.to_owned(),
        ..JoinWaitlistRequest::default()
    };
    salon.waitlist().join_waitlist(salon.agent(request)).await.unwrap();
    let without = better(&salon, on(TUESDAY)).await.unwrap();
    assert_eq!(without.after.unwrap().served_minutes, 0);
    let found = better(&salon, OptimiseDayRequest { include_waitlist: true, ..on(TUESDAY) }).await.unwrap();
    let (after, proposal) = (found.after.unwrap(), found.proposal.unwrap());
    assert_eq!((after.served_minutes, after.touched), (30, 1));
    let mut changes: Vec<_> = proposal.lines.iter().map(|line| line.change()).collect();
    changes.sort_unstable();
    assert_eq!(changes, [Change::Move, Change::Booking]);
    apply(&salon, &proposal, &[0, 1]).await.unwrap();
    let mut then: Vec<_> = lines(&proposal).into_iter().map(|(_, _, to)| to).collect();
    then.sort_unstable();
    assert_eq!(starts(&salon).await, then);
    // The day costs what it was said to, less what it cost to touch and to wait.
    let now = better(&salon, on(TUESDAY)).await.unwrap().before.unwrap();
    assert_eq!(now.lost_minutes, after.lost_minutes);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_booking_made_in_between_keeps_its_time_and_nothing_changes() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:20")).await.unwrap();
    let proposal = better(&salon, on(TUESDAY)).await.unwrap().proposal.unwrap();
    assert_eq!(lines(&proposal), [(Change::Move, "09:20".to_owned(), "09:30".to_owned())]);
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:50")).await.unwrap();
    let refused = apply(&salon, &proposal, &[0]).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::SlotTaken);
    assert_eq!(starts(&salon).await, ["09:20", "09:50"]);
}

#[tokio::test]
async fn a_visit_that_was_moved_in_between_stays_there() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:20")).await.unwrap();
    let proposal = better(&salon, on(TUESDAY)).await.unwrap().proposal.unwrap();
    moving::send(&salon, moving::request(&visit.id, local(TUESDAY, "14:00"))).await.unwrap();
    let refused = apply(&salon, &proposal, &[0]).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Stale);
    assert_eq!(starts(&salon).await, ["14:00"]);
}

#[tokio::test]
async fn a_stranded_visit_gets_another_employee_or_is_listed() {
    let (salon, [ten, eleven, perm]) = busy_monday().await;
    report(&salon, sick(ANA)).await.unwrap();
    let found = better(&salon, on("2026-06-01")).await.unwrap();
    assert_eq!((found.before.unwrap().unplaced, found.after.unwrap().unplaced), (3, 2));
    let proposal = found.proposal.unwrap();
    let line = |visit: &str| proposal.lines.iter().find(|line| line.appointment_id == visit).unwrap();
    assert_eq!(line(&ten).change(), Change::Move);
    assert_eq!(line(&ten).to.as_ref().unwrap().employee_ids, [BEN.to_string()]);
    for visit in [&eleven, &perm] {
        assert_eq!(line(visit).change(), Change::Unplaced);
    }
}

#[tokio::test]
async fn the_same_rows_and_seed_give_the_same_reproducible_answer() {
    let (salon, _) = perm().await;
    salon.book(vec![by(CUT, BEN)], local(TUESDAY, "10:10")).await.unwrap();
    let first = better(&salon, on(TUESDAY)).await.unwrap();
    let second = better(&salon, on(TUESDAY)).await.unwrap();
    assert_eq!((first.run.clone(), first.after), (second.run, second.after));
    let (proposal, run) = (first.proposal.unwrap(), first.run.unwrap());
    assert_eq!(lines(&proposal), lines(&second.proposal.unwrap()));
    // Recomputed from the proposal alone.
    let text = input(&salon, &proposal).await;
    let input: Input = serde_json::from_str(&text).unwrap();
    assert_eq!((input.hash(), input.canonical()), (run.input_hash, text));
    let tries = u32::try_from(run.moves_tried).unwrap();
    let again = optimise(&input, Run { seed: run.seed.cast_unsigned(), tries }, || false);
    assert_eq!((again.before.total(), again.after.total()), (run.cost_before, run.cost_after));
    let moved: Vec<_> = again.changes.iter().map(|change| change.placement.starts_at).collect();
    let proposed = proposal.lines.iter().filter_map(|line| line.to.as_ref());
    let proposed: Vec<_> =
        proposed.map(|to| proto::time::required("to", to.starts_at.as_ref()).unwrap()).collect();
    assert_eq!(moved, proposed);
    // A seed that is drawn is told.
    let drawn = better(&salon, OptimiseDayRequest { seed: 0, ..on(TUESDAY) }).await.unwrap();
    assert!(drawn.run.unwrap().seed > 0);
}

#[tokio::test]
async fn what_can_t_be_optimised_is_refused_by_name() {
    let (salon, visit) = perm().await;
    let refused = async |request| field(&better(&salon, request).await.unwrap_err());
    for date in ["", "tomorrow", "2026-05-31", "2027-06-02"] {
        assert_eq!(refused(on(date)).await, "date", "{date}");
    }
    assert_eq!(refused(OptimiseDayRequest { seed: -1, ..on(TUESDAY) }).await, "seed");
    let agreed = |appointment_id: &str, minutes| OptimiseDayRequest {
        agreed: vec![Agreement { appointment_id: appointment_id.to_owned(), minutes }],
        ..on(TUESDAY)
    };
    for minutes in [0, 7, 245, -5] {
        assert_eq!(refused(agreed(&visit, minutes)).await, "agreed[0].minutes");
    }
    assert_eq!(refused(agreed("x", 20)).await, "agreed[0].appointment_id");
    assert_eq!(refused(agreed(&Uuid::from_u128(9).to_string(), 20)).await, "agreed[0].appointment_id");
    let mut twice = agreed(&visit, 20);
    twice.agreed.push(twice.agreed[0].clone());
    assert_eq!(refused(twice).await, "agreed[1].appointment_id");
    let mut many = agreed(&visit, 20);
    many.agreed = (1..=201)
        .map(|id| Agreement { appointment_id: Uuid::from_u128(id).to_string(), minutes: 20 })
        .collect();
    assert_eq!(refused(many).await, "agreed");
    assert_eq!(salon.count("SELECT count(*) FROM proposal").await, 0);
}

#[tokio::test]
async fn a_repeated_attempt_is_answered_as_before_and_proposes_once() {
    let (salon, _) = perm().await;
    let attempt = async || {
        let request = with_key(salon.manager(on(TUESDAY)), "better-tuesday");
        salon.proposals().optimise_day(request).await.unwrap().into_inner()
    };
    let first = attempt().await;
    assert_eq!(attempt().await, first);
    assert_eq!(salon.count("SELECT count(*) FROM proposal").await, 1);
    assert!(
        salon.trail().await.iter().any(|(action, actor)| action.ends_with("OptimiseDay") && actor == "user")
    );
}

#[tokio::test]
async fn managers_of_the_business_alone_see_what_it_was_worked_out_from() {
    let (salon, _) = perm().await;
    let refused = salon.proposals().optimise_day(salon.employee(on(TUESDAY))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    let proposal = better(&salon, on(TUESDAY)).await.unwrap().proposal.unwrap();
    let request = |business: String, id: &str| GetProposalInputRequest {
        business_id: business,
        proposal_id: id.to_owned(),
    };
    let foreign = as_user(&salon.host, Role::Manager, OTHER, request(OTHER.to_string(), &proposal.id));
    let refused = salon.proposals().get_proposal_input(foreign).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    // Nor is there any of a proposal that was not worked out so.
    salon.book(vec![by(CUT, BEN)], monday("10:00")).await.unwrap();
    let other = report(&salon, sick(BEN)).await.unwrap().proposal.unwrap();
    let own = salon.manager(request(WILLOW.to_string(), &other.id));
    assert_eq!(reason(&salon.proposals().get_proposal_input(own).await.unwrap_err()), Reason::NotFound);
}
