//! A CalDAV server with a calendar of each of many people. It is strict: it wants each account's own login, a depth, and a
//! token that it gave (RFC 7617, 4918, 6578). And it answers as late as a server far away does.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header::AUTHORIZATION},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use caller::Role;
use proto::frontdesk::calendarsync::v1::{CaldavAccount, ConnectCaldavCalendarRequest};
use testkit::as_user;

use crate::salon::{MIA, SALON, Salon};

/// The token of a calendar as it is.
const TOKEN: &str = "https://many.example/sync/1";

#[derive(Default)]
pub struct Many {
    /// How long each answer takes.
    late_by_ms: AtomicU64,
    /// Requests that no client of the standards makes.
    pub wrong: AtomicUsize,
    /// Reports of what changed since a token.
    pub reports: AtomicUsize,
}

impl Many {
    pub fn answer_late(&self, by: Duration) {
        self.late_by_ms.store(by.as_millis().try_into().unwrap(), Ordering::SeqCst);
    }

    /// Serves it; says where.
    pub async fn start() -> (Arc<Self>, String) {
        let many = Arc::new(Self::default());
        let router = Router::new().fallback(answer).with_state(many.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        (many, format!("http://{address}"))
    }

    fn refuse(&self, status: StatusCode) -> Response {
        self.wrong.fetch_add(1, Ordering::SeqCst);
        status.into_response()
    }
}

fn username(n: &str) -> String {
    format!("person-{n}")
}

/// Connects the `n`-th calendar.
pub async fn connect(salon: &Salon, server: &str, n: usize) {
    let url = format!("{server}/{n}/");
    let account = CaldavAccount {
        server: url.clone(),
        username: username(&n.to_string()),
        password: format!("secret of {n}"),
    };
    let message = ConnectCaldavCalendarRequest {
        business_id: SALON.to_string(),
        account: Some(account),
        url,
        employee_id: MIA.to_string(),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    salon.calendars().connect_caldav_calendar(request).await.unwrap();
}

fn is_logged_in(headers: &HeaderMap, n: &str) -> bool {
    let login = BASE64_STANDARD.encode(format!("{}:secret of {n}", username(n)));
    headers.get(AUTHORIZATION).is_some_and(|sent| sent.as_bytes() == format!("Basic {login}").as_bytes())
}

async fn answer(State(many): State<Arc<Many>>, request: Request) -> Response {
    tokio::time::sleep(Duration::from_millis(many.late_by_ms.load(Ordering::SeqCst))).await;
    let (parts, body) = request.into_parts();
    let n = parts.uri.path().split('/').nth(1).unwrap_or_default().to_owned();
    if !is_logged_in(&parts.headers, &n) {
        return many.refuse(StatusCode::UNAUTHORIZED);
    }
    let body = to_bytes(body, 1 << 20).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    let depth = parts.headers.get("depth").map(|depth| depth.to_str().unwrap().to_owned());
    let said = match (parts.method.as_str(), depth.as_deref()) {
        ("PROPFIND", Some("0" | "1")) => calendar(&n),
        ("REPORT", Some("0")) if body.contains("sync-collection") => {
            many.reports.fetch_add(1, Ordering::SeqCst);
            let token = body.split("<D:sync-token>").nth(1).and_then(|rest| rest.split('<').next());
            match token {
                Some("") | None => format!("{}<sync-token>{TOKEN}</sync-token>", entry(&n, "")),
                Some(TOKEN) => format!("<sync-token>{TOKEN}</sync-token>"),
                Some(_) => return many.refuse(StatusCode::FORBIDDEN),
            }
        }
        ("REPORT", Some(_)) if body.contains("calendar-multiget") => {
            let event = format!(
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:own-{n}\nDTSTART:20260602T100000Z\nDURATION:PT1H\nSUMMARY:Own\nEND:VEVENT\nEND:VCALENDAR\n"
            );
            entry(&n, &format!("<C:calendar-data>{event}</C:calendar-data>"))
        }
        _ => return many.refuse(StatusCode::BAD_REQUEST),
    };
    let text =
        format!(r#"<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">{said}</multistatus>"#);
    (StatusCode::MULTI_STATUS, text).into_response()
}

fn response(href: &str, properties: &str) -> String {
    format!(
        "<response><href>{href}</href><propstat><prop>{properties}</prop><status>HTTP/1.1 200 OK</status></propstat></response>"
    )
}

fn calendar(n: &str) -> String {
    let kind = "<resourcetype><collection/><C:calendar/></resourcetype>";
    response(&format!("/{n}/"), &format!("{kind}<displayname>Calendar {n}</displayname>"))
}

/// The calendar's one event.
fn entry(n: &str, more: &str) -> String {
    response(&format!("/{n}/own-{n}.ics"), &format!("<getetag>\"1\"</getetag>{more}"))
}
