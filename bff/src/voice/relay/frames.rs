//! Twilio ConversationRelay's frames: <https://www.twilio.com/docs/voice/conversationrelay/websocket-messages>.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What Twilio sends.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Heard {
    /// The first frame.
    Setup(Setup),
    /// The caller said something.
    #[serde(rename_all = "camelCase")]
    Prompt {
        /// The words.
        voice_prompt: String,
        /// More of them follow.
        #[serde(default = "yes")]
        last: bool,
    },
    /// The caller spoke while the agent did.
    #[serde(rename_all = "camelCase")]
    Interrupt {
        /// The words of the agent that were heard.
        #[serde(default)]
        utterance_until_interrupt: String,
    },
    /// A key of the telephone.
    Dtmf {
        /// Which.
        digit: String,
    },
    /// Something that we sent, or the service.
    Error {
        /// In words.
        #[serde(default)]
        description: String,
    },
    /// A frame of tomorrow.
    #[serde(other)]
    Other,
}

/// Whose call it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Setup {
    pub session_id: String,
    pub call_sid: String,
    pub from: String,
    pub to: String,
    pub direction: String,
    pub custom_parameters: BTreeMap<String, String>,
}

/// What Twilio is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Said {
    /// Words to speak.
    Text {
        /// Some of them.
        token: String,
        /// The agent's turn is over.
        last: bool,
    },
    /// The conversation is over.
    #[serde(rename_all = "camelCase")]
    End {
        /// For the request that follows.
        #[serde(skip_serializing_if = "Option::is_none")]
        handoff_data: Option<String>,
    },
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Heard {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn reads_each_documented_frame_and_lets_those_of_tomorrow_pass() {
        let setup = r#"{"type":"setup","sessionId":"VX1","accountSid":"AC1","callSid":"CA1","parentCallSid":"",
            "from":"+447700900123","to":"+442079460014","forwardedFrom":"","callType":"PSTN","callerName":"",
            "direction":"inbound","callStatus":"RINGING","customParameters":{"greeting":"Hello."}}"#;
        let Heard::Setup(setup) = read(setup) else { panic!() };
        assert_eq!((setup.call_sid.as_str(), setup.from.as_str()), ("CA1", "+447700900123"));
        assert_eq!(setup.custom_parameters["greeting"], "Hello.");
        let prompt = read(r#"{"type":"prompt","voicePrompt":"Hi","lang":"en-US","last":true}"#);
        assert_eq!(prompt, Heard::Prompt { voice_prompt: "Hi".into(), last: true });
        let cut =
            r#"{"type":"interrupt","utteranceUntilInterrupt":"I have","durationUntilInterruptMs":"460"}"#;
        assert_eq!(read(cut), Heard::Interrupt { utterance_until_interrupt: "I have".into() });
        assert_eq!(read(r#"{"type":"dtmf","digit":"1"}"#), Heard::Dtmf { digit: "1".into() });
        assert_eq!(
            read(r#"{"type":"error","description":"bad"}"#),
            Heard::Error { description: "bad".into() }
        );
        assert_eq!(read(r#"{"type":"info","name":"x"}"#), Heard::Other);
    }

    #[test]
    fn writes_the_documented_frames() {
        let text = |said: &Said| serde_json::to_string(said).unwrap();
        let token = Said::Text { token: "Hello".into(), last: false };
        assert_eq!(text(&token), r#"{"type":"text","token":"Hello","last":false}"#);
        assert_eq!(text(&Said::End { handoff_data: None }), r#"{"type":"end"}"#);
    }
}
