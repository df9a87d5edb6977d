//! Profiles of booking systems: how one is asked and what it answers, as data. Places in `{braces}` are filled from a
//! connection's settings and from what is written; what is read is named by JSON pointers.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, ensure};
use serde::Deserialize;
use serde_json::Value;

use super::provider::{ProviderKind, Setting, System};

/// The profiles of this version.
const COMMITTED: [&str; 1] = [include_str!("../../profiles/phorest.json")];
/// The setting that every profile has: where the system is.
pub const SERVER: &str = "server";
/// The setting for what is mapped to no service.
pub const SERVICE: &str = "service";
/// What may stand in a place, beside settings.
const PLACES: [&str; 15] = [
    "id",
    "version",
    "employee",
    "service",
    "title",
    "note",
    "starts",
    "ends",
    "date",
    "starts_time",
    "ends_time",
    "from",
    "to",
    "since",
    "key",
];

/// Values by the pointer that leads to them.
pub type Values = BTreeMap<String, Vec<Value>>;
/// Texts by the name of the place that they fill.
pub type Filled<'f> = BTreeMap<&'f str, String>;

/// How a booking system is asked, and what it answers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What it is known by.
    pub key: String,
    /// What people call the system.
    pub name: String,
    /// What the system calls its token.
    pub token: String,
    /// What else it needs to be told.
    pub settings: Vec<Setting>,
    /// How it is shown who calls.
    pub login: Login,
    /// How often it may be called.
    pub calls: Calls,
    /// The zone of its times that come without one.
    pub zone: String,
    /// How its lists are cut.
    pub paging: Paging,
    /// Whose account it is.
    pub account: List,
    /// Who works there.
    pub employees: List,
    /// What is done there.
    pub services: List,
    /// What is booked there.
    pub appointments: Appointments,
    /// One appointment.
    pub one: Call,
    /// Enters one; the answer has its id at `id`.
    pub create: Call,
    /// Changes one.
    pub update: Call,
    /// Cancels one.
    pub cancel: Call,
    /// When employees work.
    pub working: Working,
}

/// How it is shown who calls.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Login {
    /// A name, and the token as its password.
    Basic {
        /// The name.
        username: String,
    },
    /// The token, as a bearer.
    Bearer {},
    /// The token, in a header.
    Header {
        /// The header.
        name: String,
    },
}

/// How often a system may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    /// Calls a second.
    pub per_second: u32,
    /// Calls after a rest, which one worker makes one after the other.
    pub burst: u32,
}

/// How lists are cut: by the number of the page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paging {
    /// The parameter that says which page.
    pub page: String,
    /// The number of the first.
    pub first: u32,
    /// The parameter that says how many records a page has.
    pub size: String,
    /// How many are asked for.
    pub of: u32,
    /// How many pages there are.
    pub pages: String,
}

/// A list of records with a name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Where it is.
    pub path: String,
    /// The records in the answer.
    pub list: String,
    /// A record's id.
    pub id: String,
    /// The parts of its name.
    pub name: Vec<String>,
    /// The only id that counts.
    #[serde(default)]
    pub only: Option<String>,
    /// Records with one of these values are left out.
    #[serde(default)]
    pub without: Values,
}

/// What is booked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Appointments {
    /// Where they are.
    pub path: String,
    /// Parameters of every call.
    pub query: BTreeMap<String, String>,
    /// Parameters that leave those of one employee.
    pub of_employee: BTreeMap<String, String>,
    /// Parameters that leave what changed since then. An appointment that went to another employee is among them, so
    /// that these are asked for of all.
    pub since: BTreeMap<String, String>,
    /// The appointments in the answer.
    pub list: String,
    /// An appointment's id.
    pub id: String,
    /// Whose it is.
    pub employee: String,
    /// The parts of what it says.
    pub title: Vec<String>,
    /// Its day, where its times are of a day.
    #[serde(default)]
    pub date: Option<String>,
    /// When it starts.
    pub starts: String,
    /// When it ends.
    pub ends: String,
    /// Its note, which bears our mark.
    pub note: String,
    /// When it was changed.
    pub changed_at: String,
    /// Its version.
    pub version: String,
    /// An appointment with one of these values is not there.
    pub gone: Values,
}

impl Appointments {
    /// Whether those of all employees can be listed at once: only [`Self::of_employee`] says whose are asked for.
    #[must_use]
    pub fn lists_all(&self) -> bool {
        let values = self.query.values().chain(self.since.values());
        values.chain([&self.path]).all(|template| !template.contains("{employee}"))
    }
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// How.
    pub method: Method,
    /// Where.
    pub path: String,
    /// Parameters.
    #[serde(default)]
    pub query: BTreeMap<String, String>,
    /// What is sent.
    #[serde(default)]
    pub body: Value,
    /// The id in the answer.
    #[serde(default)]
    pub id: String,
}

