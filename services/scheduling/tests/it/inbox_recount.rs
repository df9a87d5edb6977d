//! After any history, the open lines of the inbox are the visits that a slow recount finds stranded.

mod recount;
mod step;

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use proptest::{prelude::*, test_runner::TestRunner};
use proto::{
    frontdesk::scheduling::v1::{
        AddOpeningExceptionRequest, Appointment, AppointmentState as State, ContactOutcome,
        MoveAppointmentRequest, RemoveOpeningExceptionRequest, ReportAbsenceRequest, RequestTimeOffRequest,
        SetOpeningHoursRequest, WaitlistState,
    },
    time::to_proto,
};
use tonic::Status;
use uuid::Uuid;

use self::{
    recount::{Recount, at, half_hours, instant, place},
    step::{Step, step, told_customers},
};
use crate::{
    absence::{late, report, sick},
    changing::undo,
    closures,
    inbox::{contact, open_lines, record, remove_day, set_day, waiting},
    moving,
    progress::{restore, set},
    proposal::{apply, dismiss, get, list, listed},
    salon::{ANA, BEN, COLOUR, CUT, Salon, WILLOW, booking, by, hours, local, weekdays},
    time_off::{approve, days, withdrawal},
};

/// Histories that are tried; `PROVE_HISTORIES` makes it more.
const HISTORIES: u32 = 12;
const STEPS: usize = 40;
/// Few, so that steps meet: today and tomorrow.
const DATES: [&str; 2] = ["2026-06-01", "2026-06-02"];
const EMPLOYEES: [Uuid; 2] = [ANA, BEN];
const CUSTOMER: Uuid = Uuid::from_u128(0xd1);

/// One salon and its recount.
struct History {
    salon: Salon,
    recount: Recount,
    /// The visit whose customer was told last, and what takes that back.
    last_told: Option<(String, String)>,
}

