//! Proposals: applied line by line, or put aside.

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            ApplyProposalRequest, ApplyProposalResponse, AppointmentState as State, DismissProposalRequest,
            GetProposalRequest, JoinWaitlistRequest, ListProposalsRequest, ListProposalsResponse, Proposal,
            ProposalState, ProposedChange as Change, WaitlistState, proposal::Cause,
        },
    },
};
use sqlx::AssertSqlSafe;
use testkit::as_user;
use tonic::Status;
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::{
    absence::{busy_monday, report, sick},
    events::events,
    moving,
    salon::{ANA, BEN, CUT, OTHER, Salon, WILLOW, anyone, by, fact, field, monday, reason, shown, with_key},
};

const SWAP: Uuid = Uuid::from_u128(0x5a);
const MIA: Uuid = Uuid::from_u128(0xd1);

pub fn request(proposal: &Proposal, lines: &[usize]) -> ApplyProposalRequest {
    ApplyProposalRequest {
        business_id: WILLOW.to_string(),
        proposal_id: proposal.id.clone(),
        line_ids: lines.iter().map(|line| proposal.lines[*line].id.clone()).collect(),
        version: 0,
    }
}

async fn send(salon: &Salon, request: ApplyProposalRequest) -> Result<ApplyProposalResponse, Status> {
    Ok(salon.proposals().apply_proposal(salon.employee(request)).await?.into_inner())
}

/// Applies lines of a proposal, by their places in it.
pub async fn apply(
    salon: &Salon,
    proposal: &Proposal,
    lines: &[usize],
) -> Result<ApplyProposalResponse, Status> {
    send(salon, request(proposal, lines)).await
}

pub async fn dismiss(salon: &Salon, id: &str) -> Result<Proposal, Status> {
    let response = salon.proposals().dismiss_proposal(salon.employee(dismissal(id))).await?;
    Ok(response.into_inner().proposal.unwrap())
}

pub fn dismissal(id: &str) -> DismissProposalRequest {
    DismissProposalRequest {
        business_id: WILLOW.to_string(),
        proposal_id: id.to_owned(),
        ..DismissProposalRequest::default()
    }
}

pub async fn get(salon: &Salon, id: impl ToString) -> Result<Proposal, Status> {
    let request = GetProposalRequest { business_id: WILLOW.to_string(), proposal_id: id.to_string() };
    let response = salon.proposals().get_proposal(salon.employee(request)).await?;
    Ok(response.into_inner().proposal.unwrap())
}

pub fn list() -> ListProposalsRequest {
    ListProposalsRequest { business_id: WILLOW.to_string(), ..ListProposalsRequest::default() }
}

pub async fn listed(salon: &Salon, request: ListProposalsRequest) -> ListProposalsResponse {
    salon.proposals().list_proposals(salon.employee(request)).await.unwrap().into_inner()
}

/// The field that a refusal is about, whatever its reason.
pub fn violation(status: &Status) -> String {
    status.get_details_bad_request().unwrap().field_violations[0].field.clone()
}

/// How many lines proposals had and how many were open, whenever one changed.
pub async fn changes(salon: &Salon) -> Vec<(i32, i32)> {
    let told = events(salon).await.into_iter().filter_map(|event| match event.payload {
        Some(Payload::Proposal(proposal)) => Some((proposal.line_count, proposal.open_line_count)),
        _ => None,
    });
    told.collect()
}

