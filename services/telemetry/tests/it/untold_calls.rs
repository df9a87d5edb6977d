//! Which calls of a platform are to be told.

use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::internal::v1::{EndedCall, ListUntoldCallsRequest},
};
use tonic::Status;

use crate::desk::{Desk, LINE, SALON, SECOND_LINE, ended, facts, field, started};

fn call(id: &str, end_suffices: bool) -> EndedCall {
    let event_keys = ["report", "listed"].map(|event| format!("{id}:{event}")).to_vec();
    EndedCall { platform_call_id: id.to_owned(), event_keys, end_suffices }
}

async fn untold(desk: &Desk, line: uuid::Uuid, calls: Vec<EndedCall>) -> Result<Vec<String>, Status> {
    let message =
        ListUntoldCallsRequest { business_id: SALON.to_string(), connection_id: line.to_string(), calls };
    let request = testkit::as_agent(&desk.host, line, SALON, message);
    Ok(desk.intake().list_untold_calls(request).await?.into_inner().platform_call_ids)
}

#[tokio::test]
async fn a_call_is_told_by_its_report_or_where_that_suffices_by_its_end() {
    let desk = Desk::open().await;
    desk.record("reported:report", ended("reported")).await.unwrap();
    desk.record("listed:listed", ended("listed")).await.unwrap();
    desk.record("over:ended", ended("over")).await.unwrap();
    desk.record("begun:started", started("begun")).await.unwrap();
    desk.record("odd:transfer", facts("odd")).await.unwrap();
    let ids = ["reported", "listed", "over", "begun", "odd", "unknown"];
    let all = |end_suffices| ids.map(|id| call(id, end_suffices)).to_vec();
    assert_eq!(untold(&desk, LINE, all(false)).await.unwrap(), ["over", "begun", "odd", "unknown"]);
    assert_eq!(untold(&desk, LINE, all(true)).await.unwrap(), ["begun", "odd", "unknown"]);
    // Another connection may have calls of the same ids.
    assert_eq!(untold(&desk, SECOND_LINE, all(true)).await.unwrap(), ids);
    assert!(untold(&desk, LINE, vec![]).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_asked_is_bounded() {
    let desk = Desk::open().await;
    let many = (0..101).map(|n| call(&n.to_string(), true)).collect();
    assert_eq!(field(&untold(&desk, LINE, many).await.unwrap_err()), "calls");
    let keys = (0..11).map(|n| n.to_string()).collect();
    let greedy = EndedCall { event_keys: keys, ..call("a", true) };
    assert_eq!(field(&untold(&desk, LINE, vec![greedy]).await.unwrap_err()), "calls.event_keys");
    let nameless = EndedCall { platform_call_id: String::new(), ..call("a", true) };
    assert_eq!(field(&untold(&desk, LINE, vec![nameless]).await.unwrap_err()), "calls.platform_call_id");
    let message = ListUntoldCallsRequest {
        business_id: SALON.to_string(),
        connection_id: SECOND_LINE.to_string(),
        calls: vec![],
    };
    let request = testkit::as_agent(&desk.host, LINE, SALON, message);
    let refused = desk.intake().list_untold_calls(request).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::InvalidField), "another's calls are not told");
}
