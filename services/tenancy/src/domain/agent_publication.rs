//! What a voice platform has of the published agent, and when it is called again.

use jiff::{SignedDuration, Timestamp};

use super::{CallCheckStatus, VoiceConnection, VoicePlatform};

/// First pause after a failure; each further one doubles it.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_secs(10);
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_hours(1);
/// Time for a platform to show what it took.
const FIRST_CHECKED_AFTER: SignedDuration = SignedDuration::from_secs(60);
/// How often what a platform has is compared.
const CHECKED_EVERY: SignedDuration = SignedDuration::from_hours(1);
/// How long a call that could not be read needs the owner: nothing brings it back.
const UNREAD_IS_NEWS: SignedDuration = SignedDuration::from_hours(7 * 24);
/// More than a platform says of a mistake.
const LONGEST_DETAIL: usize = 300;

/// Why a platform does not have, or did not show, what it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublicationFault {
    /// It does not take the API key.
    #[error("the platform does not take the API key")]
    ApiKey,
    /// It has no such agent.
    #[error("the platform has no such agent")]
    Agent,
    /// The agent there can't be set up by its API.
    #[error("{0}")]
    Kind(String),
    /// It does not take what was sent.
    #[error("{0}")]
    Refused(String),
    /// It asks to be left alone for a while.
    #[error("the platform asks to be left alone for a while")]
    Busy(Option<SignedDuration>),
    /// It can't be reached, or fails.
    #[error("{0}")]
    Unreachable(String),
}

impl PublicationFault {
    /// As it is stored and counted.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::ApiKey => "API_KEY",
            Self::Agent => "AGENT",
            Self::Kind(_) => "KIND",
            Self::Refused(_) => "REFUSED",
            Self::Busy(_) => "BUSY",
            Self::Unreachable(_) => "UNREACHABLE",
        }
    }

    /// What the platform said, without what could not be shown.
    #[must_use]
    pub fn detail(&self) -> String {
        match self {
            Self::Kind(said) | Self::Refused(said) | Self::Unreachable(said) => {
                said.chars().filter(|c| !c.is_control()).take(LONGEST_DETAIL).collect()
            }
            Self::ApiKey | Self::Agent | Self::Busy(_) => String::new(),
        }
    }

    /// How long to wait before the next attempt, after so many failures in a row; `None` where a person must act first.
    #[must_use]
    pub fn pause(&self, failures: i32) -> Option<SignedDuration> {
        let doublings = u32::try_from(failures.saturating_sub(1)).unwrap_or(0).min(16);
        let own = FIRST_PAUSE.saturating_mul(1 << doublings).min(LONGEST_PAUSE);
        match self {
            Self::Busy(asked) => Some(asked.unwrap_or(own).clamp(own.min(FIRST_PAUSE), LONGEST_PAUSE)),
            Self::Unreachable(_) => Some(own),
            Self::ApiKey | Self::Agent | Self::Kind(_) | Self::Refused(_) => None,
        }
    }
}

/// When what was brought to a platform is compared first: it may say that it has taken what it has not.
#[must_use]
pub fn first_check(now: Timestamp) -> Timestamp {
    now + FIRST_CHECKED_AFTER
}

/// When what a platform has is compared next.
#[must_use]
pub fn next_check(now: Timestamp) -> Timestamp {
    now + CHECKED_EVERY
}

/// What went wrong last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicationError {
    /// Its name, as [`PublicationFault::name`] has it.
    pub fault: String,
    /// What the platform said.
    pub detail: String,
    /// When.
    pub at: Timestamp,
}

impl PublicationError {
    /// Whether it may pass by itself.
    fn may_pass(&self) -> bool {
        matches!(self.fault.as_str(), "BUSY" | "UNREACHABLE")
    }
}

/// What is known of the published agent at a platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// The version that should be there.
    pub wanted: i32,
    /// When it is brought there; `None` when it is, or when a person must act first.
    pub due_at: Option<Timestamp>,
    /// The version that was brought there last, and when.
    pub live: Option<(i32, Timestamp)>,
    /// When it was last compared.
    pub checked_at: Option<Timestamp>,
    /// What the platform had otherwise then.
    pub drift: Vec<String>,
    /// A person waits for a comparison.
    pub checking: bool,
    /// What went wrong last.
    pub error: Option<PublicationError>,
}

