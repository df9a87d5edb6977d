//! What the agent can do: ordinary calls of the services, answered in words.

mod answer;
mod booking;
mod customers;
mod day;
mod definition;
mod desk;
mod dry_run;
mod hours;
mod message;
mod names;
mod search;
mod services;
mod speech;
mod visit;
mod visits;
mod waitlist;
mod writing;

use proto::error::Reason;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::playbook::Permissions;

pub use answer::{Answer, Refused};
pub use desk::Desk;
pub use dry_run::{DryRun, Overlay};
pub use writing::Writing;

/// A tool of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Who is calling.
    FindCustomer,
    /// Adds a new customer.
    CreateCustomer,
    /// What the salon offers.
    ListServices,
    /// Times that are free.
    SearchAvailability,
    /// Keeps a time for a few minutes.
    HoldSlot,
    /// Books the time that is kept.
    BookAppointment,
    /// The caller's visits to come.
    FindAppointments,
    /// Moves one of them.
    MoveAppointment,
    /// Cancels one of them.
    CancelAppointment,
    /// Puts the caller on the waitlist.
    JoinWaitlist,
    /// When the salon is open.
    OpeningHours,
    /// Leaves the salon a message.
    TakeMessage,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Self; 12] = [
        Self::FindCustomer,
        Self::CreateCustomer,
        Self::ListServices,
        Self::SearchAvailability,
        Self::HoldSlot,
        Self::BookAppointment,
        Self::FindAppointments,
        Self::MoveAppointment,
        Self::CancelAppointment,
        Self::JoinWaitlist,
        Self::OpeningHours,
        Self::TakeMessage,
    ];

    /// The tool an agent calls by this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// The name agents call it by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FindCustomer => "find_customer",
            Self::CreateCustomer => "create_customer",
            Self::ListServices => "list_services",
            Self::SearchAvailability => "search_availability",
            Self::HoldSlot => "hold_slot",
            Self::BookAppointment => "book_appointment",
            Self::FindAppointments => "find_appointments",
            Self::MoveAppointment => "move_appointment",
            Self::CancelAppointment => "cancel_appointment",
            Self::JoinWaitlist => "join_waitlist",
            Self::OpeningHours => "opening_hours",
            Self::TakeMessage => "take_message",
        }
    }

    /// The name it has in telemetry: what is no tool may be anything that a platform sends.
    pub fn label(tool: Option<Self>) -> &'static str {
        tool.map_or("unknown", Self::name)
    }

    /// Whether the salon lets its agent use it.
    pub fn is_permitted(self, may: Permissions) -> bool {
        match self {
            Self::HoldSlot | Self::BookAppointment => may.book,
            Self::MoveAppointment => may.r#move,
            Self::CancelAppointment => may.cancel,
            Self::JoinWaitlist => may.join_waitlist,
            Self::TakeMessage => may.take_messages,
            Self::FindCustomer
            | Self::CreateCustomer
            | Self::ListServices
            | Self::SearchAvailability
            | Self::FindAppointments
            | Self::OpeningHours => true,
        }
    }

    /// Does what it says, or says why not.
    pub async fn run(self, desk: &Desk, arguments: Map<String, Value>) -> Answer {
        if !self.is_permitted(desk.may) {
            return Answer::refused(not_permitted(desk.may));
        }
        let answer = match self {
            Self::FindCustomer => customers::find(desk, arguments).await,
            Self::CreateCustomer => customers::create(desk, arguments).await,
            Self::ListServices => services::list(desk, arguments).await,
            Self::SearchAvailability => search::search(desk, arguments).await,
            Self::HoldSlot => booking::hold(desk, arguments).await,
            Self::BookAppointment => booking::book(desk, arguments).await,
            Self::FindAppointments => visits::find(desk, arguments).await,
            Self::MoveAppointment => visits::reschedule(desk, arguments).await,
            Self::CancelAppointment => visits::cancel(desk, arguments).await,
            Self::JoinWaitlist => waitlist::join(desk, arguments).await,
            Self::OpeningHours => hours::tell(desk, arguments).await,
            Self::TakeMessage => message::take(desk, arguments).await,
        };
        answer.unwrap_or_else(Answer::refused)
    }
}

/// The salon has switched it off.
fn not_permitted(may: Permissions) -> Refused {
    let instead = match may.take_messages {
        true => "Shall I take a message for the team?",
        false => "Please ask the team when you call in the opening hours.",
    };
    Refused::new(Reason::RoleTooLow, format!("I'm sorry, I can't do that on the telephone. {instead}"))
        .with("detail", "the salon does not let its agent do this")
}

/// Everything is permitted.
#[cfg(test)]
const ALL: Permissions = Permissions {
    book: true,
    r#move: true,
    cancel: true,
    join_waitlist: true,
    take_messages: true,
    quote_prices: true,
};

/// Reads a tool's arguments.
fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Refused> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| Refused::malformed(error.to_string()))
}

/// Agents send "" for what they were not told.
fn said(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}
