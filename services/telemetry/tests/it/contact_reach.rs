//! What employees see of calls of customers whose telephone numbers they may not see.

use caller::Role;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::{CallFacts, FinishToolCallRequest},
        v1::{CallFilter, GetCallRequest, GetCallResponse, Speaker},
    },
};
use testkit::as_user;
use uuid::Uuid;

use crate::desk::{Desk, SALON, answered, ended, said, started};

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
    let told = CallFacts {
        turns: vec![said(Speaker::Caller, "It's Mia, on 07700 900001, at 10:30")],
        summary: "Mia (+447700900001) asked for a time.".to_owned(),
        ..ended("platform-1")
    };
    desk.record("event-4", told).await.unwrap();
    desk.record("event-3", ended("platform-2")).await.unwrap();
    desk.scheduling.limit_to::<Uuid>(&[]);

    let hidden = desk.get(&id).await.unwrap();
    let call = hidden.call.unwrap();
    assert_eq!((call.from_number.as_str(), call.contact_hidden), ("", true));
    assert_eq!((call.customer_name.as_str(), call.summary.as_str()), ("Mia", "Mia (…) asked for a time."));
    assert_eq!(hidden.turns[0].text, "It's Mia, on …, at 10:30");
    let [run] = &hidden.tool_calls[..] else { panic!("{:?}", hidden.tool_calls) };
    assert_eq!((run.name.as_str(), run.arguments.as_str(), run.result.as_str()), ("find_customer", "", ""));
    assert!(run.data_hidden);
    let listed = desk.list(0, "").await.unwrap().calls;
    let mut numbers: Vec<_> =
        listed.iter().map(|call| (call.from_number.as_str(), call.contact_hidden)).collect();
    numbers.sort_unstable();
    assert!(!format!("{listed:?}").contains("Mia (+447"));
    assert_eq!(numbers, [("", true), ("+447700900001", false)], "an unknown caller's is shown");

    let shown = of_manager(&desk, &id).await;
    assert_eq!(shown.turns[0].text, "It's Mia, on 07700 900001, at 10:30");
    assert_eq!(shown.call.unwrap().from_number, "+447700900001");
    assert!(shown.tool_calls[0].arguments.contains("+447700900001"));

    desk.scheduling.limit_to(&[MIA]);
    let shown = desk.get(&id).await.unwrap();
    assert_eq!(shown.call.unwrap().from_number, "+447700900001");
    assert!(shown.tool_calls[0].arguments.contains("+447700900001"));
}

#[tokio::test]
async fn the_number_of_an_unknown_caller_is_hidden_until_the_agent_can_recognise_them_no_more() {
    let desk = Desk::open().await;
    desk.scheduling.limit_to::<Uuid>(&[]);
    let told =
        CallFacts { turns: vec![said(Speaker::Caller, "I am on 07700 900001")], ..started("platform-1") };
    let id = desk.record("event-1", told.clone()).await.unwrap().call_id;
    let read = desk.get(&id).await.unwrap();
    assert_eq!(read.turns[0].text, "I am on …");
    let call = read.call.unwrap();
    assert_eq!((call.from_number.as_str(), call.contact_hidden), ("", true), "they may be Mia");
    assert_eq!(desk.list(0, "").await.unwrap().calls, [call]);
    let digits = CallFilter { words: "07700".to_owned(), ..CallFilter::default() };
    assert!(desk.filtered(digits).await.unwrap().is_empty());
    assert_eq!(of_manager(&desk, &id).await.call.unwrap().from_number, "+447700900001");

    desk.record("event-2", CallFacts { turns: told.turns, ..ended("platform-1") }).await.unwrap();
    let read = desk.get(&id).await.unwrap();
    assert_eq!(read.turns[0].text, "I am on 07700 900001");
    assert_eq!(read.call.unwrap().from_number, "+447700900001");
}

#[tokio::test]
async fn the_number_of_a_customer_whom_the_agent_never_recognised_is_hidden_and_a_strangers_is_shown() {
    let desk = Desk::open().await;
    let told =
        CallFacts { turns: vec![said(Speaker::Caller, "I am on 07700 900001")], ..ended("platform-1") };
    let id = desk.record("event-1", told).await.unwrap().call_id;
    let begun = desk.begin("event-2").await.unwrap();
    desk.finish(FinishToolCallRequest { ok: false, ..answered(&begun.tool_call_id) }).await.unwrap();
    desk.scheduling.hide_phones(&["+447700900001"]);

    let hidden = desk.get(&id).await.unwrap();
    let call = hidden.call.unwrap();
    let seen = (call.from_number.as_str(), call.customer_id.as_str(), call.contact_hidden);
    assert_eq!(seen, ("", "", true));
    assert_eq!(hidden.turns[0].text, "I am on …");
    assert_eq!((hidden.tool_calls[0].arguments.as_str(), hidden.tool_calls[0].data_hidden), ("", true));
    assert_eq!(desk.list(0, "").await.unwrap().calls, [call]);
    let digits = || CallFilter { words: "07700".to_owned(), ..CallFilter::default() };
    assert!(desk.filtered(digits()).await.unwrap().is_empty());
    assert_eq!(of_manager(&desk, &id).await.call.unwrap().from_number, "+447700900001");

    desk.scheduling.hide_phones(&["+447700900002"]);
    let shown = desk.get(&id).await.unwrap();
    let call = shown.call.unwrap();
    assert_eq!((call.from_number.as_str(), call.contact_hidden), ("+447700900001", false));
    assert_eq!(shown.turns[0].text, "I am on 07700 900001");
    assert_eq!(desk.filtered(digits()).await.unwrap(), [call]);
}

#[tokio::test]
async fn a_number_that_is_hidden_is_not_found_by_its_digits() {
    let desk = Desk::open().await;
    call_of_mia(&desk).await;
    let told = CallFacts {
        turns: vec![said(Speaker::Caller, "It's Mia, on 07700 900001, at 10:30")],
        ..ended("platform-1")
    };
    desk.record("event-4", told).await.unwrap();
    let found = async |words: &str| {
        let filter = CallFilter { words: words.to_owned(), ..CallFilter::default() };
        desk.filtered(filter).await.unwrap().len()
    };
    for words in ["07700", "07700 9000", "900001 Mia", "Mia", "10:30"] {
        assert_eq!(found(words).await, 1, "{words}");
    }
    desk.scheduling.limit_to::<Uuid>(&[]);
    for (words, calls) in [("07700", 0), ("07700 9000", 0), ("900001 Mia", 0), ("Mia", 1), ("10:30", 1)] {
        assert_eq!(found(words).await, calls, "{words}");
    }
    desk.scheduling.limit_to(&[MIA]);
    assert_eq!(found("07700 9000").await, 1, "of a customer of their own");
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
