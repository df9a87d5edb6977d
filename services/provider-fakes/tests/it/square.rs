//! Square's Bookings, Team and Catalog APIs.

use boot::clock::Clock;
use provider_fakes::square::{CUT, LOCATION, Square, TOKEN};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{answer, request, serve};

const VERSION: i64 = 1_700_000_000_001;

struct World {
    square: Square,
    url: String,
}

impl World {
    async fn open() -> Self {
        let (clock, _) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        let square = Square::new(clock);
        let url = serve(square.router()).await;
        Self { square, url }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let asked = request(method, &format!("{}/v2/{path}", self.url));
        let asked = asked.bearer_auth(TOKEN).header("Square-Version", "2025-10-16");
        answer(match body {
            Some(body) => asked.json(&body),
            None => asked,
        })
        .await
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.call(Method::GET, path, None).await
    }

    async fn create(&self, key: &str, starts: &str) -> (StatusCode, Value) {
        let body = json!({ "idempotency_key": key, "booking": booking(starts, VERSION) });
        self.call(Method::POST, "bookings", Some(body)).await
    }
}

fn booking(starts: &str, variation: i64) -> Value {
    let segment = json!({
        "duration_minutes": 30, "service_variation_id": CUT, "service_variation_version": variation,
        "team_member_id": "TM-MIA",
    });
    json!({ "start_at": starts, "location_id": LOCATION, "seller_note": "by us", "appointment_segments": [segment] })
}

