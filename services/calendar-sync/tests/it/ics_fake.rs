//! A server of published calendars that does what Radicale does not: conditional requests by the letter (RFC 9110, 13),
//! redirects, errors, and files of any size and state.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    extract::{Path, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{
            CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION, RETRY_AFTER,
        },
    },
    response::{IntoResponse, Response},
    routing::get,
};

/// What the server does, and what it was asked.
#[derive(Debug, Clone, Default)]
pub struct Served {
    /// The file at `/mia.ics`.
    pub text: String,
    /// What it answers instead.
    pub status: Option<StatusCode>,
    /// How many seconds it asks to be left alone for, then.
    pub retry_after: Option<u32>,
    pub etag: Option<&'static str>,
    pub last_modified: Option<&'static str>,
    /// Where `/leads.ics` redirects to; the calendar itself without it.
    pub leads_to: Option<String>,
    /// Files that were sent.
    pub sent: usize,
    /// Answers that nothing changed.
    pub unchanged: usize,
    /// What was not as documented.
    pub violations: Vec<String>,
}

/// It.
#[derive(Clone)]
pub struct Server {
    served: Arc<Mutex<Served>>,
    pub url: String,
}

impl Server {
    /// Starts it with a calendar of these events.
    pub async fn start(events: &str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { served: Arc::default(), url };
        server.publish(events);
        let router = Router::new().route("/{file}", get(answer)).with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        server
    }

    /// The calendar's address.
    pub fn address(&self) -> String {
        format!("{}/mia.ics", self.url)
    }

    /// Replaces what is in the calendar.
    pub fn publish(&self, events: &str) {
        let text = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//fake\r\n{events}END:VCALENDAR\r\n");
        self.set(|served| served.text = text);
    }

    pub fn set(&self, change: impl FnOnce(&mut Served)) {
        change(&mut self.served.lock().unwrap());
    }

    pub fn served(&self) -> Served {
        self.served.lock().unwrap().clone()
    }
}

/// An event of the first of June.
pub fn event(uid: &str, hour: u8) -> String {
    format!(
        "BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260501T000000Z\r\nDTSTART:20260601T{hour:02}0000Z\r\nDURATION:PT1H\r\nSUMMARY:{uid}\r\nEND:VEVENT\r\n"
    )
}

/// As scheduling holds it.
pub fn held(uid: &str, hour: u8) -> String {
    format!("{uid} 2026-06-01T{hour:02}:00:00Z 2026-06-01T{:02}:00:00Z", hour + 1)
}

async fn answer(State(server): State<Server>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    let to = |location: &'static str| (StatusCode::FOUND, [(LOCATION, location)]).into_response();
    match file.as_str() {
        "moved.ics" => to("/mia.ics"),
        "round.ics" => to("/round.ics"),
        "file.ics" => to("file:///etc/passwd"),
        "login.ics" => StatusCode::UNAUTHORIZED.into_response(),
        "gone.ics" => StatusCode::GONE.into_response(),
        "page.ics" => "<!doctype html><title>Sign in</title>".into_response(),
        "cut.ics" => "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n".into_response(),
        "times.ics" => {
            "BEGIN:VCALENDAR\r\nBEGIN:VFREEBUSY\r\nFREEBUSY:20260601T100000Z/PT1H\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n"
                .into_response()
        }
        "leads.ics" => match server.served().leads_to {
            Some(location) => (StatusCode::FOUND, [(LOCATION, location)]).into_response(),
            None => server.calendar(&headers),
        },
        "mia.ics" => server.calendar(&headers),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

impl Server {
    fn calendar(&self, headers: &HeaderMap) -> Response {
        let mut served = self.served.lock().unwrap();
        let said = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap().to_owned());
        if !said(axum::http::header::ACCEPT).is_some_and(|accept| accept.contains("text/calendar")) {
            served.violations.push("asked for no calendar".to_owned());
        }
        if headers.contains_key(axum::http::header::AUTHORIZATION) {
            served.violations.push("logged in where nothing asks for it".to_owned());
        }
        if let Some(status) = served.status {
            let mut response = status.into_response();
            if let Some(seconds) = served.retry_after {
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
            }
            return response;
        }
        let (none_match, since) = (said(IF_NONE_MATCH), said(IF_MODIFIED_SINCE));
        // A version counts before a time.
        let same = match (&none_match, &since) {
            (Some(version), _) => Some(version.as_str()) == served.etag,
            (None, Some(since)) => Some(since.as_str()) == served.last_modified,
            (None, None) => false,
        };
        let mut response = if same {
            served.unchanged += 1;
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            served.sent += 1;
            ([(CONTENT_TYPE, "text/calendar; charset=utf-8")], served.text.clone()).into_response()
        };
        for (name, value) in [(ETAG, served.etag), (LAST_MODIFIED, served.last_modified)] {
            if let Some(value) = value {
                response.headers_mut().insert(name, HeaderValue::from_static(value));
            }
        }
        response
    }
}
