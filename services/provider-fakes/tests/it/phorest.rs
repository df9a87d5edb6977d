//! Phorest's third-party API.

use boot::clock::Clock;
use provider_fakes::{
    Fault,
    phorest::{BRANCH, BUSINESS, CLIENT, PASSWORD, Phorest, USERNAME},
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{answer, request, serve};

struct World {
    phorest: Phorest,
    url: String,
}

impl World {
    async fn open() -> Self {
        let (clock, _) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        let phorest = Phorest::new(clock);
        let url = serve(phorest.router()).await;
        Self { phorest, url: format!("{url}/third-party-api-server/api/business/{BUSINESS}") }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let asked = request(method, &format!("{}/branch/{BRANCH}/{path}", self.url))
            .basic_auth(USERNAME, Some(PASSWORD));
        answer(match body {
            Some(body) => asked.json(&body),
            None => asked,
        })
        .await
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.call(Method::GET, path, None).await
    }

    async fn book(&self, staff: &str, starts: &str, ends: &str) -> (StatusCode, Value) {
        let schedule =
            json!({ "serviceId": "service-cut", "staffId": staff, "startTime": starts, "endTime": ends });
        let body = json!({
            "clientId": CLIENT,
            "note": "by us",
            "clientAppointmentSchedules": [{ "clientId": CLIENT, "serviceSchedules": [schedule] }],
        });
        self.call(Method::POST, "booking", Some(body)).await
    }
}

fn id(booking: &Value) -> String {
    let id = &booking["clientAppointmentSchedules"][0]["serviceSchedules"][0]["appointmentId"];
    id.as_str().unwrap().to_owned()
}

const JUNE: &str = "appointment?from_date=2026-06-01&to_date=2026-06-30";

#[tokio::test]
async fn it_wants_the_right_login_business_and_branch() {
    let world = World::open().await;
    let branch = format!("{}/branch/{BRANCH}/staff", world.url);
    let (status, _) = answer(request(Method::GET, &branch)).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let (status, _) = answer(request(Method::GET, &branch).basic_auth(USERNAME, Some("wrong"))).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    for wrong in [branch.replace(BRANCH, "another"), branch.replace(BUSINESS, "another")] {
        let (status, _) = answer(request(Method::GET, &wrong).basic_auth(USERNAME, Some(PASSWORD))).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{wrong}");
    }
    let (_, branches) =
        answer(request(Method::GET, &format!("{}/branch", world.url)).basic_auth(USERNAME, Some(PASSWORD)))
            .await;
    assert_eq!(branches["_embedded"]["branches"][0]["branchId"], BRANCH);
}

#[tokio::test]
async fn pages_have_20_records_unless_asked_and_100_at_most() {
    let world = World::open().await;
    for n in 0..25 {
        let (starts, ends) =
            (format!("2026-06-02T{:02}:00:00Z", n % 24), format!("2026-06-02T{:02}:30:00Z", n % 24));
        assert_eq!(world.book("staff-mia", &starts, &ends).await.0, StatusCode::CREATED);
    }
    let (_, first) = world.get(JUNE).await;
    assert_eq!(first["_embedded"]["appointments"].as_array().unwrap().len(), 20);
    assert_eq!(first["page"], json!({ "size": 20, "totalElements": 25, "totalPages": 2, "number": 0 }));
    let (_, second) = world.get(&format!("{JUNE}&page=1")).await;
    assert_eq!(second["_embedded"]["appointments"].as_array().unwrap().len(), 5);
    assert_eq!(world.get(&format!("{JUNE}&size=101")).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(world.get(&format!("{JUNE}&limit=5")).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn appointments_are_listed_for_a_month_at_most_and_cancelled_ones_on_request() {
    let world = World::open().await;
    let (status, booking) = world.book("staff-mia", "2026-06-02T10:00:00Z", "2026-06-02T10:30:00Z").await;
    assert_eq!(status, StatusCode::CREATED);
    for (range, status) in [
        ("from_date=2026-06-01&to_date=2026-07-01", StatusCode::OK),
        ("from_date=2026-06-01&to_date=2026-07-02", StatusCode::BAD_REQUEST),
        ("from_date=2026-02-01&to_date=2026-03-02", StatusCode::BAD_REQUEST),
        ("from_date=2026-06-02&to_date=2026-06-01", StatusCode::BAD_REQUEST),
        ("from_date=2026-06-01", StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(world.get(&format!("appointment?{range}")).await.0, status, "{range}");
    }
    let (_, found) = world.get(&format!("appointment/{}", id(&booking))).await;
    assert_eq!(
        [&found["appointmentDate"], &found["startTime"], &found["endTime"], &found["notes"]],
        [&json!("2026-06-02"), &json!("10:00:00.000"), &json!("10:30:00.000"), &json!("by us")]
    );
    let cancel = format!("appointment/cancel?appointment_id={}", id(&booking));
    assert_eq!(world.call(Method::POST, &cancel, None).await.0, StatusCode::OK);
    let count = async |more: &str| {
        let (_, listed) = world.get(&format!("{JUNE}{more}")).await;
        listed["_embedded"]["appointments"].as_array().unwrap().len()
    };
    assert_eq!((count("").await, count("&fetch_canceled=true").await), (0, 1));
    assert_eq!(count("&fetch_canceled=true&updated_from=2026-06-01T08:00:01Z").await, 0);
    assert_eq!(count("&fetch_canceled=true&staff_id=staff-tom").await, 0);
}

#[tokio::test]
async fn a_change_wants_the_present_version_and_times_of_a_day() {
    let world = World::open().await;
    let (_, booking) = world.book("staff-mia", "2026-06-02T10:00:00Z", "2026-06-02T10:30:00Z").await;
    let path = format!("appointment/{}", id(&booking));
    let change = |version: i64, staff: &str| {
        json!({
            "appointmentId": id(&booking), "version": version, "staffId": staff, "serviceId": "service-cut",
            "appointmentDate": "2026-06-03", "startTime": "11:00:00", "endTime": "11:30:00",
        })
    };
    assert_eq!(world.call(Method::PUT, &path, Some(change(7, "staff-mia"))).await.0, StatusCode::CONFLICT);
    assert_eq!(world.call(Method::PUT, &path, Some(change(1, "staff-ann"))).await.0, StatusCode::BAD_REQUEST);
    let (status, changed) = world.call(Method::PUT, &path, Some(change(1, "staff-mia"))).await;
    assert_eq!(
        (status, &changed["version"], &changed["startTime"]),
        (StatusCode::OK, &json!(2), &json!("11:00:00.000"))
    );
}

#[tokio::test]
async fn a_booking_is_for_a_known_client_service_and_employee_in_utc() {
    let world = World::open().await;
    let (status, _) = world.book("staff-ann", "2026-06-02T10:00:00Z", "2026-06-02T10:30:00Z").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, _) = world.book("staff-mia", "2026-06-02T10:00:00+01:00", "2026-06-02T10:30:00+01:00").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, _) = world.book("staff-mia", "2026-06-02T10:30:00Z", "2026-06-02T10:00:00Z").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn faults_are_met_in_order_by_the_requests_that_they_concern() {
    let world = World::open().await;
    world.phorest.fail(Fault::LostAnswer, 1);
    world.phorest.fail(Fault::TooManyRequests, 1);
    assert_eq!(world.get("staff").await.0, StatusCode::OK);
    let (status, _) = world.book("staff-mia", "2026-06-02T10:00:00Z", "2026-06-02T10:30:00Z").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(world.phorest.edit(|book, _| book.standing().len()), 1);
    assert_eq!(world.get("staff").await.0, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(world.get("staff").await.0, StatusCode::OK);
}
