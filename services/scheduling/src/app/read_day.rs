//! Reads what a day shows: who works when, what keeps them from it, visits with what their viewer may do.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use caller::{Actor, Role};
use engine::{
    attendance::Attendance,
    dates::DateRange,
    day::Day,
    hours::DaySpan,
    id::{BlockId, EmployeeId},
    progress::Stage,
    schedule::Schedule,
    slots::DaySlots,
    span::Span,
    window::Window,
    working::WorkingDay,
};
use jiff::{civil::Date, tz::TimeZone};

use crate::{
    Error,
    domain::{
        busy::Origin,
        busy_source::BusySource,
        contact::{Contact, is_settled},
        person::may_act_for,
        squeeze_in::may_squeeze_in,
        time_off,
    },
    store::{BusySpan, StoredAppointment, StoredBlock, Tx},
};

/// Which days, and who looks at them.
#[derive(Debug)]
pub struct ReadDay {
    /// The days, in a row; today if `None`.
    pub dates: Option<DateRange>,
    /// Whose columns; every employee's if `None`.
    pub employee: Option<EmployeeId>,
    /// Who looks.
    pub viewer: Actor,
    /// Their role in the business.
    pub role: Role,
}

/// Days as they are shown.
#[derive(Debug)]
pub struct DayView {
    /// The business's zone.
    pub zone: TimeZone,
    /// When the salon is open.
    pub openings: Vec<OpeningOn>,
    /// Employees' days, by date and name.
    pub columns: Vec<Column>,
    /// Visits that start on the days.
    pub visits: Vec<VisitOn>,
    /// Blocked time, and whether the viewer may give it back.
    pub blocks: Vec<(StoredBlock, bool)>,
    /// Whether the viewer may squeeze visits in.
    pub may_squeeze_in: bool,
    /// What takes time of employees from outside.
    pub sources: Vec<BusySource>,
    /// The schedule, which has the employees' names.
    pub schedule: Arc<Schedule>,
}

/// When the salon is open on a date.
#[derive(Debug)]
pub struct OpeningOn {
    /// The date.
    pub date: Date,
    /// Its hours.
    pub spans: Vec<DaySpan>,
    /// What an exception calls it.
    pub label: String,
}

/// An employee's day.
#[derive(Debug)]
pub struct Column {
    /// The date.
    pub date: Date,
    /// Who.
    pub employee: EmployeeId,
    /// Their name, empty while it is not known.
    pub name: String,
    /// When they can be booked.
    pub working: Vec<DaySpan>,
    /// What keeps them from it.
    pub unavailable: Vec<Unavailable>,
    /// What the weekly hours say.
    pub weekly: Vec<DaySpan>,
    /// The date has hours of its own.
    pub has_own_hours: bool,
    /// Whether the viewer may block their time.
    pub may_block: bool,
    /// Whether it is the viewer.
    pub own: bool,
}

/// A span in which an employee can't be booked.
#[derive(Debug)]
pub struct Unavailable {
    /// The minutes it takes.
    pub span: DaySpan,
    /// Why.
    pub why: Why,
}

/// Why an employee can't be booked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The salon is closed.
    Closed,
    /// The employee's hours leave it out.
    NotWorking,
    /// Approved time off.
    TimeOff(time_off::Kind),
    /// Blocked time.
    Blocked(BlockId),
    /// Time that an outside system takes.
    Busy(Origin),
}

/// A visit, with what a day shows of it.
#[derive(Debug)]
pub struct VisitOn {
    /// The visit.
    pub stored: StoredAppointment,
    /// How its employees spend its items.
    pub items: Vec<(Attendance, bool)>,
    /// Calls to its customer about an employee who is not at work then, the latest first.
    pub contacts: Vec<Contact>,
    /// The states it can be brought to, each with when.
    pub steps: Vec<(Stage, Window)>,
    /// When it can be reported late.
    pub delay_window: Option<Window>,
}

