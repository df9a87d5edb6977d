//! What employees see of calls of customers whose telephone numbers they may not see.

use caller::Role;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::FinishToolCallRequest,
        v1::{GetCallRequest, GetCallResponse},
    },
};
use testkit::as_user;
use uuid::Uuid;

use crate::desk::{Desk, SALON, answered, started};

const MIA: Uuid = Uuid::from_u128(0xd1);

/// A call in which the agent recognised Mia.
async fn call_of_mia(desk: &Desk) -> String {
    desk.record("event-1", started("platform-1")).await.unwrap();
    let begun = desk.begin("event-2").await.unwrap();
    let found = FinishToolCallRequest {
        customer_id: MIA.to_string(),
        customer_name: "Mia".to_owned(),
        ..answered(&begun.tool_call_id)
    };
    desk.finish(found).await.unwrap();
    begun.call_id
}

async fn of_manager(desk: &Desk, call: &str) -> GetCallResponse {
    let message = GetCallRequest { business_id: SALON.to_string(), call_id: call.to_owned() };
    desk.calls().get_call(as_user(&desk.host, Role::Manager, SALON, message)).await.unwrap().into_inner()
}

#[tokio::test]
async fn the_number_of_a_customer_is_hidden_with_what_the_tools_said_of_it() {
    let desk = Desk::open().await;
    let id = call_of_mia(&desk).await;
    desk.record("event-3", started("platform-2")).await.unwrap();
    desk.scheduling.limit_to::<Uuid>(&[]);

    let hidden = desk.get(&id).await.unwrap();
    let call = hidden.call.unwrap();
    assert_eq!((call.from_number.as_str(), call.contact_hidden), ("", true));
    assert_eq!(call.customer_name, "Mia");
    let [run] = &hidden.tool_calls[..] else { panic!("{:?}", hidden.tool_calls) };
    assert_eq!((run.name.as_str(), run.arguments.as_str(), run.result.as_str()), ("find_customer", "", ""));
    assert!(run.data_hidden);
    let listed = desk.list(0, "").await.unwrap().calls;
    let mut numbers: Vec<_> =
        listed.iter().map(|call| (call.from_number.as_str(), call.contact_hidden)).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [("", true), ("+447700900001", false)], "an unknown caller's is shown");

    let shown = of_manager(&desk, &id).await;
    assert_eq!(shown.call.unwrap().from_number, "+447700900001");
    assert!(shown.tool_calls[0].arguments.contains("+447700900001"));

    desk.scheduling.limit_to(&[MIA]);
    let shown = desk.get(&id).await.unwrap();
    assert_eq!(shown.call.unwrap().from_number, "+447700900001");
    assert!(shown.tool_calls[0].arguments.contains("+447700900001"));
}

#[tokio::test]
async fn an_employee_waits_for_scheduling_and_a_manager_does_not() {
    let desk = Desk::open().await;
    let id = call_of_mia(&desk).await;
    desk.scheduling.leave();
    let refused = desk.get(&id).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::Unavailable));
    assert_eq!(of_manager(&desk, &id).await.call.unwrap().from_number, "+447700900001");
}