fn code(answer: &Value) -> &str {
    answer["errors"][0]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn it_wants_a_token_and_a_pinned_version() {
    let world = World::open().await;
    let url = format!("{}/v2/locations/{LOCATION}", world.url);
    let (status, said) = answer(request(Method::GET, &url).header("Square-Version", "2025-10-16")).await;
    assert_eq!((status, code(&said)), (StatusCode::UNAUTHORIZED, "UNAUTHORIZED"));
    let (status, _) = answer(request(Method::GET, &url).bearer_auth(TOKEN)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, said) = world.get(&format!("locations/{LOCATION}")).await;
    assert_eq!((status, &said["location"]["name"]), (StatusCode::OK, &json!("Willow")));
    assert_eq!(world.get("locations/another").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_key_makes_one_booking_however_often_it_comes() {
    let world = World::open().await;
    let (status, first) = world.create("one", "2026-06-02T10:00:00Z").await;
    assert_eq!((status, &first["booking"]["version"]), (StatusCode::OK, &json!(0)));
    let (_, again) = world.create("one", "2026-06-02T10:00:00Z").await;
    assert_eq!(again["booking"]["id"], first["booking"]["id"]);
    let (status, said) = world.create("one", "2026-06-02T11:00:00Z").await;
    assert_eq!((status, code(&said)), (StatusCode::BAD_REQUEST, "IDEMPOTENCY_KEY_REUSED"));
    assert_eq!(world.create("", "2026-06-02T10:00:00Z").await.0, StatusCode::BAD_REQUEST);
    assert_eq!(world.square.edit(|book, _| book.standing().len()), 1);
}

#[tokio::test]
async fn a_booking_names_the_present_version_of_its_service() {
    let world = World::open().await;
    let body = json!({ "idempotency_key": "k", "booking": booking("2026-06-02T10:00:00Z", VERSION - 1) });
    let (status, said) = world.call(Method::POST, "bookings", Some(body)).await;
    assert_eq!((status, code(&said)), (StatusCode::BAD_REQUEST, "INVALID_VALUE"));
    let (_, said) = world.get(&format!("catalog/object/{CUT}")).await;
    assert_eq!(said["object"]["version"], VERSION);
}

#[tokio::test]
async fn a_change_wants_the_present_version_and_a_cancelled_booking_takes_none() {
    let world = World::open().await;
    let (_, made) = world.create("one", "2026-06-02T10:00:00Z").await;
    let path = format!("bookings/{}", made["booking"]["id"].as_str().unwrap());
    let change = |version: Value| {
        let mut booking = booking("2026-06-02T11:00:00Z", VERSION);
        booking["version"] = version;
        Some(json!({ "booking": booking }))
    };
    let (status, said) = world.call(Method::PUT, &path, change(json!(7))).await;
    assert_eq!((status, code(&said)), (StatusCode::CONFLICT, "VERSION_MISMATCH"));
    assert_eq!(world.call(Method::PUT, &path, change(Value::Null)).await.0, StatusCode::BAD_REQUEST);
    let (_, changed) = world.call(Method::PUT, &path, change(json!(0))).await;
    assert_eq!(changed["booking"]["version"], 1);
    let cancel = format!("{path}/cancel");
    let (status, _) = world.call(Method::POST, &cancel, Some(json!({ "booking_version": 0 }))).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (_, cancelled) = world.call(Method::POST, &cancel, Some(json!({ "booking_version": 1 }))).await;
    assert_eq!(cancelled["booking"]["status"], "CANCELLED_BY_SELLER");
    assert_eq!(world.call(Method::PUT, &path, change(json!(2))).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn lists_go_on_by_a_cursor_of_their_own_and_span_31_days() {
    let world = World::open().await;
    world.square.page_of(2);
    for n in 0..3 {
        world.create(&n.to_string(), &format!("2026-06-02T1{n}:00:00Z")).await;
    }
    let list = "bookings?start_at_min=2026-06-01T00:00:00Z&start_at_max=2026-07-02T00:00:00Z";
    let (_, first) = world.get(list).await;
    assert_eq!(first["bookings"].as_array().unwrap().len(), 2);
    let cursor =
        first["cursor"].as_str().unwrap().replace('/', "%2F").replace(' ', "%20").replace('"', "%22");
    let (_, second) = world.get(&format!("{list}&cursor={cursor}")).await;
    assert_eq!((second["bookings"].as_array().unwrap().len(), second.get("cursor")), (1, None));
    let (status, _) = world.get(&format!("{list}&team_member_id=TM-TOM&cursor={cursor}")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, _) = world.get(&list.replace("07-02", "07-03")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn free_starts_are_those_at_which_the_service_fits() {
    let world = World::open().await;
    world.create("one", "2026-06-02T10:00:00Z").await;
    let search = |until: &str| {
        let filter = json!({
            "start_at_range": { "start_at": "2026-06-02T00:00:00Z", "end_at": until },
            "location_id": LOCATION,
            "segment_filters": [{ "service_variation_id": CUT, "team_member_id_filter": { "any": ["TM-MIA"] } }],
        });
        json!({ "query": { "filter": filter } })
    };
    let path = "bookings/availability/search";
    let (status, _) = world.call(Method::POST, path, Some(search("2026-06-02T23:00:00Z"))).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (_, found) = world.call(Method::POST, path, Some(search("2026-06-03T00:00:00Z"))).await;
    let starts: Vec<&str> = found["availabilities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|free| free["start_at"].as_str().unwrap())
        .collect();
    assert_eq!(starts[0], "2026-06-02T09:00:00Z");
    assert!(starts.contains(&"2026-06-02T09:30:00Z") && starts.contains(&"2026-06-02T10:30:00Z"));
    assert!(!starts.contains(&"2026-06-02T09:45:00Z") && !starts.contains(&"2026-06-02T10:15:00Z"));
}

#[tokio::test]
async fn changes_are_pushed_and_signed_over_the_address_and_the_body() {
    let world = World::open().await;
    world.create("one", "2026-06-02T10:00:00Z").await;
    assert_eq!(world.square.take_pushes(), []);
    world.square.subscribe("https://desk.example.com/hook", "hunter2");
    world.create("two", "2026-06-02T11:00:00Z").await;
    let pushes = world.square.take_pushes();
    let [push] = pushes.as_slice() else { panic!("{pushes:?}") };
    let said: Value = serde_json::from_str(&push.body).unwrap();
    assert_eq!((&said["type"], &said["data"]["type"]), (&json!("booking.updated"), &json!("booking")));
    assert_eq!(push.signature.len(), 44);
}