impl History {
    /// Takes a step; refused ones change nothing. Whether the schedule changed.
    async fn take(&mut self, step: &Step) -> Result<bool, Status> {
        let Self { salon, recount, last_told } = self;
        let visits = salon.booked().await;
        // Every other time one whose customer was told: what reopens its line is what matters.
        let told: BTreeSet<_> = recount.told.keys().cloned().collect();
        let chosen = |which: usize| {
            let is_told = |visit: &&Appointment| which.is_multiple_of(2) && told.contains(&visit.id);
            let told: Vec<_> = visits.iter().filter(is_told).collect();
            let among = if told.is_empty() { visits.iter().collect() } else { told };
            match among.len() {
                0 => Err(Status::not_found("no visit")),
                count => Ok(among[which / 2 % count].clone()),
            }
        };
        let cancelled: Vec<_> = visits.iter().filter(|visit| visit.state() == State::Cancelled).collect();
        match step {
            Step::Book { employee, date, half_hour, colour, squeeze } => {
                let service = if *colour { COLOUR } else { CUT };
                let mut request = booking(vec![by(service, EMPLOYEES[*employee])], at(*date, *half_hour));
                request.customer_id = CUSTOMER.to_string();
                request.squeeze_in = *squeeze;
                salon.book_as(salon.manager(request)).await?;
            }
            Step::Move { visit, date, half_hour, employee } => {
                let visit = chosen(*visit)?;
                let employee_ids = vec![EMPLOYEES[*employee].to_string()];
                let request = moving::request(&visit.id, at(*date, *half_hour));
                moving::send(salon, MoveAppointmentRequest { employee_ids, ..request }).await?;
            }
            Step::Chase { date, half_hour, employee } => {
                let Some(visit) = visits.iter().find(|visit| told.contains(&visit.id)) else {
                    return Err(Status::not_found("no told customer"));
                };
                // The first start from there on that is free.
                let mut moved = Err(Status::not_found("no free time"));
                for later in 0..8 {
                    let request = moving::request(&visit.id, at(*date, (half_hour + later) % 20));
                    let employee_ids = vec![EMPLOYEES[*employee].to_string()];
                    moved = moving::send(salon, MoveAppointmentRequest { employee_ids, ..request }).await;
                    if moved.is_ok() {
                        break;
                    }
                }
                moved?;
                // In one change: a request for time off is one of its own, and would end what was said before.
                let away = Step::Sick { employee: *employee, date: *date };
                return self.change_schedule(&away).await.map(|()| true);
            }
            Step::Relapse => {
                let lies_over = |(_, who, from, to): &(String, Uuid, Timestamp, Timestamp),
                                 visit: &Appointment| {
                    let item = &visit.items[0];
                    let (starts_at, ends_at) =
                        (instant(item.starts_at.as_ref()), instant(item.ends_at.as_ref()));
                    item.employee_id == who.to_string() && *from < ends_at && starts_at < *to
                };
                let mut over = visits.iter().filter(|visit| told.contains(&visit.id)).filter_map(|visit| {
                    Some((recount.off.iter().position(|off| lies_over(off, visit))?, visit.clone()))
                });
                let Some((place, visit)) = over.next() else {
                    return Err(Status::not_found("no told customer of an absent employee"));
                };
                drop(over);
                let (id, employee, ..) = recount.off.remove(place);
                salon.time_off().withdraw_time_off(salon.manager(withdrawal(&id))).await?;
                recount.forget_staffed(&salon.booked().await, salon.time.now());
                let starts_at = instant(visit.items[0].starts_at.as_ref());
                let date = usize::from(starts_at >= at(1, -17));
                let away = Step::TimeOff {
                    employee: usize::from(employee == BEN),
                    date,
                    from: half_hours(starts_at, date),
                    length: 1,
                    approved: true,
                };
                return self.change_schedule(&away).await.map(|()| true);
            }
            Step::Cancel(visit) => drop(salon.cancel(&chosen(*visit)?.id).await?),
            Step::Restore(which) if !cancelled.is_empty() => {
                drop(restore(salon, &cancelled[which % cancelled.len()].id).await?);
            }
            Step::State(visit, state) => drop(set(salon, &chosen(*visit)?.id, *state).await?),
            Step::Told(which) => {
                // Of those that are open, where some are.
                let lines = open_lines(salon).await;
                let id = match lines.len() {
                    0 => chosen(*which)?.id,
                    count => lines[which % count].appointment_id.clone(),
                };
                let request = salon.employee(contact(&id, ContactOutcome::Told));
                let change = salon.days().record_contact(request).await?.into_inner().change_id;
                *last_told = Some((id.clone(), change));
                let told = visits.iter().find(|visit| visit.id == id).unwrap();
                recount.told.insert(id, place(told));
            }
            Step::Untell => {
                let (visit, change) =
                    last_told.take().ok_or_else(|| Status::not_found("no told customer"))?;
                undo(salon, &change).await?;
                recount.told.remove(&visit);
            }
            Step::NoAnswer(visit) => record(salon, &chosen(*visit)?.id, ContactOutcome::NoAnswer).await?,
            Step::Wait(visit) => {
                let answer =
                    salon.waitlist().move_to_waitlist(salon.employee(waiting(&chosen(*visit)?.id))).await?;
                assert_eq!(answer.into_inner().entry.unwrap().state(), WaitlistState::Waiting);
            }
            Step::Apply { proposal, line } => {
                let open = listed(salon, list()).await.proposals;
                if let Some(proposal) = open.get(proposal % open.len().max(1)) {
                    let whole = get(salon, &proposal.id).await?;
                    apply(salon, &whole, &[line % whole.lines.len()]).await?;
                }
            }
            Step::Dismiss(proposal) => {
                let open = listed(salon, list()).await.proposals;
                if let Some(proposal) = open.get(proposal % open.len().max(1)) {
                    dismiss(salon, &proposal.id).await?;
                }
            }
            Step::Wait5(fives) => {
                let before = salon.time.now();
                salon.time.advance(SignedDuration::from_mins(5 * fives));
                recount.pass(&visits, before, salon.time.now());
            }
            Step::Restore(_) => return Err(Status::not_found("no cancelled visit")),
            _ => return self.change_schedule(step).await.map(|()| true),
        }
        Ok(false)
    }

