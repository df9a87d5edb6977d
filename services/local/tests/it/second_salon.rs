//! The demo's second salon, which is half set up.

use local::{
    demo::salon::{HARBOUR, WILLOW},
    visitor::{Visitor, below},
};
use serde_json::Value;

use crate::stack::Stack;

/// What an administrator is told of the salon.
async fn known(admin: &Visitor, path: &str, field: &str) -> Value {
    known_of(HARBOUR, admin, path, field).await
}

async fn known_of(business: &str, admin: &Visitor, path: &str, field: &str) -> Value {
    let path = format!("/api/v1/admin/{path}businessIds={business}");
    admin.get(&path).await.unwrap()[field][0].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_leaves_its_second_salon_half_set_up_for_an_owner_to_finish() {
    let mut stack = Stack::start(&[]).await;
    let admin = Visitor::sign_in(&stack.url(), "admin").await.unwrap();
    let setup = known(&admin, "setups?", "setups").await;
    assert_eq!((&setup["employeeCount"], &setup["voiceConnectionCount"]), (&1.into(), &0.into()));
    assert_eq!(setup["agentVersion"], 0, "its owner has not published the agent");
    assert_eq!(known_of(WILLOW, &admin, "setups?", "setups").await["agentVersion"], 1);
    let now = boot::clock::Clock::system().now();
    let book = known(&admin, &format!("booking-health?since={now}&until={now}&"), "bookings").await;
    assert_eq!((&book["openDayCount"], &book["serviceCount"]), (&5.into(), &2.into()));
    // Joe has no hours, and no service is anyone's.
    assert_eq!((&book["scheduledEmployeeCount"], &book["bookableServiceCount"]), (&0.into(), &0.into()));
    let owners = known(&admin, "business-owners?", "businesses").await;
    assert_eq!((&owners["ownerCount"], &owners["invitedOwnerCount"]), (&0.into(), &0.into()));

    // What its owner goes on with is there after the next start, and nothing comes anew.
    stack.add_owner("harbour", HARBOUR).await;
    let owner = Visitor::sign_in(&stack.url(), "harbour").await.unwrap();
    let employees = below(HARBOUR, "employees");
    owner.post(&employees, &serde_json::json!({ "name": "Nell Penrose" })).await.unwrap();
    stack.kill();
    // As a start that is interrupted after the seed leaves it.
    std::fs::remove_file(stack.data().join("demo-seeded")).unwrap();
    std::fs::remove_file(stack.data().join("demo-booked-on")).unwrap();
    stack.restart();
    let admin = Visitor::sign_in(&stack.url(), "admin").await.unwrap();
    assert_eq!(known_of(WILLOW, &admin, "setups?", "setups").await["agentVersion"], 1, "published once");
    let owner = Visitor::sign_in(&stack.url(), "harbour").await.unwrap();
    let listed = owner.list(&employees, "employees").await.unwrap();
    let names: Vec<&str> = listed.iter().map(|employee| employee["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Joe Penrose", "Nell Penrose"]);
}
