//! What a call runs on: the agent that its business has published, read once for each call.

use core::time::Duration;
use std::sync::Arc;

pub use agent_tools::Permissions;
use caller::BusinessId;
use jiff::tz::TimeZone;
use moka::future::Cache;
use proto::frontdesk::tenancy::{
    internal::v1::{
        GetPublishedAgentRequest, GetPublishedAgentResponse,
        published_agent_service_methods::GET_PUBLISHED_AGENT,
    },
    v1::ReadyAgent,
};
use tonic::Status;
use uuid::Uuid;

use super::{agent::Agent, field::e164};

/// Longer than any call lasts.
const HELD: Duration = Duration::from_secs(2 * 3600);
const MOST_HELD: u64 = 10_000;

/// A language that the agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
}

impl Language {
    fn of(code: &str) -> Self {
        if code == "de" { Self::German } else { Self::English }
    }

    /// Its tag, as platforms that speak and listen want it.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en-GB",
            Self::German => "de-DE",
        }
    }

    /// What is said in it.
    pub fn pick<T>(self, english: T, german: T) -> T {
        match self {
            Self::English => english,
            Self::German => german,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "German",
        }
    }
}

/// What a conversation runs on, to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playbook {
    /// The published version; 0 before anything is published.
    pub version: i32,
    /// What the salon is called.
    pub salon: String,
    /// What the agent says first, behind the notice of a recording.
    pub greeting: String,
    /// What the owner tells it.
    pub prompt: String,
    /// What it begins with.
    pub language: Language,
    /// What it may do.
    pub may: Permissions,
    /// Where it puts callers through to, E.164; `None` for nowhere.
    pub transfer: Option<String>,
    /// Whether calls are recorded.
    pub records: bool,
    /// The salon's zone.
    pub zone: TimeZone,
}

impl Playbook {
    /// The door's form of what tenancy says.
    ///
    /// # Errors
    /// INTERNAL for settings that tenancy would not keep.
    pub fn read(agent: ReadyAgent) -> Result<Self, Status> {
        let settings = agent.settings.ok_or_else(|| Status::internal("an agent has no settings"))?;
        let zone = TimeZone::get(&agent.time_zone).map_err(|error| Status::internal(error.to_string()))?;
        let transfer = e164(&settings.transfer_phone);
        let greeting = match settings.records_calls {
            true => format!("{} {}", settings.recording_notice.trim(), settings.greeting),
            false => settings.greeting,
        };
        Ok(Self {
            version: agent.version,
            salon: agent.salon,
            greeting,
            prompt: settings.prompt,
            language: Language::of(settings.languages.first().map(String::as_str).unwrap_or_default()),
            may: Permissions {
                book: settings.may_book,
                r#move: settings.may_move,
                cancel: settings.may_cancel,
                join_waitlist: settings.may_join_waitlist,
                take_messages: settings.may_take_messages,
                quote_prices: settings.may_quote_prices,
                transfer: transfer.is_some(),
            },
            transfer,
            records: settings.records_calls,
            zone,
        })
    }
}

/// What calls under way run on.
#[derive(Debug, Clone)]
pub struct Playbooks {
    /// By connection and the platform's id of the call: a call keeps to what it began with.
    of_calls: Cache<(Uuid, String), Arc<Playbook>>,
    /// The latest of each business, for calls that begin while tenancy can't be asked.
    latest: Cache<BusinessId, Arc<Playbook>>,
}

impl Playbooks {
    pub fn new() -> Self {
        Self {
            of_calls: Cache::builder().max_capacity(MOST_HELD).time_to_live(HELD).build(),
            latest: Cache::builder().max_capacity(MOST_HELD).build(),
        }
    }

    /// What a call runs on: what was published when the door first heard of it.
    ///
    /// # Errors
    /// When tenancy can't be asked, and has not been asked about the business before.
    pub async fn of_call(
        &self,
        agent: &Agent,
        connection: Uuid,
        call: &str,
    ) -> Result<Arc<Playbook>, Status> {
        let key = (connection, call.to_owned());
        // Tools that are wanted together wait for one answer.
        match self.of_calls.try_get_with(key.clone(), published(agent)).await {
            Ok(playbook) => {
                self.latest.insert(agent.business(), playbook.clone()).await;
                Ok(playbook)
            }
            Err(status) => {
                let known = self.latest.get(&agent.business()).await;
                tracing::warn!(%status, known = known.is_some(), "the published agent could not be read");
                let known = known.ok_or_else(|| Status::clone(&status))?;
                // The call has begun with it, whatever is published by the time that tenancy is back.
                self.of_calls.insert(key, known.clone()).await;
                Ok(known)
            }
        }
    }
}

async fn published(agent: &Agent) -> Result<Arc<Playbook>, Status> {
    let message = GetPublishedAgentRequest { business_id: agent.business_id() };
    let answer: GetPublishedAgentResponse = agent.call(&GET_PUBLISHED_AGENT, None, message).await?;
    let ready = answer.agent.ok_or_else(|| Status::internal("the answer has no agent"))?;
    Playbook::read(ready).map(Arc::new)
}

#[cfg(test)]
pub(super) mod tests {
    use proto::frontdesk::tenancy::v1::AgentSettings;

    use super::*;

    /// What tenancy says of an agent that may do everything.
    pub fn ready() -> ReadyAgent {
        ReadyAgent {
            version: 3,
            settings: Some(AgentSettings {
                greeting: "Hello, this is Willow & Co.".into(),
                prompt: "Be kind.".into(),
                languages: vec!["en".into()],
                may_book: true,
                may_move: true,
                may_cancel: true,
                may_join_waitlist: true,
                may_take_messages: true,
                may_quote_prices: true,
                ..AgentSettings::default()
            }),
            salon: "Willow & Co".into(),
            time_zone: "Europe/London".into(),
        }
    }

    #[test]
    fn a_recording_is_announced_before_anything_else_is_said() {
        let mut agent = ready();
        assert_eq!(Playbook::read(agent.clone()).unwrap().greeting, "Hello, this is Willow & Co.");
        let settings = agent.settings.as_mut().unwrap();
        settings.records_calls = true;
        settings.recording_notice = "This call is recorded.".into();
        settings.languages = vec!["de".into(), "en".into()];
        let playbook = Playbook::read(agent).unwrap();
        assert_eq!(playbook.greeting, "This call is recorded. Hello, this is Willow & Co.");
        assert_eq!(playbook.language.tag(), "de-DE");
    }

    #[test]
    fn callers_are_put_through_where_there_is_a_number() {
        let mut agent = ready();
        let none = Playbook::read(agent.clone()).unwrap();
        assert_eq!((none.may.transfer, none.transfer), (false, None));
        agent.settings.as_mut().unwrap().transfer_phone = "+442079460018".into();
        let some = Playbook::read(agent).unwrap();
        assert_eq!((some.may.transfer, some.transfer.as_deref()), (true, Some("+442079460018")));
    }

    #[test]
    fn settings_that_tenancy_would_not_keep_are_no_playbook() {
        assert!(Playbook::read(ReadyAgent { settings: None, ..ready() }).is_err());
        assert!(Playbook::read(ReadyAgent { time_zone: "Mars/Olympus".into(), ..ready() }).is_err());
    }
}
