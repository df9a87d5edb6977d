//! The book of a salon that worked before it came here.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::scheduling::{
        internal::v1::{
            AddPastVisitsRequest, PastMove, PastStep, PastVisit,
            past_visit_service_client::PastVisitServiceClient,
        },
        v1::AppointmentState,
    },
    time::to_proto,
};
use tonic::Status;
use uuid::Uuid;

use crate::{
    following::{MIA, customer, follow},
    salon::{ANA, CUT, OVERLAPS, Salon, WILLOW, local, reason},
};

const CUSTOMER: Uuid = Uuid::from_u128(0xc0);

fn visit(n: u128, starts_at: Timestamp) -> PastVisit {
    PastVisit {
        id: Uuid::from_u128(0xbeef_0000 + n).to_string(),
        service_id: CUT.to_string(),
        employee_id: ANA.to_string(),
        customer_id: CUSTOMER.to_string(),
        starts_at: Some(to_proto(starts_at)),
        booked_at: Some(to_proto(starts_at - SignedDuration::from_hours(100))),
        booked_by: "user:1".to_owned(),
        price_minor: 1234,
        ..Default::default()
    }
}

fn step(state: AppointmentState, at: Timestamp) -> PastStep {
    PastStep { state: state.into(), at: Some(to_proto(at)), by: "user:2".to_owned() }
}

async fn add(salon: &Salon, visits: Vec<PastVisit>) -> Result<i32, Status> {
    let request = AddPastVisitsRequest { business_id: WILLOW.to_string(), visits };
    let mut client = PastVisitServiceClient::new(salon.channel());
    Ok(client.add_past_visits(salon.service("local", request)).await?.into_inner().added)
}

#[tokio::test]
async fn a_past_visit_reads_as_one_that_was_booked_here_and_is_added_once() {
    let salon = Salon::open().await;
    let start = local("2026-03-03", "10:00");
    let hour = SignedDuration::from_hours(1);
    let moved = PastVisit {
        r#move: Some(PastMove {
            from: Some(to_proto(start + hour * 3)),
            at: Some(to_proto(start - hour * 50)),
            by: "agent:1".to_owned(),
        }),
        steps: vec![
            step(AppointmentState::Arrived, start - SignedDuration::from_mins(3)),
            step(AppointmentState::InService, start),
            step(AppointmentState::Completed, start + hour * 3),
        ],
        ..visit(1, start)
    };
    let cancelled = PastVisit {
        steps: vec![step(AppointmentState::Cancelled, start - hour * 20)],
        cancel_reason: "Ill".to_owned(),
        ..visit(2, start + hour * 5)
    };
    assert_eq!(add(&salon, vec![moved.clone(), cancelled]).await.unwrap(), 2);
    assert_eq!(add(&salon, vec![moved.clone()]).await.unwrap(), 0);
    let kept =
        "SELECT count(*) FROM appointment WHERE state = 'COMPLETED' AND version = 5 AND price_minor = 1234";
    assert_eq!(salon.count(kept).await, 1);
    assert_eq!(salon.count(OVERLAPS).await, 0);
    let open = "SELECT count(*) FROM ledger WHERE is_open";
    assert_eq!(salon.count(open).await, 1);
    assert_eq!(salon.count("SELECT count(*) FROM place_change").await, 1);
    let noted = "SELECT count(*) FROM change_entry WHERE record_kind = 'appointment'";
    assert_eq!(salon.count(noted).await, 0, "taken over, not changed");
    assert_eq!(salon.count("SELECT count(*) FROM audit WHERE subject_id::text LIKE '%beef%'").await, 7);
    assert_eq!(
        salon
            .count(
                "SELECT count(*) FROM outbox WHERE event_id IS NOT NULL AND aggregate_id::text LIKE '%beef%'"
            )
            .await,
        0
    );
}

#[tokio::test]
async fn a_visit_to_come_is_told_of_once_its_customer_has_a_name() {
    let salon = Salon::open().await;
    let soon = PastVisit { customer_id: MIA.to_string(), ..visit(3, local("2026-06-02", "10:00")) };
    let early = add(&salon, vec![soon.clone()]).await.unwrap_err();
    assert_eq!(reason(&early), Reason::Unavailable);
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 0);
    follow(&salon, vec![customer(1, "Mia Berg", "")]).await;
    assert_eq!(add(&salon, vec![soon]).await.unwrap(), 1);
    assert_eq!(salon.count("SELECT count(*) FROM outbox WHERE aggregate_id::text LIKE '%beef%'").await, 1);
}

#[tokio::test]
async fn time_is_given_once_and_what_cannot_have_been_is_refused() {
    let salon = Salon::open().await;
    let start = local("2026-03-03", "10:00");
    let both = add(&salon, vec![visit(4, start), visit(5, start)]).await;
    assert_eq!(reason(&both.unwrap_err()), Reason::SlotTaken);
    let early = PastVisit {
        steps: vec![step(AppointmentState::Completed, start - SignedDuration::from_hours(4))],
        ..visit(6, start)
    };
    assert_eq!(reason(&add(&salon, vec![early]).await.unwrap_err()), Reason::NotYet);
    let disordered = PastVisit {
        steps: vec![step(AppointmentState::Cancelled, start - SignedDuration::from_hours(200))],
        ..visit(7, start)
    };
    assert_eq!(reason(&add(&salon, vec![disordered]).await.unwrap_err()), Reason::InvalidField);
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 0);
}
