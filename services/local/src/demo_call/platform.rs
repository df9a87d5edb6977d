//! The platforms whose calls can be played, each with its recording and its proof.

use bff::voice::{elevenlabs, retell, twilio};
use jiff::Timestamp;
use proto::webhook;
use serde_json::Value;

use crate::demo::salon;

/// A platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Platform {
    /// retellai.com
    Retell,
    /// vapi.ai
    Vapi,
    /// twilio.com, where our own agent talks
    Twilio,
    /// elevenlabs.io
    #[value(name = "elevenlabs")]
    ElevenLabs,
}

impl Platform {
    /// Every platform.
    pub const ALL: [Self; 4] = [Self::Retell, Self::Vapi, Self::Twilio, Self::ElevenLabs];

    /// The name in paths.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Retell => retell::NAME,
            Self::Vapi => "vapi",
            Self::Twilio => twilio::NAME,
            Self::ElevenLabs => elevenlabs::NAME,
        }
    }

    /// The demo salon's connection.
    #[must_use]
    pub fn connection(self) -> &'static str {
        match self {
            Self::Retell => salon::CONNECTION,
            Self::Vapi => "01900000-0000-7000-8000-0000000000c2",
            Self::Twilio => "01900000-0000-7000-8000-0000000000c3",
            Self::ElevenLabs => "01900000-0000-7000-8000-0000000000c4",
        }
    }

    /// Where it delivers of the demo salon's calls.
    pub(super) fn webhook(self) -> String {
        webhook::voice(self.name(), self.connection())
    }

    /// What the demo salon calls it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Retell => "Front desk line",
            Self::Vapi => "Vapi line",
            Self::Twilio => "Twilio line",
            Self::ElevenLabs => "ElevenLabs line",
        }
    }

    /// The name of the demo connection's secret.
    #[must_use]
    pub fn secret_name(self) -> String {
        format!("{}-demo-key", self.name())
    }

    /// The recorded booking, a delivery a line; none for Twilio, where there are only words.
    pub(super) fn recording(self) -> Option<&'static str> {
        match self {
            Self::Retell => Some(include_str!("../../recordings/retell-booking.jsonl")),
            Self::Vapi => Some(include_str!("../../recordings/vapi-booking.jsonl")),
            Self::ElevenLabs => Some(include_str!("../../recordings/elevenlabs-booking.jsonl")),
            Self::Twilio => None,
        }
    }

    /// The header that proves a delivery of `body` at `now`.
    pub(super) fn proof(
        self,
        secret: &str,
        tool: bool,
        body: &[u8],
        now: Timestamp,
    ) -> (&'static str, String) {
        match self {
            Self::Retell => (retell::signature::HEADER, retell::signature::sign(secret, body, now)),
            Self::ElevenLabs if !tool => {
                (elevenlabs::signature::HEADER, elevenlabs::signature::sign(secret, body, now))
            }
            Self::Vapi | Self::ElevenLabs | Self::Twilio => ("authorization", format!("Bearer {secret}")),
        }
    }

    /// The tool that a body calls.
    pub(super) fn tool(self, body: &Value) -> Option<&str> {
        match self {
            Self::Retell => body["name"].as_str(),
            Self::Vapi => body["message"]["toolCallList"][0]["name"].as_str(),
            Self::ElevenLabs => body["tool"].as_str(),
            Self::Twilio => None,
        }
    }

    /// The event that a body tells of, or the tool it calls.
    pub(super) fn step(self, body: &Value) -> &str {
        let event = match self {
            Self::Retell => &body["event"],
            Self::Vapi => &body["message"]["type"],
            Self::ElevenLabs | Self::Twilio => &body["type"],
        };
        self.tool(body).or(event.as_str()).unwrap_or_default()
    }

    /// What the tool answered, out of what the platform was sent.
    pub(super) fn answer(self, sent: &str) -> serde_json::Result<Value> {
        let sent: Value = serde_json::from_str(sent)?;
        match self {
            Self::Vapi => serde_json::from_str(sent["results"][0]["result"].as_str().unwrap_or_default()),
            Self::Retell | Self::ElevenLabs | Self::Twilio => Ok(sent),
        }
    }

    /// How it names a call, by its random part.
    pub(super) fn call_id(self, uuid: &str, hex: &str) -> String {
        match self {
            Self::Retell => format!("call_{hex}"),
            Self::Vapi => uuid.to_owned(),
            Self::Twilio => format!("CA{hex}"),
            Self::ElevenLabs => format!("conv_{hex}"),
        }
    }
}
