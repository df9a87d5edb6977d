//! Rules between services of one visit, and whether they can all be kept.
//!
//! A rule counts for a guest who has both of its services. Rules about time are bounds on the
//! difference of two beginnings: they contradict each other exactly where they form a cycle
//! whose bounds add up to less than nothing (Dechter, Meiri, Pearl 1991).

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::{
    id::{DependencyId, ServiceId},
    service::Service,
};

/// Most days back that a rule may look for an earlier visit.
pub const MAX_EARLIER_DAYS: u16 = 730;

/// Longest gap a rule may ask for, in minutes.
pub const MAX_GAP_MINUTES: u16 = 1440;

/// What holds between two services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    /// The second begins when the first has ended, `least` to `most` minutes later.
    Order {
        /// Multiple of 5.
        least: u16,
        /// Multiple of 5; any gap, where it is not given.
        most: Option<u16>,
    },
    /// One employee does both.
    SameEmployee,
    /// Two employees do them.
    DifferentEmployee,
    /// They may take place at the same time.
    Parallel,
    /// The second needs an earlier visit with the first, which ended `least_hours` to `most_days`
    /// before.
    EarlierVisit {
        /// At most 24 times `most_days`.
        least_hours: u16,
        /// 1 to 730.
        most_days: u16,
    },
}

/// A rule between two services.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency {
    /// Its id.
    pub id: DependencyId,
    /// The service it is about, the first where it orders them.
    pub first: ServiceId,
    /// The other one.
    pub then: ServiceId,
    /// What holds.
    pub rule: Rule,
}

/// Why rules can't all be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// These order services in a circle, or ask for gaps that can't be had together.
    #[error("these rules can't be kept in one visit")]
    Times(Vec<DependencyId>),
    /// These bind services to one employee and forbid it.
    #[error("these rules ask for one employee and for two")]
    Employees(Vec<DependencyId>),
    /// These say the same pair comes in order and at the same time.
    #[error("these rules put two services in order and allow them at once")]
    Parallel(Vec<DependencyId>),
    /// Under these rules each service requires an earlier visit with the next one, so none could ever
    /// be booked.
    #[error("these rules need earlier visits in a circle")]
    Earlier(Vec<DependencyId>),
}

impl Contradiction {
    /// The fewest rules that contradict each other.
    #[must_use]
    pub fn rules(&self) -> &[DependencyId] {
        match self {
            Self::Times(rules) | Self::Employees(rules) | Self::Parallel(rules) | Self::Earlier(rules) => {
                rules
            }
        }
    }
}

impl Dependency {
    /// The other service of the pair, if `service` is one of it.
    #[must_use]
    pub fn other(&self, service: ServiceId) -> Option<ServiceId> {
        match service {
            one if one == self.first => Some(self.then),
            one if one == self.then => Some(self.first),
            _ => None,
        }
    }

    /// Whether both say the same kind of thing of the same services; an order the other way round
    /// does not.
    #[must_use]
    pub fn repeats(&self, other: &Self) -> bool {
        let same_pair = match self.rule {
            Rule::Order { .. } | Rule::EarlierVisit { .. } => {
                (self.first, self.then) == (other.first, other.then)
            }
            Rule::SameEmployee | Rule::DifferentEmployee | Rule::Parallel => {
                self.is_between(other.first, other.then)
            }
        };
        same_pair && core::mem::discriminant(&self.rule) == core::mem::discriminant(&other.rule)
    }

    fn is_between(&self, one: ServiceId, two: ServiceId) -> bool {
        self.other(one) == Some(two)
    }
}

/// Checks that `rules` can all be kept by a visit of all `services`.
///
/// # Errors
/// The smallest set of rules that can't.
pub fn check(services: &BTreeMap<ServiceId, Service>, rules: &[Dependency]) -> Result<(), Contradiction> {
    let found = [parallel(rules), employees(rules), earlier(rules), times(services, rules)];
    match found.into_iter().flatten().min_by_key(|found| found.rules().len()) {
        Some(contradiction) => Err(contradiction),
        None => Ok(()),
    }
}

fn parallel(rules: &[Dependency]) -> Option<Contradiction> {
    let overlapping = rules.iter().filter(|rule| rule.rule == Rule::Parallel);
    let pair = overlapping.into_iter().find_map(|one| {
        let ordered = |other: &&Dependency| matches!(other.rule, Rule::Order { .. });
        let other = rules.iter().filter(ordered).find(|other| other.is_between(one.first, one.then))?;
        Some(vec![one.id, other.id])
    });
    pair.map(Contradiction::Parallel)
}

fn employees(rules: &[Dependency]) -> Option<Contradiction> {
    let apart = rules.iter().filter(|rule| rule.rule == Rule::DifferentEmployee);
    let same = |rule: &Dependency, service| rule.other(service).filter(|_| rule.rule == Rule::SameEmployee);
    let found = apart.filter_map(|apart| {
        let mut path = fewest(rules, apart.first, apart.then, same)?;
        path.push(apart.id);
        Some(path)
    });
    found.min_by_key(Vec::len).map(Contradiction::Employees)
}

