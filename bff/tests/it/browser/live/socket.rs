//! The live socket from a page's side.

use core::time::Duration;

use bff::browser::{Cursor, CursorKey};
use boot::config::Secret;
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest},
};

use crate::browser::stage::{ISSUER, Stage, WILLOW, XSRF_KEY};

/// For what comes at once when all is well.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A live socket, as a page holds it.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub async fn open(stage: &Stage) -> Self {
        Self::from_origin(stage, Some(ISSUER)).await.unwrap()
    }

    pub async fn from_origin(stage: &Stage, origin: Option<&str>) -> Result<Self, Error> {
        let mut request = format!("ws://{}/ws", stage.address).into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        connect_async(request).await.map(|(stream, _)| Self(stream))
    }

    /// A socket of Ana's that has heard of every log.
    pub async fn subscribed(stage: &Stage, businesses: &[caller::BusinessId]) -> (Self, String) {
        for service in ["auth", "tenancy", "scheduling", "telemetry"] {
            let mut readers = stage.log(service).readers.subscribe();
            timeout(PATIENCE, readers.wait_for(|readers| *readers > 0)).await.unwrap().unwrap();
        }
        let mut socket = Self::open(stage).await;
        socket.authenticate(&stage.token()).await;
        let mut cursor = socket.subscribe(businesses, "").await;
        // Each log's first word is a reset, which may come after this socket did.
        while !is_complete(&cursor) {
            assert_eq!(socket.frame().await, json!({ "reset": {} }));
            cursor = socket.frame().await["ready"]["cursor"].as_str().unwrap().to_owned();
        }
        (socket, cursor)
    }

    pub async fn authenticate(&mut self, token: &str) {
        self.send(json!({ "authenticate": { "token": token } })).await;
    }

    pub async fn subscribe(&mut self, businesses: &[caller::BusinessId], cursor: &str) -> String {
        self.ask(businesses, cursor).await;
        self.frame().await["ready"]["cursor"].as_str().unwrap().to_owned()
    }

    pub async fn ask(&mut self, businesses: &[caller::BusinessId], cursor: &str) {
        let ids: Vec<String> = businesses.iter().map(ToString::to_string).collect();
        self.send(json!({ "subscribe": { "businessIds": ids, "cursor": cursor } })).await;
    }

    pub async fn send(&mut self, frame: Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    pub async fn next(&mut self) -> Message {
        loop {
            match timeout(PATIENCE, self.0.next()).await.expect("nothing came").unwrap().unwrap() {
                Message::Ping(_) | Message::Pong(_) => {}
                message => return message,
            }
        }
    }

    pub async fn frame(&mut self) -> Value {
        match self.next().await {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("not a frame: {other:?}"),
        }
    }

    /// Topic and id of the next change.
    pub async fn change(&mut self) -> (String, String) {
        let frame = self.frame().await;
        let changed = &frame["changed"];
        assert_eq!(changed["businessId"], WILLOW.to_string(), "{frame}");
        let text = |name: &str| changed[name].as_str().unwrap().to_owned();
        (text("topic"), text("id"))
    }

    /// The code it is closed with.
    pub async fn closed(&mut self) -> u16 {
        loop {
            if let Message::Close(frame) = self.next().await {
                return frame.unwrap().code.into();
            }
        }
    }
}

/// Whether a cursor has a position in every log.
fn is_complete(cursor: &str) -> bool {
    let key = CursorKey::derive(&Secret::new(XSRF_KEY));
    Cursor::open(cursor, &key).unwrap().0.iter().all(Option::is_some)
}