/// Where the published version stands at a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublicationState {
    /// Our own agent speaks there.
    OwnAgent,
    /// There is no key for the platform's API.
    NoApiKey,
    /// It is not said which agent there is the salon's.
    NoAgent,
    /// No version was published yet.
    NothingPublished,
    /// It is being brought there.
    Waiting,
    /// The platform has it.
    Live,
    /// The platform refused it.
    Failed,
}

/// A connection, and what its platform has of the published agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedConnection {
    /// The connection.
    pub connection: VoiceConnection,
    /// What is known; `None` before anything was to be published there.
    pub publication: Option<Publication>,
    /// How its calls are looked for there.
    pub calls: CallCheckStatus,
}

impl VoiceConnection {
    /// Why nothing is published over it, if nothing is.
    #[must_use]
    pub fn takes_no_publication(&self) -> Option<PublicationState> {
        match self.platform {
            VoicePlatform::Twilio => Some(PublicationState::OwnAgent),
            _ if !self.has_api_key => Some(PublicationState::NoApiKey),
            _ if self.platform_agent.is_empty() => Some(PublicationState::NoAgent),
            VoicePlatform::Retell | VoicePlatform::Vapi | VoicePlatform::ElevenLabs => None,
        }
    }
}

impl PublishedConnection {
    /// Where the published version stands.
    #[must_use]
    pub fn state(&self) -> PublicationState {
        if let Some(none) = self.connection.takes_no_publication() {
            return none;
        }
        match &self.publication {
            None => PublicationState::NothingPublished,
            Some(publication) if publication.due_at.is_some() => PublicationState::Waiting,
            Some(Publication { live: Some((live, _)), wanted, .. }) if live == wanted => {
                PublicationState::Live
            }
            Some(_) => PublicationState::Failed,
        }
    }

    /// Whether something is broken that does not put itself right. A connection that is not fully set up is not broken.
    #[must_use]
    pub fn needs_owner(&self, now: Timestamp) -> bool {
        self.agent_is_broken() || self.calls_are_lost(now)
    }

    /// Whether the platform has another agent than the published one until a person acts.
    #[must_use]
    pub fn agent_is_broken(&self) -> bool {
        let Some(publication) = &self.publication else { return false };
        if self.connection.takes_no_publication().is_some() || publication.due_at.is_some() {
            return false;
        }
        let refused = publication.error.as_ref().is_some_and(|error| !error.may_pass());
        refused || !publication.drift.is_empty() || self.state() == PublicationState::Failed
    }