impl ReadDay {
    /// Reads the days: the schedule from memory, and a statement for each kind of record, however many days and
    /// employees.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx) -> Result<DayView, Error> {
        let zone = tx.zone().await?;
        let today = zone.to_datetime(tx.now()).date();
        let within = self.dates.map_or_else(
            || Span::new(Day::of(today, &zone).starts_at(), Day::of(today, &zone).ends_at()),
            |dates| dates.span(&zone),
        );
        let earliest = within.map_or(tx.now(), Span::starts_at);
        let schedule = tx.current_schedule_since(earliest).await?;
        let Some(within) = within else { return Ok(self.nothing(schedule)) };
        let visits = tx.visits_starting(within).await?;
        let ids: Vec<_> = visits.iter().map(|stored| stored.appointment.id).collect();
        let mut rows = if ids.is_empty() { HashMap::new() } else { tx.booked_rows_of(&ids).await? };
        let blocks = tx.all_blocks(within).await?;
        let time_off = tx.approved_within(within).await?;
        let busy = tx.busy_within(within).await?;
        let sources = tx.busy_sources().await?;
        let own = match self.viewer {
            Actor::Person { user, .. } => tx.employees_of(user).await?,
            _ => vec![],
        };
        let actor = self.viewer.to_string();
        let mut taken = Taken::default();
        for off in time_off {
            let is_own = own.contains(&off.employee);
            let off = if is_own { off } else { off.seen_by(&actor, self.role) };
            let spans = off.extent.span(&schedule.zone);
            taken
                .off
                .entry(off.employee)
                .or_default()
                .extend(spans.map(|span| (span, Why::TimeOff(off.kind))));
        }
        for block in blocks.iter().map(|stored| &stored.block) {
            taken.blocked.entry(block.employee).or_default().push((block.span, Why::Blocked(block.id)));
        }
        for BusySpan { employee, span, origin } in busy {
            taken.busy.entry(employee).or_default().push((span, Why::Busy(origin)));
        }
        let days = Day::covering(within, &schedule.zone);
        let employees = self.employees(&schedule, &visits, days.first().map(Day::date));
        let visits = visits
            .into_iter()
            .map(|stored| visit(&schedule, rows.remove(&stored.appointment.id).unwrap_or_default(), stored));
        let visits = with_contacts(tx, visits.collect()).await?;
        let columns = days.iter().flat_map(|day| {
            let (schedule, taken, own, role) = (&schedule, &taken, &own, self.role);
            employees.iter().map(move |(name, employee)| Column {
                may_block: may_act_for(role, own.contains(employee)),
                own: own.contains(employee),
                ..taken.column(schedule, day, *employee, name)
            })
        });
        let removable = |stored: StoredBlock| {
            let is_own = own.contains(&stored.block.employee);
            let may_remove = stored.block.may_be_removed_by(&actor, self.role, is_own);
            (stored, may_remove)
        };
        Ok(DayView {
            openings: days.iter().map(|day| opening(&schedule, day)).collect(),
            columns: columns.collect(),
            visits,
            blocks: blocks.into_iter().map(removable).collect(),
            may_squeeze_in: may_squeeze_in(self.role),
            zone: schedule.zone.clone(),
            sources,
            schedule,
        })
    }

    /// Days that the zone has skipped.
    fn nothing(&self, schedule: Arc<Schedule>) -> DayView {
        DayView {
            zone: schedule.zone.clone(),
            openings: vec![],
            columns: vec![],
            visits: vec![],
            blocks: vec![],
            may_squeeze_in: may_squeeze_in(self.role),
            sources: vec![],
            schedule,
        }
    }

    /// Those asked for by name: an employee who is not known here yet, or has left by the `first` date, has a column
    /// with a visit alone.
    fn employees(
        &self,
        schedule: &Schedule,
        visits: &[StoredAppointment],
        first: Option<Date>,
    ) -> BTreeSet<(String, EmployeeId)> {
        let has_left = |employee: &EmployeeId| {
            schedule.rotas.get(employee).zip(first).is_some_and(|(rota, first)| rota.has_ended(first))
        };
        let here = schedule.names.keys().filter(|employee| !has_left(employee)).copied();
        let booked = visits.iter().flat_map(|stored| &stored.appointment.items).map(|item| item.employee);
        let all = here.chain(booked).filter(|employee| self.employee.is_none_or(|only| only == *employee));
        all.map(|employee| (schedule.name_of(employee).to_owned(), employee)).collect()
    }
}

