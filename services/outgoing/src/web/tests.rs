use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use boot::clock::Clock;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;

fn web() -> Web {
    let (clock, _) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
    Web::new(Reach::Anywhere, Breakers::new(clock)).unwrap()
}

/// A server that gives every caller the same answer; where it is, and how often it was asked.
async fn server(says: impl Into<Vec<u8>>) -> (Url, Arc<AtomicUsize>) {
    let says = says.into();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let _ = stream.read(&mut request).await.unwrap();
            count.fetch_add(1, Ordering::Relaxed);
            stream.write_all(&says).await.unwrap();
        }
    });
    (url, asked)
}

fn ok(length: usize) -> String {
    let body = "x".repeat(length);
    format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn found(url: &Url) -> String {
    format!("HTTP/1.1 302 Found\r\nlocation: {url}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

fn ask(url: &Url) -> Ask {
    Ask::new("GET", url.clone(), Login::Bearer("secret".to_owned()))
}

#[tokio::test]
async fn one_that_stays_follows_nowhere() {
    let (other, asked) = server(ok(1)).await;
    let (url, _) = server(found(&other)).await;
    let web = web();
    let answer = web.send(ask(&url).staying()).await.unwrap();
    assert_eq!((answer.status, asked.load(Ordering::Relaxed)), (StatusCode::FOUND, 0));
    assert_eq!(web.send(ask(&url)).await.unwrap().body, "x");
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_login_is_given_to_no_server_of_another_name_that_a_redirect_leads_to() {
    let (other, asked) = server(ok(1)).await;
    let mut elsewhere = other.clone();
    elsewhere.set_host(Some("localhost")).unwrap();
    let (url, _) = server(found(&elsewhere)).await;
    let refused = web().send(ask(&url)).await.unwrap_err();
    assert!(
        matches!(&refused, WebError::Forbidden(reason) if reason.contains("leads to localhost")),
        "{refused}"
    );
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

#[test]
fn a_login_stays_within_the_domain_of_its_server() {
    let goes = |login: Login, from: &str, to: &str| {
        Ask::new("PROPFIND", to.parse().unwrap(), login).may_log_in_from(&from.parse().unwrap())
    };
    let basic = || Login::Basic("mia".to_owned(), "secret".to_owned());
    for (from, to) in [
        ("https://dav.example.com/a", "https://dav.example.com/b"),
        ("https://example.com/", "https://example.com:8443/"),
        ("https://example.com/", "https://dav.example.com/"),
        ("http://127.0.0.1:1/", "http://127.0.0.1:2/"),
        ("http://example.com/", "https://example.com/"),
        // Beside it, and above it, within the domain that its owner registered.
        ("https://dav.example.com/", "https://cal.example.com/"),
        ("https://dav.example.com/", "https://example.com/"),
        ("https://dav.salon.co.uk/", "https://p34.dav.salon.co.uk/"),
        ("https://a.mia.github.io/", "https://b.mia.github.io/"),
        ("http://dav.example.com/", "https://cal.example.com/"),
    ] {
        assert!(goes(basic(), from, to), "{from} leads to {to}");
    }
    for (from, to) in [
        ("https://dav.example.com/", "https://evil.test/"),
        ("https://dav.example.com/", "http://cal.example.com/"),
        ("http://dav.example.com/", "http://cal.example.com/"),
        // Everyone's: each name below such a suffix has another owner.
        ("https://mia.co.uk/", "https://evil.co.uk/"),
        ("https://mia.github.io/", "https://evil.github.io/"),
        ("https://mia.github.io/", "https://github.io/"),
        // Whose these are is not known.
        ("https://dav.salon.lan/", "https://cal.salon.lan/"),
        ("https://dav.xn--mnchen-3ya.de/", "https://cal.xn--mnchen-3ya.de/"),
        ("https://example.com/", "https://evilexample.com/"),
        ("https://example.com/", "https://example.com.evil.test/"),
        ("https://example.com/", "http://example.com/"),
        ("https://10.0.0.1/", "https://1.10.0.0.1.evil.test/"),
    ] {
        assert!(!goes(basic(), from, to), "{from} leads to {to}");
        assert!(goes(Login::InBody, from, to), "there is no login to keep");
    }
}

#[tokio::test]
async fn an_answer_is_at_most_as_long_as_asked_for_and_a_longer_one_rests_its_lane_alone() {
    let (url, _) = server(ok(101)).await;
    let web = web();
    assert!(web.send(ask(&url).at_most(101)).await.is_ok());
    for _ in 0..4 {
        let error = web.send(ask(&url).lane("mia").at_most(100)).await.unwrap_err();
        assert_eq!(error.to_string(), "the server's answer is too long");
    }
    let rests = web.send(ask(&url).lane("mia")).await.unwrap_err();
    assert!(rests.to_string().contains("did not answer lately"), "{rests}");
    assert!(web.send(ask(&url).lane("tom")).await.is_ok());
}

fn status(line: &str) -> String {
    format!("HTTP/1.1 {line}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

#[tokio::test]
async fn an_answer_that_refuses_a_request_is_no_failure_of_its_server() {
    for line in ["501 Not Implemented", "507 Insufficient Storage", "403 Forbidden", "429 Too Many Requests"]
    {
        let (url, asked) = server(status(line)).await;
        let web = web();
        for _ in 0..10 {
            assert_eq!(web.send(ask(&url)).await.unwrap().status.as_str(), &line[..3]);
        }
        assert_eq!(asked.load(Ordering::Relaxed), 10, "{line}");
    }
}

#[tokio::test]
async fn a_server_that_says_that_it_is_sick_is_left_alone() {
    for line in ["500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable", "520 Unknown"] {
        let (url, asked) = server(status(line)).await;
        let web = web();
        let mut answered = 0;
        for _ in 0..10 {
            answered += usize::from(web.send(ask(&url)).await.is_ok());
        }
        assert_eq!((answered, asked.load(Ordering::Relaxed)), (4, 4), "{line}");
    }
}

#[tokio::test]
async fn a_port_that_does_not_answer_rests_no_other_of_its_host() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed: Url = format!("http://{}/", gone.local_addr().unwrap()).parse().unwrap();
    drop(gone);
    let (url, _) = server(ok(1)).await;
    let web = web();
    for _ in 0..4 {
        web.send(ask(&closed)).await.unwrap_err();
    }
    let rests = web.send(ask(&closed)).await.unwrap_err();
    let host = format!("127.0.0.1:{}", closed.port().unwrap());
    assert!(rests.to_string().starts_with(&format!("the server ({host}) did not answer lately")), "{rests}");
    let named = rests.of("Square").to_string();
    assert!(named.starts_with(&format!("Square ({host}) did not answer lately")), "{named}");
    assert!(web.send(ask(&url)).await.is_ok());
}

#[tokio::test]
async fn neither_a_request_nor_its_answer_is_printed_with_what_is_secret() {
    let (url, _) = server(ok(1)).await;
    let url = url.join("/private-4711/basic.ics").unwrap();
    let ask = ask(&url).body("text/plain", "refresh_token=hunter2".to_owned());
    let answer = web().send(ask.clone()).await.unwrap();
    assert_eq!(format!("{ask:?}"), "Ask { method: GET, host: \"127.0.0.1\", .. }");
    assert_eq!(format!("{answer:?}"), "Answer { status: 200, host: \"127.0.0.1\", .. }");
}

#[tokio::test]
async fn a_version_longer_than_any_is_not_kept() {
    let of = async |length: usize| {
        let version = "v".repeat(length);
        let says = format!(
            "HTTP/1.1 200 OK\r\netag: {version}\r\nlast-modified: {version}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let (url, _) = server(says).await;
        let answer = web().send(ask(&url)).await.unwrap();
        (answer.etag.map_or(0, |kept| kept.len()), answer.last_modified.map_or(0, |kept| kept.len()))
    };
    assert_eq!(of(LONGEST_VERSION).await, (1_000, 1_000));
    assert_eq!(of(LONGEST_VERSION + 1).await, (0, 0));
}

/// A gzip of so many bytes, all of them the same: a hundred and fifty times shorter.
fn gzip_bomb(length: usize) -> Vec<u8> {
    const LITERAL: &str = "10101000";
    /// 258 times what came before.
    const AGAIN: &str = "1100010100000";
    const END: &str = "0000000";
    let bits = ["110", LITERAL, &AGAIN.repeat(length / 258), END].concat();
    let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | (bit - b'0'));
    let header = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    [header.to_vec(), bits.as_bytes().chunks(8).map(byte).collect()].concat()
}

#[tokio::test]
async fn a_compressed_answer_is_not_unpacked_and_counts_as_it_was_sent() {
    let bomb = gzip_bomb(256 << 20);
    let length = bomb.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    let (url, _) = server([head.into_bytes(), bomb.clone()].concat()).await;
    let web = web();
    let answer = web.send(ask(&url).at_most(length)).await.unwrap();
    assert!(answer.body == String::from_utf8_lossy(&bomb), "{} bytes became {}", length, answer.body.len());
    let longer = web.send(ask(&url).at_most(length - 1)).await.unwrap_err();
    assert_eq!(longer.to_string(), "the server's answer is too long");
}

#[tokio::test]
async fn a_name_that_leads_inside_as_the_connection_is_made_is_not_connected_to() {
    let inside = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/", inside.local_addr().unwrap().port());
    // The name passed the check before: the DNS has another answer by now.
    let client = Reach::Public.client().build().unwrap();
    let refused = client.get(url).send().await.unwrap_err();
    assert!(format!("{refused:?}").contains("inside a private network"), "{refused:?}");
    let came = tokio::time::timeout(Duration::ZERO, inside.accept()).await;
    assert!(came.is_err(), "a call came into the private network");
}
