//! A door that is asked to close, and connections that come of age.

use core::time::Duration;

use bff::edge::Limits;
use http::{Request, StatusCode};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::stage::Stage;

const PATIENCE: Duration = Duration::from_secs(10);
const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const BODY: &[u8] = b"alive\n";

/// The answer to one more request on the connection.
async fn ask(stream: &mut TcpStream) -> String {
    stream.write_all(REQUEST).await.unwrap();
    let mut read = Vec::new();
    let whole = async {
        while !read.ends_with(BODY) {
            assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "the connection was closed");
        }
    };
    timeout(PATIENCE, whole).await.expect("no answer");
    String::from_utf8_lossy(&read).to_ascii_lowercase()
}

async fn is_closed(mut stream: TcpStream) -> bool {
    timeout(PATIENCE, stream.read_to_end(&mut vec![])).await.is_ok_and(|read| read.is_ok())
}

#[tokio::test]
async fn a_door_that_leaves_is_not_ready_but_serves_and_sends_clients_elsewhere() {
    let mut stage = Stage::open().await;
    let mut early = TcpStream::connect(stage.address).await.unwrap();
    assert!(!ask(&mut early).await.contains("connection: close"));
    stage.door.leaving.cancel();

    let ready = stage.stranger().get("/readyz").await;
    assert_eq!((ready.status, ready.reason().as_str()), (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE"));
    assert_eq!(stage.stranger().get("/healthz").await.status, StatusCode::OK);
    let mut late = TcpStream::connect(stage.address).await.unwrap();
    for stream in [&mut early, &mut late] {
        let answer = ask(stream).await;
        assert!(answer.starts_with("http/1.1 200"), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
    }
    assert!(is_closed(early).await && is_closed(late).await);
    stage.stop().await;
}

#[tokio::test]
async fn a_connection_of_http_1_is_closed_with_an_answer_when_it_has_come_of_age() {
    let age = Duration::from_millis(200);
    let stage = Stage::limited(Limits { connection_age: age, ..Limits::default() }).await;
    let mut stream = TcpStream::connect(stage.address).await.unwrap();
    assert!(!ask(&mut stream).await.contains("connection: close"));
    // Idle ones stay open: a request might be on its way.
    assert!(timeout(age * 2, stream.readable()).await.is_err());
    while !ask(&mut stream).await.contains("connection: close") {}
    assert!(is_closed(stream).await);
}

#[tokio::test]
async fn a_connection_of_http_2_is_told_goodbye_when_it_has_come_of_age() {
    let stage =
        Stage::limited(Limits { connection_age: Duration::from_millis(200), ..Limits::default() }).await;
    let stream = TcpStream::connect(stage.address).await.unwrap();
    let (requests, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut requests = requests.ready().await.unwrap();
    let request = Request::get("http://localhost/").body(()).unwrap();
    let (answer, _) = requests.send_request(request, true).unwrap();
    assert_eq!(timeout(PATIENCE, answer).await.unwrap().unwrap().status(), StatusCode::OK);
    timeout(PATIENCE, connection).await.expect("it stays open").unwrap().unwrap();
}
