//! What every visitor meets: limits, headers, the end of slow and broken ones.

use core::time::Duration;
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{Router, body::Body, routing::get};
use bff::edge::{Edge, Limits, Sampling, TrustedProxies, listen};
use boot::config::Secret;
use bytes::Bytes;
use futures::stream;
use http::{Method, Request, StatusCode};
use proto::{
    error::{Reason, refuse},
    frontdesk::{auth::v1::account_service_methods::GET_ME, tenancy::v1::logo_service_methods::GET_LOGO},
};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::stage::{Setting, Stage, Standing, Visitor, WILLOW, place, rest_methods};

const PATIENCE: Duration = Duration::from_secs(10);

fn sampling() -> Sampling {
    Sampling::new(&Secret::new("a key"), 1.0)
}

/// Sends bytes and reads until the door closes the connection.
async fn sent(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut read = Vec::new();
    // A reset says the same as an end.
    drop(timeout(PATIENCE, stream.read_to_end(&mut read)).await.expect("the connection was not cut"));
    String::from_utf8(read).unwrap()
}

#[tokio::test]
async fn every_answer_carries_the_security_headers_refusals_among_them() {
    let stage = Stage::open().await;
    let browser = stage.ana().await;
    let long = "x".repeat(20_000);
    let answers = [
        browser.clone().get("/").await,
        browser.clone().get("/assets/app-4f2a.js").await,
        browser.clone().get("/assets/none.js").await,
        browser.clone().get("/api/auth/me").await,
        browser.clone().get("/api/openapi.json").await,
        browser.clone().get("/api/nothing").await,
        browser.clone().get("/ws").await,
        browser.clone().get("/healthz").await,
        browser.clone().get("/readyz").await,
        browser.without_xsrf().post("/api/auth/login", &json!({})).await,
        browser.clone().send(Method::DELETE, "/api/auth/me", None).await,
        browser.clone().send(Method::TRACE, "/", None).await,
        browser.with("x-long", &long).get("/").await,
        browser.clone().post("/api/auth/login", &json!({ "email": "x".repeat(2 << 20) })).await,
        stage.stranger().get("/api/auth/me").await,
    ];
    for answer in answers {
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{answer:?}");
        assert!(policy.starts_with("default-src 'none'"), "{answer:?}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{answer:?}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{answer:?}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{answer:?}");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin", "{answer:?}");
        assert!(!answer.header("cache-control").is_empty(), "{answer:?}");
        assert!(!answer.headers.contains_key("strict-transport-security"), "{answer:?}");
        assert!(!answer.headers.contains_key("access-control-allow-origin"), "{answer:?}");
        if !answer.header("content-type").starts_with("text/") {
            assert!(
                ["no-store", "public, max-age=31536000, immutable"].contains(&answer.header("cache-control"))
            );
        }
        if answer.status.is_client_error() {
            assert_eq!(answer.header("content-type"), "application/json", "{answer:?}");
            assert_ne!(answer.reason(), "", "{answer:?}");
            assert_eq!(answer.header("cache-control"), "no-store", "{answer:?}");
        }
    }
}

