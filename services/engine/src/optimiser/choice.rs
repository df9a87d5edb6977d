//! Every way in which what may be moved could lie, each placed by itself on what stays.

use jiff::Timestamp;

use super::{
    cost::Cost,
    ground::{Ground, Rows},
    input::{Place, Visit, Waiting},
};
use crate::{
    id::{CustomerId, EmployeeId, ResourceId, SubjectId, VisitId, WaitlistEntryId},
    item::Item,
    placement::Placer,
    slots::DaySlots,
    span::Span,
    visit::Placement,
};

/// Who is moved, or served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// A visit that is booked.
    Visit(VisitId),
    /// A customer on the waitlist.
    Waiting(WaitlistEntryId),
}

/// Time of one resource.
#[derive(Debug)]
pub(super) struct Need {
    /// Those that will do, as subjects.
    pub seats: Vec<usize>,
    /// The one that it has in the placement.
    pub placed_on: ResourceId,
    pub slots: DaySlots,
}

/// One way a visit could lie.
#[derive(Debug)]
pub(super) struct Choice {
    pub starts_at: Timestamp,
    /// What it takes of whom.
    pub rows: Rows,
    /// What it takes of resources.
    pub needs: Vec<Need>,
    /// What it costs by itself.
    pub cost: Cost,
    /// The new placement; `None` if the visit stays as it is.
    pub placement: Option<Placement>,
}

/// What may be moved, or served.
#[derive(Debug)]
pub(super) struct Task {
    pub who: Who,
    pub choices: Vec<Choice>,
    /// Which of them it begins with.
    pub first: Option<usize>,
    /// The cost of leaving it out; `None` if it must be placed.
    pub without: Option<Cost>,
}

/// All that may be moved, or served.
pub(super) fn tasks(ground: &Ground, visits: &[Visit], waiting: &[Waiting]) -> Vec<Task> {
    let visits = visits.iter().map(|visit| of_visit(ground, visit));
    visits.chain(waiting.iter().map(|waiting| of_waiting(ground, waiting))).collect()
}

fn of_visit(ground: &Ground, visit: &Visit) -> Task {
    let was_at = visit.span.starts_at();
    let slots = visit.starts.into_iter().flat_map(|starts| ground.line.slots_beginning_in(starts));
    let there = |slots: &mut dyn Iterator<Item = usize>| {
        Hands { ground, customer: visit.customer, slots: slots.collect() }
            .choices(&visit.items, |placed| Cost::of_move(was_at, placed.starts_at))
    };
    let who = Who::Visit(visit.id);
    match &visit.place {
        Place::Stranded => {
            let choices = there(&mut { slots });
            Task { who, choices, first: None, without: Some(Cost::of_leaving_out()) }
        }
        Place::Kept(rows) => {
            let (rows, mut needs) = taken(ground, rows.iter().copied(), visit.customer, visit.span);
            // A visit that stays keeps its chair.
            let own = |need: &Need| ground.subject(need.placed_on.into()).into_iter().collect();
            needs.iter_mut().for_each(|need| need.seats = own(need));
            let stays = Choice { starts_at: was_at, rows, needs, cost: Cost::default(), placement: None };
            let mut choices = vec![stays];
            choices.extend(there(&mut slots.filter(|slot| ground.line.instant(*slot) != was_at)));
            Task { who, choices, first: Some(0), without: None }
        }
    }
}

fn of_waiting(ground: &Ground, waiting: &Waiting) -> Task {
    let slots = waiting.starts.iter().flat_map(|starts| ground.line.slots_beginning_in(*starts));
    let slots = slots.filter(|slot| ground.line.grid.get(*slot)).collect();
    let hands = Hands { ground, customer: Some(waiting.customer), slots };
    let choices = hands.choices(&waiting.items, |placed| Cost::of_serving(placed.starts_at, placed.ends_at));
    Task { who: Who::Waiting(waiting.id), choices, first: None, without: Some(Cost::default()) }
}

/// The starts at which a visit may be given to any employee who does its services.
struct Hands<'a> {
    ground: &'a Ground,
    customer: Option<CustomerId>,
    slots: Vec<usize>,
}

impl Hands<'_> {
    /// By whomever the placer takes first, and by each who could as far as they can.
    fn choices(&self, items: &[Item], cost: impl Fn(&Placement) -> Cost) -> Vec<Choice> {
        let mut choices: Vec<Choice> = vec![];
        for items in self.shared_out(items) {
            let Ok(request) = self.ground.rules.request(&items) else { continue };
            let placer = Placer::new(&self.ground.line, &request);
            for (_, placed) in self.slots.iter().filter_map(|slot| placer.place(*slot)) {
                let is_known = choices.iter().any(|known| {
                    known.starts_at == placed.starts_at && known.placement.as_ref() == Some(&placed)
                });
                if !is_known {
                    let cost = cost(&placed);
                    choices.extend(self.choice(placed, cost));
                }
            }
        }
        choices
    }

    fn shared_out(&self, items: &[Item]) -> Vec<Vec<Item>> {
        let mut all = vec![items.to_vec()];
        let open = items.iter().filter(|item| item.employee.is_none());
        let skilled = open.filter_map(|item| self.ground.rules.services.get(&item.service));
        let mut leads: Vec<EmployeeId> = skilled.flat_map(|service| service.employees.clone()).collect();
        leads.sort_unstable();
        leads.dedup();
        for lead in leads {
            let can = |item: &Item| {
                let service = self.ground.rules.services.get(&item.service);
                item.employee.is_none() && service.is_some_and(|service| service.employees.contains(&lead))
            };
            let give = |item: &Item| if can(item) { Item { employee: Some(lead), ..*item } } else { *item };
            all.push(items.iter().map(give).collect());
        }
        all
    }

    /// `None` if the customer is elsewhere at that time.
    fn choice(&self, placed: Placement, cost: Cost) -> Option<Choice> {
        let whole = Span::new(placed.starts_at, placed.ends_at)?;
        let rows = placed.occupied.iter().map(|row| (row.subject, row.during));
        let (rows, needs) = taken(self.ground, rows, self.customer, whole);
        let is_free = rows.iter().all(|(subject, slots)| !self.ground.taken[*subject].meets(slots));
        let starts_at = placed.starts_at;
        is_free.then_some(Choice { starts_at, rows, needs, cost, placement: Some(placed) })
    }
}

/// What rows of a visit take of people, its customer among them, and need of resources.
fn taken(
    ground: &Ground,
    rows: impl Iterator<Item = (SubjectId, Span)>,
    customer: Option<CustomerId>,
    whole: Span,
) -> (Rows, Vec<Need>) {
    let customer = customer.map(|customer| (SubjectId(customer.0), whole));
    let (mut people, mut needs): (Rows, Vec<Need>) = (vec![], vec![]);
    for (id, span) in rows.chain(customer) {
        let Some(subject) = ground.subject(id) else { continue };
        let slots = ground.slots(span);
        let resource = ResourceId(id.0);
        let known = needs.iter_mut().find(|need| need.placed_on == resource).map(|need| &mut need.slots);
        let known = known.or(people.iter_mut().find(|(known, _)| *known == subject).map(|(_, slots)| slots));
        match (known, ground.kind(resource)) {
            (Some(known), _) => known.add(&slots),
            (None, Some(seats)) => needs.push(Need { seats: seats.to_vec(), placed_on: resource, slots }),
            (None, None) => people.push((subject, slots)),
        }
    }
    (people, needs)
}
