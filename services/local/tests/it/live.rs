//! Open sockets of people whose session ends.

use core::time::Duration;
use std::time::Instant;

use bff::browser::{Cursor, CursorKey};
use boot::config::Secret;
use futures::{SinkExt, StreamExt};
use local::{
    demo::salon::{PASSWORD, WILLOW},
    visitor::Visitor,
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use crate::stack::Stack;

/// A second, and as much again for a machine that is busy with other tests.
const END: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(20);
const UNAUTHENTICATED: u16 = 4401;

/// A live socket that hears of the demo salon.
struct Socket {
    wire: WebSocketStream<MaybeTlsStream<TcpStream>>,
    cursors: CursorKey,
}

impl Socket {
    async fn open(stack: &Stack, visitor: &Visitor) -> Self {
        let mut request = format!("ws://localhost:{}/ws", stack.port()).into_client_request().unwrap();
        request.headers_mut().insert("origin", stack.url().parse().unwrap());
        let wire = connect_async(request).await.unwrap().0;
        let cursors = CursorKey::derive(&Secret::new(stack.secret("xsrf-key")));
        let mut socket = Self { wire, cursors };
        socket.send(json!({ "authenticate": { "token": visitor.token() } })).await;
        socket.send(json!({ "subscribe": { "businessIds": [WILLOW], "cursor": "" } })).await;
        socket.hears_every_log().await;
        socket
    }

    /// A cursor has a position in each log that is followed.
    async fn hears_every_log(&mut self) {
        loop {
            let frame = self.frame().await;
            let Some(cursor) = frame["ready"]["cursor"].as_str() else { continue };
            let cursor = Cursor::open(cursor, &self.cursors).expect("sealed by this installation");
            if cursor.0.iter().all(Option::is_some) {
                return;
            }
        }
    }

    async fn send(&mut self, frame: Value) {
        self.wire.send(Message::text(frame.to_string())).await.unwrap();
    }

    async fn frame(&mut self) -> Value {
        loop {
            match timeout(PATIENCE, self.wire.next()).await.expect("nothing came").unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("not a frame: {other:?}"),
            }
        }
    }

    /// The code it is closed with.
    async fn closed(&mut self) -> u16 {
        loop {
            let frame = timeout(PATIENCE, self.wire.next()).await.expect("it stays open").unwrap().unwrap();
            if let Message::Close(why) = frame {
                return why.unwrap().code.into();
            }
        }
    }

    /// Ends within a second, as the visitor's calls do.
    async fn ends_with(&mut self, visitor: &Visitor) {
        let since = Instant::now();
        assert_eq!(self.closed().await, UNAUTHENTICATED);
        assert!(since.elapsed() < END, "closed after {:?}", since.elapsed());
        loop {
            let asked = since.elapsed();
            let answer = visitor.send(Method::GET, "/api/auth/me", None, None).await.unwrap();
            if answer.status() == StatusCode::UNAUTHORIZED {
                return;
            }
            assert!(asked < END, "a call was let in after {asked:?}");
        }
    }

    /// Still hears of the salon.
    async fn stays(&mut self) {
        self.send(json!({ "subscribe": { "businessIds": [WILLOW], "cursor": "" } })).await;
        self.hears_every_log().await;
    }
}

async fn signed_in(stack: &Stack, who: &str) -> (Visitor, Socket) {
    let visitor = Visitor::sign_in(&stack.url(), who).await.unwrap();
    let socket = Socket::open(stack, &visitor).await;
    (visitor, socket)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_and_calls_end_within_a_second_of_their_session() {
    let stack = Stack::start(&[]).await;
    let (bystander, mut watching) = signed_in(&stack, "guest").await;

    let (leaving, mut socket) = signed_in(&stack, "owner").await;
    leaving.post("/api/auth/logout", &json!({})).await.unwrap();
    socket.ends_with(&leaving).await;

    // Everywhere: the session that asks as well.
    let (here, mut socket_here) = signed_in(&stack, "owner").await;
    let (there, mut socket_there) = signed_in(&stack, "owner").await;
    here.post("/api/v1/me/sessions:signOutEverywhere", &json!({})).await.unwrap();
    socket_there.ends_with(&there).await;
    assert_eq!(socket_here.closed().await, UNAUTHENTICATED);

    // A changed password: every session but the one that changed it.
    let (here, mut socket_here) = signed_in(&stack, "manager").await;
    let (there, mut socket_there) = signed_in(&stack, "manager").await;
    let change = json!({ "currentPassword": PASSWORD, "newPassword": "another password for Marcus" });
    here.post("/api/v1/me:changePassword", &change).await.unwrap();
    socket_there.ends_with(&there).await;
    socket_here.stays().await;

    // A disabled account, and only that one.
    let admin = Visitor::sign_in(&stack.url(), "admin").await.unwrap();
    let (shut_out, mut socket) = signed_in(&stack, "employee").await;
    let id = shut_out.get("/api/auth/me").await.unwrap()["id"].as_str().unwrap().to_owned();
    admin.post(&format!("/api/v1/admin/accounts/{id}:disable"), &json!({})).await.unwrap();
    socket.ends_with(&shut_out).await;
    assert!(Visitor::sign_in(&stack.url(), "employee").await.is_err());

    watching.stays().await;
    assert!(bystander.get("/api/auth/me").await.is_ok());
}
