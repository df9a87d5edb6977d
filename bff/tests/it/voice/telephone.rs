//! Twilio's side of calls over its socket, and the door that our agent speaks behind.

use bff::{
    edge::{self, Limits},
    voice::twilio::signature,
};
use futures::{SinkExt, StreamExt};
use proto::frontdesk::{
    telemetry::v1::{Speaker, Turn},
    tenancy::v1::VoicePlatform,
};
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest},
};

use super::{
    door::{Door, path},
    model::{Line, PATIENCE, Script},
    salon::{CONNECTION, PHONE, SECRET},
};

/// A door whose agent speaks, on a port of its own.
pub struct Telephone {
    pub door: Door,
    pub script: Script,
    address: std::net::SocketAddr,
}

impl Telephone {
    pub async fn start(lines: Vec<Line>) -> Self {
        Self::limited(Limits::default(), lines).await
    }

    pub async fn limited(limits: Limits, lines: Vec<Line>) -> Self {
        let (script, model) = Script::start(lines).await;
        let door = Door::talking(limits, Some(model)).await;
        door.book().platform = VoicePlatform::Twilio;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (leaving, shutdown) = (door.host.leaving.clone(), door.host.shutdown.clone());
        tokio::spawn(edge::listen(listener, door.edge.clone(), leaving, shutdown));
        Self { door, script, address }
    }

    pub async fn connect(&self, secret: &str) -> Result<Call, Error> {
        let path = format!("{}/relay", path("twilio", &CONNECTION.to_string()));
        let mut request = format!("ws://{}{path}", self.address).into_client_request().unwrap();
        let signed = signature::sign(secret, &format!("wss://desk.test{path}"), b"");
        request.headers_mut().insert(signature::HEADER, signed.parse().unwrap());
        connect_async(request).await.map(|(wire, _)| Call(wire))
    }

    /// A call that has begun.
    pub async fn call(&self) -> Call {
        self.call_as("CA1").await
    }

    /// The same under another id.
    pub async fn call_as(&self, id: &str) -> Call {
        let mut call = self.connect(SECRET).await.unwrap();
        call.send(json!({"type": "setup", "sessionId": "VX1", "callSid": id, "from": PHONE,
            "to": "+442079460014", "direction": "inbound", "customParameters": {}}))
            .await;
        call
    }

    /// The longest transcript that was recorded.
    pub fn transcript(&self) -> Vec<(Speaker, String)> {
        let book = self.door.book();
        let turns = book.events.values().map(|(_, facts)| facts.turns.clone());
        let longest = turns.max_by_key(|turns| turns.iter().map(|turn| turn.text.len()).sum::<usize>());
        longest.unwrap_or_default().iter().map(|turn: &Turn| (turn.speaker(), turn.text.clone())).collect()
    }
}

/// Twilio's side of a call.
pub struct Call(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Call {
    pub async fn send(&mut self, frame: Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    pub async fn say(&mut self, words: &str) {
        self.send(json!({"type": "prompt", "voicePrompt": words, "lang": "en-GB", "last": true})).await;
    }

    /// The next frame; null when the socket was closed.
    pub async fn frame(&mut self) -> Value {
        loop {
            match timeout(PATIENCE, self.0.next()).await.expect("nothing came") {
                Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return Value::Null,
            }
        }
    }

    /// The words of a whole turn.
    pub async fn hear(&mut self) -> String {
        let mut words = String::new();
        loop {
            let frame = self.frame().await;
            assert_eq!(frame["type"], "text", "{frame}");
            words.push_str(frame["token"].as_str().unwrap());
            if frame["last"] == true {
                return words;
            }
        }
    }
}
