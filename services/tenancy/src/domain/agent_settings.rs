//! How a business's agent speaks and what it may do.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Phone, Stale,
    line_diff::{self, Line},
};

/// A language that the agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    En,
    /// German.
    De,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::En, Self::De];

    /// Its code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
        }
    }

    /// What it calls itself.
    #[must_use]
    pub fn own_name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::De => "Deutsch",
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::De => "German",
        }
    }
}

/// What the agent may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behaviour {
    /// Book visits.
    pub book: bool,
    /// Move them.
    pub r#move: bool,
    /// Cancel them.
    pub cancel: bool,
    /// Put callers on the waitlist.
    pub join_waitlist: bool,
    /// Take messages.
    pub take_messages: bool,
    /// Say what services cost.
    pub quote_prices: bool,
}

/// That calls are recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    /// Said before.
    pub notice: String,
    /// How long recordings are kept.
    pub days: i32,
}

/// How the agent speaks and what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSettings {
    /// What it says first.
    pub greeting: String,
    /// What it is told.
    pub prompt: String,
    /// What it speaks, the one it begins with first.
    pub languages: Vec<Language>,
    /// Whom it passes callers on to.
    pub transfer: Option<String>,
    /// What it may do.
    pub behaviour: Behaviour,
    /// Whether calls are recorded.
    pub recording: Option<Recording>,
}

impl AgentSettings {
    /// What an agent does before anything is published.
    #[must_use]
    pub fn initial() -> Self {
        Self {
            greeting: "Hello, this is {{salon}}. How can I help?".to_owned(),
            prompt: include_str!("agent_prompt.txt").trim_end().to_owned(),
            languages: vec![Language::En],
            transfer: None,
            behaviour: Behaviour {
                book: true,
                r#move: true,
                cancel: true,
                join_waitlist: true,
                take_messages: true,
                quote_prices: true,
            },
            recording: None,
        }
    }

    /// With the number to pass callers on to.
    #[must_use]
    pub fn passing_on_to(self, transfer: Option<&Phone>) -> Self {
        Self { transfer: transfer.map(|phone| phone.as_str().to_owned()), ..self }
    }

    /// The language it begins with.
    #[must_use]
    pub fn first_language(&self) -> Language {
        self.languages.first().copied().unwrap_or(Language::En)
    }

    /// What `after` says differently, field by field as the contract names them.
    #[must_use]
    pub fn changes_to(&self, after: &Self) -> Vec<Change> {
        let (before, told) = (self.spelled(), after.spelled());
        let pairs = before.into_iter().zip(told).filter(|((_, before), (_, after))| before != after);
        pairs
            .map(|((field, before), (_, after))| {
                let lines = if field == "prompt" { line_diff::around(&before, &after) } else { vec![] };
                Change { field, before, after, lines }
            })
            .collect()
    }

