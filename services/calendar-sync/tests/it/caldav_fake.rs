//! A CalDAV server that does what Radicale does not: it lists two entries at a time (RFC 6578, 3.6), or knows no tokens at
//! all, redirects, names other servers, and refuses some events.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    http::{StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
};
use caller::Role;
use proto::frontdesk::calendarsync::v1::{
    CaldavAccount, ConnectCaldavCalendarRequest, FindCaldavCalendarsRequest,
};
use testkit::as_user;
use uuid::Uuid;

use crate::{
    caldav::until_held,
    calendars::field,
    salon::{CALENDAR, MIA, SALON, Salon, TOM, visit},
};

const ENTRIES: usize = 5;
const PAGE: usize = 2;

#[derive(Default)]
struct Fake {
    /// Answers 500 to everything.
    down: AtomicBool,
    /// Refuses to take events.
    read_only: AtomicBool,
    /// Knows RFC 4791 alone, without reports of what changed.
    tokenless: AtomicBool,
    /// Entries that were deleted, from the first on.
    deleted: AtomicUsize,
    /// Entries that were changed since, from the first on.
    changed: AtomicUsize,
    asked: AtomicUsize,
    /// How often entries were fetched.
    fetched: AtomicUsize,
}

impl Fake {
    fn version(&self, n: usize) -> String {
        let since = if n < self.changed.load(Ordering::SeqCst) { "b" } else { "a" };
        format!("<getetag>\"{n}{since}\"</getetag>")
    }

    /// The hour at which an entry begins.
    fn hour(&self, n: usize) -> u8 {
        if n < self.changed.load(Ordering::SeqCst) { 14 } else { 10 }
    }
}

