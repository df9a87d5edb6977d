//! The end of every change of the working time: what it strands, and whether it is meant.

use caller::Method;
use engine::id::EmployeeId;
use proto::{frontdesk::scheduling::v1 as pb, time::to_proto};
use tonic::Status;
use uuid::Uuid;

use crate::store::{ScheduleEdit, Stranded, Tx};

/// What was changed, and by which call.
pub(super) struct Edited {
    pub method: &'static Method,
    /// The record that the audit trail names.
    pub record: Uuid,
    /// Whose working time; everybody's where it is the salon's.
    pub employee: Option<EmployeeId>,
}

impl Edited {
    pub(super) fn of(method: &'static Method, employee: EmployeeId) -> Self {
        Self { method, record: employee.0, employee: Some(employee) }
    }
}

/// Ends a change of the working time, or leaves all as it was where only the answer is wanted.
pub(super) async fn settle(
    tx: Tx,
    edit: &ScheduleEdit,
    edited: Edited,
    validate_only: bool,
) -> Result<Vec<pb::StrandedAppointment>, Status> {
    let stranded = tx.stranded(edit, edited.employee).await?;
    if !validate_only {
        tx.announce_schedule(edit.version).await?;
        tx.audit(edited.method, edited.record).await?;
        tx.commit().await?;
    }
    Ok(stranded.iter().map(appointment).collect())
}

/// As the contract has it.
pub(super) fn appointment(stranded: &Stranded) -> pb::StrandedAppointment {
    pb::StrandedAppointment {
        appointment_id: stranded.appointment.to_string(),
        starts_at: Some(to_proto(stranded.starts_at)),
        employee_id: stranded.employee.to_string(),
        employee_name: stranded.employee_name.clone(),
        customer_name: stranded.customer_name.clone(),
    }
}
