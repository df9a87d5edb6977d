//! Lists visits to come whose employee is not at work then.

use std::collections::BTreeMap;

use engine::{
    id::{EmployeeId, VisitId},
    stranding::can_be_stranded,
};

use crate::{
    Error,
    store::{MOST_TOLD, Stranded, Tx},
};

/// Whose visits; every employee's if `None`.
#[derive(Debug, Clone, Copy)]
pub struct ListStranded {
    /// The employee.
    pub employee: Option<EmployeeId>,
}

impl ListStranded {
    /// The next 200, by start.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx) -> Result<Vec<Stranded>, Error> {
        let schedule = tx.current_schedule_since(tx.now()).await?;
        let mut left: BTreeMap<VisitId, EmployeeId> = BTreeMap::new();
        for stay in tx.stays_to_come(&schedule, self.employee).await? {
            if left.len() < MOST_TOLD && !schedule.works(stay.employee, stay.span) {
                left.entry(stay.appointment).or_insert(stay.employee);
            }
        }
        let ids: Vec<VisitId> = left.keys().copied().collect();
        let visits = tx.appointments_of(&ids).await?;
        let stranded =
            visits.into_iter().filter(|stored| can_be_stranded(&stored.appointment)).map(|stored| {
                let employee = left[&stored.appointment.id];
                Stranded {
                    appointment: stored.appointment.id,
                    starts_at: stored.appointment.starts_at,
                    employee,
                    employee_name: schedule.name_of(employee).to_owned(),
                    customer_name: stored.customer.name,
                    services: stored.names.into_iter().map(|names| names.service).collect(),
                }
            });
        Ok(stranded.collect())
    }
}
