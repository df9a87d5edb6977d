use jiff::SignedDuration;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{Google, MIA, event, reason};

const WATCH: &str = "calendars/primary/events/watch";

fn channel(id: &str) -> Value {
    json!({ "id": id, "type": "web_hook", "address": "https://desk.example.com/hook", "token": "secret",
        "params": { "ttl": "3600" } })
}

#[tokio::test]
async fn a_channel_pushes_changes_until_it_ends_or_is_stopped() {
    let google = Google::open().await;
    let access = google.access().await;
    let watch = async |body: Value| google.call(&access, (Method::POST, WATCH), None, Some(body)).await;
    let (status, opened) = watch(channel("one")).await;
    assert_eq!((status, &opened["kind"]), (StatusCode::OK, &json!("api#channel")));
    assert_eq!(reason(&watch(channel("one")).await.1), "channelIdNotUnique");
    let states = || -> Vec<(&str, u64)> {
        google.fake.take_pushes().into_iter().map(|push| (push.state, push.number)).collect()
    };
    assert_eq!(states(), [("sync", 1)]);
    google.fake.put(MIA, MIA, "aaaaa", event(9));
    assert_eq!(states(), [("exists", 2)]);
    let wrong = json!({ "id": "one", "resourceId": "another" });
    let stop =
        async |body: Value| google.call(&access, (Method::POST, "channels/stop"), None, Some(body)).await.0;
    assert_eq!(stop(wrong).await, StatusCode::NOT_FOUND);
    watch(channel("two")).await;
    assert_eq!(
        stop(json!({ "id": "one", "resourceId": opened["resourceId"] })).await,
        StatusCode::NO_CONTENT
    );
    google.fake.take_pushes();
    google.fake.put(MIA, MIA, "aaaaa", event(10));
    assert_eq!(google.fake.take_pushes().len(), 1);
    google.time.advance(SignedDuration::from_secs(3_600));
    google.fake.put(MIA, MIA, "aaaaa", event(11));
    assert_eq!(states(), []);
}

#[tokio::test]
async fn a_channel_is_asked_for_as_documented() {
    let google = Google::open().await;
    let access = google.access().await;
    for (name, wrong) in [
        ("id", json!("x".repeat(65))),
        ("id", json!("with space")),
        ("type", json!("webhook")),
        ("address", json!("http://desk.example.com/hook")),
        ("token", json!("x".repeat(257))),
    ] {
        let mut body = channel("one");
        body[name] = wrong;
        let (status, _) = google.call(&access, (Method::POST, WATCH), None, Some(body)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{name}");
    }
    let mut long = channel("one");
    long["params"]["ttl"] = json!("99999999");
    let (_, opened) = google.call(&access, (Method::POST, WATCH), None, Some(long)).await;
    let week = google.time.now() + SignedDuration::from_hours(168);
    assert_eq!(opened["expiration"], week.as_millisecond().to_string());
}
