//! What an event of a log means to browsers.

use caller::{BusinessId, Role, SessionId, UserId};
use proto::frontdesk::{
    events::v1::{Event, event::Payload},
    live::v1::Topic,
};

/// Something of a business changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Whose.
    pub business: BusinessId,
    /// Which lists are stale.
    pub topic: Topic,
    /// The record, or empty.
    pub id: String,
}

/// What the door takes from an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Browsers of the business may care.
    Changed(Change),
    /// A person's role changed, or is gone.
    Membership(Change, UserId),
    /// A session is over.
    SessionEnded(SessionId),
}

impl News {
    /// Reads an event; `None` for what no browser is told of.
    #[must_use]
    pub fn of(event: Event) -> Option<Self> {
        let business = event.business_id.parse().ok();
        let changed = |topic, id| Some(Self::Changed(Change { business: business?, topic, id }));
        match event.payload? {
            Payload::Business(of) => Some(Self::Changed(Change {
                business: of.id.parse().ok()?,
                topic: Topic::Business,
                id: of.id,
            })),
            Payload::Employee(employee) => changed(Topic::Employees, employee.id),
            Payload::Customer(customer) => changed(Topic::Customers, customer.id),
            // The customer's page shows its notes and records.
            Payload::CustomerNote(of) => changed(Topic::Customers, of.customer_id),
            Payload::CustomerRecord(of) => changed(Topic::Customers, of.customer_id),
            Payload::FollowUp(of) => changed(Topic::FollowUps, of.follow_up_id),
            Payload::Item(of) => changed(Topic::Items, of.item_id),
            // Nothing on a screen: owners are told by mail.
            Payload::CustomersExported(_) => None,
            // Auth tells of it to pages.
            Payload::AccountLeft(_) | Payload::AccountBelowOwner(_) => None,
            Payload::Appointment(appointment) => changed(Topic::Appointments, appointment.id),
            // Several visits: the lists are what is to be read.
            Payload::CustomerRenamed(_) => changed(Topic::Appointments, String::new()),
            Payload::Contact(contact) => changed(Topic::Appointments, contact.appointment_id),
            Payload::Conflict(conflict) => changed(Topic::Conflicts, conflict.conflict_id),
            Payload::BusySource(source) => changed(Topic::BusySources, source.source_id),
            Payload::Block(block) => changed(Topic::Blocks, block.block_id),
            Payload::Catalogue(_) => changed(Topic::Services, String::new()),
            Payload::Phrase(phrase) => changed(Topic::Phrases, phrase.phrase_id),
            Payload::Pairing(pairing) => changed(Topic::Pairings, pairing.pairing_id),
            Payload::Waitlist(waitlist) => changed(Topic::Waitlist, waitlist.entry_id),
            // Several entries: the list is what is to be read.
            Payload::WaitlistMatched(_) => changed(Topic::Waitlist, String::new()),
            Payload::Proposal(proposal) => changed(Topic::Proposals, proposal.proposal_id),
            Payload::Call(call) => changed(Topic::Calls, call.call_id),
            Payload::Membership(membership) => {
                let user = membership.user_id.parse().ok()?;
                let change =
                    Change { business: business?, topic: Topic::Memberships, id: membership.user_id };
                Some(Self::Membership(change, user))
            }
            Payload::SessionEnded(ended) => ended.session_id.parse().ok().map(Self::SessionEnded),
        }
    }
}

impl Change {
    /// Whether a member with `role` receives it: guests see no personal data, and only owners see the
    /// team.
    #[must_use]
    pub fn is_for(&self, role: Role) -> bool {
        role >= match self.topic {
            Topic::Unspecified => Role::Admin,
            Topic::Business | Topic::Services => Role::Guest,
            Topic::Memberships => Role::Owner,
            Topic::Phrases => Role::Manager,
            Topic::Employees
            | Topic::Customers
            | Topic::Appointments
            | Topic::Calls
            | Topic::Conflicts
            | Topic::Blocks
            | Topic::Pairings
            | Topic::Waitlist
            | Topic::Proposals
            | Topic::FollowUps
            | Topic::Items
            | Topic::BusySources => Role::Employee,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_hears_of_the_business_and_its_services_only() {
        let topics = (0..=21).filter_map(|number| Topic::try_from(number).ok());
        let heard: Vec<Topic> = topics
            .filter(|topic| {
                let business = uuid::Uuid::nil().into();
                Change { business, topic: *topic, id: String::new() }.is_for(Role::Guest)
            })
            .collect();
        assert_eq!(heard, [Topic::Business, Topic::Services]);
    }
}
