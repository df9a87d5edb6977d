//! Records of the domain as messages of the contract: in answers and in events.

use proto::frontdesk::tenancy::v1 as pb;

use crate::domain::{Business, Customer, Employee, VoiceConnection, VoicePlatform};

impl From<&Business> for pb::Business {
    fn from(business: &Business) -> Self {
        Self {
            id: business.id.to_string(),
            name: business.name.clone(),
            address: business.address.clone().unwrap_or_default(),
            phone: text(business.phone.as_ref()),
            time_zone: business.zone.to_string(),
            version: business.version,
        }
    }
}

impl From<&Employee> for pb::Employee {
    fn from(employee: &Employee) -> Self {
        Self {
            id: employee.id.to_string(),
            name: employee.name.clone(),
            user_id: text(employee.user.as_ref()),
            version: employee.version,
        }
    }
}

impl From<&Customer> for pb::Customer {
    fn from(customer: &Customer) -> Self {
        Self {
            id: customer.id.to_string(),
            name: customer.name.clone(),
            phone: text(customer.phone.as_ref()),
            email: text(customer.email.as_ref()),
            version: customer.version,
        }
    }
}

impl From<&VoiceConnection> for pb::VoiceConnection {
    fn from(connection: &VoiceConnection) -> Self {
        Self {
            id: connection.id.to_string(),
            platform: pb::VoicePlatform::from(connection.platform).into(),
            label: connection.label.clone(),
        }
    }
}

impl From<VoicePlatform> for pb::VoicePlatform {
    fn from(platform: VoicePlatform) -> Self {
        match platform {
            VoicePlatform::Retell => Self::Retell,
        }
    }
}

fn text(value: Option<&impl ToString>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}