/// The fewest rules that lead from one service to another, where `next` says where a rule leads
/// from a service: breadth first.
fn fewest(
    rules: &[Dependency],
    from: ServiceId,
    to: ServiceId,
    next: impl Fn(&Dependency, ServiceId) -> Option<ServiceId>,
) -> Option<Vec<DependencyId>> {
    let mut paths = BTreeMap::from([(from, vec![])]);
    let mut queue = VecDeque::from([from]);
    while let Some(service) = queue.pop_front() {
        let path = paths.get(&service).cloned().unwrap_or_default();
        if service == to {
            return Some(path);
        }
        for rule in rules {
            if let Some(next) = next(rule, service).filter(|next| !paths.contains_key(next)) {
                paths.insert(next, [path.as_slice(), &[rule.id]].concat());
                queue.push_back(next);
            }
        }
    }
    None
}

/// The smallest circle of services that each need an earlier visit with the next.
fn earlier(rules: &[Dependency]) -> Option<Contradiction> {
    let is_earlier = |rule: &Dependency| matches!(rule.rule, Rule::EarlierVisit { .. });
    let needed =
        |rule: &Dependency, service| (rule.first == service && is_earlier(rule)).then_some(rule.then);
    let circles = rules.iter().filter(|rule| is_earlier(rule)).filter_map(|rule| {
        let mut path = fewest(rules, rule.then, rule.first, needed)?;
        path.push(rule.id);
        Some(path)
    });
    circles.min_by_key(Vec::len).map(Contradiction::Earlier)
}

/// `to` begins at most `most` minutes after `from` does.
struct Bound {
    from: ServiceId,
    to: ServiceId,
    most: i64,
    rule: DependencyId,
}

fn bounds(services: &BTreeMap<ServiceId, Service>, rules: &[Dependency]) -> Vec<Bound> {
    let mut bounds = vec![];
    for Dependency { id, first, then, rule } in rules {
        let (Rule::Order { least, most }, Some(service)) = (rule, services.get(first)) else { continue };
        // Lengths differ by employee: what can't be kept at any length is contradictory.
        let lengths = || service.courses().map(|course| i64::from(course.minutes()));
        let (shortest, longest) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
        let earliest = -(shortest + i64::from(*least));
        bounds.push(Bound { from: *then, to: *first, most: earliest, rule: *id });
        if let Some(most) = most {
            bounds.push(Bound { from: *first, to: *then, most: longest + i64::from(*most), rule: *id });
        }
    }
    bounds
}

/// Walks of one bound, two bounds and so on, the tightest between each two services: the first
/// that comes back earlier than it set out is the smallest contradiction.
fn times(services: &BTreeMap<ServiceId, Service>, rules: &[Dependency]) -> Option<Contradiction> {
    type Walks = BTreeMap<(ServiceId, ServiceId), (i64, Vec<DependencyId>)>;
    let bounds = bounds(services, rules);
    if !is_contradictory(&bounds) {
        return None;
    }
    let mut walks: Walks = BTreeMap::new();
    for bound in &bounds {
        tighten(&mut walks, (bound.from, bound.to), bound.most, vec![bound.rule]);
    }
    for _ in 0..=bounds.len() {
        let circles = walks.iter().filter(|((from, to), (sum, _))| from == to && *sum < 0);
        if let Some((_, (_, path))) = circles.min_by_key(|(_, (_, path))| path.len()) {
            let mut path = path.clone();
            path.sort_unstable();
            path.dedup();
            return Some(Contradiction::Times(path));
        }
        let mut longer: Walks = BTreeMap::new();
        for ((from, via), (sum, path)) in &walks {
            for bound in bounds.iter().filter(|bound| bound.from == *via) {
                let path = [path.as_slice(), &[bound.rule]].concat();
                tighten(&mut longer, (*from, bound.to), sum + bound.most, path);
            }
        }
        walks = longer;
    }
    None
}

fn tighten(
    walks: &mut BTreeMap<(ServiceId, ServiceId), (i64, Vec<DependencyId>)>,
    ends: (ServiceId, ServiceId),
    sum: i64,
    path: Vec<DependencyId>,
) {
    if walks.get(&ends).is_none_or(|(known, _)| sum < *known) {
        walks.insert(ends, (sum, path));
    }
}

/// Bellman and Ford: whether the bounds still tighten after as many rounds as there are services.
fn is_contradictory(bounds: &[Bound]) -> bool {
    let mut latest: BTreeMap<ServiceId, i64> = BTreeMap::new();
    let at = |latest: &BTreeMap<_, _>, service| latest.get(&service).copied().unwrap_or(0);
    for _ in 0..=bounds.len() {
        let mut tightened = false;
        for bound in bounds {
            let most = at(&latest, bound.from) + bound.most;
            if most < at(&latest, bound.to) {
                latest.insert(bound.to, most);
                tightened = true;
            }
        }
        if !tightened {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests;