/// How a call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Reads.
    Get,
    /// Enters, or does.
    Post,
    /// Replaces.
    Put,
    /// Changes some of it.
    Patch,
    /// Deletes.
    Delete,
}

impl Method {
    /// Its name in HTTP.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// When employees work on a day, by the salon's clock.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Working {
    /// Where it is.
    pub path: String,
    /// Parameters.
    pub query: BTreeMap<String, String>,
    /// The employees' records in the answer.
    pub list: String,
    /// Whose a record is.
    pub employee: String,
    /// Its stretches of time.
    pub slots: String,
    /// A stretch's day.
    pub date: String,
    /// When it begins.
    pub starts: String,
    /// When it ends.
    pub ends: String,
    /// Only stretches with these values count.
    #[serde(default)]
    pub only: Values,
}

impl Profile {
    /// Those of this version.
    ///
    /// # Errors
    /// When one can't be used.
    pub fn committed() -> anyhow::Result<Vec<Self>> {
        COMMITTED.iter().map(|text| Self::parse(text)).collect()
    }

    /// The profile that a text describes.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let profile: Self = serde_json::from_str(text).context("a profile")?;
        let known: BTreeSet<&str> =
            profile.settings.iter().map(|setting| setting.key.as_str()).chain(PLACES).collect();
        ensure!(known.contains(SERVER), "the profile {} has no setting `{SERVER}`", profile.key);
        for place in places(&serde_json::from_str(text)?) {
            let name = place.trim_start_matches('#');
            ensure!(known.contains(name), "the profile {} has an unknown place {{{place}}}", profile.key);
        }
        ensure!(
            profile.calls.per_second > 0 && profile.paging.of > 0,
            "the profile {} allows nothing",
            profile.key
        );
        Ok(profile)
    }

    /// How it is offered.
    #[must_use]
    pub fn system(&self) -> System {
        System {
            kind: ProviderKind::Profile(self.key.clone()),
            name: self.name.clone(),
            token: self.token.clone(),
            settings: self.settings.clone(),
            pushes: false,
            books_services: true,
        }
    }
}

/// The names in braces, anywhere in a value.
fn places(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => {
            let parts = text.split('{').skip(1);
            parts.filter_map(|part| part.split_once('}')).map(|(name, _)| name.to_owned()).collect()
        }
        Value::Array(all) => all.iter().flat_map(places).collect(),
        Value::Object(all) => all.values().flat_map(places).collect(),
        _ => vec![],
    }
}

/// A text with its places filled, each as `written`.
#[must_use]
pub fn fill(template: &str, filled: &Filled<'_>, written: impl Fn(&str) -> String) -> String {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((name, rest)) = part.split_once('}') else { continue };
        text += &filled.get(name).map(|value| written(value)).unwrap_or_default();
        text += rest;
    }
    text
}

/// A value with its places filled; `{#name}` alone becomes a number.
#[must_use]
pub fn fill_value(template: &Value, filled: &Filled<'_>) -> Value {
    match template {
        Value::String(text) => match text.strip_prefix("{#").and_then(|rest| rest.strip_suffix('}')) {
            Some(name) => number(filled.get(name).map(String::as_str).unwrap_or_default()),
            None => Value::String(fill(text, filled, str::to_owned)),
        },
        Value::Array(all) => all.iter().map(|value| fill_value(value, filled)).collect(),
        Value::Object(all) => {
            all.iter().map(|(key, value)| (key.clone(), fill_value(value, filled))).collect()
        }
        other => other.clone(),
    }
}

fn number(text: &str) -> Value {
    text.parse::<i64>().map_or(Value::Null, Value::from)
}

/// A text, a number or a truth at a pointer, as text.
#[must_use]
pub fn text_at(value: &Value, pointer: &str) -> Option<String> {
    match value.pointer(pointer)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// The texts at some pointers, those that there are, with a space between.
#[must_use]
pub fn texts_at(value: &Value, pointers: &[String]) -> String {
    let texts: Vec<String> = pointers.iter().filter_map(|pointer| text_at(value, pointer)).collect();
    texts.join(" ").trim().to_owned()
}

/// The records of a list; none where there is no list.
#[must_use]
pub fn records<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Whether a record has one of the values at one of the pointers.
#[must_use]
pub fn has_any(record: &Value, values: &Values) -> bool {
    values.iter().any(|(pointer, values)| record.pointer(pointer).is_some_and(|found| values.contains(found)))
}

#[cfg(test)]
mod tests;
