//! The calls of a salon that worked before it came here.

use proto::{
    frontdesk::telemetry::{
        internal::v1::{
            AddPastCallsRequest, CallFacts, FinishToolCallRequest, PastBooking, PastCall, PastRun,
            past_call_service_client::PastCallServiceClient,
        },
        v1::{CallOutcome, CallState, Speaker},
    },
    time::to_proto,
};
use testkit::as_service;
use tonic::{Code, Status};

use crate::desk::{Desk, LINE, SALON, said};

const CALL: &str = "01900000-0000-7000-8000-0000000000ca";
const VISIT: &str = "01900000-0000-7000-8000-0000000000cb";
const SERVICE: &str = "01900000-0000-7000-8000-0000000000cc";

fn call(platform_call_id: &str) -> PastCall {
    let at: jiff::Timestamp = "2026-03-03T10:00:00Z".parse().unwrap();
    PastCall {
        id: CALL.to_owned(),
        connection_id: LINE.to_string(),
        facts: Some(CallFacts {
            platform_call_id: platform_call_id.to_owned(),
            platform: "retell".to_owned(),
            state: CallState::Ended.into(),
            from_number: "+447700900123".to_owned(),
            started_at: Some(to_proto(at)),
            ended_at: Some(to_proto(at + jiff::SignedDuration::from_secs(50))),
            turns: vec![said(Speaker::Caller, "A haircut, please")],
            ..CallFacts::default()
        }),
        runs: vec![PastRun {
            at: Some(to_proto(at + jiff::SignedDuration::from_secs(30))),
            name: "book_appointment".to_owned(),
            arguments: "{}".to_owned(),
            answer: Some(FinishToolCallRequest {
                result: r#"{"ok":true}"#.to_owned(),
                ok: true,
                latency_ms: 90,
                appointment_id: VISIT.to_owned(),
                outcome: CallOutcome::Booked.into(),
                ..FinishToolCallRequest::default()
            }),
        }],
        bookings: vec![PastBooking {
            appointment_id: VISIT.to_owned(),
            version: 4,
            price_minor: 6200,
            currency: "GBP".to_owned(),
            service_ids: vec![SERVICE.to_owned()],
            cancelled: false,
        }],
    }
}

async fn add(desk: &Desk, calls: Vec<PastCall>) -> Result<i32, Status> {
    let request = AddPastCallsRequest { business_id: SALON.to_string(), calls };
    let request = as_service("local", &desk.host, Some(SALON), request);
    let mut client = PastCallServiceClient::new(desk.channel.clone());
    Ok(client.add_past_calls(request).await?.into_inner().added)
}

#[tokio::test]
async fn a_past_call_is_counted_where_it_was_and_added_once() {
    let desk = Desk::open().await;
    assert_eq!(add(&desk, vec![call("p1")]).await.unwrap(), 1);
    assert_eq!(add(&desk, vec![call("p1")]).await.unwrap(), 0);
    let kept = format!(
        "SELECT count(*) FROM call WHERE id = '{CALL}' AND outcome = 'BOOKED' AND started_at = '2026-03-03T10:00:00Z'"
    );
    assert_eq!(desk.count(&kept).await, 1);
    assert_eq!(telemetry::update_figures(&desk.app).await.unwrap(), 1);
    let figures = "SELECT count(*) FROM call_quarter
        WHERE at = '2026-03-03T10:00:00Z' AND (calls, ended, answered, wanted, booked) = (1, 1, 1, 1, 1)";
    assert_eq!(desk.count(figures).await, 1);
    let value = "SELECT count(*) FROM call_tally
        WHERE grain = 'DAY' AND kind = 'VALUE' AND key = 'GBP' AND amount = 6200 AND at = '2026-03-03T00:00:00Z'";
    assert_eq!(desk.count(value).await, 1);
    assert_eq!(desk.count("SELECT count(*) FROM turn").await, 1);
}

#[tokio::test]
async fn calls_of_a_batch_are_added_beside_one_that_is_known() {
    let desk = Desk::open().await;
    add(&desk, vec![call("p1")]).await.unwrap();
    let another = |n: u128, known_as: &str| PastCall {
        id: uuid::Uuid::from_u128(n).to_string(),
        bookings: vec![],
        ..call(known_as)
    };
    let batch = vec![another(1, "p2"), another(2, "p1"), another(3, "p3")];
    assert_eq!(add(&desk, batch).await.unwrap(), 2);
    for kept in ["call", "turn", "tool_call", "call_words", "figure_change"] {
        assert_eq!(desk.count(&format!("SELECT count(*) FROM {kept}")).await, 3, "{kept}");
    }
    let ended =
        "SELECT count(*) FROM product_event WHERE kind = 'CALL_ENDED' AND at = '2026-03-03T10:00:50Z'";
    assert_eq!(desk.count(ended).await, 3);
    let told =
        "SELECT count(*) FROM outbox o JOIN call c ON c.id = o.aggregate_id WHERE o.version = c.version";
    assert_eq!(desk.count(told).await, 3);
}

#[tokio::test]
async fn a_malformed_call_leaves_the_others_out_as_well() {
    let desk = Desk::open().await;
    let nameless = PastCall { facts: None, ..call("p2") };
    assert_eq!(add(&desk, vec![call("p1"), nameless]).await.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(desk.count("SELECT count(*) FROM call").await, 0);
}
