//! A Square at which many salons have a location, each with as many team members as a test wants. It answers as late as a
//! server far away does, and fails where a test has it.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use caller::{BusinessId, Role};
use jiff::{SignedDuration, Timestamp};
use proto::frontdesk::calendarsync::v1::{ConnectProviderRequest, ProviderKind};
use serde_json::{Value, json};
use testkit::as_user;
use uuid::Uuid;

use crate::{
    others::{serve, settings},
    provider::client,
    salon::{Salon, at},
};

/// The location of each salon.
const LOCATION: &str = "HERE";

/// A Square of salons with many employees, which counts the lists that it is asked for.
pub struct ManySquare {
    employees: usize,
    /// How long each answer takes.
    late_by_ms: AtomicU64,
    /// Lists of bookings of a location, and of one team member, that were asked for.
    pub lists: AtomicUsize,
    pub lists_of_one: AtomicUsize,
    /// Whether the second month's list of a location can't be had, or no list at all.
    pub lacks_a_window: AtomicBool,
    pub is_down: AtomicBool,
    /// Bookings beside the one of each team member.
    pub bookings: Mutex<Vec<Value>>,
}

impl ManySquare {
    /// One with so many team members in each salon; says where.
    pub async fn start(employees: usize) -> (Arc<Self>, String) {
        let many = Arc::new(Self {
            employees,
            late_by_ms: AtomicU64::default(),
            lists: AtomicUsize::default(),
            lists_of_one: AtomicUsize::default(),
            lacks_a_window: AtomicBool::default(),
            is_down: AtomicBool::default(),
            bookings: Mutex::default(),
        });
        let router = Router::new()
            .route("/v2/locations/{id}", get(|| async { Json(json!({ "location": { "name": "Willow" } })) }))
            .route("/v2/team-members/search", post(|| async { Json(json!({})) }))
            .route("/v2/catalog/search-catalog-items", post(|| async { Json(json!({})) }))
            .route("/v2/bookings", get(bookings))
            .with_state(many.clone());
        let url = serve(router).await;
        (many, url)
    }

    pub fn answer_late(&self, by: Duration) {
        self.late_by_ms.store(by.as_millis().try_into().unwrap(), Ordering::SeqCst);
    }

    /// How many lists were asked for since the last time: of a location, and of one team member.
    pub fn take_counts(&self) -> (usize, usize) {
        (self.lists.swap(0, Ordering::SeqCst), self.lists_of_one.swap(0, Ordering::SeqCst))
    }
}

/// The `n`-th team member.
pub fn member(n: usize) -> String {
    format!("M{n}")
}

/// Half an hour of some team members from an instant on, one after the other.
pub fn booking(id: &str, members: &[&str], starts: Timestamp) -> Value {
    let segment = |member: &&str| json!({ "duration_minutes": 30, "team_member_id": member });
    json!({
        "id": id,
        "version": 1,
        "status": "ACCEPTED",
        "start_at": starts,
        "appointment_segments": members.iter().map(segment).collect::<Vec<_>>(),
    })
}

fn is_of(booking: &Value, member: &str) -> bool {
    let segments = booking["appointment_segments"].as_array();
    segments.is_some_and(|segments| segments.iter().any(|segment| segment["team_member_id"] == member))
}

/// When a booking starts; what does not say so is listed with those of the next day.
fn starts(booking: &Value) -> Timestamp {
    booking["start_at"].as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| at(24, 0))
}

async fn bookings(
    State(many): State<Arc<ManySquare>>,
    Query(asked): Query<HashMap<String, String>>,
) -> Response {
    tokio::time::sleep(Duration::from_millis(many.late_by_ms.load(Ordering::SeqCst))).await;
    let of_one = asked.get("team_member_id");
    let count = if of_one.is_some() { &many.lists_of_one } else { &many.lists };
    count.fetch_add(1, Ordering::SeqCst);
    let [from, until]: [Timestamp; 2] =
        ["start_at_min", "start_at_max"].map(|name| asked[name].parse().unwrap());
    let second_month = at(0, 0) + SignedDuration::from_hours(31 * 24);
    let lacks = many.lacks_a_window.load(Ordering::SeqCst) && (from..until).contains(&second_month);
    if many.is_down.load(Ordering::SeqCst) || (of_one.is_none() && lacks) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let mut all: Vec<Value> = many.bookings.lock().unwrap().clone();
    all.extend((0..many.employees).map(|n| booking(&format!("own-{n}"), &[&member(n)], at(35, 0))));
    all.retain(|booking| {
        (from..until).contains(&starts(booking)) && of_one.is_none_or(|member| is_of(booking, member))
    });
    Json(json!({ "bookings": all })).into_response()
}

/// The `n`-th team member's employee and calendar here, in the salon of a business.
pub fn employee(n: usize) -> Uuid {
    Uuid::from_u128(0xE000_0000 + u128::try_from(n).unwrap())
}

pub fn calendar(business: BusinessId, n: usize) -> Uuid {
    Uuid::from_u128((business.0.as_u128() << 32) + u128::try_from(n).unwrap())
}

/// Connects a salon and maps its first team members.
pub async fn connect(salon: &Salon, business: BusinessId, url: &str, employees: usize) {
    let message = ConnectProviderRequest {
        business_id: business.to_string(),
        kind: ProviderKind::Square.into(),
        label: "Square".to_owned(),
        token: format!("token of {business}"),
        settings: settings(&[("server", url), ("location", LOCATION)]),
        ..ConnectProviderRequest::default()
    };
    let request = as_user(&salon.host, Role::Owner, business, message);
    let connected = client(salon).connect_provider(request).await.unwrap().into_inner();
    let (connection, now) = (connected.connection.unwrap().id, salon.time.now());
    let (mut calendars, mut mapped, mut states) = (vec![], vec![], vec![]);
    for n in 0..employees {
        let (id, member, employee) = (calendar(business, n), member(n), employee(n));
        calendars.push(format!("('{business}', '{id}', 'PROVIDER', '{employee}', 'Square', '{now}')"));
        mapped.push(format!("('{business}', '{id}', '{connection}', '{member}')"));
        states.push(format!("('{business}', '{id}', 'SQUARE', 60, '2000-01-01')"));
    }
    let sql = format!(
        "INSERT INTO calendar (business_id, id, kind, employee_id, name, connected_at) VALUES {};
        INSERT INTO provider_calendar (business_id, id, connection_id, external_employee_id) VALUES {};
        INSERT INTO sync_state (business_id, calendar_id, server, rest_seconds, due_at) VALUES {}",
        calendars.join(", "),
        mapped.join(", "),
        states.join(", ")
    );
    salon.meddle(&sql).await;
}