/// A line as an optimiser would propose it: a visit, or else an entry of the waitlist, where it is
/// and where it could be.
struct Proposed<'a> {
    change: &'a str,
    id: &'a str,
    from: Option<(&'a str, Uuid)>,
    to: (&'a str, Uuid),
}

/// Keeps a proposal for Monday that nothing of the service's made.
async fn propose(salon: &Salon, lines: &[Proposed<'_>]) -> Proposal {
    let place = |(start, employee): (&str, Uuid)| {
        let start = monday(start);
        let end = start + jiff::SignedDuration::from_mins(30);
        format!("'{start}', '{end}', '{{{employee}}}'")
    };
    let mut sql = format!(
        "INSERT INTO proposal VALUES ('{WILLOW}', '{SWAP}', '2026-06-01', 'OPTIMISATION', NULL, NULL, NULL, NULL,
             7, 'ab', 60, 15, 1000, true, 'OPEN', 'user:1', '2026-06-01', NULL, NULL, 1, NULL, 45, 4500, 'GBP');"
    );
    for (number, Proposed { change, id, from, to }) in (1..).zip(lines) {
        let (visit, entry) = match change {
            &"BOOKING" => ("NULL".to_owned(), format!("'{id}'")),
            _ => (format!("'{id}'"), "NULL".to_owned()),
        };
        let from = from.map_or_else(|| "NULL, NULL, NULL".to_owned(), place);
        sql += &format!(
            "INSERT INTO proposal_line VALUES ('{WILLOW}', '{line}', '{SWAP}', {number}, '{change}', {visit}, {entry},
                 1, {from}, {to}, NULL, NULL);",
            line = Uuid::from_u128(0x5b00 + number),
            to = place(*to),
        );
    }
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut salon.superuser().await).await.unwrap();
    get(salon, SWAP).await.unwrap()
}

/// Two cuts at ten, Ana's and Ben's, that shall swap hands.
pub async fn swap() -> (Salon, [String; 2], Proposal) {
    let salon = Salon::open().await;
    let book = async |employee| salon.book(vec![by(CUT, employee)], monday("10:00")).await.unwrap().id;
    let visits = [book(ANA).await, book(BEN).await];
    let lines = [
        Proposed { change: "MOVE", id: &visits[0], from: Some(("10:00", ANA)), to: ("10:00", BEN) },
        Proposed { change: "MOVE", id: &visits[1], from: Some(("10:00", BEN)), to: ("10:00", ANA) },
    ];
    let proposal = propose(&salon, &lines).await;
    (salon, visits, proposal)
}

#[tokio::test]
async fn two_visits_swap_at_once_and_neither_alone() {
    let (salon, [ana, ben], proposal) = swap().await;
    let before = salon.booked().await;
    for line in [0, 1] {
        let refused = apply(&salon, &proposal, &[line]).await.unwrap_err();
        assert_eq!((reason(&refused), violation(&refused)), (Reason::SlotTaken, "line_ids[0]".to_owned()));
    }
    assert_eq!(salon.booked().await, before);
    let answer = apply(&salon, &proposal, &[0, 1]).await.unwrap();
    let hands: Vec<_> = answer
        .appointments
        .iter()
        .map(|visit| (visit.id.clone(), visit.items[0].employee_id.clone(), visit.version))
        .collect();
    assert_eq!(hands, [(ana, BEN.to_string(), 2), (ben, ANA.to_string(), 2)]);
    let applied = answer.proposal.unwrap();
    assert_eq!((applied.state(), applied.open_line_count), (ProposalState::Applied, 0));
    assert!(!applied.closed_by.is_empty() && applied.closed_at.is_some());
    assert_eq!(salon.overlaps().await, 0);
    // Each visit is told of and noted by itself, and the proposal.
    let told: Vec<_> = events(&salon).await.into_iter().map(|event| event.payload.unwrap()).collect();
    let moved = |payload: &&Payload| matches!(payload, Payload::Appointment(visit) if visit.version == 2);
    assert_eq!(told.iter().filter(moved).count(), 2);
    assert_eq!(changes(&salon).await, [(2, 0)]);
    let noted = "SELECT count(*) FROM audit WHERE action = 'ApplyProposal'";
    assert_eq!(salon.count(noted).await, 3);
}

