//! Settings as a conversation runs on them.

use jiff::{Timestamp, Zoned, fmt::strtime, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{
    AgentSettings, AgentVersion, Business, Language,
    template::{self, TemplateError, Variable},
};

/// Settings with the values that their variables had when a conversation began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadyAgent {
    /// From 1; 0 before anything is published.
    pub version: i32,
    /// Greeting and prompt name no variable any more.
    pub settings: AgentSettings,
    /// What the business is called.
    pub salon: String,
    /// Its zone.
    pub zone: String,
}

impl ReadyAgent {
    /// A version in a business, as of `now`.
    ///
    /// # Errors
    /// When greeting or prompt name no known variable: they are checked before they are kept.
    pub fn of(version: AgentVersion, business: &Business, now: Timestamp) -> Result<Self, TemplateError> {
        let AgentVersion { version, settings, .. } = version;
        let rendered = |text: &str| template::render(text, |of| value(of, &settings, business, now));
        let (greeting, prompt) = (rendered(&settings.greeting)?, rendered(&settings.prompt)?);
        Ok(Self {
            version,
            settings: AgentSettings { greeting, prompt, ..settings },
            salon: business.name.clone(),
            zone: business.zone.to_string(),
        })
    }
}

/// A day in words: "Monday, 1 June 2026", "Montag, 1. Juni 2026".
fn today(language: Language, at: &Zoned) -> String {
    match language {
        Language::En => strtime::format("%A, %-d %B %Y", at).unwrap_or_default(),
        Language::De => {
            let (day, date) = (german_dates::weekday(at.weekday()), german_dates::day_and_month(at.date()));
            format!("{day}, {date} {}", at.year())
        }
    }
}

/// What a variable stands for.
#[must_use]
pub fn value(variable: Variable, settings: &AgentSettings, business: &Business, now: Timestamp) -> String {
    let zone = business.zone.to_string();
    let local = now.in_tz(&zone).unwrap_or_else(|_| now.to_zoned(TimeZone::UTC));
    let said = |format: &str| strtime::format(format, &local).unwrap_or_default();
    match variable {
        Variable::Salon => business.name.clone(),
        Variable::Address => business.address.clone().unwrap_or_default(),
        Variable::Phone => business.phone.as_ref().map(ToString::to_string).unwrap_or_default(),
        Variable::Today => today(settings.first_language(), &local),
        Variable::Time => said("%H:%M"),
        Variable::TimeZone => zone,
        Variable::Language => settings.first_language().own_name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_named_in_the_language_that_the_agent_begins_in() {
        let at: Zoned = "2026-03-01T23:30[Europe/Berlin]".parse().unwrap();
        assert_eq!(today(Language::En, &at), "Sunday, 1 March 2026");
        assert_eq!(today(Language::De, &at), "Sonntag, 1. März 2026");
    }
}