#[tokio::test]
async fn a_browser_keeps_what_never_changes_and_nothing_else() {
    let stage = Stage::open().await;
    place(&stage, Standing::Admin);
    let mut ana = stage.ana().await;
    let kept = "private, max-age=31536000, immutable";
    for method in rest_methods() {
        let answer = ana.call(method, &WILLOW.to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", method.path);
        let wanted = if method.path == GET_LOGO.path { kept } else { "no-store" };
        assert_eq!(answer.header("cache-control"), wanted, "{}", method.path);
    }
    stage.services.refuse(&GET_LOGO, refuse(Reason::NotFound, "another logo"));
    let answer = ana.call(&GET_LOGO, &WILLOW.to_string()).await;
    assert_eq!((answer.status, answer.header("cache-control")), (StatusCode::NOT_FOUND, "no-store"));
}

#[tokio::test]
async fn no_page_of_another_origin_may_read_an_answer() {
    let stage = Stage::open().await;
    let ana = stage.ana().await;
    for origin in ["null", "https://evil.test", "http://localhost:8080.evil.test", "http://localhost:8080"] {
        let asking = ana.with("origin", origin);
        let preflight = asking
            .with("access-control-request-method", "POST")
            .with("access-control-request-headers", "authorization, x-xsrf-token")
            .send(Method::OPTIONS, "/api/auth/login", None)
            .await;
        assert_eq!(preflight.status, StatusCode::METHOD_NOT_ALLOWED, "{origin}");
        for answer in [preflight, asking.clone().get("/api/auth/me").await, asking.clone().get("/").await] {
            let sharing = |name: &&http::HeaderName| name.as_str().starts_with("access-control-");
            assert_eq!(answer.headers.keys().find(sharing), None, "{origin}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn browsers_that_came_over_tls_are_told_to_stay_there() {
    let stage = Stage::set(Setting { public_url: "https://desk.example.com", ..Setting::default() }).await;
    for path in ["/", "/api/nothing"] {
        let answer = stage.stranger().get(path).await;
        assert_eq!(answer.header("strict-transport-security"), "max-age=63072000; includeSubDomains");
    }
}

#[tokio::test]
async fn http_2_is_spoken_without_being_asked_to() {
    let stage = Stage::open().await;
    let stream = TcpStream::connect(stage.address).await.unwrap();
    let (requests, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let mut requests = requests.ready().await.unwrap();
    for (path, status) in [("/", 200), ("/api/auth/me", 401)] {
        let request = Request::get(format!("http://localhost{path}")).body(()).unwrap();
        let (answer, _) = requests.send_request(request, true).unwrap();
        let answer = timeout(PATIENCE, answer).await.unwrap().unwrap();
        assert_eq!(answer.status(), status, "{path}");
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    }
}

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Writes what `frames` makes of growing stream ids for as long as the door takes it; whether it cut the connection.
async fn is_cut(address: SocketAddr, frames: impl Fn(u32) -> Vec<u8>) -> bool {
    const MOST: u32 = 400_000;
    let (mut read, mut write) = TcpStream::connect(address).await.unwrap().into_split();
    // What the door says is taken, so that it is not cut for an answer that was not read.
    let reading = tokio::spawn(async move { tokio::io::copy(&mut read, &mut tokio::io::sink()).await });
    let settings = frame(4, 0, 0, &[]);
    write.write_all(&[b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(), &settings].concat()).await.unwrap();
    let mut stream = 1;
    while stream < MOST {
        let bytes: Vec<u8> = (0..500).flat_map(|n| frames(stream + 2 * n)).collect();
        stream += 1000;
        if write.write_all(&bytes).await.is_err() {
            return true;
        }
    }
    reading.is_finished()
}

#[tokio::test]
async fn a_connection_of_http_2_that_begins_and_resets_without_end_is_cut_and_the_door_goes_on() {
    let stage = Stage::open().await;
    // GET / of http, by the static table.
    let head = b"\x82\x84\x86\x41\x09localhost";
    let rapid_reset =
        |stream| [frame(1, 5, stream, head), frame(3, 0, stream, &8_u32.to_be_bytes())].concat();
    assert!(timeout(PATIENCE, is_cut(stage.address, rapid_reset)).await.unwrap());
    // One head that goes on without end, of the first stream.
    let begun = core::sync::atomic::AtomicBool::new(false);
    let endless = |_| {
        if begun.swap(true, core::sync::atomic::Ordering::Relaxed) {
            frame(9, 0, 1, &[b"\x00\x01x\x7f\x81\x01".as_slice(), &[b'x'; 256]].concat())
        } else {
            frame(1, 0, 1, &head[..3])
        }
    };
    assert!(timeout(PATIENCE, is_cut(stage.address, endless)).await.unwrap());
    assert_eq!(stage.stranger().get("/").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_half_sent_head_is_cut() {
    let limits = Limits { header_time: Duration::from_millis(200), ..Limits::default() };
    let stage = Stage::limited(limits).await;
    for half in ["", "G", "PRI * HTTP/2.0", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "] {
        assert_eq!(sent(stage.address, half.as_bytes()).await, "", "{half:?}");
    }
}

#[tokio::test]
async fn a_half_sent_body_is_not_waited_for() {
    let limits = Limits { request_time: Duration::from_millis(200), ..Limits::default() };
    let stage = Stage::limited(limits).await;
    let browser = stage.ana().await;
    let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let request = format!(
        "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: {}\r\n\
         X-XSRF-TOKEN: {}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{{",
        cookies.join("; "),
        browser.cookies["XSRF-TOKEN"],
    );
    let answer = sent(stage.address, request.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 504"), "{answer}");
}

#[tokio::test]
async fn an_unread_answer_is_not_kept() {
    let (kept, dropped) = oneshot::channel::<()>();
    let kept = Arc::new(Mutex::new(Some(kept)));
    // It ends only when the door lets go of it.
    let endless = get(async move || {
        let kept = kept.lock().unwrap().take();
        Body::from_stream(stream::repeat_with(move || {
            let _held = &kept;
            Ok::<_, core::convert::Infallible>(Bytes::from_static(&[b'x'; 0x1_0000]))
        }))
    });
    let limits = Limits { header_time: Duration::from_millis(200), ..Limits::default() };
    let edge = Arc::new(Edge::new(
        Router::new().route("/", endless),
        limits,
        TrustedProxies::default(),
        false,
        sampling(),
    ));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let door = tokio::spawn(listen(listener, edge, CancellationToken::new(), CancellationToken::new()));
    let mut deaf = TcpStream::connect(address).await.unwrap();
    deaf.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let mut first = [0; 12];
    timeout(PATIENCE, deaf.read_exact(&mut first)).await.unwrap().unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    assert!(timeout(PATIENCE, dropped).await.expect("the answer was kept").is_err());
    door.abort();
}

#[tokio::test]
async fn a_head_above_the_limit_is_refused() {
    let stage = Stage::open().await;
    let large = stage.stranger().with("x-large", &"x".repeat(17_000)).get("/").await;
    assert_eq!(large.status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    assert_eq!(large.reason(), "TOO_LARGE");
    let many: String = (0..70).map(|n| format!("x-{n}: 1\r\n")).collect();
    let request = format!("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{many}\r\n");
    assert!(sent(stage.address, request.as_bytes()).await.starts_with("HTTP/1.1 431"));
}

#[tokio::test]
async fn a_body_above_the_limit_is_refused_announced_or_not() {
    let stage = Stage::open().await;
    let mut browser = stage.ana().await;
    browser.get("/").await;
    let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let head = format!(
        "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: {}\r\n\
         X-XSRF-TOKEN: {}\r\nContent-Type: application/json\r\n",
        cookies.join("; "),
        browser.cookies["XSRF-TOKEN"],
    );
    // Nothing of it is sent: one that is being sent may meet a closed connection before the answer is read.
    let announced = sent(stage.address, format!("{head}Content-Length: 1100000\r\n\r\n").as_bytes()).await;
    assert!(announced.starts_with("HTTP/1.1 413") && announced.contains("TOO_LARGE"), "{announced}");
    let mut request = format!("{head}Transfer-Encoding: chunked\r\n\r\n");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x1_0000));
    request.extend(core::iter::repeat_n(chunk.as_str(), 16));
    request.push_str("1\r\nx\r\n");
    let answer = sent(stage.address, request.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(answer.contains("TOO_LARGE"), "{answer}");
}

#[tokio::test]
async fn more_than_the_door_can_do_is_refused_and_probes_are_not() {
    let stage = Stage::limited(Limits { in_flight: 1, ..Limits::default() }).await;
    stage.services.stuck.lock().unwrap().push(GET_ME.path);
    let mut waiting = stage.ana().await;
    let call = tokio::spawn(async move { waiting.get("/api/auth/me").await });
    timeout(PATIENCE, stage.services.reached.notified()).await.unwrap();
    let answer = stage.stranger().get("/api/openapi.json").await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::SERVICE_UNAVAILABLE, "BUSY"));
    assert_eq!(answer.header("retry-after"), "1");
    assert_eq!(answer.detail("google.rpc.RetryInfo")["retryDelay"], "1s");
    for probe in ["/healthz", "/readyz"] {
        assert_eq!(stage.stranger().get(probe).await.status, StatusCode::OK, "{probe}");
    }
    call.abort();
}

#[tokio::test]
async fn a_panic_ends_one_request_only() {
    async fn panicking() {
        panic!("on purpose");
    }
    let edge = Edge::new(
        Router::new().route("/", get(panicking)),
        Limits::default(),
        TrustedProxies::default(),
        false,
        sampling(),
    );
    for _ in 0..2 {
        let answer = edge.answer([127, 0, 0, 1].into(), Request::new(Body::empty())).await;
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
        let body = axum::body::to_bytes(answer.into_body(), 4096).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["details"][0]["reason"], "INTERNAL");
        assert!(!body.to_string().contains("purpose"));
    }
}

#[tokio::test]
async fn a_request_under_way_is_answered_before_the_door_closes() {
    let mut stage = Stage::open().await;
    let mut asked = stage.auth.dawdle();
    let mut browser = stage.ana().await;
    let call = tokio::spawn(async move { browser.get("/api/auth/me").await });
    timeout(PATIENCE, asked.changed()).await.unwrap().unwrap();
    stage.door.shutdown.cancel();
    stage.auth.hurry();
    assert_eq!(call.await.unwrap().status, StatusCode::OK);
    stage.stop().await;
}

#[tokio::test]
async fn a_visitor_who_never_ends_does_not_keep_the_door_open() {
    let limits = Limits { drain: Duration::from_millis(200), ..Limits::default() };
    let mut stage = Stage::limited(limits).await;
    stage.services.stuck.lock().unwrap().push(GET_ME.path);
    let mut waiting = stage.ana().await;
    let call = tokio::spawn(async move { waiting.get("/api/auth/me").await });
    timeout(PATIENCE, stage.services.reached.notified()).await.unwrap();
    let mut half = TcpStream::connect(stage.address).await.unwrap();
    half.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
    stage.stop().await;
    call.abort();
}

/// Begins a request whose body never ends, for the visitor that the proxy names.
async fn trickle(stage: &Stage, browser: &Visitor, from: &str) -> TcpStream {
    let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut stream = TcpStream::connect(stage.address).await.unwrap();
    let head = format!(
        "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {from}\r\nCookie: {}\r\n\
         X-XSRF-TOKEN: {}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{{",
        cookies.join("; "),
        browser.cookies["XSRF-TOKEN"],
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn a_host_that_trickles_bodies_takes_its_share_and_leaves_the_others_theirs() {
    let limits = Limits { in_flight: 8, parts: 4, ..Limits::default() };
    let stage = Stage::set(Setting { limits, trusted_proxies: "127.0.0.1", ..Setting::default() }).await;
    let browser = stage.ana().await;
    let slow = browser.with("x-forwarded-for", "2001:db8::77");
    let mut held = Vec::new();
    for host in 1..=2 {
        held.push(trickle(&stage, &browser, &format!("2001:db8::{host}")).await);
    }
    // The door takes what it was sent in its own time.
    let refused = async {
        loop {
            let answer = slow.clone().get("/api/openapi.json").await;
            if answer.status != StatusCode::OK {
                return answer;
            }
        }
    };
    let refused = timeout(PATIENCE, refused).await.expect("it has more than its share");
    let seen = (refused.status, refused.reason(), refused.header("retry-after"));
    assert_eq!(seen, (StatusCode::TOO_MANY_REQUESTS, "BUSY".to_owned(), "1"));
    let mut neighbour = browser.with("x-forwarded-for", "2001:db8:0:1::1");
    assert_eq!(neighbour.get("/api/openapi.json").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_network_holds_its_share_of_connections_and_our_proxies_as_many_as_there_are() {
    let limits = Limits { connections: 8, parts: 4, ..Limits::default() };
    for (trusted_proxies, served) in [("none", 2), ("127.0.0.1", 6)] {
        let stage = Stage::set(Setting { limits, trusted_proxies, ..Setting::default() }).await;
        let mut held = Vec::new();
        for _ in 0..6 {
            let mut stream = TcpStream::connect(stage.address).await.unwrap();
            let mut first = [0; 12];
            // A refused connection may be closed already.
            drop(stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await);
            drop(timeout(PATIENCE, stream.read_exact(&mut first)).await.expect("no answer"));
            held.push((stream, first == *b"HTTP/1.1 200"));
        }
        assert_eq!(held.iter().filter(|(_, answered)| *answered).count(), served, "{trusted_proxies}");
    }
}