async fn answer(State(fake): State<Arc<Fake>>, request: Request) -> Response {
    fake.asked.fetch_add(1, Ordering::SeqCst);
    if fake.down.load(Ordering::SeqCst) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let (method, path) = (request.method().as_str().to_owned(), request.uri().path().to_owned());
    let body = to_bytes(request.into_body(), 1 << 20).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    let multistatus = |inner: String| {
        let text = format!(
            r#"<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">{inner}</multistatus>"#
        );
        (StatusCode::MULTI_STATUS, text).into_response()
    };
    let ok = |href: &str, prop: String| {
        format!(
            "<response><href>{href}</href><propstat><prop>{prop}</prop><status>HTTP/1.1 200 OK</status></propstat></response>"
        )
    };
    match (method.as_str(), path.as_str()) {
        ("PROPFIND", "/.well-known/caldav") => {
            (StatusCode::MOVED_PERMANENTLY, [(LOCATION, "/dav/")]).into_response()
        }
        ("PROPFIND", "/leads-away") => {
            (StatusCode::MOVED_PERMANENTLY, [(LOCATION, "file:///etc/passwd")]).into_response()
        }
        ("PROPFIND", path) if path.starts_with("/leads-to/") => {
            let location = format!("http://{}", path.trim_start_matches("/leads-to/"));
            (StatusCode::MOVED_PERMANENTLY, [(LOCATION, location)]).into_response()
        }
        ("PROPFIND", path) if path.starts_with("/names-principal/") => {
            let principal = format!("http://{}/", path.trim_start_matches("/names-principal/"));
            let principal =
                format!("<current-user-principal><href>{principal}</href></current-user-principal>");
            multistatus(ok(path, principal))
        }
        ("PROPFIND", path) if path.starts_with("/names-home/") => {
            let home = format!("http://{}/home/", path.trim_start_matches("/names-home/"));
            multistatus(ok(path, format!("<C:calendar-home-set><href>{home}</href></C:calendar-home-set>")))
        }
        ("PROPFIND", path) if path.starts_with("/names-calendar/") => {
            let home = path.replace("/names-calendar/", "/lists/");
            multistatus(ok(path, format!("<C:calendar-home-set><href>{home}</href></C:calendar-home-set>")))
        }
        ("PROPFIND", path) if path.starts_with("/lists/") => {
            let calendar = format!("http://{}/home/pages/", path.trim_start_matches("/lists/"));
            let kind = "<resourcetype><collection/><C:calendar/></resourcetype>";
            multistatus(ok(&calendar, kind.to_owned()))
        }
        ("PROPFIND", "/dav/") => multistatus(ok(
            "/dav/",
            "<C:calendar-home-set><href>/home/</href></C:calendar-home-set>".to_owned(),
        )),
        ("PROPFIND", "/home/") => {
            let kind =
                "<resourcetype><collection/><C:calendar/></resourcetype><displayname>Pages</displayname>";
            multistatus(ok("/home/pages/", kind.to_owned()))
        }
        ("PROPFIND", "/home/pages/") => {
            let itself = ok("/home/pages/", "<getetag>\"all\"</getetag>".to_owned());
            let left = fake.deleted.load(Ordering::SeqCst)..ENTRIES;
            let entries = left.map(|n| ok(&format!("/home/pages/{n}.ics"), fake.version(n)));
            multistatus(itself + &entries.collect::<String>())
        }
        ("REPORT", "/home/pages/")
            if body.contains("sync-collection") && fake.tokenless.load(Ordering::SeqCst) =>
        {
            let why = r#"<error xmlns="DAV:"><supported-report/></error>"#;
            (StatusCode::FORBIDDEN, why).into_response()
        }
        ("REPORT", "/home/pages/") if body.contains("sync-collection") => {
            let token = body.split("<D:sync-token>").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
            let from: usize = token.parse().unwrap_or_default();
            let to = (from + PAGE).min(ENTRIES);
            let entries: String = (from..to)
                .map(|n| ok(&format!("/home/pages/{n}.ics"), format!("<getetag>\"{n}\"</getetag>")))
                .collect();
            let cut = "<response><href>/home/pages/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>";
            let cut = if to < ENTRIES { cut } else { "" };
            multistatus(format!("{entries}{cut}<sync-token>{to}</sync-token>"))
        }
        ("REPORT", "/home/pages/") => {
            fake.fetched.fetch_add(1, Ordering::SeqCst);
            let hrefs = body.split("<D:href>").skip(1).filter_map(|rest| rest.split('<').next());
            let entry = |href: &str| {
                let n = href.trim_start_matches("/home/pages/").trim_end_matches(".ics");
                let n: usize = n.parse().unwrap();
                let (day, hour) = (n + 1, fake.hour(n));
                let ics = format!(
                    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:{n}\nDTSTART:2026060{day}T{hour}0000Z\nDURATION:PT1H\nSUMMARY:E{n}\nEND:VEVENT\nEND:VCALENDAR\n",
                );
                ok(href, format!("{}<C:calendar-data>{ics}</C:calendar-data>", fake.version(n)))
            };
            multistatus(hrefs.map(entry).collect())
        }
        ("PUT", _) if fake.read_only.load(Ordering::SeqCst) => StatusCode::FORBIDDEN.into_response(),
        ("PUT", _) => (StatusCode::CREATED, [("etag", "\"1\"")]).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Starts it; says where.
async fn start() -> (Arc<Fake>, String) {
    let fake = Arc::new(Fake::default());
    let router = Router::new().fallback(answer).with_state(fake.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    (fake, format!("http://{address}"))
}

fn account(server: &str) -> CaldavAccount {
    CaldavAccount { server: server.to_owned(), username: "mia".to_owned(), password: "secret".to_owned() }
}

async fn connect(salon: &Salon, server: &str) {
    let message = ConnectCaldavCalendarRequest {
        business_id: SALON.to_string(),
        account: Some(account(server)),
        url: format!("{server}/home/pages/"),
        employee_id: MIA.to_string(),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    salon.calendars().connect_caldav_calendar(request).await.unwrap();
}

#[tokio::test]
async fn a_listing_that_is_cut_off_is_read_to_its_end() {
    let salon = Salon::open().await;
    let (_, server) = start().await;
    connect(&salon, &server).await;
    let imported = salon.scheduling.until(|imported| imported.busy.len() == ENTRIES).await;
    assert!(imported.violations.is_empty());
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
}

/// What scheduling holds of the entries: each on its day.
fn entries(left: core::ops::Range<usize>, changed: usize) -> Vec<String> {
    let entry = |n: usize| {
        let (day, hour) = (n + 1, if n < changed { 14 } else { 10 });
        format!("E{n} 2026-06-0{day}T{hour}:00:00Z 2026-06-0{day}T{}:00:00Z", hour + 1)
    };
    left.map(entry).collect()
}

#[tokio::test]
async fn a_server_without_tokens_is_listed_and_read_anew_once_its_listing_differs() {
    let salon = Salon::open().await;
    let (fake, server) = start().await;
    fake.tokenless.store(true, Ordering::SeqCst);
    connect(&salon, &server).await;
    salon.scheduling.until(|imported| imported.busy.len() == ENTRIES).await;
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    let fetched = fake.fetched.load(Ordering::SeqCst);

    // Where nothing changed, nothing is fetched.
    let first = salon.calendar().await.synced_at;
    salon.let_pass(jiff::SignedDuration::from_mins(1)).await;
    salon.read_again().await;
    salon.until(async || salon.calendar().await.synced_at != first).await;
    assert_eq!(fake.fetched.load(Ordering::SeqCst), fetched);

    let until_held = async |expected: Vec<String>| {
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        until_held(&salon, &expected).await;
    };
    fake.changed.store(2, Ordering::SeqCst);
    until_held(entries(0..ENTRIES, 2)).await;
    fake.deleted.store(1, Ordering::SeqCst);
    until_held(entries(1..ENTRIES, 2)).await;
    assert_eq!(salon.calendar().await.last_error, "");
}

#[tokio::test]
async fn the_login_is_given_to_no_other_server_that_an_answer_names() {
    let salon = Salon::open().await;
    let (_, server) = start().await;
    let (other, elsewhere) = start().await;
    let elsewhere = elsewhere.replace("http://127.0.0.1", "localhost");
    for kind in ["principal", "home", "calendar"] {
        let message = FindCaldavCalendarsRequest {
            business_id: SALON.to_string(),
            account: Some(account(&format!("{server}/names-{kind}/{elsewhere}"))),
        };
        let request = as_user(&salon.host, Role::Employee, SALON, message);
        let refused = salon.calendars().find_caldav_calendars(request).await.unwrap_err();
        assert_eq!(field(&refused), "account.server", "{kind}");
        assert!(format!("{refused:?}").contains("leads to localhost"), "{kind}: {refused:?}");
    }
    assert_eq!(other.asked.load(Ordering::SeqCst), 0, "the other server was called");
}

#[tokio::test]
async fn a_redirect_is_checked_like_an_address() {
    let salon = Salon::open().await;
    let (_, server) = start().await;
    let message = FindCaldavCalendarsRequest {
        business_id: SALON.to_string(),
        account: Some(account(&format!("{server}/leads-away"))),
    };
    let request = as_user(&salon.host, Role::Employee, SALON, message);
    assert_eq!(field(&salon.calendars().find_caldav_calendars(request).await.unwrap_err()), "account.server");
}

#[tokio::test]
async fn a_redirect_into_a_private_network_is_not_followed() {
    let (_, server) = start().await;
    let within = tokio::net::TcpListener::bind("127.0.0.2:0").await.unwrap();
    let private = within.local_addr().unwrap().to_string();
    // The server is on this machine and stands in for one on the Internet.
    let salon = Salon::reaching(calendar_sync::Reach::PublicWith([127, 0, 0, 1].into())).await;
    for within in [private.as_str(), "169.254.169.254/latest", "10.0.0.1", "192.168.0.1"] {
        let message = FindCaldavCalendarsRequest {
            business_id: SALON.to_string(),
            account: Some(account(&format!("{server}/leads-to/{within}"))),
        };
        let request = as_user(&salon.host, Role::Employee, SALON, message);
        let refused = salon.calendars().find_caldav_calendars(request).await.unwrap_err();
        assert_eq!(field(&refused), "account.server", "{within}");
        assert!(format!("{refused:?}").contains("inside a private network"), "{within}: {refused:?}");
    }
    let came = tokio::time::timeout(core::time::Duration::ZERO, within.accept()).await;
    assert!(came.is_err(), "a call came into the private network");
}

#[tokio::test]
async fn in_production_no_private_address_is_called() {
    let salon = Salon::reaching(calendar_sync::Reach::Public).await;
    let (fake, server) = start().await;
    let port = server.rsplit(':').next().unwrap().to_owned();
    let servers = [
        server,
        format!("https://127.0.0.1:{port}"),
        format!("https://localhost:{port}"),
        format!("https://[::1]:{port}"),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://10.0.0.1".to_owned(),
    ];
    for server in servers {
        let message =
            FindCaldavCalendarsRequest { business_id: SALON.to_string(), account: Some(account(&server)) };
        let request = as_user(&salon.host, Role::Employee, SALON, message);
        let refused = salon.calendars().find_caldav_calendars(request).await.unwrap_err();
        assert_eq!(field(&refused), "account.server", "{server}");
    }
    assert_eq!(fake.asked.load(Ordering::SeqCst), 0, "none was called");
}

#[tokio::test]
async fn an_event_that_the_calendar_refuses_is_parked_with_its_reason_and_a_new_plan_tries_again() {
    let salon = Salon::open().await;
    let (fake, server) = start().await;
    connect(&salon, &server).await;
    fake.read_only.store(true, Ordering::SeqCst);
    let position =
        salon.scheduling.publish(&salon.host, &SALON.to_string(), visit(0xF1, 1, &[(MIA, "Cut", 9, 30)]));
    let parked =
        "SELECT count(*) FROM calendar_write WHERE parked_at IS NOT NULL AND last_error LIKE '%(403)%'";
    salon.until(async || salon.count(parked).await == 1).await;
    let calendar = salon.calendar().await;
    let unwritten = &calendar.unwritten[0];
    assert!(position > 0 && unwritten.is_refused && unwritten.fault.contains("403"), "{unwritten:?}");
    assert_eq!(unwritten.appointment_id, Uuid::from_u128(0xF1).to_string());
    assert_eq!((calendar.unwritten_count, calendar.last_error.as_str()), (1, ""));
    fake.read_only.store(false, Ordering::SeqCst);
    salon.publish(visit(0xF1, 2, &[(MIA, "Cut", 10, 30)])).await;
    assert_eq!(salon.count(parked).await, 0);
    let steps = "SELECT count(*) FROM sync_history WHERE step IN ('PLANNED', 'PARKED', 'WRITTEN')";
    assert_eq!(salon.count(steps).await, 4, "planned, parked, planned anew, written");
}

#[tokio::test]
async fn a_sick_server_is_left_alone_and_slows_no_other_calendar() {
    let salon = Salon::open().await;
    let (fake, server) = start().await;
    connect(&salon, &server).await;
    salon.connect(CALENDAR, TOM).await.unwrap();
    salon
        .until(async || salon.count("SELECT count(*) FROM sync_state WHERE synced_at IS NOT NULL").await == 2)
        .await;
    fake.down.store(true, Ordering::SeqCst);
    let before = fake.asked.load(Ordering::SeqCst);
    let items = |hour: i64| {
        visit(0xF0 + u128::try_from(hour).unwrap(), 1, &[(MIA, "Cut", hour, 30), (TOM, "Wash", hour, 20)])
    };
    for hour in 9..17 {
        salon.scheduling.publish(&salon.host, &SALON.to_string(), items(hour));
    }
    // All of Tom's are written, though Mia's server answers nothing.
    let toms =
        format!("SELECT count(*) FROM calendar_write WHERE calendar_id = '{CALENDAR}' AND written = wanted");
    salon.until(async || salon.count(&toms).await == 8).await;
    let waiting = "SELECT count(*) FROM calendar_write WHERE written < wanted AND parked_at IS NULL";
    assert_eq!(salon.count(waiting).await, 8, "Mia's wait, and none is parked");
    let asked = fake.asked.load(Ordering::SeqCst) - before;
    assert!(asked <= 8, "the sick server was asked {asked} times");
    fake.down.store(false, Ordering::SeqCst);
    salon.time.advance(jiff::SignedDuration::from_mins(10));
    salon.until_written().await;
}
