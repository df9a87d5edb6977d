//! A page in a browser, as far as its live socket goes: the rules are those of `web/src/live`.

use core::time::Duration;
use std::collections::BTreeSet;

use futures::{SinkExt, StreamExt};
use local::{
    demo::salon::WILLOW,
    visitor::{Visitor, willow},
};
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    sync::watch,
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest, protocol::CloseFrame},
};

use crate::crash::spans;

const SERVICE_RESTART: u16 = 1012;
/// After a restart of the server all clients reconnect: spread over this long.
const RESTART_SPREAD: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(30);

/// What a page heard so far.
#[derive(Debug, Clone, Default)]
pub struct Heard {
    /// Whether the socket is live.
    pub live: bool,
    /// Appointments that changed.
    pub appointments: BTreeSet<String>,
    /// How often it was told to come back.
    pub restarts: usize,
    /// How often it came back to a door too young to know what happened, and read everything again.
    pub resets: usize,
}

/// Listens until dropped.
pub struct Page {
    heard: watch::Receiver<Heard>,
    listening: JoinHandle<()>,
}

impl Drop for Page {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Page {
    /// Opens the socket at `port` for what is served at `origin`, and waits until it is live.
    pub async fn open(port: u16, origin: String, person: &Visitor) -> Self {
        let (told, heard) = watch::channel(Heard::default());
        let mut listener = Listener { port, origin, person: person.clone(), cursor: String::new(), told };
        let listening = tokio::spawn(async move { listener.listen().await });
        let mut page = Self { heard, listening };
        page.hears(|heard| heard.live, "the socket is live").await;
        page
    }

    /// Waits until what was heard is as wanted.
    pub async fn hears(&mut self, wanted: impl FnMut(&Heard) -> bool, what: &str) -> Heard {
        let heard = timeout(PATIENCE, self.heard.wait_for(wanted)).await;
        heard.unwrap_or_else(|_| panic!("{what}: not within {PATIENCE:?}")).expect("the page listens").clone()
    }
}

struct Listener {
    port: u16,
    origin: String,
    person: Visitor,
    cursor: String,
    told: watch::Sender<Heard>,
}

impl Listener {
    async fn listen(&mut self) {
        loop {
            let closed = self.converse().await;
            assert_eq!(
                u16::from(closed.code),
                SERVICE_RESTART,
                "closed for another reason: {closed}, {:?}",
                self.told.borrow().restarts
            );
            self.told.send_modify(|heard| {
                heard.live = false;
                heard.restarts += 1;
            });
            let [random] = boot::random::bytes::<1>();
            sleep(RESTART_SPREAD * u32::from(random) / 256).await;
        }
    }

    /// One socket, until it is closed.
    async fn converse(&mut self) -> CloseFrame {
        let url = format!("ws://127.0.0.1:{}/ws", self.port);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("origin", self.origin.parse().unwrap());
        let mut wire = connect_async(request).await.expect("the socket opens").0;
        send(&mut wire, json!({ "authenticate": { "token": self.person.token() } })).await;
        let wanted = json!({ "businessIds": [WILLOW], "cursor": self.cursor });
        send(&mut wire, json!({ "subscribe": wanted })).await;
        loop {
            match wire.next().await.expect("closed without a word").expect("broken") {
                Message::Text(text) => {
                    let frame: Value = serde_json::from_str(&text).unwrap();
                    if frame.get("reset").is_some() {
                        self.read_again().await;
                    }
                    self.hear(&frame);
                }
                Message::Close(why) => return why.expect("closed without a reason"),
                _ => {}
            }
        }
    }

    async fn read_again(&self) {
        let mut read = BTreeSet::new();
        for (from, to) in spans() {
            let path = willow(&format!("appointments?from={from}&to={to}"));
            let appointments = self.person.list(&path, "appointments").await.unwrap();
            read.extend(appointments.iter().map(|one| one["id"].as_str().unwrap().to_owned()));
        }
        self.told.send_modify(|heard| {
            heard.appointments.append(&mut read);
            heard.resets += 1;
        });
    }

    fn hear(&mut self, frame: &Value) {
        let of = |frame: &Value| frame["cursor"].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        if let Some(changed) = frame.get("changed") {
            self.cursor = of(changed).unwrap_or_else(|| self.cursor.clone());
            if changed["topic"] == "TOPIC_APPOINTMENTS" {
                let id = changed["id"].as_str().unwrap_or_default().to_owned();
                self.told.send_modify(|heard| {
                    heard.appointments.insert(id);
                });
            }
        } else if let Some(ready) = frame.get("ready") {
            self.cursor = of(ready).unwrap_or_else(|| self.cursor.clone());
            self.told.send_modify(|heard| heard.live = true);
        }
    }
}

async fn send(wire: &mut WebSocketStream<MaybeTlsStream<TcpStream>>, frame: Value) {
    wire.send(Message::text(frame.to_string())).await.expect("the socket takes frames");
}
