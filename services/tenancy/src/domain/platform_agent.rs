//! What a voice platform's agent has of the salon's.

use std::collections::BTreeMap;

use agent_tools::{Permissions, Setting, Tool, instructions};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    AgentSettings, AgentVersion, Behaviour, Business, VoicePlatform,
    template::{self, TemplateError, Variable},
    value,
};

/// What is published to a platform, and what one is found to have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlatformAgent {
    /// What it says first.
    pub greeting: String,
    /// What it is told.
    pub prompt: String,
    /// What it speaks and hears, by code; none where the platform is not told.
    pub languages: Vec<String>,
    /// What it sounds like; `None` leaves what was chosen there.
    pub voice: Option<String>,
    /// Where it delivers; empty where the platform is told another way.
    pub webhook: String,
    /// Its tools by name, as the platform has them.
    pub tools: BTreeMap<String, Value>,
}

/// A part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What it says first.
    Greeting,
    /// What it is told.
    Prompt,
    /// What it speaks.
    Languages,
    /// What it sounds like.
    Voice,
    /// Its tools.
    Tools,
    /// Where it delivers.
    Webhook,
}

impl Part {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Greeting => "greeting",
            Self::Prompt => "prompt",
            Self::Languages => "languages",
            Self::Voice => "voice",
            Self::Tools => "tools",
            Self::Webhook => "webhook",
        }
    }
}

/// What the salon's agent is to say and do at a platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// What it says first, with the notice of a recording.
    pub greeting: String,
    /// What it is told, inside the rules of the house.
    pub prompt: String,
    /// What it speaks, by code, the one it begins with first.
    pub languages: Vec<&'static str>,
    /// Tools it has, but for the one that puts callers through.
    pub tools: Vec<Tool>,
    /// Where callers are put through to, by a tool of the platform's own.
    pub transfer: Option<String>,
    /// What its voice is; empty leaves what was chosen there.
    pub voice: String,
    /// The salon's zone.
    pub zone: String,
    /// Where the platform delivers, with the version.
    pub webhook: String,
    /// The version of the settings.
    pub version: i32,
}

impl Script {
    /// A version of the settings for a platform, which puts day and time in place of `clock` as a call begins.
    ///
    /// # Errors
    /// When greeting or prompt name no known variable: they are checked before they are kept.
    pub fn of(
        version: &AgentVersion,
        business: &Business,
        clock: &str,
        voice: &str,
        webhook: String,
    ) -> Result<Self, TemplateError> {
        let settings = &version.settings;
        let said = |variable: Variable| match variable {
            Variable::Today | Variable::Time => clock.to_owned(),
            // A platform would read braces in a name as a variable of its own.
            known => value(known, settings, business, jiff::Timestamp::UNIX_EPOCH).replace("{{", "{ {"),
        };
        let may = permissions(settings);
        let setting =
            Setting { salon: &said(Variable::Salon), now: clock, language: settings.first_language().name() };
        let greeting = template::render(&settings.greeting, said)?;
        Ok(Self {
            greeting: match &settings.recording {
                Some(recording) => format!("{} {greeting}", recording.notice.trim()),
                None => greeting,
            },
            prompt: instructions(setting, &template::render(&settings.prompt, said)?, may),
            languages: settings.languages.iter().map(|language| language.code()).collect(),
            tools: Tool::ALL
                .into_iter()
                .filter(|tool| tool.is_permitted(may) && *tool != Tool::TransferCall)
                .collect(),
            transfer: settings.transfer.clone(),
            voice: voice.to_owned(),
            zone: business.zone.to_string(),
            webhook,
            version: version.version,
        })
    }
}

