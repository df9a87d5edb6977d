//! Employees who are sick today, or late, and the visits that they strand.

use caller::Role;
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        AbsenceKind, AppointmentState as State, Proposal, ProposalLine, ProposalState,
        ProposedChange as Change, ReportAbsenceRequest, ReportAbsenceResponse, TimeOffKind, TimeOffState,
        proposal::Cause,
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    blocks,
    events::schedule_versions,
    progress::set,
    proposal::{apply, changes},
    salon::{
        ANA, BEN, CUT, MASSAGE, OTHER, Salon, WILLOW, by, field, local, monday, reason, service, shown,
        with_key,
    },
};

const PERM: Uuid = Uuid::from_u128(0xc4);
const MONDAY: &str = "2026-06-01";

pub fn sick(employee: Uuid) -> ReportAbsenceRequest {
    ReportAbsenceRequest {
        business_id: WILLOW.to_string(),
        employee_id: employee.to_string(),
        kind: AbsenceKind::Sick.into(),
        ..ReportAbsenceRequest::default()
    }
}

pub fn late(employee: Uuid, until: Timestamp) -> ReportAbsenceRequest {
    ReportAbsenceRequest { kind: AbsenceKind::Late.into(), ends_at: Some(to_proto(until)), ..sick(employee) }
}

pub async fn report(salon: &Salon, request: ReportAbsenceRequest) -> Result<ReportAbsenceResponse, Status> {
    Ok(salon.proposals().report_absence(salon.manager(request)).await?.into_inner())
}

/// Ana's visits of Monday. Ben is free for the one at ten, and for the one at eleven only later; only
/// Ana does perms.
pub async fn busy_monday() -> (Salon, [String; 3]) {
    let salon = Salon::open().await;
    salon.create_service(service(PERM, "Perm", &[60], &[ANA])).await.unwrap();
    let book = async |item, time| salon.book(vec![item], monday(time)).await.unwrap().id;
    book(by(MASSAGE, BEN), "10:50").await;
    let ids = [
        book(by(CUT, ANA), "10:00").await,
        book(by(CUT, ANA), "11:00").await,
        book(by(PERM, ANA), "14:00").await,
    ];
    (salon, ids)
}

fn told(line: &ProposalLine) -> (Change, String, i32, i32) {
    (line.change(), line.appointment_id.clone(), line.shift_minutes, line.employees_changed)
}

#[tokio::test]
async fn sick_today_takes_the_time_at_once_and_proposes_a_place_for_every_visit() {
    let (salon, [ten, eleven, perm]) = busy_monday().await;
    let before = salon.booked().await;
    let ReportAbsenceResponse { time_off, proposal, .. } = report(&salon, sick(ANA)).await.unwrap();
    let (time_off, proposal) = (time_off.unwrap(), proposal.unwrap());
    assert_eq!((time_off.kind(), time_off.state()), (TimeOffKind::Sick, TimeOffState::Approved));
    let span = (shown(time_off.starts_at.as_ref()), shown(time_off.ends_at.as_ref()));
    assert_eq!(span, ("09:00".to_owned(), "18:00".to_owned()));
    assert_eq!(
        proposal.lines.iter().map(told).collect::<Vec<_>>(),
        [
            (Change::Move, ten.clone(), 0, 1),
            (Change::Move, eleven.clone(), 35, 1),
            (Change::Unplaced, perm, 0, 0),
        ]
    );
    let starts: Vec<_> = proposal.lines.iter().filter_map(|line| line.to.as_ref()).collect();
    assert_eq!(starts.iter().map(|to| shown(to.starts_at.as_ref())).collect::<Vec<_>>(), ["10:00", "11:35"]);
    assert!(starts.iter().all(|to| to.employee_ids == [BEN.to_string()]));
    let Some(Cause::Absence(cause)) = proposal.cause.clone() else { panic!("{:?}", proposal.cause) };
    assert_eq!((cause.employee_id, cause.time_off_id), (ANA.to_string(), time_off.id));
    assert_eq!((proposal.date.as_str(), proposal.state()), (MONDAY, ProposalState::Open));

    // The report changes no visit, but Ana is not offered any more.
    assert_eq!(salon.booked().await, before);
    assert!(salon.search(vec![by(CUT, ANA)], MONDAY).await.unwrap().offers.is_empty());
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len(), 35);
    assert_eq!(schedule_versions(&salon).await.len(), 8);
}

