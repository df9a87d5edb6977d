//! A booking over each platform, through the real webhooks of the whole installation.

use local::{
    demo_call::{self, Pace, Platform},
    visitor::{Visitor, willow},
};
use serde_json::Value;

use crate::stack::Stack;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_over_each_platform_books_and_is_on_record() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    for platform in Platform::ALL {
        let secret = stack.secret(&platform.secret_name());
        let summary = demo_call::play(&stack.url(), platform, &secret, Pace::Fast).await.unwrap();
        let calls = owner.list(&willow("calls"), "calls").await.unwrap();
        let of_platform = |call: &&Value| call["platform"] == platform.name();
        let call = calls.iter().find(of_platform).unwrap_or_else(|| panic!("no call of {platform:?}"));
        assert_eq!(call["state"], "CALL_STATE_ENDED", "{call}");
        assert_eq!(call["outcome"], "CALL_OUTCOME_BOOKED", "{call}");
        assert_eq!(call["fromNumber"], "+447700900123", "{call}");
        assert_eq!(call["appointmentIds"].as_array().map(Vec::len), Some(1), "{call}");
        let detail = owner.get(&willow(&format!("calls/{}", call["id"].as_str().unwrap()))).await.unwrap();
        let turns = detail["turns"].as_array().unwrap();
        assert!(turns.len() >= 8, "{platform:?}: {turns:?}");
        assert!(!summary.latencies.is_empty());
    }
    // Four callers have four times.
    assert_eq!(owner.list(&willow("calls"), "calls").await.unwrap().len(), Platform::ALL.len());
}
