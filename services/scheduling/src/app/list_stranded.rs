//! Lists the open lines of the inbox: visits to come whose employee is not at work then, and whose customers were
//! not told.

use std::collections::{BTreeMap, BTreeSet};

use engine::{
    id::{EmployeeId, VisitId},
    stranding::Idle,
};

use crate::{
    Error,
    domain::contact::is_settled,
    store::{MOST_TOLD, Stranded, Tx},
};

/// Which lines are wanted.
#[derive(Debug, Clone, Default)]
pub struct ListStranded {
    /// Whose visits; every employee's if `None`.
    pub employee: Option<EmployeeId>,
    /// Which visits; all if `None`.
    pub among: Option<BTreeSet<VisitId>>,
}

impl ListStranded {
    /// The next 200, by start.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx) -> Result<Vec<Stranded>, Error> {
        let Self { employee, among } = self;
        let schedule = tx.current_schedule_since(tx.now()).await?;
        // By start, each visit by its first part without an employee.
        let mut order: Vec<VisitId> = vec![];
        let mut idle: BTreeMap<VisitId, (EmployeeId, Idle)> = BTreeMap::new();
        for stay in tx.stays_to_come(&schedule, employee).await? {
            let is_wanted = among.as_ref().is_none_or(|among| among.contains(&stay.appointment));
            if !is_wanted || idle.contains_key(&stay.appointment) {
                continue;
            }
            if let Some(why) = schedule.idle(stay.employee, stay.span) {
                idle.insert(stay.appointment, (stay.employee, why));
                order.push(stay.appointment);
            }
        }
        let mut contacts = tx.contacts_of(&order).await?;
        order.retain(|visit| !contacts.get(visit).is_some_and(|contacts| is_settled(contacts)));
        order.truncate(MOST_TOLD);
        let visits = tx.appointments_of(&order).await?;
        let stranded = visits.into_iter().map(|stored| {
            let id = stored.appointment.id;
            let (employee, why) = idle[&id];
            let contacts = contacts.remove(&id).unwrap_or_default();
            Stranded {
                appointment: id,
                starts_at: stored.appointment.starts_at,
                employee,
                employee_name: schedule.name_of(employee).to_owned(),
                customer_name: stored.customer.name,
                services: stored.names.into_iter().map(|names| names.service).collect(),
                customer: stored.appointment.occasion.customer,
                customer_phone: stored.customer.phone,
                idle: Some(why),
                contacts,
            }
        });
        Ok(stranded.collect())
    }
}
