//! What was done with a visit, as the contract has it.

use engine::{edit::Difference, progress::Entry};
use proto::{
    frontdesk::scheduling::v1::{self as pb, appointment_difference::Kind},
    time::to_proto,
};

use crate::{
    contract::FromEngine,
    store::{NamedDifference, OwnChange, PlaceLeft, StoredEdit},
};

impl From<&PlaceLeft> for pb::PlaceLeft {
    fn from(place: &PlaceLeft) -> Self {
        Self {
            starts_at: Some(to_proto(place.starts_at)),
            ends_at: Some(to_proto(place.ends_at)),
            employee_names: place.employees.clone(),
            left_at: Some(to_proto(place.left_at)),
            left_by: place.left_by.clone(),
        }
    }
}

impl From<&OwnChange> for pb::UndoableChange {
    fn from(change: &OwnChange) -> Self {
        Self {
            change_id: change.id.to_string(),
            made_at: Some(to_proto(change.made_at)),
            undoable_until: Some(to_proto(change.until)),
            appointment_count: i32::try_from(change.visits).unwrap_or(i32::MAX),
        }
    }
}

impl From<&StoredEdit> for pb::AppointmentEdit {
    fn from(edit: &StoredEdit) -> Self {
        Self {
            edited_at: Some(to_proto(edit.at)),
            edited_by: edit.by.clone(),
            differences: edit.differences.iter().map(pb::AppointmentDifference::from).collect(),
        }
    }
}

impl From<&NamedDifference> for pb::AppointmentDifference {
    fn from(named: &NamedDifference) -> Self {
        let of = |kind: Kind, guest: u8| Self {
            kind: kind.into(),
            service_name: named.service.clone(),
            guest: guest.into(),
            ..Self::default()
        };
        match named.difference {
            Difference::Added((_, guest)) => of(Kind::ServiceAdded, guest),
            Difference::Removed((_, guest)) => of(Kind::ServiceRemoved, guest),
            Difference::Length((_, guest), minutes) => {
                Self { minutes: minutes.into(), ..of(Kind::Length, guest) }
            }
            Difference::Wished((_, guest), wish) => Self {
                employee_wish: pb::EmployeeWish::from_engine(wish).into(),
                wished_employee_name: named.wished.clone(),
                ..of(Kind::Wish, guest)
            },
            Difference::Notes => of(Kind::Notes, 0),
        }
    }
}

impl FromEngine<&Entry> for pb::StateChange {
    fn from_engine(entry: &Entry) -> Self {
        Self {
            state: pb::AppointmentState::from_engine(entry.stage).into(),
            entered_at: Some(to_proto(entry.at)),
            entered_by: entry.by.clone(),
        }
    }
}