    fn spelled(&self) -> [(&'static str, String); 13] {
        let is = |may: bool| if may { "yes" } else { "no" }.to_owned();
        let languages: Vec<&str> = self.languages.iter().map(|language| language.code()).collect();
        let Behaviour { book, r#move, cancel, join_waitlist, take_messages, quote_prices } = self.behaviour;
        let recording = self.recording.as_ref();
        [
            ("greeting", self.greeting.clone()),
            ("prompt", self.prompt.clone()),
            ("languages", languages.join(", ")),
            ("transfer_phone", self.transfer.clone().unwrap_or_default()),
            ("may_book", is(book)),
            ("may_move", is(r#move)),
            ("may_cancel", is(cancel)),
            ("may_join_waitlist", is(join_waitlist)),
            ("may_take_messages", is(take_messages)),
            ("may_quote_prices", is(quote_prices)),
            ("records_calls", is(recording.is_some())),
            ("recording_notice", recording.map(|recording| recording.notice.clone()).unwrap_or_default()),
            ("recording_days", recording.map(|recording| recording.days.to_string()).unwrap_or_default()),
        ]
    }
}

/// A setting that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which, as the contract names it.
    pub field: &'static str,
    /// As it was.
    pub before: String,
    /// As it is.
    pub after: String,
    /// Of the prompt, line by line.
    pub lines: Vec<Line>,
}

/// Settings that are being worked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentDraft {
    /// The settings.
    pub settings: AgentSettings,
    /// Grows by one with each change; 1 before the first.
    pub revision: i64,
}

impl AgentDraft {
    /// What a draft begins with. It has a revision, so that of two people who write the first one at once, the second
    /// is told.
    #[must_use]
    pub fn unwritten(published: AgentSettings) -> Self {
        Self { settings: published, revision: 1 }
    }

    /// Where the caller has seen this one.
    ///
    /// # Errors
    /// [`Stale`] where they have seen another.
    pub fn seen_at(self, revision: Option<i64>) -> Result<Self, Stale> {
        if revision.is_none_or(|seen| seen == self.revision) { Ok(self) } else { Err(Stale(self.revision)) }
    }

    /// With other settings; the same ones are no change.
    #[must_use]
    pub fn rewritten(self, settings: AgentSettings) -> Self {
        if settings == self.settings { self } else { Self { settings, revision: self.revision + 1 } }
    }
}

/// Settings that were published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentVersion {
    /// From 1; 0 before anything is published.
    pub version: i32,
    /// The settings.
    pub settings: AgentSettings,
    /// Who published them, and when; `None` before anything is.
    pub published: Option<(String, Timestamp)>,
    /// The version that was published again.
    pub rolled_back_to: Option<i32>,
}

impl AgentVersion {
    /// What an agent does before anything is published.
    #[must_use]
    pub fn initial() -> Self {
        Self { version: 0, settings: AgentSettings::initial(), published: None, rolled_back_to: None }
    }

    /// Whether an owner published it.
    #[must_use]
    pub fn is_published(&self) -> bool {
        self.version > 0
    }

    /// The next version.
    #[must_use]
    pub fn next(
        &self,
        settings: AgentSettings,
        by: &str,
        at: Timestamp,
        rolled_back_to: Option<i32>,
    ) -> Self {
        Self { version: self.version + 1, settings, published: Some((by.to_owned(), at)), rolled_back_to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::template;

    #[test]
    fn what_an_agent_does_at_first_names_known_variables_alone() {
        let initial = AgentSettings::initial();
        assert_eq!(template::check(&initial.greeting), Ok(()));
        assert_eq!(template::check(&initial.prompt), Ok(()));
    }

    #[test]
    fn changes_are_named_by_field_and_those_of_the_prompt_by_line() {
        let before = AgentSettings { prompt: "One\nTwo\nThree".to_owned(), ..AgentSettings::initial() };
        let behaviour = Behaviour { cancel: false, ..before.behaviour };
        let after = AgentSettings { prompt: "One\n2\nThree".to_owned(), behaviour, ..before.clone() };
        let changes = before.changes_to(&after);
        assert_eq!(changes.iter().map(|change| change.field).collect::<Vec<_>>(), ["prompt", "may_cancel"]);
        assert_eq!((changes[1].before.as_str(), changes[1].after.as_str()), ("yes", "no"));
        assert_eq!(changes[0].lines.len(), 4);
        assert!(before.changes_to(&before).is_empty());
    }

    #[test]
    fn a_draft_that_was_changed_elsewhere_is_stale_and_the_same_is_no_change() {
        let draft = AgentDraft { settings: AgentSettings::initial(), revision: 3 };
        assert_eq!(draft.clone().seen_at(Some(2)), Err(Stale(3)));
        assert_eq!(draft.clone().seen_at(None).unwrap().rewritten(AgentSettings::initial()).revision, 3);
        let other = AgentSettings { greeting: "Hi".to_owned(), ..AgentSettings::initial() };
        assert_eq!(draft.rewritten(other).revision, 4);
    }
}
