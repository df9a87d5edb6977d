//! A booked visit with other services, lengths, wishes or notes than before.

use std::collections::BTreeMap;

use super::{
    appointment::{Appointment, Consent, RearrangeError, WrongState},
    id::ServiceId,
    item::{Item, Wish},
    service::Price,
    visit::{PlacedItem, Placement},
};

/// A service of a visit: which, and for which guest.
pub type Part = (ServiceId, u8);

/// What a visit is to become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// It keeps its services, their employees and lengths; whom the customer asks for may differ.
    Described(Vec<Wish>),
    /// It is placed anew, with these services.
    Placed(Vec<Item>),
}

/// One thing that an edit made different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// A service was added.
    Added(Part),
    /// A service was removed.
    Removed(Part),
    /// A service takes so many minutes.
    Length(Part, u16),
    /// The customer asks for another employee, or for none.
    Wished(Part, Wish),
    /// The notes.
    Notes,
}

impl Appointment {
    /// What the visit becomes with `wanted` as its services.
    ///
    /// # Errors
    /// If it has begun, ended or been cancelled; if a service leaves the only employee whom its customer wants and
    /// the customer has not agreed.
    pub fn edited(&self, wanted: &[Item], consent: Consent) -> Result<Edit, RearrangeError> {
        if !self.state.is_ahead() {
            return Err(WrongState.into());
        }
        let mut present = Present::new(&self.items);
        let mut wishes: Vec<_> = self.items.iter().map(|item| item.wish).collect();
        let mut stays = wanted.len() == self.items.len();
        for item in wanted {
            let Some((index, kept)) = present.take((item.service, item.guest)) else {
                stays = false;
                continue;
            };
            let leaves = item.employee.is_some_and(|employee| employee != kept.employee);
            if leaves && consent == Consent::Unknown && kept.wish.locks(kept.employee) {
                return Err(RearrangeError::Requested(kept.employee));
            }
            stays &= (item.employee, item.extra_minutes) == (Some(kept.employee), kept.extra_minutes);
            wishes[index] = item.wish;
        }
        Ok(if stays { Edit::Described(wishes) } else { Edit::Placed(wanted.to_vec()) })
    }

    /// The services of `wanted` for this visit, which belongs to the series of `named`: a service that `named` keeps
    /// with its employee stays with its own employee here.
    #[must_use]
    pub fn as_wanted_of(&self, named: &Self, wanted: &[Item]) -> Vec<Item> {
        let (mut theirs, mut own) = (Present::new(&named.items), Present::new(&self.items));
        let item = |item: &Item| {
            let part = (item.service, item.guest);
            let (kept, here) = (theirs.take(part), own.take(part));
            let is_kept = kept.is_some_and(|(_, kept)| item.employee == Some(kept.employee));
            let employee = here.filter(|_| is_kept).map_or(item.employee, |(_, here)| Some(here.employee));
            Item { employee, ..*item }
        };
        wanted.iter().map(item).collect()
    }

    /// The visit at a placement of other services. Agreed prices of those that stay are kept.
    #[must_use]
    pub fn edited_to(self, placement: &Placement) -> Self {
        let edited = self.moved_to(placement);
        let minor = edited.items.iter().map(|item| item.price_minor).sum();
        Self { price: Price { minor, ..edited.price }, ..edited }
    }

    /// The visit with other wishes, one per service.
    #[must_use]
    pub fn described(mut self, wishes: &[Wish]) -> Self {
        self.items.iter_mut().zip(wishes).for_each(|(item, wish)| item.wish = *wish);
        self.version += 1;
        self
    }

    /// The visit with other notes.
    #[must_use]
    pub fn with_notes(mut self, notes: Option<&str>) -> Self {
        if let Some(notes) = notes {
            notes.clone_into(&mut self.occasion.notes);
        }
        self
    }

    /// What is different in `after`, besides where and with whom it is.
    #[must_use]
    pub fn differences(&self, after: &Self) -> Vec<Difference> {
        let mut before = Present::new(&self.items);
        let mut differences = vec![];
        for item in &after.items {
            let part = (item.service, item.guest);
            let Some((_, kept)) = before.take(part) else {
                differences.push(Difference::Added(part));
                continue;
            };
            if kept.extra_minutes != item.extra_minutes {
                let minutes = item.ends_at.duration_since(item.starts_at).as_mins();
                differences.push(Difference::Length(part, u16::try_from(minutes).unwrap_or(u16::MAX)));
            }
            if kept.wish != item.wish {
                differences.push(Difference::Wished(part, item.wish));
            }
        }
        differences.extend(before.left().map(Difference::Removed));
        if self.occasion.notes != after.occasion.notes {
            differences.push(Difference::Notes);
        }
        differences
    }

    /// Whether `after` starts at another time, or has another employee for a service of this one.
    #[must_use]
    pub fn leaves_place_for(&self, after: &Self) -> bool {
        let mut before = Present::new(&self.items);
        let other = |item: &PlacedItem| {
            let kept = before.take((item.service, item.guest));
            kept.is_some_and(|(_, kept)| kept.employee != item.employee)
        };
        self.starts_at != after.starts_at || after.items.iter().any(other)
    }
}

/// The services of a visit with their places, each to be taken once.
struct Present<'a>(BTreeMap<Part, Vec<(usize, &'a PlacedItem)>>);

impl<'a> Present<'a> {
    fn new(items: &'a [PlacedItem]) -> Self {
        let mut parts: BTreeMap<Part, Vec<(usize, &PlacedItem)>> = BTreeMap::new();
        for (index, item) in items.iter().enumerate().rev() {
            parts.entry((item.service, item.guest)).or_default().push((index, item));
        }
        Self(parts)
    }

    fn take(&mut self, part: Part) -> Option<(usize, &'a PlacedItem)> {
        self.0.get_mut(&part)?.pop()
    }

    fn left(self) -> impl Iterator<Item = Part> {
        self.0.into_iter().flat_map(|(part, items)| items.into_iter().map(move |_| part))
    }
}

#[cfg(test)]
mod tests;