fn permissions(settings: &AgentSettings) -> Permissions {
    let Behaviour { book, r#move, cancel, join_waitlist, take_messages, quote_prices } = settings.behaviour;
    let transfer = settings.transfer.is_some();
    Permissions { book, r#move, cancel, join_waitlist, take_messages, quote_prices, transfer }
}

impl VoicePlatform {
    /// What the platform puts the day and time of a call in place of, in a zone.
    #[must_use]
    pub fn clock(self, zone: &str) -> String {
        match self {
            Self::Retell => format!("{{{{current_time_{zone}}}}}"),
            Self::Vapi => format!(r#"{{{{"now" | date: "%A, %B %d, %Y, %H:%M", "{zone}"}}}}"#),
            Self::ElevenLabs | Self::Twilio => {
                format!("{{{{system__time_utc}}}} UTC (the salon is in {zone})")
            }
        }
    }

    /// How its voices are written, for people.
    #[must_use]
    pub fn voices(self) -> &'static str {
        match self {
            Self::Retell => "must be an id of one of Retell's voices, such as 11labs-Adrian",
            Self::Vapi => "must be a provider and its voice's id, such as 11labs:burt",
            Self::ElevenLabs => "must be an id of one of ElevenLabs' voices",
            Self::Twilio => "must be empty: our own agent speaks there",
        }
    }

    /// Whether a voice is written as the platform names them.
    #[must_use]
    pub fn has_voice(self, voice: &str) -> bool {
        let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic());
        match self {
            _ if voice.is_empty() => true,
            Self::Twilio => false,
            Self::Retell | Self::ElevenLabs => is_id(voice),
            Self::Vapi => voice
                .split_once(':')
                .is_some_and(|(provider, id)| VAPI_VOICES.contains(&provider) && is_id(id)),
        }
    }
}

/// Whose voices Vapi speaks with, where an id alone names one.
const VAPI_VOICES: [&str; 16] = [
    "11labs",
    "azure",
    "cartesia",
    "deepgram",
    "hume",
    "inworld",
    "lmnt",
    "minimax",
    "neuphonic",
    "openai",
    "playht",
    "rime-ai",
    "sesame",
    "smallest-ai",
    "vapi",
    "wellsaid",
];

impl PlatformAgent {
    /// What `found` has otherwise.
    #[must_use]
    pub fn drift(&self, found: &Self) -> Vec<Part> {
        let differs = [
            (self.greeting.trim() != found.greeting.trim(), Part::Greeting),
            (self.prompt.trim() != found.prompt.trim(), Part::Prompt),
            (!self.languages.is_empty() && self.languages != found.languages, Part::Languages),
            (self.voice.is_some() && self.voice != found.voice, Part::Voice),
            (!self.has_tools(found), Part::Tools),
            (self.webhook != found.webhook, Part::Webhook),
        ];
        differs.into_iter().filter(|(differs, _)| *differs).map(|(_, part)| part).collect()
    }

    fn has_tools(&self, found: &Self) -> bool {
        self.tools.len() == found.tools.len()
            && self
                .tools
                .iter()
                .all(|(name, ours)| found.tools.get(name).is_some_and(|theirs| covers(theirs, ours)))
    }
}

/// Whether a platform's record has all that was sent: it adds fields of its own.
fn covers(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => ours.iter().all(|(field, ours)| {
            // An empty list may be left out of the record.
            let empty = ours.as_array().is_some_and(Vec::is_empty);
            theirs.get(field).map_or(empty, |theirs| covers(theirs, ours) || (empty && theirs.is_null()))
        }),
        (Value::Array(theirs), Value::Array(ours)) => {
            theirs.len() == ours.len() && theirs.iter().zip(ours).all(|(theirs, ours)| covers(theirs, ours))
        }
        // A platform may write a whole number with a fraction.
        (Value::Number(theirs), Value::Number(ours)) => theirs.as_f64() == ours.as_f64(),
        (theirs, ours) => theirs == ours,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{Language, Recording};

    fn business() -> Business {
        Business {
            id: caller::BusinessId(uuid::Uuid::nil()),
            name: "Willow {{today}} & Co".to_owned(),
            address: None,
            phone: None,
            zone: "Europe/London".parse().unwrap(),
            email: None,
            website: None,
            currency: None,
            brand_color: None,
            logo: None,
            version: 1,
        }
    }

    fn script(settings: &AgentSettings, platform: VoicePlatform) -> Script {
        let clock = platform.clock("Europe/London");
        let settings = settings.clone();
        let version = AgentVersion { version: 1, settings, published: None, rolled_back_to: None };
        Script::of(&version, &business(), &clock, "", "https://desk.test/hook".to_owned()).unwrap()
    }

    #[test]
    fn the_day_is_left_for_the_platform_to_say_and_a_name_is_no_variable() {
        let settings = AgentSettings {
            greeting: "{{salon}}, it is {{today}}.".to_owned(),
            recording: Some(Recording { notice: "This call is recorded. ".to_owned(), days: 30 }),
            languages: vec![Language::De, Language::En],
            ..AgentSettings::initial()
        };
        let retell = script(&settings, VoicePlatform::Retell);
        let greeting = "This call is recorded. Willow { {today}} & Co, it is {{current_time_Europe/London}}.";
        assert_eq!(retell.greeting, greeting);
        assert_eq!(retell.languages, ["de", "en"]);
        assert!(retell.prompt.contains("You begin in German."), "{}", retell.prompt);
        let vapi = script(&settings, VoicePlatform::Vapi).greeting;
        assert!(
            vapi.ends_with(r#"it is {{"now" | date: "%A, %B %d, %Y, %H:%M", "Europe/London"}}."#),
            "{vapi}"
        );
    }

    #[test]
    fn a_tool_that_is_switched_off_is_not_published() {
        let behaviour = Behaviour { cancel: false, ..AgentSettings::initial().behaviour };
        let settings = AgentSettings { behaviour, ..AgentSettings::initial() };
        let script = script(&settings, VoicePlatform::Retell);
        assert_eq!(script.tools.len(), 11);
        assert!(script.prompt.contains("You do not cancel visits."));
    }

    #[test]
    fn callers_are_put_through_only_where_there_is_a_number() {
        let none = script(&AgentSettings::initial(), VoicePlatform::Vapi);
        assert_eq!((&none.transfer, none.prompt.contains("Callers can't be put through.")), (&None, true));
        let transfer = Some("+442079460018".to_owned());
        let settings = AgentSettings { transfer: transfer.clone(), ..AgentSettings::initial() };
        let some = script(&settings, VoicePlatform::Vapi);
        assert_eq!((&some.transfer, some.prompt.contains("put them through to the team")), (&transfer, true));
        assert_eq!(some.tools, none.tools, "the platform's own tool does it");
    }

    #[test]
    fn a_voice_is_written_as_its_platform_names_them() {
        assert!(VoicePlatform::Retell.has_voice("11labs-Adrian"));
        assert!(VoicePlatform::Vapi.has_voice("11labs:burt") && VoicePlatform::Vapi.has_voice(""));
        for wrong in ["burt", "nobody:burt", "azure:", "azure:a b"] {
            assert!(!VoicePlatform::Vapi.has_voice(wrong), "{wrong}");
        }
        assert!(!VoicePlatform::Twilio.has_voice("alice"));
    }

    fn agent() -> PlatformAgent {
        PlatformAgent {
            greeting: "Hello".to_owned(),
            prompt: "Be kind.".to_owned(),
            languages: vec!["en".to_owned()],
            voice: None,
            webhook: "https://desk.test/hook".to_owned(),
            tools: BTreeMap::from([("hold_slot".to_owned(), json!({"name": "hold_slot", "required": []}))]),
        }
    }

    #[test]
    fn drift_names_what_was_changed_there_and_not_what_the_platform_adds() {
        let added = json!({"name": "hold_slot", "timeout_ms": 120_000});
        let same = PlatformAgent {
            prompt: "Be kind.\n".to_owned(),
            voice: Some("any".to_owned()),
            tools: BTreeMap::from([("hold_slot".to_owned(), added)]),
            ..agent()
        };
        assert_eq!(agent().drift(&same), []);
        let other = PlatformAgent {
            greeting: "Hi".to_owned(),
            languages: vec!["de".to_owned()],
            tools: BTreeMap::new(),
            webhook: String::new(),
            ..agent()
        };
        let drift: Vec<_> = agent().drift(&other).into_iter().map(Part::name).collect();
        assert_eq!(drift, ["greeting", "languages", "tools", "webhook"]);
        let heard = PlatformAgent { voice: Some("Adrian".to_owned()), ..agent() };
        assert_eq!(heard.drift(&agent()), [Part::Voice]);
    }
}
