//! Settings as a conversation runs on them.

use jiff::{Timestamp, fmt::strtime, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{
    AgentSettings, AgentVersion, Business,
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
        Variable::Today => said("%A, %-d %B %Y"),
        Variable::Time => said("%H:%M"),
        Variable::TimeZone => zone,
        Variable::Language => settings.first_language().name().to_owned(),
    }
}
