//! Stranded appointments and calls to their customers, as the contract has them.

use engine::stranding::Idle;
use proto::{frontdesk::scheduling::v1 as pb, time::to_proto};

use crate::{
    contract::FromEngine,
    domain::contact::{Contact, Outcome, shown},
    store::Stranded,
};

pub(super) fn stranded(stranded: &[Stranded]) -> Vec<pb::StrandedAppointment> {
    stranded.iter().map(line).collect()
}

pub(super) fn line(stranded: &Stranded) -> pb::StrandedAppointment {
    pb::StrandedAppointment {
        appointment_id: stranded.appointment.to_string(),
        starts_at: Some(to_proto(stranded.starts_at)),
        ends_at: stranded.ends_at.map(to_proto),
        employee_id: stranded.employee.to_string(),
        employee_name: stranded.employee_name.clone(),
        customer_name: stranded.customer_name.clone(),
        service_names: stranded.services.clone(),
        customer_phone: stranded.customer_phone.clone(),
        reason: stranded.idle.map_or(pb::StrandedReason::Unspecified, pb::StrandedReason::from_engine).into(),
        contacts: contacts(&stranded.contacts),
        contact_hidden: false,
        customer_id: stranded.customer.map(|customer| customer.to_string()).unwrap_or_default(),
    }
}

pub(super) fn contacts(all: &[Contact]) -> Vec<pb::Contact> {
    shown(all).iter().map(pb::Contact::from).collect()
}

impl FromEngine<Idle> for pb::StrandedReason {
    fn from_engine(idle: Idle) -> Self {
        match idle {
            Idle::Closed => Self::Closed,
            Idle::TimeOff => Self::TimeOff,
            Idle::NotWorking => Self::NotWorking,
        }
    }
}

impl From<Outcome> for pb::ContactOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Told => Self::Told,
            Outcome::NoAnswer => Self::NoAnswer,
        }
    }
}

impl From<&Contact> for pb::Contact {
    fn from(contact: &Contact) -> Self {
        Self {
            outcome: pb::ContactOutcome::from(contact.outcome).into(),
            note: contact.note.clone(),
            recorded_by: contact.by.clone(),
            recorded_at: Some(to_proto(contact.at)),
            recorded_by_name: contact.by_name.clone(),
        }
    }
}
