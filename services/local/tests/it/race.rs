//! Many people, one slot.

use futures::future::join_all;
use local::visitor::{Visitor, willow};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stack::Stack;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_hundred_bookings_of_one_slot_exactly_one_wins() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let service = owner.get(&willow("services")).await.unwrap()["services"][0].clone();
    let employee = service["employeeIds"][0].clone();
    let items = json!([{"serviceId": service["id"], "employeeId": employee}]);
    let found = owner.post(&willow("availability:search"), &json!({"items": items})).await.unwrap();
    let starts_at = found["offers"][0]["startsAt"].clone();
    let body = json!({"items": items, "startsAt": starts_at});

    let attempts = (0..200).map(|n| {
        let (owner, body) = (owner.clone(), body.clone());
        async move {
            let key = format!("race-{n}");
            loop {
                let answer =
                    owner.send(Method::POST, &willow("appointments"), Some(&body), Some(&key)).await.unwrap();
                // On a machine that is busy with other things, "try again" is a good answer too.
                if answer.status() != StatusCode::SERVICE_UNAVAILABLE {
                    return (answer.status(), answer.json::<Value>().await.unwrap());
                }
            }
        }
    });
    let answers = join_all(attempts).await;

    let won = answers.iter().filter(|(status, _)| *status == StatusCode::OK).count();
    assert_eq!(won, 1);
    for (status, body) in answers.iter().filter(|(status, _)| *status != StatusCode::OK) {
        assert_eq!(*status, StatusCode::CONFLICT, "{body}");
        assert_eq!(body["details"][0]["reason"], "SLOT_TAKEN", "{body}");
    }
    let at = starts_at.as_str().unwrap().replace('+', "%2B");
    let visits = owner.list(&format!("{}?from={at}", willow("appointments")), "appointments").await.unwrap();
    let there = visits
        .iter()
        .filter(|visit| visit["startsAt"] == starts_at && visit["items"][0]["employeeId"] == employee);
    assert_eq!(there.count(), 1);
}
