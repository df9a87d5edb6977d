//! What Twilio is told to do with a call.

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};
use serde::{Deserialize, Serialize};

/// Seconds that another number rings.
const RINGS: &str = "25";

/// What our agent leaves for Twilio when it ends its conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Handoff {
    /// The number to connect the caller with, E.164.
    Transfer(String),
    /// The conversation could not begin.
    NotBegun,
}

impl Handoff {
    /// Reads what [`Handoff::write`] wrote; `None` for anything else.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// As ConversationRelay carries it.
    #[must_use]
    pub fn write(&self) -> String {
        serde_json::json!(self).to_string()
    }
}

/// How a call is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Direction<'a> {
    /// Our agent speaks.
    Relay {
        /// The socket's address.
        url: &'a str,
        /// Where Twilio asks afterwards.
        action: &'a str,
        /// What the agent says first.
        greeting: &'a str,
        /// As `en-GB`.
        language: &'a str,
        /// The call is recorded, and Twilio tells of the recording here.
        records_to: Option<&'a str>,
    },
    /// Another number rings.
    Dial {
        /// What the caller hears before.
        first: Option<Sentence<'a>>,
        /// Which, E.164.
        number: &'a str,
        /// Where Twilio tells what came of it.
        action: &'a str,
    },
    /// A sentence, and the end.
    Say(Sentence<'a>),
    /// The end.
    HangUp,
}

/// What the caller hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'a> {
    /// The sentence.
    pub text: &'a str,
    /// As `en-GB`.
    pub language: &'a str,
}

impl Direction<'_> {
    /// The document.
    #[must_use]
    pub fn to_xml(&self) -> String {
        let mut writer = Writer::new(Vec::new());
        self.write(&mut writer).expect("a vector takes any bytes");
        String::from_utf8(writer.into_inner()).expect("only text was written")
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> std::io::Result<()> {
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        writer.write_event(Event::Start(BytesStart::new("Response")))?;
        match *self {
            Self::Relay { url, action, greeting, language, records_to } => {
                if let Some(told) = records_to {
                    writer.write_event(Event::Start(BytesStart::new("Start")))?;
                    let recording = BytesStart::new("Recording").with_attributes([
                        ("recordingStatusCallback", told),
                        ("recordingStatusCallbackEvent", "completed"),
                    ]);
                    writer.write_event(Event::Empty(recording))?;
                    writer.write_event(Event::End(BytesEnd::new("Start")))?;
                }
                let connect = BytesStart::new("Connect").with_attributes([("action", action)]);
                writer.write_event(Event::Start(connect))?;
                let relay = BytesStart::new("ConversationRelay").with_attributes([
                    ("url", url),
                    ("welcomeGreeting", greeting),
                    ("language", language),
                    ("interruptible", "speech"),
                    ("reportInputDuringAgentSpeech", "speech"),
                ]);
                writer.write_event(Event::Empty(relay))?;
                writer.write_event(Event::End(BytesEnd::new("Connect")))?;
            }
            Self::Dial { first, number, action } => {
                if let Some(first) = first {
                    first.write(writer)?;
                }
                let dial = BytesStart::new("Dial").with_attributes([
                    ("action", action),
                    ("timeout", RINGS),
                    // The caller hears it ring until a person answers.
                    ("answerOnBridge", "true"),
                ]);
                element(writer, dial, number)?;
            }
            Self::Say(sentence) => {
                sentence.write(writer)?;
                writer.write_event(Event::Empty(BytesStart::new("Hangup")))?;
            }
            Self::HangUp => writer.write_event(Event::Empty(BytesStart::new("Hangup")))?,
        }
        writer.write_event(Event::End(BytesEnd::new("Response")))
    }
}

impl Sentence<'_> {
    fn write(self, writer: &mut Writer<Vec<u8>>) -> std::io::Result<()> {
        let Self { text, language } = self;
        element(writer, BytesStart::new("Say").with_attributes([("language", language)]), text)
    }
}

fn element(writer: &mut Writer<Vec<u8>>, start: BytesStart<'_>, text: &str) -> std::io::Result<()> {
    let end = start.to_end().into_owned();
    writer.write_event(Event::Start(start.clone()))?;
    writer.write_event(Event::Text(BytesText::new(text)))?;
    writer.write_event(Event::End(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_agent_says_is_text_and_never_markup() {
        let relay = Direction::Relay {
            url: "wss://desk.test/api/webhooks/voice/twilio/1/relay",
            action: "https://desk.test/api/webhooks/voice/twilio/1",
            greeting: "Welcome to Cut & \"Colour\" <3",
            language: "en-GB",
            records_to: None,
        };
        let xml = relay.to_xml();
        assert!(
            xml.starts_with(r#"<?xml version="1.0" encoding="UTF-8"?><Response><Connect action="#),
            "{xml}"
        );
        assert!(xml.contains(r#"welcomeGreeting="Welcome to Cut &amp; &quot;Colour&quot; &lt;3""#), "{xml}");
        assert!(xml.ends_with("/></Connect></Response>"), "{xml}");
        let say = Direction::Say(Sentence { text: "We're <closed> & away", language: "en-GB" }).to_xml();
        assert!(say.contains("&lt;closed&gt; &amp; away</Say><Hangup/>"), "{say}");
    }

    #[test]
    fn a_recording_begins_before_the_agent_speaks() {
        let relay = Direction::Relay {
            url: "wss://desk.test/relay",
            action: "https://desk.test/hook",
            greeting: "Hello",
            language: "en-GB",
            records_to: Some("https://desk.test/hook"),
        };
        let xml = relay.to_xml();
        let (start, rest) = xml.split_once("<Connect").unwrap();
        let told = r#"<Start><Recording recordingStatusCallback="https://desk.test/hook" recordingStatusCallbackEvent="completed"/></Start>"#;
        assert!(start.ends_with(told) && rest.contains("ConversationRelay"), "{xml}");
    }

    #[test]
    fn another_number_rings_and_twilio_tells_what_came_of_it() {
        let action = "https://desk.test/hook?dialled=%2B44&x=1";
        let xml = Direction::Dial { first: None, number: "+442079460018", action }.to_xml();
        let told = r#"<Dial action="https://desk.test/hook?dialled=%2B44&amp;x=1" timeout="25" answerOnBridge="true">+442079460018</Dial></Response>"#;
        assert!(xml.ends_with(told), "{xml}");
        let first = Some(Sentence { text: "One moment.", language: "en-GB" });
        let xml = Direction::Dial { first, number: "+442079460018", action }.to_xml();
        assert!(xml.contains(r#"<Say language="en-GB">One moment.</Say><Dial "#), "{xml}");
    }

    #[test]
    fn a_transfer_survives_the_socket() {
        for handoff in [Handoff::Transfer("+442079460015".into()), Handoff::NotBegun] {
            assert_eq!(Handoff::read(&handoff.write()), Some(handoff));
        }
        assert_eq!(Handoff::read("goodbye"), None);
    }
}
