//! What a salon's agent can do and what it is told of it: the same whether our own runtime speaks, which the voice door
//! runs, or a platform's, to which tenancy publishes it.

mod definition;
mod instructions;

use serde::{Deserialize, Serialize};

pub use definition::Definition;
pub use instructions::{Setting, instructions};

/// What the salon lets its agent do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permissions {
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
    /// Put callers through to the team: there is a number for it.
    pub transfer: bool,
}

impl Permissions {
    /// Everything is permitted.
    pub const ALL: Self = Self {
        book: true,
        r#move: true,
        cancel: true,
        join_waitlist: true,
        take_messages: true,
        quote_prices: true,
        transfer: true,
    };
}

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
    /// Puts the caller through to the team. Platforms that talk themselves do it by a tool of their own.
    TransferCall,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Self; 13] = [
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
        Self::TransferCall,
    ];

    /// The tool an agent calls by this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// The name agents call it by.
    #[must_use]
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
            Self::TransferCall => "transfer_call",
        }
    }

    /// The name it has in telemetry: what is no tool may be anything that a platform sends.
    #[must_use]
    pub fn label(tool: Option<Self>) -> &'static str {
        tool.map_or("unknown", Self::name)
    }

    /// Whether the salon lets its agent use it.
    #[must_use]
    pub fn is_permitted(self, may: Permissions) -> bool {
        match self {
            Self::HoldSlot | Self::BookAppointment => may.book,
            Self::MoveAppointment => may.r#move,
            Self::CancelAppointment => may.cancel,
            Self::JoinWaitlist => may.join_waitlist,
            Self::TakeMessage => may.take_messages,
            Self::TransferCall => may.transfer,
            Self::FindCustomer
            | Self::CreateCustomer
            | Self::ListServices
            | Self::SearchAvailability
            | Self::FindAppointments
            | Self::OpeningHours => true,
        }
    }

    /// Whether a caller who had it done has what they called for.
    #[must_use]
    pub fn settles(self) -> bool {
        matches!(
            self,
            Self::BookAppointment
                | Self::MoveAppointment
                | Self::CancelAppointment
                | Self::JoinWaitlist
                | Self::TakeMessage
        )
    }

    /// Whether it changes a visit that is booked: the caller must have agreed first.
    #[must_use]
    pub fn needs_agreement(self) -> bool {
        matches!(self, Self::MoveAppointment | Self::CancelAppointment)
    }
}