    async fn change_schedule(&mut self, step: &Step) -> Result<(), Status> {
        let Self { salon, recount, .. } = self;
        match step {
            Step::Sick { employee, date } => {
                let midnight = local(DATES[*date], "00:00").max(salon.time.now());
                let request = ReportAbsenceRequest {
                    starts_at: Some(to_proto(midnight)),
                    ..sick(EMPLOYEES[*employee])
                };
                recount.add_off(&report(salon, request).await?.time_off.unwrap());
            }
            Step::Late { employee, half_hour } => {
                let today = report(salon, late(EMPLOYEES[*employee], at(0, *half_hour))).await?;
                recount.add_off(&today.time_off.unwrap());
            }
            Step::TimeOff { employee, date, from, length, approved } => {
                let request = RequestTimeOffRequest {
                    employee_id: EMPLOYEES[*employee].to_string(),
                    starts_at: Some(to_proto(at(*date, *from))),
                    ends_at: Some(to_proto(at(*date, from + length))),
                    ..days("", "")
                };
                let request = salon.manager(request);
                let off = salon.time_off().request_time_off(request).await?.into_inner().time_off.unwrap();
                if *approved {
                    recount.add_off(&approve(salon, &off.id).await?);
                }
            }
            Step::Withdraw(which) if !recount.off.is_empty() => {
                let (id, ..) = recount.off.remove(which % recount.off.len());
                salon.time_off().withdraw_time_off(salon.manager(withdrawal(&id))).await?;
            }
            Step::Week { employee, from, to } => {
                salon.set_week(EMPLOYEES[*employee], weekdays(*from, *to)).await;
                recount.weeks.insert(EMPLOYEES[*employee], (*from, *to));
            }
            Step::DayHours { employee, date, from, to } => {
                set_day(salon, EMPLOYEES[*employee], DATES[*date], *from, *to).await;
                recount.days.insert((EMPLOYEES[*employee], *date), (*from, *to));
            }
            Step::RemoveDayHours { employee, date } => {
                remove_day(salon, EMPLOYEES[*employee], DATES[*date]).await?;
                recount.days.remove(&(EMPLOYEES[*employee], *date));
            }
            Step::Opening { from, to } => {
                let request = SetOpeningHoursRequest {
                    business_id: WILLOW.to_string(),
                    time_zone: "Europe/London".to_owned(),
                    spans: weekdays(*from, *to),
                    ..Default::default()
                };
                salon.schedules().set_opening_hours(salon.manager(request)).await?;
                recount.opening = (*from, *to);
            }
            Step::Close { date } => {
                let exception = closures::add(salon, closures::closed(DATES[*date], DATES[*date])).await?;
                recount.exceptions.push((exception.id, *date, (0, 0)));
            }
            Step::ShortDay { date, from, to } => {
                let closed = closures::closed(DATES[*date], DATES[*date]);
                let request = AddOpeningExceptionRequest { spans: hours(*from, *to), ..closed };
                let exception = closures::add(salon, request).await?;
                recount.exceptions.push((exception.id, *date, (*from, *to)));
            }
            Step::Reopen(which) if !recount.exceptions.is_empty() => {
                let (id, ..) = recount.exceptions.remove(which % recount.exceptions.len());
                let request = RemoveOpeningExceptionRequest {
                    business_id: WILLOW.to_string(),
                    opening_exception_id: id,
                    ..Default::default()
                };
                salon.opening_exceptions().remove_opening_exception(salon.manager(request)).await?;
            }
            _ => return Err(Status::not_found("nothing to undo")),
        }
        Ok(())
    }

    async fn run(steps: &[Step]) -> Result<(), TestCaseError> {
        let mut history = Self { salon: Salon::open().await, recount: Recount::new(), last_told: None };
        for (number, step) in steps.iter().enumerate() {
            let taken = history.take(step).await;
            let Self { salon, recount, .. } = &mut history;
            let (visits, now) = (salon.booked().await, salon.time.now());
            recount.forget_moved(&visits);
            if matches!(taken, Ok(true)) {
                recount.forget_staffed(&visits, now);
            }
            let listed: BTreeSet<_> =
                open_lines(salon).await.into_iter().map(|line| line.appointment_id).collect();
            prop_assert_eq!(listed, recount.open(&visits, now), "after step {}, {:?}", number, step);
        }
        Ok(())
    }
}

#[test]
fn open_lines_equal_a_slow_recount_of_stranded_visits() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let cases =
        std::env::var("PROVE_HISTORIES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(HISTORIES);
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 200,
        ..ProptestConfig::with_cases(cases)
    };
    let mut runner = TestRunner::new(config);
    let histories = prop::collection::vec(step(), STEPS / 2..=STEPS)
        .prop_map(|steps| told_customers().into_iter().chain(steps).collect::<Vec<_>>());
    let result = runner.run(&histories, |steps| runtime.block_on(History::run(&steps)));
    result.unwrap_or_else(|failure| panic!("{failure}"));
}