/// What takes time of employees, by employee.
#[derive(Default)]
struct Taken {
    off: BTreeMap<EmployeeId, Vec<(Span, Why)>>,
    blocked: BTreeMap<EmployeeId, Vec<(Span, Why)>>,
    busy: BTreeMap<EmployeeId, Vec<(Span, Why)>>,
}

impl Taken {
    fn column(&self, schedule: &Schedule, day: &Day, employee: EmployeeId, name: &str) -> Column {
        let WorkingDay { working, closed, mut away, has_own_hours } = schedule.working_day(employee, day);
        let mut unavailable: Vec<_> =
            wall(day, &closed).map(|span| Unavailable { span, why: Why::Closed }).collect();
        for (span, _) in self.off.get(&employee).into_iter().flatten() {
            let mut off = DaySlots::default();
            off.set(day.slots_of(*span));
            away.remove(&off);
        }
        unavailable.extend(wall(day, &away).map(|span| Unavailable { span, why: Why::NotWorking }));
        for (span, why) in
            [&self.off, &self.blocked, &self.busy].iter().filter_map(|of| of.get(&employee)).flatten()
        {
            let mut slots = DaySlots::default();
            slots.set(day.slots_of(*span));
            unavailable.extend(wall(day, &slots).map(|span| Unavailable { span, why: *why }));
        }
        Column {
            date: day.date(),
            employee,
            name: name.to_owned(),
            working: day.wall_spans(&working),
            unavailable,
            weekly: schedule.weekly_hours(employee, day.date()),
            has_own_hours,
            may_block: false,
            own: false,
        }
    }
}

fn wall(day: &Day, slots: &DaySlots) -> impl Iterator<Item = DaySpan> + use<> {
    day.wall_spans(slots).into_iter()
}

pub(super) fn opening(schedule: &Schedule, day: &Day) -> OpeningOn {
    let exception = schedule.opening.exception_on(day.date());
    OpeningOn {
        date: day.date(),
        spans: day.wall_spans(&schedule.opening.on(day)),
        label: exception.map(|exception| exception.label.clone()).unwrap_or_default(),
    }
}

fn visit(schedule: &Schedule, rows: Vec<engine::visit::Occupied>, stored: StoredAppointment) -> VisitOn {
    let appointment = &stored.appointment;
    let stage = appointment.state.stage();
    let item = |item: &engine::visit::PlacedItem| {
        let attendance = Attendance::of(item, stage, &rows);
        let is_stranded = schedule.strands_item(appointment, item.employee, &attendance);
        (attendance, is_stranded)
    };
    VisitOn {
        items: appointment.items.iter().map(item).collect(),
        contacts: vec![],
        steps: appointment.onward().collect(),
        delay_window: appointment.delay_window(),
        stored,
    }
}

/// Has stranded visits name the calls to their customers. Those whose customers were told need no more.
async fn with_contacts(tx: &Tx, mut visits: Vec<VisitOn>) -> Result<Vec<VisitOn>, Error> {
    let is_stranded = |visit: &&VisitOn| visit.items.iter().any(|(_, is_stranded)| *is_stranded);
    let stranded: Vec<_> =
        visits.iter().filter(is_stranded).map(|visit| visit.stored.appointment.id).collect();
    let mut contacts = tx.contacts_of(&stranded).await?;
    for visit in &mut visits {
        let Some(contacts) = contacts.remove(&visit.stored.appointment.id) else { continue };
        if is_settled(&contacts) {
            visit.items.iter_mut().for_each(|(_, is_stranded)| *is_stranded = false);
        }
        visit.contacts = contacts;
    }
    Ok(visits)
}