#[tokio::test]
async fn lines_are_applied_one_by_one_and_the_unplaced_one_stays_open() {
    let (salon, [ten, eleven, _]) = busy_monday().await;
    let proposal = report(&salon, sick(ANA)).await.unwrap().proposal.unwrap();
    // In another order than theirs.
    let answer = apply(&salon, &proposal, &[1]).await.unwrap();
    let moved = &answer.appointments[0];
    assert_eq!(
        (moved.id.clone(), shown(moved.starts_at.as_ref()), moved.version),
        (eleven, "11:35".into(), 2)
    );
    let answer = apply(&salon, &proposal, &[0]).await.unwrap();
    let moved = &answer.appointments[0];
    assert_eq!((moved.id.clone(), shown(moved.starts_at.as_ref())), (ten, "10:00".into()));
    assert_eq!(moved.items[0].employee_id, BEN.to_string());
    let after: Proposal = answer.proposal.unwrap();
    assert_eq!((after.state(), after.open_line_count, after.version), (ProposalState::Open, 1, 3));
    assert_eq!(changes(&salon).await, [(3, 3), (3, 2), (3, 1)]);
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn visits_of_a_late_employee_are_delayed_or_reassigned() {
    let salon = Salon::open().await;
    let ten = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap().id;
    blocks::block(&salon, blocks::request(BEN, monday("09:30"), monday("12:00"))).await.unwrap();
    let answer = report(&salon, late(ANA, monday("10:20"))).await.unwrap();
    let time_off = answer.time_off.unwrap();
    assert_eq!(time_off.kind(), TimeOffKind::Other);
    let lines: Vec<_> = answer.proposal.unwrap().lines.iter().map(told).collect();
    assert_eq!(lines, [(Change::Move, ten, 20, 0)]);
}

#[tokio::test]
async fn an_arrived_customer_waits_half_as_long_before_reassignment() {
    let salon = Salon::open().await;
    let ten = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap().id;
    set(&salon, &ten, State::Arrived).await.unwrap();
    let proposed = report(&salon, late(ANA, monday("10:10"))).await.unwrap().proposal.unwrap();
    // Ten minutes cost as much as twenty: Ben costs fifteen.
    assert_eq!(proposed.lines.iter().map(told).collect::<Vec<_>>(), [(Change::Move, ten, 0, 1)]);
}

#[tokio::test]
async fn a_visit_that_has_begun_or_is_over_is_not_stranded() {
    let salon = Salon::open().await;
    for (time, state) in [("09:00", State::Completed), ("09:30", State::InService)] {
        let visit = salon.book(vec![by(CUT, ANA)], monday(time)).await.unwrap();
        set(&salon, &visit.id, state).await.unwrap();
    }
    let answer = report(&salon, sick(ANA)).await.unwrap();
    assert_eq!(answer.proposal, None);
    assert_eq!(salon.count("SELECT count(*) FROM proposal").await, 0);
}

#[tokio::test]
async fn employees_report_themselves_and_managers_report_all() {
    let salon = Salon::open().await;
    let send = async |employee| {
        let request = salon.employee(sick(employee));
        salon.proposals().report_absence(request).await.map_err(|status| reason(&status))
    };
    assert_eq!(send(BEN).await.unwrap_err(), Reason::RoleTooLow);
    send(ANA).await.unwrap();
    report(&salon, sick(BEN)).await.unwrap();
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, sick(ANA));
        assert_eq!(reason(&salon.proposals().report_absence(request).await.unwrap_err()), expected);
    }
}

#[tokio::test]
async fn who_is_ill_tomorrow_says_so_today() {
    let salon = Salon::open().await;
    let cut = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await.unwrap().id;
    let today = salon.book(vec![by(CUT, ANA)], monday("10:00")).await.unwrap().id;
    let request =
        ReportAbsenceRequest { starts_at: Some(to_proto(local("2026-06-02", "00:00"))), ..sick(ANA) };
    let answer = report(&salon, request).await.unwrap();
    let proposal = answer.proposal.unwrap();
    assert_eq!(proposal.date, "2026-06-02");
    assert_eq!(proposal.lines.iter().map(told).collect::<Vec<_>>(), [(Change::Move, cut.clone(), 0, 1)]);
    let applied = apply(&salon, &proposal, &[0]).await.unwrap();
    assert_eq!(applied.appointments[0].items[0].employee_id, BEN.to_string());
    let kept = salon.booked().await.into_iter().find(|visit| visit.id == today).unwrap();
    assert_eq!(kept.items[0].employee_id, ANA.to_string());
    assert!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.is_empty());
}

#[tokio::test]
async fn an_absence_lies_in_one_day_soon_and_takes_work_away() {
    let salon = Salon::open().await;
    let refused = async |request| report(&salon, request).await.unwrap_err();
    let tomorrow = Some(to_proto(local("2026-06-02", "10:00")));
    for date in ["2026-05-31", "2026-06-16"] {
        let from = ReportAbsenceRequest { starts_at: Some(to_proto(local(date, "10:00"))), ..sick(ANA) };
        assert_eq!(field(&refused(from).await), "starts_at");
    }
    let over_night =
        ReportAbsenceRequest { starts_at: Some(to_proto(monday("16:00"))), ends_at: tomorrow, ..sick(ANA) };
    assert_eq!(field(&refused(over_night).await), "ends_at");
    let to = ReportAbsenceRequest { ends_at: tomorrow, ..sick(ANA) };
    assert_eq!(field(&refused(to).await), "ends_at");
    assert_eq!(field(&refused(late(ANA, monday("08:55"))).await), "ends_at");
    let unlimited = ReportAbsenceRequest { ends_at: None, ..late(ANA, monday("10:00")) };
    assert_eq!(field(&refused(unlimited).await), "ends_at");
    let nothing = ReportAbsenceRequest { kind: 0, ..sick(ANA) };
    assert_eq!(field(&refused(nothing).await), "kind");
    assert_eq!(reason(&refused(sick(Uuid::from_u128(404))).await), Reason::NotWorking);
    report(&salon, sick(ANA)).await.unwrap();
    assert_eq!(reason(&refused(sick(ANA)).await), Reason::NotWorking);
    salon.time.advance(SignedDuration::from_hours(10));
    assert_eq!(reason(&refused(sick(BEN)).await), Reason::NotWorking);
}

#[tokio::test]
async fn a_repeated_report_with_its_key_has_one_effect() {
    let (salon, _) = busy_monday().await;
    let send = async || {
        let request = with_key(salon.manager(sick(ANA)), "k1");
        salon.proposals().report_absence(request).await.unwrap().into_inner()
    };
    assert_eq!(send().await, send().await);
    assert_eq!(salon.count("SELECT count(*) FROM proposal").await, 1);
    assert_eq!(salon.count("SELECT count(*) FROM time_off").await, 1);
}