#[tokio::test]
async fn a_proposal_is_told_whole_with_its_cause_and_the_reasons_of_its_lines() {
    let (salon, visits, proposal) = swap().await;
    let Some(Cause::Optimisation(cause)) = &proposal.cause else { panic!("{:?}", proposal.cause) };
    assert_eq!((cause.seed, cause.cost_before, cause.cost_after, cause.moves_tried), (7, 60, 15, 1000));
    assert_eq!((cause.input_hash.as_str(), cause.reproducible), ("ab", true));
    let line = &proposal.lines[0];
    assert_eq!(
        (line.change(), line.appointment_id.as_str(), line.seen_version),
        (Change::Move, &*visits[0], 1)
    );
    assert_eq!((line.shift_minutes, line.employees_changed, line.is_applied), (0, 1, false));
    assert_eq!(line.from.as_ref().unwrap().employee_ids, [ANA.to_string()]);
    assert_eq!(line.to.as_ref().unwrap().employee_ids, [BEN.to_string()]);
    assert_eq!(reason(&get(&salon, ANA).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn a_line_whose_visit_was_changed_since_is_refused_by_name() {
    let (salon, [ana, ben], proposal) = swap().await;
    moving::send(&salon, moving::request(&ben, monday("12:00"))).await.unwrap();
    let before = salon.booked().await;
    let refused = apply(&salon, &proposal, &[0, 1]).await.unwrap_err();
    assert_eq!((reason(&refused), violation(&refused)), (Reason::Stale, "line_ids[1]".to_owned()));
    assert_eq!(salon.booked().await, before);
    // Its place is free now.
    let answer = apply(&salon, &proposal, &[0]).await.unwrap();
    assert_eq!(answer.appointments[0].id, ana);
    assert_eq!(answer.proposal.unwrap().state(), ProposalState::Open);
}

#[tokio::test]
async fn nothing_is_applied_if_one_of_the_places_is_taken() {
    let (salon, _) = busy_monday().await;
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    salon.book(vec![by(CUT, BEN)], monday("11:45")).await.unwrap();
    let before = (salon.booked().await, get(&salon, &proposal.id).await.unwrap());
    let days = salon.count("SELECT sum(version)::bigint FROM business_day").await;
    let refused = apply(&salon, &proposal, &[0, 1]).await.unwrap_err();
    assert_eq!((reason(&refused), violation(&refused)), (Reason::SlotTaken, "line_ids[1]".to_owned()));
    assert_eq!((salon.booked().await, get(&salon, &proposal.id).await.unwrap()), before);
    assert_eq!(salon.count("SELECT sum(version)::bigint FROM business_day").await, days);
    apply(&salon, &proposal, &[0]).await.unwrap();
}

#[tokio::test]
async fn a_waiting_customer_is_booked_where_a_line_says() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap().id;
    let request = JoinWaitlistRequest {
        business_id: WILLOW.to_string(),
        customer_id: MIA.to_string(),
        items: vec![anyone(CUT)],
        first_date: "2026-06-01".to_owned(),
        last_date: "2026-06-01".to_owned(),
        note: "short".to_owned(),
        ..JoinWaitlistRequest::default()
    };
    let entry =
        salon.waitlist().join_waitlist(salon.agent(request)).await.unwrap().into_inner().entry.unwrap();
    let lines = [
        Proposed { change: "MOVE", id: &visit, from: Some(("10:00", ANA)), to: ("10:10", ANA) },
        Proposed { change: "BOOKING", id: &entry.id, from: None, to: ("09:40", ANA) },
    ];
    let proposal = propose(&salon, &lines).await;
    let booking = &proposal.lines[1];
    assert_eq!((booking.change(), booking.waitlist_entry_id.clone()), (Change::Booking, entry.id.clone()));
    let answer = apply(&salon, &proposal, &[0, 1]).await.unwrap();
    let booked = &answer.appointments[1];
    assert_eq!((shown(booked.starts_at.as_ref()), booked.state()), ("09:40".into(), State::Booked));
    assert_eq!((booked.customer_id.clone(), booked.notes.as_str()), (MIA.to_string(), "short"));
    assert_eq!(answer.proposal.unwrap().state(), ProposalState::Applied);
    let list = proto::frontdesk::scheduling::v1::ListWaitlistRequest {
        business_id: WILLOW.to_string(),
        ..Default::default()
    };
    let waiting = salon.waitlist().list_waitlist(salon.employee(list)).await.unwrap().into_inner().waiting;
    assert!(waiting.iter().all(|waiting| waiting.entry.as_ref().unwrap().state() == WaitlistState::Waiting));
    assert!(waiting.is_empty());
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn what_lay_over_a_visit_is_in_the_way_of_who_comes_after_it() {
    let (salon, _, proposal) = swap().await;
    salon.import(vec![fact("dentist", monday("10:00"), monday("10:30"))]).await.unwrap();
    let refused = apply(&salon, &proposal, &[0, 1]).await.unwrap_err();
    assert_eq!((reason(&refused), violation(&refused)), (Reason::SlotTaken, "line_ids[1]".to_owned()));
    assert_eq!(salon.conflicts().await.len(), 1);
}

#[tokio::test]
async fn a_line_that_can_not_be_applied_is_refused_by_name() {
    let (salon, _) = busy_monday().await;
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    let refused = async |lines: &[usize]| apply(&salon, &proposal, lines).await.unwrap_err();
    assert_eq!(field(&refused(&[0, 2]).await), "line_ids[1]");
    assert_eq!(field(&refused(&[0, 1, 0]).await), "line_ids[2]");
    assert_eq!(field(&refused(&[]).await), "line_ids");
    let foreign = ApplyProposalRequest { line_ids: vec![ANA.to_string()], ..request(&proposal, &[0]) };
    assert_eq!(field(&send(&salon, foreign).await.unwrap_err()), "line_ids[0]");
    let none = ApplyProposalRequest { line_ids: vec!["7".to_owned()], ..request(&proposal, &[0]) };
    assert_eq!(field(&send(&salon, none).await.unwrap_err()), "line_ids[0]");
    let stale = ApplyProposalRequest { version: 2, ..request(&proposal, &[0]) };
    assert_eq!(reason(&send(&salon, stale).await.unwrap_err()), Reason::Stale);
    apply(&salon, &proposal, &[0]).await.unwrap();
    let again = refused(&[1, 0]).await;
    assert_eq!((reason(&again), violation(&again)), (Reason::WrongState, "line_ids[1]".to_owned()));
    // A place that has passed is none any more.
    salon.time.advance(jiff::SignedDuration::from_hours(3));
    assert_eq!(reason(&refused(&[1]).await), Reason::TooSoon);
}

#[tokio::test]
async fn a_dismissed_proposal_is_neither_listed_nor_applied() {
    let (salon, _) = busy_monday().await;
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    let before = salon.booked().await;
    let open = listed(&salon, list()).await.proposals;
    assert_eq!(
        open.iter().map(|one| (one.id.clone(), one.line_count)).collect::<Vec<_>>(),
        [(proposal.id.clone(), 3)]
    );
    let dismissed = dismiss(&salon, &proposal.id).await.unwrap();
    assert_eq!(
        (dismissed.state(), dismissed.version, dismissed.lines.len()),
        (ProposalState::Dismissed, 2, 3)
    );
    assert!(listed(&salon, list()).await.proposals.is_empty());
    assert_eq!(reason(&apply(&salon, &proposal, &[0]).await.unwrap_err()), Reason::WrongState);
    assert_eq!(reason(&dismiss(&salon, &proposal.id).await.unwrap_err()), Reason::WrongState);
    assert_eq!(salon.booked().await, before);
    assert_eq!(changes(&salon).await, [(3, 3), (3, 3)]);
}

#[tokio::test]
async fn open_proposals_are_listed_by_date_page_by_page() {
    let salon = Salon::open().await;
    let visit = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap();
    let rows = (1..=5).map(|number: u128| {
        format!(
            "INSERT INTO proposal VALUES ('{WILLOW}', '{id}', '2026-06-0{day}', 'OPTIMISATION', NULL, NULL, NULL, NULL,
                 7, 'ab', 60, 15, 1000, true, 'OPEN', 'user:1', '2026-06-01', NULL, NULL, 1, NULL, 45, 4500, 'GBP');
             INSERT INTO proposal_line VALUES ('{WILLOW}', '{id}', '{id}', 1, 'UNPLACED', '{visit}', NULL, 1,
                 '{starts_at}', '{ends_at}', '{{{ANA}}}', NULL, NULL, NULL, NULL, NULL);",
            id = Uuid::from_u128(number),
            day = 4 - number % 4,
            visit = visit.id,
            starts_at = monday("10:00"),
            ends_at = monday("10:30"),
        )
    });
    let sql: String = rows.collect();
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut salon.superuser().await).await.unwrap();
    let (mut dates, mut page_token) = (vec![], String::new());
    loop {
        let page = listed(&salon, ListProposalsRequest { page_size: 2, page_token, ..list() }).await;
        assert_eq!(page.time_zone, "Europe/London");
        dates.extend(page.proposals.into_iter().map(|one| (one.date, one.id)));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert!(dates.is_sorted() && dates.len() == 5, "{dates:?}");
    let later = ListProposalsRequest { from_date: "2026-06-03".to_owned(), ..list() };
    assert_eq!(listed(&salon, later).await.proposals.len(), 3);
    let odd = ListProposalsRequest { from_date: "3 June".to_owned(), ..list() };
    let refused = salon.proposals().list_proposals(salon.employee(odd)).await.unwrap_err();
    assert_eq!(field(&refused), "from_date");
    let odd = ListProposalsRequest { page_token: "nonsense".to_owned(), ..list() };
    let refused = salon.proposals().list_proposals(salon.employee(odd)).await.unwrap_err();
    assert_eq!(field(&refused), "page_token");
}

#[tokio::test]
async fn a_repeated_application_with_its_key_has_one_effect() {
    let (salon, _, proposal) = swap().await;
    let send = async || {
        let request = with_key(salon.employee(request(&proposal, &[0, 1])), "k1");
        salon.proposals().apply_proposal(request).await.unwrap().into_inner()
    };
    let (first, again) = (send().await, send().await);
    assert_eq!(first, again);
    assert!(salon.booked().await.iter().all(|visit| visit.version == 2));
}

#[tokio::test]
async fn of_many_applications_at_once_exactly_one_has_effect() {
    let (salon, _, proposal) = swap().await;
    let answers = futures::future::join_all((0..6).map(|_| apply(&salon, &proposal, &[0, 1]))).await;
    let refused: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).map(reason).collect();
    assert_eq!(refused, [Reason::WrongState; 5]);
    assert_eq!((salon.overlaps().await, salon.deadlocks().await), (0, 0));
}

#[tokio::test]
async fn only_the_salons_people_see_and_apply_its_proposals() {
    let (salon, _, proposal) = swap().await;
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let send = as_user(&salon.host, role, business, request(&proposal, &[0, 1]));
        assert_eq!(reason(&salon.proposals().apply_proposal(send).await.unwrap_err()), expected);
        let get = GetProposalRequest { business_id: WILLOW.to_string(), proposal_id: proposal.id.clone() };
        let send = as_user(&salon.host, role, business, get);
        assert_eq!(reason(&salon.proposals().get_proposal(send).await.unwrap_err()), expected);
    }
    // Not in the other business either, under its own name.
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    let other = || OTHER.to_string();
    let get = GetProposalRequest { business_id: other(), proposal_id: proposal.id.clone() };
    let get = as_user(&salon.host, Role::Owner, OTHER, get);
    assert_eq!(reason(&salon.proposals().get_proposal(get).await.unwrap_err()), Reason::NotFound);
    let apply = ApplyProposalRequest { business_id: other(), ..request(&proposal, &[0, 1]) };
    let apply = as_user(&salon.host, Role::Owner, OTHER, apply);
    assert_eq!(reason(&salon.proposals().apply_proposal(apply).await.unwrap_err()), Reason::NotFound);
    let list =
        as_user(&salon.host, Role::Owner, OTHER, ListProposalsRequest { business_id: other(), ..list() });
    let list = salon.proposals().list_proposals(list).await.unwrap().into_inner();
    assert!(list.proposals.is_empty());
}
