//! All that decides when a business works and what it does, at one version.

use std::collections::BTreeMap;

use jiff::{Timestamp, tz::TimeZone};

use super::{
    id::{EmployeeId, ServiceId},
    policy::Policy,
    refusal::Refusal,
    service::Service,
    span::Span,
    visit::{Item, Step, Wish, WishError, reach},
    working::{Opening, Rota},
};

/// Most services one visit may have.
pub const MAX_ITEMS: usize = 6;

/// A business's schedule.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// Grows with every change of what follows.
    pub version: i64,
    /// The zone its hours are meant in.
    pub zone: TimeZone,
    /// When it takes bookings.
    pub policy: Policy,
    /// When it is open.
    pub opening: Opening,
    /// When each employee works. Who has none never does.
    pub rotas: BTreeMap<EmployeeId, Rota>,
    /// What it sells.
    pub services: BTreeMap<ServiceId, Service>,
    /// Names of its employees, as far as they are known here.
    pub names: BTreeMap<EmployeeId, String>,
}

impl Schedule {
    /// Finds what a visit of `items` needs, and who can do each.
    ///
    /// # Errors
    /// An unknown service, or an item nobody who is asked for does.
    pub fn wish(&self, items: &[Item]) -> Result<Wish, WishError> {
        debug_assert!((1..=MAX_ITEMS).contains(&items.len()));
        let steps = items.iter().map(|item| {
            let service = self.services.get(&item.service).ok_or(WishError::UnknownService)?;
            let candidates = match item.employee {
                None => service.employees.clone(),
                Some(wanted) if service.employees.contains(&wanted) => vec![wanted],
                Some(_) => vec![],
            };
            if candidates.is_empty() {
                return Err(WishError::Refused(Refusal::NotSkilled));
            }
            Ok(Step { service: service.clone(), candidates })
        });
        Ok(Wish::new(steps.collect::<Result<_, _>>()?))
    }

    /// All that a visit of `items` at `start` could occupy, whoever does it.
    ///
    /// # Errors
    /// An unknown service.
    pub fn reach(&self, items: &[Item], start: Timestamp) -> Result<Span, WishError> {
        let course = |item: &Item| self.services.get(&item.service).map(|service| &service.course);
        let courses: Option<Vec<_>> = items.iter().map(course).collect();
        let courses = courses.ok_or(WishError::UnknownService)?;
        Ok(reach(courses.into_iter(), start, start))
    }

    /// An employee's name, empty while it is not known.
    #[must_use]
    pub fn name_of(&self, employee: EmployeeId) -> &str {
        self.names.get(&employee).map_or("", String::as_str)
    }
}
