//! Appointments that a change of working time strands, as the contract has them.

use proto::{frontdesk::scheduling::v1 as pb, time::to_proto};

use crate::store::Stranded;

pub(super) fn stranded(stranded: &[Stranded]) -> Vec<pb::StrandedAppointment> {
    stranded.iter().map(appointment).collect()
}

fn appointment(stranded: &Stranded) -> pb::StrandedAppointment {
    pb::StrandedAppointment {
        appointment_id: stranded.appointment.to_string(),
        starts_at: Some(to_proto(stranded.starts_at)),
        employee_id: stranded.employee.to_string(),
        employee_name: stranded.employee_name.clone(),
        customer_name: stranded.customer_name.clone(),
        service_names: stranded.services.clone(),
    }
}
