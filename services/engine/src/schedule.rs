//! All that decides when a business works and what it does, at one version.

use std::{borrow::Cow, collections::BTreeMap};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use serde::{Deserialize, Serialize};

use super::{
    arrangement::arrangements,
    dependency::{Dependency, Rule},
    history::Need,
    id::{EmployeeId, ResourceId, ServiceId},
    item::Item,
    policy::Policy,
    refusal::Refusal,
    resource::Resource,
    service::{Segments, Service},
    span::Span,
    step::Step,
    visit::{Bond, Pool, VisitRequest, VisitRequestError, after},
    working::{Opening, Rota},
};

/// Most services one guest may have.
pub const MAX_ITEMS: usize = 6;
/// Most guests one visit may have.
pub const MAX_GUESTS: usize = 8;

/// A business's schedule.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Schedule {
    /// Grows with every change of what follows.
    pub version: i64,
    /// The zone its hours are meant in.
    #[serde(with = "jiff::fmt::serde::tz::required")]
    pub zone: TimeZone,
    /// When it takes bookings.
    pub policy: Policy,
    /// When it is open.
    pub opening: Opening,
    /// When each employee works. Who has none never does.
    pub rotas: BTreeMap<EmployeeId, Rota>,
    /// What it sells.
    pub services: BTreeMap<ServiceId, Service>,
    /// Its chairs, rooms and machines.
    pub resources: BTreeMap<ResourceId, Resource>,
    /// What holds between its services.
    pub dependencies: Vec<Dependency>,
    /// Names of its employees, as far as they are known here; today's, whatever the version.
    #[serde(skip)]
    pub names: BTreeMap<EmployeeId, String>,
}

impl Schedule {
    /// Finds what a visit of `items` needs, who can do each, and in which ways.
    ///
    /// # Errors
    /// An unknown service, an item that none of the requested employees does, a kind of resource that
    /// the salon has none of, or rules that can't be kept.
    pub fn request(&self, items: &[Item]) -> Result<VisitRequest, VisitRequestError> {
        let services = self.services_of(items)?;
        let steps: Option<Vec<_>> =
            items.iter().zip(&services).map(|(item, service)| Step::new(item, service)).collect();
        let steps = steps.ok_or(Refusal::NotSkilled)?;
        let arrangements = arrangements(&steps, &self.dependencies);
        if arrangements.is_empty() {
            return Err(Refusal::NotTogether.into());
        }
        let pools = self.pools(&services)?;
        let currency = services.first().map(|service| service.price.currency.clone()).unwrap_or_default();
        let needs = self.needs(items);
        // Nothing is known yet of what the customer has had.
        let admitted = (!needs.is_empty()).then(Vec::new);
        Ok(VisitRequest { bonds: self.bonds(&steps), steps, arrangements, pools, currency, needs, admitted })
    }

    /// As [`Self::request`], for a booked visit that goes elsewhere on its day: what its customer must
    /// have had before was asked when it was booked.
    ///
    /// # Errors
    /// As [`Self::request`].
    pub fn request_again(&self, items: &[Item]) -> Result<VisitRequest, VisitRequestError> {
        Ok(VisitRequest { admitted: None, ..self.request(items)? })
    }

    /// What the customer of a visit of `items` must have had before.
    #[must_use]
    pub fn needs(&self, items: &[Item]) -> Vec<Need> {
        Need::of(items, &self.dependencies)
    }

    /// All that a visit of `items` at `start` could occupy, with any employees and in any order.
    ///
    /// # Errors
    /// An unknown service.
    pub fn reach(&self, items: &[Item], start: Timestamp) -> Result<Span, VisitRequestError> {
        let services = self.services_of(items)?;
        let most =
            |minutes: fn(&Segments) -> u16| services.iter().flat_map(|one| one.courses()).map(minutes).max();
        let longest =
            |service: &Cow<'_, Service>| service.courses().map(Segments::minutes).max().unwrap_or(0);
        // 48 services of a day each are more minutes than are counted here.
        let minutes = services.iter().map(longest).fold(0, u16::saturating_add);
        let from = start - SignedDuration::from_mins(most(Segments::buffer_before).unwrap_or(0).into());
        let in_a_row =
            Span::new(from, after(start, minutes.saturating_add(most(Segments::buffer_after).unwrap_or(0))));
        let in_a_row = in_a_row.expect("a visit takes time");
        Ok(self.request(items).map_or(in_a_row, |request| request.reach(start, start).hull(in_a_row)))
    }

    /// The services of items, as long as they are wanted.
    ///
    /// # Errors
    /// An unknown service, or a length that it can't have.
    pub(super) fn services_of(&self, items: &[Item]) -> Result<Vec<Cow<'_, Service>>, VisitRequestError> {
        let service = |(place, item): (usize, &Item)| {
            let service = self.services.get(&item.service).ok_or(VisitRequestError::UnknownService(place))?;
            match item.extra_minutes {
                0 => Ok(Cow::Borrowed(service)),
                extra => service.lengthened(extra).map(Cow::Owned).ok_or(VisitRequestError::Length(place)),
            }
        };
        items.iter().enumerate().map(service).collect()
    }

    fn pools(&self, services: &[Cow<'_, Service>]) -> Result<Vec<Pool>, Refusal> {
        let mut pools: Vec<Pool> = vec![];
        for (step, service) in services.iter().enumerate() {
            for kind in &service.resource_kinds {
                if let Some(pool) = pools.iter_mut().find(|pool| pool.kind == *kind) {
                    pool.steps.push(step);
                    continue;
                }
                let resources: Vec<_> =
                    self.resources.values().filter(|one| one.kind == *kind).map(|one| one.id).collect();
                if resources.is_empty() {
                    return Err(Refusal::NoResource);
                }
                pools.push(Pool { kind: kind.clone(), resources, steps: vec![step] });
            }
        }
        Ok(pools)
    }

    fn bonds(&self, steps: &[Step]) -> Vec<Bond> {
        let pairs = (0..steps.len()).flat_map(|two| (0..two).map(move |one| (one, two)));
        let of_a_guest = pairs.filter(|(one, two)| steps[*one].guest == steps[*two].guest);
        let bond = |(one, two): (usize, usize)| {
            let between = |rule: &&Dependency| rule.other(steps[one].service) == Some(steps[two].service);
            self.dependencies.iter().filter(between).find_map(|rule| match rule.rule {
                Rule::SameEmployee => Some(Bond { steps: (one, two), same: true }),
                Rule::DifferentEmployee => Some(Bond { steps: (one, two), same: false }),
                Rule::Order { .. } | Rule::Parallel | Rule::EarlierVisit { .. } => None,
            })
        };
        of_a_guest.filter_map(bond).collect()
    }

    /// An employee's name, empty while it is not known.
    #[must_use]
    pub fn name_of(&self, employee: EmployeeId) -> &str {
        self.names.get(&employee).map_or("", String::as_str)
    }
}
