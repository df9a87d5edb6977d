//! A call over Twilio, where our own agent talks: a caller's words go in, and the agent's are printed.

use core::time::Duration;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use bff::voice::twilio::signature;
use futures::{SinkExt, StreamExt};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};
use uuid::Uuid;

use super::{Pace, Summary, platform::Platform};

const TIMEOUT: Duration = Duration::from_secs(20);
const CALLER: &str = "+447700900123";
const SALON: &str = "+442079460014";
const SAID: [&str; 4] = [
    "Hi, I'd like to book a haircut, please. It's Ana.",
    "Yes, that's me. An afternoon would be best.",
    "The first one, please.",
    "Yes, please do.",
];
/// A caller thinks for so long.
const PAUSE: Duration = Duration::from_millis(1500);

/// A caller at the door.
struct Caller<'a> {
    base_url: &'a str,
    secret: &'a str,
    sid: String,
    client: Client,
}

/// Books over the telephone.
pub async fn play(base_url: &str, secret: &str, pace: Pace) -> anyhow::Result<Summary> {
    let sid = Platform::Twilio.call_id("", &Uuid::from_bytes(boot::random::bytes()).simple().to_string());
    let client = Client::builder().timeout(TIMEOUT).build()?;
    let caller = Caller { base_url: base_url.trim_end_matches('/'), secret, sid, client };
    println!("A call to {}", caller.url());
    let taken = caller.post("CallStatus=ringing").await?;
    ensure!(taken.contains("<ConversationRelay"), "the call was not given to the agent: {taken}");
    let mut wire = caller.connect().await?;
    let mut latencies = Vec::new();
    for words in SAID {
        if pace == Pace::Watchable {
            tokio::time::sleep(PAUSE).await;
        }
        println!("  \u{2013} {words}");
        let began = Instant::now();
        send(&mut wire, &json!({"type": "prompt", "voicePrompt": words, "lang": "en-GB", "last": true}))
            .await?;
        let answer = hear(&mut wire).await?;
        latencies.push((words.to_owned(), began.elapsed()));
        println!("  \u{201c}{answer}\u{201d}");
        if words == SAID[SAID.len() - 1] {
            ensure!(answer.starts_with("You're booked"), "the agent did not book: {answer}");
        }
    }
    wire.close(None).await?;
    caller.post("CallStatus=completed&CallbackSource=call-progress-events&SequenceNumber=3").await?;
    println!("Booked in {}.", caller.sid);
    Ok(Summary {
        platform_call_id: caller.sid,
        customer_id: String::new(),
        appointment_id: String::new(),
        latencies,
    })
}

impl Caller<'_> {
    fn url(&self) -> String {
        format!("{}{}", self.base_url, Platform::Twilio.webhook())
    }

    async fn post(&self, rest: &str) -> anyhow::Result<String> {
        let parties = format!("From={}&To={}", CALLER.replace('+', "%2B"), SALON.replace('+', "%2B"));
        let form = format!("CallSid={}&{parties}&Direction=inbound&{rest}", self.sid);
        let signature = signature::sign(self.secret, &self.url(), form.as_bytes());
        let request = self
            .client
            .post(self.url())
            .header("content-type", "application/x-www-form-urlencoded")
            .header(signature::HEADER, signature)
            .body(form);
        let answer = request.send().await?;
        let status = answer.status();
        let text = answer.text().await?;
        ensure!(status.is_success(), "the door answered {status}: {text}");
        Ok(text)
    }

    async fn connect(&self) -> anyhow::Result<Wire> {
        let url = format!("{}/relay", self.url().replacen("http", "ws", 1));
        let mut request = url.clone().into_client_request()?;
        let signature = signature::sign(self.secret, &url, b"");
        request.headers_mut().insert(signature::HEADER, signature.parse()?);
        let (mut wire, _) = connect_async(request).await.context("opening the socket")?;
        let setup = json!({"type": "setup", "sessionId": format!("VX{}", &self.sid[2..]), "callSid": self.sid,
            "from": CALLER, "to": SALON, "direction": "inbound", "customParameters": {}});
        send(&mut wire, &setup).await?;
        Ok(wire)
    }
}

type Wire = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn send(wire: &mut Wire, frame: &Value) -> anyhow::Result<()> {
    Ok(wire.send(Message::text(frame.to_string())).await?)
}

/// The words of a whole turn.
async fn hear(wire: &mut Wire) -> anyhow::Result<String> {
    let mut words = String::new();
    loop {
        let frame = timeout(TIMEOUT, wire.next()).await.context("the agent said nothing")?;
        let Some(Message::Text(text)) = frame.transpose()? else { bail!("the agent hung up: {words}") };
        let frame: Value = serde_json::from_str(&text)?;
        words.push_str(frame["token"].as_str().unwrap_or_default());
        if frame["last"] == true {
            return Ok(words);
        }
    }
}
