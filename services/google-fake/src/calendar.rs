//! A calendar and the changes in it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

/// What an account may do with a calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Reads it.
    Reader,
    /// Changes its events.
    Writer,
    /// Shares it.
    Owner,
}

impl Role {
    /// As the API names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Writer => "writer",
            Self::Owner => "owner",
        }
    }
}

/// A calendar.
#[derive(Debug, Clone)]
pub(crate) struct Calendar {
    pub(crate) summary: String,
    pub(crate) role: Role,
    pub(crate) events: BTreeMap<String, Stored>,
    /// The number of the newest change.
    pub(crate) change: u64,
    /// Tokens of earlier changes are good no more.
    pub(crate) floor: u64,
    pub(crate) now: Timestamp,
}

/// An event, and which change made it what it is.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) value: Value,
    pub(crate) change: u64,
}

impl Stored {
    pub(crate) fn is_cancelled(&self) -> bool {
        self.value["status"] == "cancelled"
    }

    pub(crate) fn etag(&self) -> String {
        format!("\"{}\"", self.change)
    }

    /// As a listing shows it: of what is deleted only what it is.
    pub(crate) fn listed(&self) -> Value {
        if !self.is_cancelled() {
            return self.shown();
        }
        let mut shown = json!({ "kind": "calendar#event", "etag": self.etag(), "status": "cancelled" });
        for name in ["id", "recurringEventId", "originalStartTime"] {
            if let Some(value) = self.value.get(name) {
                shown[name] = value.clone();
            }
        }
        shown
    }

    pub(crate) fn shown(&self) -> Value {
        let mut shown = self.value.clone();
        shown["kind"] = json!("calendar#event");
        shown["etag"] = json!(self.etag());
        shown
    }
}

impl Calendar {
    pub(crate) fn new(summary: &str, role: Role) -> Self {
        Self {
            summary: summary.to_owned(),
            role,
            events: BTreeMap::new(),
            change: 1,
            floor: 0,
            now: Timestamp::UNIX_EPOCH,
        }
    }

    /// Puts an event under an id, and shows it.
    pub(crate) fn put(&mut self, id: &str, mut event: Value) -> Value {
        self.change += 1;
        event["id"] = json!(id);
        event["updated"] = json!(self.now.to_string());
        if event.get("status").is_none() {
            event["status"] = json!("confirmed");
        }
        let stored = Stored { value: event, change: self.change };
        let shown = stored.shown();
        self.events.insert(id.to_owned(), stored);
        shown
    }

    /// Deletes an event, and with a series what differs from it.
    pub(crate) fn delete(&mut self, id: &str) -> bool {
        let Some(stored) = self.events.get(id).filter(|stored| !stored.is_cancelled()) else { return false };
        self.change += 1;
        let mut value = stored.value.clone();
        value["status"] = json!("cancelled");
        value["updated"] = json!(self.now.to_string());
        self.events.insert(id.to_owned(), Stored { value, change: self.change });
        self.events.retain(|_, stored| stored.value["recurringEventId"] != id);
        true
    }

    pub(crate) fn forget(&mut self) {
        self.change += 1;
        self.floor = self.change;
    }

    pub(crate) fn standing(&self) -> Vec<Value> {
        self.events.values().filter(|stored| !stored.is_cancelled()).map(Stored::shown).collect()
    }

    /// What changed after `change`, oldest first.
    pub(crate) fn since(&self, change: u64) -> Vec<&Stored> {
        let mut changed: Vec<&Stored> =
            self.events.values().filter(|stored| stored.change > change).collect();
        changed.sort_by_key(|stored| stored.change);
        changed
    }
}
