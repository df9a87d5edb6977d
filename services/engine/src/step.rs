//! One service of a visit, with those who may do it.

use super::{
    id::{EmployeeId, ServiceId},
    item::{Item, Wish},
    service::{Segments, Service},
};

/// An employee who does a service, and at what price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skilled {
    /// Who.
    pub employee: EmployeeId,
    /// In the currency's minor unit.
    pub price_minor: i32,
}

/// Those for whom a service takes up time in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// How it does.
    pub course: Segments,
    /// Who they are, the preferred first; never empty.
    pub candidates: Vec<Skilled>,
}

/// One service of a visit with those who may do it.
#[derive(Debug, Clone)]
pub struct Step {
    /// The service.
    pub service: ServiceId,
    /// Which guest it is for.
    pub guest: u8,
    /// Who shall do it where there is a choice.
    pub preferred: Option<EmployeeId>,
    /// By how many minutes it takes longer than the service does; the variants have them.
    pub extra_minutes: i16,
    /// Whom the customer asked for.
    pub wish: Wish,
    /// Who may do it, by how long they take; never empty.
    pub variants: Vec<Variant>,
}

impl Step {
    /// A service, as long as the item wants it, by those of it who are asked for.
    #[must_use]
    pub fn new(item: &Item, service: &Service) -> Option<Self> {
        let asked = |who: &&EmployeeId| item.employee.is_none_or(|wanted| wanted == **who);
        let mut skilled: Vec<EmployeeId> = service.employees.iter().filter(asked).copied().collect();
        skilled.sort_by_key(|who| Some(*who) != item.preferred);
        let mut variants: Vec<Variant> = vec![];
        for employee in skilled {
            let course = service.course_of(employee);
            let skilled = Skilled { employee, price_minor: service.price_of(employee) };
            match variants.iter_mut().find(|variant| variant.course == *course) {
                Some(variant) => variant.candidates.push(skilled),
                None => variants.push(Variant { course: course.clone(), candidates: vec![skilled] }),
            }
        }
        (!variants.is_empty()).then_some(Self {
            service: service.id,
            guest: item.guest,
            preferred: item.preferred,
            extra_minutes: item.extra_minutes,
            wish: item.wish,
            variants,
        })
    }

    /// Everybody who may do it.
    pub fn candidates(&self) -> impl Iterator<Item = EmployeeId> {
        self.variants.iter().flat_map(|variant| &variant.candidates).map(|skilled| skilled.employee)
    }

    /// Whether another employee was preferred to all who take this long.
    #[must_use]
    pub fn dislikes(&self, variant: usize) -> bool {
        let is_among =
            |preferred| self.variants[variant].candidates.iter().any(|one| one.employee == preferred);
        self.preferred.is_some_and(|preferred| !is_among(preferred))
    }

    pub(super) fn price(&self, employee: EmployeeId) -> i32 {
        let mut skilled = self.variants.iter().flat_map(|variant| &variant.candidates);
        skilled.find(|one| one.employee == employee).map_or(0, |one| one.price_minor)
    }
}
