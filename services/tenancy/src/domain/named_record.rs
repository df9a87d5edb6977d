//! Which records an entry of the list of changes names, by their ids: they are shown by what people call them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use uuid::Uuid;

/// Records of one page that are named: what lies beyond stays without a name.
const MOST: usize = 2_000;

/// A kind of record that people call by a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedKind {
    /// A person who serves customers.
    Employee,
    /// A person who is served.
    Customer,
    /// What is sold or used.
    Item,
    /// Where items come from.
    Supplier,
    /// A platform that answers the telephone.
    VoiceConnection,
    /// An import of a table.
    Import,
    /// An account.
    User,
    /// What customers book.
    Service,
    /// A chair or a room.
    Resource,
    /// A visit.
    Appointment,
    /// A wish on the waitlist.
    WaitlistEntry,
    /// An absence.
    TimeOff,
    /// Time that is kept free.
    Block,
    /// A calendar.
    Calendar,
    /// The salon's own booking system.
    ProviderConnection,
    /// A telephone call.
    Call,
}

/// The service that knows what records of a kind are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeper {
    /// This one.
    Tenancy,
    /// Another one, by its name.
    Other(&'static str),
}

impl NamedKind {
    /// As entries and services call it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Employee => "employee",
            Self::Customer => "customer",
            Self::Item => "item",
            Self::Supplier => "supplier",
            Self::VoiceConnection => "voice_connection",
            Self::Import => "import",
            Self::User => "user",
            Self::Service => "service",
            Self::Resource => "resource",
            Self::Appointment => "appointment",
            Self::WaitlistEntry => "waitlist_entry",
            Self::TimeOff => "time_off",
            Self::Block => "block",
            Self::Calendar => "calendar",
            Self::ProviderConnection => "provider_connection",
            Self::Call => "call",
        }
    }

    /// Who knows the names.
    #[must_use]
    pub fn keeper(self) -> Keeper {
        match self {
            Self::Employee
            | Self::Customer
            | Self::Item
            | Self::Supplier
            | Self::VoiceConnection
            | Self::Import => Keeper::Tenancy,
            Self::User => Keeper::Other("auth"),
            Self::Service
            | Self::Resource
            | Self::Appointment
            | Self::WaitlistEntry
            | Self::TimeOff
            | Self::Block => Keeper::Other("scheduling"),
            Self::Calendar | Self::ProviderConnection => Keeper::Other("calendar-sync"),
            Self::Call => Keeper::Other("telemetry"),
        }
    }

    /// What the id of a record is the id of, by the record's kind.
    fn of_record(kind: &str) -> Option<Self> {
        Some(match kind {
            "employee" | "working_hours" => Self::Employee,
            "customer" => Self::Customer,
            "item" => Self::Item,
            "supplier" => Self::Supplier,
            "voice_connection" => Self::VoiceConnection,
            "import" => Self::Import,
            "member" => Self::User,
            "service" => Self::Service,
            "resource" => Self::Resource,
            "appointment" => Self::Appointment,
            "waitlist_entry" => Self::WaitlistEntry,
            "time_off" => Self::TimeOff,
            "block" => Self::Block,
            "calendar" => Self::Calendar,
            "provider_connection" => Self::ProviderConnection,
            _ => return None,
        })
    }

    /// What the ids in a field may be the ids of.
    fn of_field(field: &str) -> &'static [Self] {
        match field {
            "employee_id" | "employee_ids" | "next_employee_ids" | "wished_id" | "preferred_id" => {
                &[Self::Employee]
            }
            "customer_id" | "survivor_id" | "merged_id" | "merged_into" | "moved_ids" => &[Self::Customer],
            "item_id" => &[Self::Item],
            "supplier_id" => &[Self::Supplier],
            "account_id" | "user_id" => &[Self::User],
            "service_id" | "service_ids" | "suggested_id" | "first_id" | "then_id" => &[Self::Service],
            "resource_id" | "resource_ids" => &[Self::Resource],
            "appointment_id" | "visit_id" => &[Self::Appointment],
            "waitlist_entry_id" => &[Self::WaitlistEntry],
            "time_off_id" => &[Self::TimeOff],
            "calendar_id" => &[Self::Calendar],
            "connection_id" => &[Self::ProviderConnection],
            "call_id" => &[Self::Call],
            // Of an employee or a service, as a column beside it says, which need not have changed.
            "mapped_id" => &[Self::Employee, Self::Service],
            _ => &[],
        }
    }
}

