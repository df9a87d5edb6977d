//! Lists the open lines of the inbox: visits whose employee is not at work then, to come or gone by in the last days,
//! and whose customers were not told.

use std::collections::{BTreeMap, BTreeSet};

use engine::{
    id::{EmployeeId, VisitId},
    stranding::Idle,
};
use jiff::Timestamp;

use super::stranded_stays::ASKED_ABOUT;
use crate::{
    Error,
    domain::contact::is_settled,
    store::{Coming, Stranded, Tx},
};

/// Which lines are wanted.
#[derive(Debug, Clone, Default)]
pub struct ListStranded {
    /// Whose visits; every employee's if `None`.
    pub employee: Option<EmployeeId>,
    /// Which visits; all if `None`.
    pub among: Option<BTreeSet<VisitId>>,
}

/// The place of a line: when its visit starts, and which visit it is.
pub type Place = (Timestamp, VisitId);

/// Some of the open lines.
#[derive(Debug)]
pub struct OpenLines {
    /// By start.
    pub lines: Vec<Stranded>,
    /// How many are open, whether or not they are among `lines`.
    pub total: usize,
}

impl ListStranded {
    /// The lines of these visits alone.
    #[must_use]
    pub fn among(visits: BTreeSet<VisitId>) -> Self {
        Self { among: Some(visits), ..Self::default() }
    }

    /// All lines.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx) -> Result<Vec<Stranded>, Error> {
        Ok(self.page(tx, None, usize::MAX).await?.lines)
    }

    /// The next `limit` lines after one.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn page(self, tx: &Tx, after: Option<Place>, limit: usize) -> Result<OpenLines, Error> {
        let Self { employee, among } = self;
        let schedule = tx.current_schedule_since(tx.now() - ASKED_ABOUT).await?;
        // Each visit by its first part without an employee.
        let mut idle: BTreeMap<VisitId, (EmployeeId, Idle)> = BTreeMap::new();
        let mut places: Vec<Place> = vec![];
        for (Coming { stay, starts_at, .. }, why) in tx.stranded_stays(&schedule, employee).await? {
            let is_wanted = among.as_ref().is_none_or(|among| among.contains(&stay.appointment));
            if is_wanted && !idle.contains_key(&stay.appointment) {
                idle.insert(stay.appointment, (stay.employee, why));
                places.push((starts_at, stay.appointment));
            }
        }
        let ids: Vec<_> = places.iter().map(|(_, visit)| *visit).collect();
        let mut contacts = tx.contacts_of(&ids).await?;
        places.retain(|(_, visit)| !contacts.get(visit).is_some_and(|contacts| is_settled(contacts)));
        places.sort_unstable();
        let total = places.len();
        places.retain(|place| after.is_none_or(|after| *place > after));
        places.truncate(limit);
        let ids: Vec<_> = places.iter().map(|(_, visit)| *visit).collect();
        let visits = tx.appointments_of(&ids).await?;
        let lines = visits.into_iter().map(|stored| {
            let id = stored.appointment.id;
            let (employee, why) = idle[&id];
            let contacts = contacts.remove(&id).unwrap_or_default();
            Stranded {
                appointment: id,
                starts_at: stored.appointment.starts_at,
                ends_at: Some(stored.appointment.ends_at),
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
        Ok(OpenLines { lines: lines.collect(), total })
    }
}