    fn calls_are_lost(&self, now: Timestamp) -> bool {
        let calls = &self.calls;
        let refused = calls.error.as_ref().is_some_and(|error| !error.may_pass());
        let unread = calls.unread_at.is_some_and(|at| now.duration_since(at) < UNREAD_IS_NEWS);
        self.connection.lists_calls() && calls.is_kept() && (refused || unread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{VoiceConnectionId, WebhookCheck};

    #[test]
    fn what_may_pass_is_tried_again_later_and_later_and_what_a_person_must_change_is_not() {
        let down = PublicationFault::Unreachable("it is down".to_owned());
        let pauses = [1, 2, 3, 9, 10, 1_000].map(|failures| down.pause(failures).unwrap().as_secs());
        assert_eq!(pauses, [10, 20, 40, 2_560, 3_600, 3_600]);
        let asked = |seconds| PublicationFault::Busy(Some(SignedDuration::from_secs(seconds))).pause(1);
        assert_eq!(asked(90).unwrap().as_secs(), 90);
        assert_eq!((asked(0).unwrap().as_secs(), asked(1_000_000).unwrap().as_secs()), (10, 3_600));
        assert_eq!(PublicationFault::Busy(None).pause(2).unwrap().as_secs(), 20);
        for fault in
            [PublicationFault::ApiKey, PublicationFault::Agent, PublicationFault::Refused(String::new())]
        {
            assert_eq!(fault.pause(1), None, "{fault:?}");
        }
    }

    #[test]
    fn what_a_platform_says_is_shown_bounded() {
        let said = PublicationFault::Refused(format!("no\u{7}{}", "x".repeat(500))).detail();
        assert!(said.starts_with("nox") && said.chars().count() == 300);
    }

    fn connection(platform: VoicePlatform, agent: &str) -> VoiceConnection {
        VoiceConnection {
            id: VoiceConnectionId(uuid::Uuid::nil()),
            platform,
            label: "Line".to_owned(),
            check: WebhookCheck::PlatformSignature,
            account: String::new(),
            platform_agent: agent.to_owned(),
            voice: String::new(),
            has_api_key: true,
        }
    }

    #[test]
    fn a_state_says_what_is_missing_before_what_went_wrong() {
        let at = |seconds| Timestamp::from_second(seconds).unwrap();
        let known = Publication {
            wanted: 2,
            due_at: None,
            live: Some((1, at(0))),
            checked_at: None,
            drift: vec![],
            checking: false,
            error: None,
        };
        let calls = CallCheckStatus {
            checked_at: None,
            taken: 0,
            taken_at: None,
            due_at: None,
            error: None,
            unread: vec![],
            unread_count: 0,
            unread_at: None,
        };
        let state = |connection, publication| {
            PublishedConnection { connection, publication, calls: calls.clone() }.state()
        };
        let retell = || connection(VoicePlatform::Retell, "agent_1");
        assert_eq!(state(connection(VoicePlatform::Twilio, ""), None), PublicationState::OwnAgent);
        assert_eq!(
            state(connection(VoicePlatform::Retell, ""), Some(known.clone())),
            PublicationState::NoAgent
        );
        let keyless = VoiceConnection { has_api_key: false, ..connection(VoicePlatform::Vapi, "a") };
        assert_eq!(state(keyless, None), PublicationState::NoApiKey);
        assert_eq!(state(retell(), None), PublicationState::NothingPublished);
        assert_eq!(state(retell(), Some(known.clone())), PublicationState::Failed);
        let waiting = Publication { due_at: Some(at(9)), ..known.clone() };
        assert_eq!(state(retell(), Some(waiting)), PublicationState::Waiting);
        let live = Publication { live: Some((2, at(0))), ..known };
        assert_eq!(state(retell(), Some(live)), PublicationState::Live);
    }

    #[test]
    fn an_owner_is_needed_for_what_does_not_put_itself_right() {
        let at = |hours: i64| Timestamp::from_second(3_600 * hours).unwrap();
        let failed = |fault: &str| {
            Some(PublicationError { fault: fault.to_owned(), detail: String::new(), at: at(0) })
        };
        let live = || PublishedConnection {
            connection: connection(VoicePlatform::Vapi, "a"),
            publication: Some(Publication {
                wanted: 2,
                due_at: None,
                live: Some((2, at(0))),
                checked_at: None,
                drift: vec![],
                checking: false,
                error: None,
            }),
            calls: CallCheckStatus {
                checked_at: Some(at(0)),
                taken: 0,
                taken_at: None,
                due_at: Some(at(1)),
                error: None,
                unread: vec![],
                unread_count: 0,
                unread_at: None,
            },
        };
        let needs = |change: fn(&mut Publication)| {
            let mut published = live();
            change(published.publication.as_mut().unwrap());
            let needed = published.needs_owner(at(1));
            assert_eq!(published.agent_is_broken(), needed);
            needed
        };
        assert!(!live().needs_owner(at(1)));
        assert!(needs(|it| it.live = None), "the platform refused it");
        assert!(needs(|it| it.drift = vec!["prompt".to_owned()]));
        assert!(!needs(|it| {
            it.drift = vec!["prompt".to_owned()];
            it.due_at = Some(Timestamp::UNIX_EPOCH);
        }));
        for (fault, needed) in [("API_KEY", true), ("REFUSED", true), ("BUSY", false), ("UNREACHABLE", false)]
        {
            let mut compared = live();
            compared.publication.as_mut().unwrap().error = failed(fault);
            let mut called = live();
            called.calls.error = failed(fault);
            assert_eq!([compared, called].map(|it| it.needs_owner(at(1))), [needed; 2], "{fault}");
        }
        let mut lost = live();
        lost.calls.unread_at = Some(at(1));
        assert!(lost.needs_owner(at(168)) && !lost.needs_owner(at(169)));
        assert!(!lost.agent_is_broken(), "its calls are lost, and its agent is the published one");
        // Twilio without an account is not asked for its calls; no key is nothing broken.
        lost.connection = connection(VoicePlatform::Twilio, "");
        assert!(!lost.needs_owner(at(2)));
        let keyless = VoiceConnection { has_api_key: false, ..connection(VoicePlatform::Vapi, "a") };
        let keyless = PublishedConnection { connection: keyless, publication: None, ..live() };
        assert!(!keyless.needs_owner(at(1)));
    }
}