/// The records that entries name, each once.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct NamedRecords(BTreeMap<NamedKind, BTreeSet<Uuid>>);

impl NamedRecords {
    /// Adds the record that an entry is about.
    pub fn add_record(&mut self, kind: &str, id: Uuid) {
        if let Some(kind) = NamedKind::of_record(kind) {
            self.add(kind, id);
        }
    }

    /// Adds who acted, if a person did.
    pub fn add_actor(&mut self, actor: &str) {
        if let Some(account) = account(actor) {
            self.add(NamedKind::User, account);
        }
    }

    /// Adds the records that a field named, as JSON; another text names none.
    pub fn add_field(&mut self, field: &str, json: &str) {
        if let Ok(value) = serde_json::from_str(json) {
            self.add_value(field, &value);
        }
    }

    /// The records of each kind.
    pub fn by_kind(&self) -> impl Iterator<Item = (NamedKind, Vec<Uuid>)> {
        self.0.iter().map(|(kind, ids)| (*kind, ids.iter().copied().collect()))
    }

    fn add_value(&mut self, field: &str, value: &Value) {
        match value {
            Value::String(text) => {
                self.add_actor(text);
                let Ok(id) = text.parse() else { return };
                NamedKind::of_field(field).iter().for_each(|kind| self.add(*kind, id));
            }
            Value::Array(values) => values.iter().for_each(|value| self.add_value(field, value)),
            Value::Object(fields) => fields.iter().for_each(|(field, value)| self.add_value(field, value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn add(&mut self, kind: NamedKind, id: Uuid) {
        if self.0.values().map(BTreeSet::len).sum::<usize>() < MOST {
            self.0.entry(kind).or_default().insert(id);
        }
    }
}

/// The account that acted, if a person did.
fn account(actor: &str) -> Option<Uuid> {
    actor.strip_prefix("user:")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u128) -> Uuid {
        Uuid::from_u128(n)
    }

    fn named(records: &NamedRecords) -> Vec<(&'static str, Vec<Uuid>)> {
        records.by_kind().map(|(kind, ids)| (kind.as_str(), ids)).collect()
    }

    #[test]
    fn ids_are_of_what_their_field_says_however_deep_they_stand() {
        let mut records = NamedRecords::default();
        records.add_field("employee_ids", &format!(r#"["{}"]"#, id(1)));
        records.add_field("next_employee_ids", &format!(r#"["{}"]"#, id(2)));
        let lines = format!(r#"[{{"employee_id":"{}","price_minor":5}},{{"employee_id":null}}]"#, id(3));
        records.add_field("service_employee", &lines);
        records.add_field("service_id", &format!("\"{}\"", id(4)));
        records.add_field("created_by", &format!("\"user:{}\"", id(5)));
        records.add_field("id", &format!("\"{}\"", id(6)));
        records.add_field("service_id", "no JSON");
        let expected =
            vec![("employee", vec![id(1), id(2), id(3)]), ("user", vec![id(5)]), ("service", vec![id(4)])];
        assert_eq!(named(&records), expected);
    }

    #[test]
    fn a_record_and_who_changed_it_are_named() {
        let mut records = NamedRecords::default();
        records.add_record("working_hours", id(1));
        records.add_record("member", id(2));
        records.add_record("customer_note", id(3));
        records.add_actor(&format!("user:{}", id(4)));
        records.add_actor(&format!("agent:{}", id(5)));
        assert_eq!(named(&records), vec![("employee", vec![id(1)]), ("user", vec![id(2), id(4)])]);
    }

    #[test]
    fn no_more_than_a_page_needs_are_named() {
        let mut records = NamedRecords::default();
        let ids: Vec<_> = (0..MOST as u128 + 5).map(|n| id(n).to_string()).collect();
        records.add_field("employee_ids", &serde_json::to_string(&ids).unwrap());
        assert_eq!(named(&records)[0].1.len(), MOST);
    }
}
