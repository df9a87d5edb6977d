//! Reads how full the days of a month are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use engine::{
    attendance::Attendance,
    dates::DateRange,
    day::Day,
    id::{EmployeeId, VisitId},
    progress::Stage,
    schedule::Schedule,
    slots::{DaySlots, SLOT_MINUTES},
    span::Span,
    visit::Occupied,
};
use jiff::{civil::Date, tz::TimeZone};

use super::read_day::{OpeningOn, opening};
use crate::{
    Error,
    store::{BusySpan, StoredAppointment, Tx},
};

/// Which dates, and whose figures.
#[derive(Debug)]
pub struct ReadMonth {
    /// The dates of the month.
    pub dates: DateRange,
    /// Whose figures; those of all together if `None`.
    pub employee: Option<EmployeeId>,
}

/// A month as it is shown.
#[derive(Debug)]
pub struct MonthView {
    /// The business's zone.
    pub zone: TimeZone,
    /// Its days, by date.
    pub days: Vec<DayLoad>,
}

/// How full a day is.
#[derive(Debug)]
pub struct DayLoad {
    /// When the salon is open.
    pub opening: OpeningOn,
    /// Minutes for which employees can be booked.
    pub bookable: usize,
    /// Minutes at work that visits take.
    pub booked: usize,
    /// Visits that start on the day.
    pub visits: usize,
}

impl ReadMonth {
    /// Reads the month: the schedule from memory, and a statement for each kind of record, however many days and
    /// employees.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx) -> Result<MonthView, Error> {
        let zone = tx.zone().await?;
        let Some(within) = self.dates.span(&zone) else { return Ok(MonthView { zone, days: vec![] }) };
        let schedule = tx.current_schedule_since(within.starts_at()).await?;
        let visits = tx.visits_starting(within).await?;
        let ids: Vec<_> = visits.iter().map(|stored| stored.appointment.id).collect();
        let rows = if ids.is_empty() { HashMap::new() } else { tx.booked_rows_of(&ids).await? };
        let blocks = tx.all_blocks(within).await?;
        let busy = tx.busy_within(within).await?;
        let mut taken: BTreeMap<EmployeeId, Vec<Span>> = BTreeMap::new();
        for block in blocks.into_iter().map(|stored| stored.block) {
            taken.entry(block.employee).or_default().push(block.span);
        }
        for BusySpan { employee, span, .. } in busy {
            taken.entry(employee).or_default().push(span);
        }
        let month = Month {
            booked: Booked::of(&visits, rows, self.employee, &schedule),
            employee: self.employee,
            schedule: &schedule,
            taken,
        };
        let days = Day::covering(within, &schedule.zone);
        Ok(MonthView { days: days.iter().map(|day| month.load(day)).collect(), zone: schedule.zone.clone() })
    }
}

/// What visits take: of each employee, and how many start on each date.
#[derive(Default)]
struct Booked {
    served: BTreeMap<EmployeeId, Vec<Span>>,
    starting: BTreeMap<Date, BTreeSet<VisitId>>,
}

impl Booked {
    fn of(
        visits: &[StoredAppointment],
        mut rows: HashMap<VisitId, Vec<Occupied>>,
        only: Option<EmployeeId>,
        schedule: &Schedule,
    ) -> Self {
        let mut booked = Self::default();
        for appointment in visits.iter().map(|stored| &stored.appointment) {
            let rows = rows.remove(&appointment.id).unwrap_or_default();
            let stage = appointment.state.stage();
            let counted = |employee: EmployeeId| only.is_none_or(|only| only == employee);
            for item in appointment.items.iter().filter(|item| counted(item.employee)) {
                let date = schedule.zone.to_datetime(appointment.starts_at).date();
                booked.starting.entry(date).or_default().insert(appointment.id);
                // A customer who did not come took no one's time.
                if stage != Stage::NoShow {
                    let served = Attendance::of(item, stage, &rows).active;
                    booked.served.entry(item.employee).or_default().extend(served);
                }
            }
        }
        booked
    }
}

struct Month<'a> {
    schedule: &'a Schedule,
    employee: Option<EmployeeId>,
    taken: BTreeMap<EmployeeId, Vec<Span>>,
    booked: Booked,
}

impl Month<'_> {
    fn load(&self, day: &Day) -> DayLoad {
        let has_left = |employee: EmployeeId| {
            self.schedule.rotas.get(&employee).is_some_and(|rota| rota.has_ended(day.date()))
        };
        let here = self.schedule.names.keys().copied().filter(|employee| !has_left(*employee));
        let serving = self.booked.served.keys().copied();
        let people: BTreeSet<EmployeeId> = here
            .chain(serving)
            .filter(|employee| self.employee.is_none_or(|only| only == *employee))
            .collect();
        let (mut bookable, mut booked) = (0, 0);
        for employee in people {
            let working = self.schedule.working_day(employee, day).working;
            let mut free = working;
            for span in self.taken.get(&employee).into_iter().flatten() {
                free.remove(&slots_of(day, *span));
            }
            bookable += free.count();
            // Each visit by itself: one that was squeezed in beside another is as much work.
            for span in self.booked.served.get(&employee).into_iter().flatten() {
                booked += slots_of(day, *span).and(&working).count();
            }
        }
        let minutes = |slots: usize| slots * usize::from(SLOT_MINUTES);
        DayLoad {
            opening: opening(self.schedule, day),
            bookable: minutes(bookable),
            booked: minutes(booked),
            visits: self.booked.starting.get(&day.date()).map_or(0, BTreeSet::len),
        }
    }
}

fn slots_of(day: &Day, span: Span) -> DaySlots {
    let mut slots = DaySlots::default();
    slots.set(day.slots_of(span));
    slots
}
