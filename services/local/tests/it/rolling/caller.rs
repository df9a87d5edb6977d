//! A caller on the telephone with our own agent, while replicas leave and are replaced: every question is answered,
//! and a call ends with a goodbye or not at all.

use core::time::Duration;
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use bff::voice::twilio::signature;
use futures::{SinkExt, StreamExt};
use local::demo_call::Platform;
use serde_json::{Value, json};
use tokio::{net::TcpStream, task::JoinHandle, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};
use tokio_util::sync::CancellationToken;

const QUESTION: &str = "When are you open tomorrow?";
const PATIENCE: Duration = Duration::from_secs(15);
/// A caller breathes.
const BREATH: Duration = Duration::from_millis(500);
/// Until a balancer sends the next call elsewhere.
const REDIAL: Duration = Duration::from_millis(100);
const REDIALS: usize = 100;

type Wire = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// What a caller met.
#[derive(Debug, Default)]
pub struct Met {
    answers: AtomicU32,
    calls: AtomicU32,
    goodbyes: AtomicU32,
}

/// A caller who calls again after every goodbye.
pub struct Caller {
    met: Arc<Met>,
    enough: CancellationToken,
    calling: JoinHandle<()>,
}

impl Caller {
    /// Calls through the balancer at `door`; `url` is the address that Twilio signs.
    pub fn begin(door: u16, url: &str, secret: String) -> Self {
        let met = Arc::new(Met::default());
        let enough = CancellationToken::new();
        let path = format!("/api/webhooks/voice/twilio/{}/relay", Platform::Twilio.connection());
        let signed = signature::sign(&secret, &format!("{}{path}", url.replacen("http", "ws", 1)), b"");
        let calling = tokio::spawn(call_again(door, path, signed, met.clone(), enough.clone()));
        Self { met, enough, calling }
    }

    /// Waits until `count` more questions were answered.
    pub async fn hears(&self, count: u32) {
        let wanted = self.met.answers.load(Relaxed) + count;
        let heard = async {
            while self.met.answers.load(Relaxed) < wanted {
                assert!(!self.calling.is_finished(), "the caller gave up");
                tokio::time::sleep(BREATH).await;
            }
        };
        timeout(PATIENCE * 2, heard).await.expect("the agent answers");
    }

    /// Hangs up; each call was answered to its end.
    pub async fn end(self) -> String {
        self.enough.cancel();
        timeout(PATIENCE, self.calling).await.expect("the caller hangs up").unwrap();
        let Met { answers, calls, goodbyes } = &*self.met;
        let (answers, calls, goodbyes) = (answers.load(Relaxed), calls.load(Relaxed), goodbyes.load(Relaxed));
        assert_eq!(calls, goodbyes + 1, "a call broke off");
        format!(
            "{answers} questions were answered in {calls} calls, of which the agent ended {goodbyes} with a goodbye"
        )
    }
}

async fn call_again(door: u16, path: String, signed: String, met: Arc<Met>, enough: CancellationToken) {
    while !enough.is_cancelled() {
        let mut wire = dial(door, &path, &signed).await;
        let call = met.calls.fetch_add(1, Relaxed);
        let setup = json!({"type": "setup", "sessionId": format!("VX{call}"), "callSid": format!("CArolling{call}"),
            "from": "+447700900123", "to": "+442079460014", "direction": "inbound", "customParameters": {}});
        wire.send(Message::text(setup.to_string())).await.unwrap();
        if talk(&mut wire, &met, &enough).await {
            met.goodbyes.fetch_add(1, Relaxed);
        }
    }
}

/// Asks until it is enough; `true` when the agent said goodbye before.
async fn talk(wire: &mut Wire, met: &Met, enough: &CancellationToken) -> bool {
    loop {
        if enough.is_cancelled() {
            wire.close(None).await.unwrap();
            return false;
        }
        let prompt = json!({"type": "prompt", "voicePrompt": QUESTION, "lang": "en-GB", "last": true});
        // The agent may have hung up in the same moment; what it said before is still to be read.
        let _ = wire.send(Message::text(prompt.to_string())).await;
        let mut answer = hear(wire).await;
        if answer == Turn::Said(String::new()) {
            // A turn under way is cut where the process has no time left for it: the goodbye is next.
            answer = hear(wire).await;
            assert!(matches!(&answer, Turn::Said(words) if words.contains("Goodbye")), "{answer:?}");
        }
        match answer {
            Turn::Said(words) if words.contains("Goodbye") => {
                assert_eq!(hear(wire).await, Turn::End);
                return true;
            }
            Turn::Said(words) => {
                assert!(words.contains("open") || words.contains("closed"), "{words}");
                met.answers.fetch_add(1, Relaxed);
            }
            Turn::End => panic!("the agent hung up without a word"),
        }
        tokio::time::sleep(BREATH).await;
    }
}

#[derive(Debug, PartialEq)]
enum Turn {
    Said(String),
    End,
}

async fn hear(wire: &mut Wire) -> Turn {
    let mut words = String::new();
    loop {
        let frame = timeout(PATIENCE, wire.next()).await.expect("the agent says something");
        let Some(Ok(Message::Text(text))) = frame else {
            panic!("the call broke off after {words:?}: {frame:?}")
        };
        let frame: Value = serde_json::from_str(&text).unwrap();
        if frame["type"] == "end" {
            return Turn::End;
        }
        words.push_str(frame["token"].as_str().unwrap());
        if frame["last"] == true {
            return Turn::Said(words);
        }
    }
}

/// Twilio dials again when a replica takes no more calls.
async fn dial(door: u16, path: &str, signed: &str) -> Wire {
    for _ in 0..REDIALS {
        let mut request = format!("ws://127.0.0.1:{door}{path}").into_client_request().unwrap();
        request.headers_mut().insert(signature::HEADER, signed.parse().unwrap());
        if let Ok(stream) = TcpStream::connect(("127.0.0.1", door)).await
            && let Ok((wire, _)) = client_async(request, MaybeTlsStream::Plain(stream)).await
        {
            return wire;
        }
        tokio::time::sleep(REDIAL).await;
    }
    panic!("no replica takes a call");
}
