//! Checks and imports the lines of tables, a few at a time. What becomes of a line, its record and the count commit
//! together, so that a worker goes on where another one was stopped.

use std::sync::Arc;

use boot::Host;
use caller::{InstallationScope, Worker};
use jiff::SignedDuration;
use proto::error::FieldFault;
use tokio::sync::Notify;
use uuid::Uuid;

use super::{
    import_lines::{self, Examined, Onboarding, appointments, appointments::Booking},
    take_turns::take_turns,
};
use crate::{
    Error,
    domain::{Import, ImportKind, ImportState, KEPT_OPEN, LineState},
    store::{ImportLine, ImportTurn, LineOutcome, Store, Tx},
};

/// How long no other worker looks at an import after one did: longer than what one transaction takes.
const LEASE: SignedDuration = SignedDuration::from_secs(30);
/// How long an import rests when another service is away.
const PAUSE: SignedDuration = SignedDuration::from_secs(5);
const CHECKED_AT_ONCE: u32 = 1_000;
/// Auth is asked about each twice, within the lease.
const EMPLOYEES_CHECKED_AT_ONCE: u32 = 25;
const IMPORTED_AT_ONCE: u32 = 200;
/// Lines of appointments: all services of the largest one are among them.
const BOOKED_AT_ONCE: u32 = 50;
const WORKER: &str = "import";

/// Works on imports, beside the workers of other replicas.
#[derive(Debug)]
pub struct ImportWorker {
    /// Where they are kept.
    pub store: Store,
    /// Invites employees, and connects their calendars.
    pub onboarding: Onboarding,
    /// Books appointments.
    pub booking: Booking,
    /// Notified when an import may be due.
    pub hint: Arc<Notify>,
}

/// What a step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// There is more to do.
    On,
    /// The turn is over.
    Over,
}

impl ImportWorker {
    /// Works until the host shuts down.
    pub async fn run(self, host: Host) {
        take_turns(&host, &self.hint, "an import rests", || self.turn(&host)).await;
    }

    /// Takes a turn at an import that is due; whether one was.
    async fn turn(&self, host: &Host) -> Result<bool, Error> {
        let tx = self.store.begin_installation(&InstallationScope::worker(WORKER));
        let lease: Uuid = tx.new_id();
        let claimed = tx.claim_import(lease, tx.now() + LEASE).await?;
        tx.commit().await?;
        let Some(turn) = claimed else { return Ok(false) };
        while !host.shutdown.is_cancelled() {
            match self.step(&turn).await {
                Ok(Step::On) => {}
                Ok(Step::Over) => return Ok(true),
                Err(error) => {
                    self.note_failure(&turn).await?;
                    return Err(error);
                }
            }
        }
        Ok(true)
    }

    /// Has people see that the last step failed, and that it is tried again.
    async fn note_failure(&self, turn: &ImportTurn) -> Result<(), Error> {
        let tx = self.begin(turn);
        let Some(import) = tx.take_leased_import(turn).await? else { return Ok(()) };
        let due_at = tx.now() + LEASE;
        tx.save_import(&import.failing(), Some(due_at)).await?;
        tx.commit().await
    }

    async fn step(&self, turn: &ImportTurn) -> Result<Step, Error> {
        let tx = self.begin(turn);
        let Some(import) = tx.take_leased_import(turn).await? else { return Ok(Step::Over) };
        match (import.state, turn.kind) {
            (ImportState::Checking | ImportState::Importing, ImportKind::Appointments) => {
                self.book(tx, turn, import).await
            }
            (ImportState::Checking, _) => self.check(tx, turn, import).await,
            (ImportState::Importing, ImportKind::Employees) => {
                // Nothing is locked while other services are asked.
                drop(tx);
                self.employ(turn).await
            }
            (ImportState::Importing, _) => import_some(tx, import).await,
            (ImportState::Receiving | ImportState::Checked, _) => expire(tx, import).await,
            (ImportState::Done(_) | ImportState::Cancelled(_), ImportKind::Employees) => {
                forget_addresses(tx, import).await
            }
            _ => Ok(Step::Over),
        }
    }

    /// Checks the next lines.
    async fn check(&self, tx: Tx, turn: &ImportTurn, import: Import) -> Result<Step, Error> {
        let are_employees = turn.kind == ImportKind::Employees;
        let most = if are_employees { EMPLOYEES_CHECKED_AT_ONCE } else { CHECKED_AT_ONCE };
        let lines = tx.import_lines(import.id, Some(LineState::Unchecked), 0, most).await?;
        if lines.is_empty() {
            tx.drop_import_keys(import.id).await?;
            return end(tx, import).await;
        }
        if !are_employees {
            return save_check(tx, import, &lines, Examined::default()).await;
        }
        // Nothing is locked while other services are asked.
        tx.commit().await?;
        let (importer, inviter) = (import.importer(), import.inviter());
        let examined = self.onboarding.examine(turn.business, importer, inviter, &lines).await;
        let tx = self.begin(turn);
        let Some(now) = tx.take_leased_import(turn).await? else { return Ok(Step::Over) };
        match examined {
            // A person cancelled it meanwhile.
            _ if now.state != ImportState::Checking => Ok(Step::Over),
            Ok(examined) => save_check(tx, now, &lines, examined).await,
            Err(away) => wait(tx, now, away).await,
        }
    }

    /// Adds the next employee, connects their calendar, and invites them or links a member's account; each is done
    /// once.
    async fn employ(&self, turn: &ImportTurn) -> Result<Step, Error> {
        let tx = self.begin(turn);
        let Some(import) = tx.take_leased_import(turn).await? else { return Ok(Step::Over) };
        let mut next = tx.import_lines(import.id, Some(LineState::Good), 0, 1).await?;
        let Some(line) = next.pop() else { return end(tx, import).await };
        let (importer, inviter) = (import.importer(), import.inviter().to_owned());
        let line = match line.record {
            Some(_) => {
                drop(tx);
                line
            }
            None => match import_lines::employ(&tx, &line).await? {
                Err(fault) => {
                    tx.link_import_lines(import.id, &[(line.number, String::new())]).await?;
                    let failed = outcome(&line, LineState::Failed, Some(fault));
                    return save_one(tx, import, failed).await;
                }
                Ok(employee) => {
                    let line = ImportLine { record: Some(employee.0), ..line };
                    tx.save_import_lines(import.id, &[outcome(&line, LineState::Good, None)]).await?;
                    go_on(tx, import).await?;
                    line
                }
            },
        };
        let onboarded = self.onboarding.onboard(turn.business, importer, &inviter, &line).await;
        let tx = self.begin(turn);
        let Some(import) = tx.take_leased_import(turn).await? else { return Ok(Step::Over) };
        match onboarded {
            Ok(onboarded) => {
                import_lines::drop_address(&tx, import.id, &line).await?;
                let note = import_lines::link(&tx, import.id, &line, onboarded).await?;
                save_one(tx, import, outcome(&line, LineState::Imported, note)).await
            }
            Err(away) => wait(tx, import, away).await,
        }
    }

    /// Has scheduling check or book the next appointments, each of which it books once.
    async fn book(&self, tx: Tx, turn: &ImportTurn, import: Import) -> Result<Step, Error> {
        let check_only = import.state == ImportState::Checking;
        let next = if check_only { LineState::Unchecked } else { LineState::Good };
        let lines = tx.import_lines(import.id, Some(next), 0, BOOKED_AT_ONCE).await?;
        if lines.is_empty() {
            tx.drop_import_keys(import.id).await?;
            return end(tx, import).await;
        }
        let are_all = lines.len() < BOOKED_AT_ONCE as usize;
        let visits = appointments::read(&tx, &import, &lines, are_all).await?;
        // Nothing is locked while scheduling is asked.
        tx.commit().await?;
        let answered = self.booking.ask(turn.business, import.importer(), &visits, check_only).await;
        let tx = self.begin(turn);
        let Some(now) = tx.take_leased_import(turn).await? else { return Ok(Step::Over) };
        let outcomes = match answered {
            Err(away) => return wait(tx, now, away).await,
            Ok(outcomes) if check_only => appointments::checked(&tx, now.id, &visits, outcomes).await?,
            Ok(outcomes) => appointments::imported(&visits, outcomes),
        };
        let count = |state| small(outcomes.iter().filter(|outcome| outcome.state == state).count());
        let progress = match check_only {
            true => now.progress.after_check(small(outcomes.len()), count(LineState::Bad)),
            false => now.progress.after_import(count(LineState::Imported), count(LineState::Failed)),
        };
        tx.save_import_lines(now.id, &outcomes).await?;
        go_on(tx, Import { progress, waiting_for: None, ..now }).await
    }

    /// In the name of the person whose import it is: what it makes is theirs in the audit trail.
    fn begin(&self, turn: &ImportTurn) -> Tx {
        let worker = Worker::new(WORKER, turn.business);
        match turn.importer {
            Some(person) => self.store.begin_for(&worker, person),
            None => self.store.begin(&worker),
        }
    }
}

/// Saves what the check of some lines found.
async fn save_check(
    tx: Tx,
    import: Import,
    lines: &[ImportLine],
    Examined { mut refused, members }: Examined,
) -> Result<Step, Error> {
    refused.extend(import_lines::taken_accounts(&tx, &members).await?);
    let outcomes = import_lines::check(&tx, &import, lines, &refused).await?;
    let bad = outcomes.iter().filter(|outcome| outcome.state == LineState::Bad).count();
    tx.save_import_lines(import.id, &outcomes).await?;
    import_lines::announce_links(&tx, import.id, members, &outcomes).await?;
    let progress = import.progress.after_check(small(outcomes.len()), small(bad));
    go_on(tx, Import { progress, waiting_for: None, ..import }).await
}

/// Imports the next lines.
async fn import_some(tx: Tx, import: Import) -> Result<Step, Error> {
    // What another import of the business adds at the same time is known to this one, and not added twice.
    tx.take_import_turn().await?;
    let lines = tx.import_lines(import.id, Some(LineState::Good), 0, IMPORTED_AT_ONCE).await?;
    if lines.is_empty() {
        return end(tx, import).await;
    }
    let outcomes = import_lines::import(&tx, &import, &lines).await?;
    let failed = outcomes.iter().filter(|outcome| outcome.state == LineState::Failed).count();
    tx.save_import_lines(import.id, &outcomes).await?;
    let progress = import.progress.after_import(small(outcomes.len() - failed), small(failed));
    go_on(tx, Import { progress, waiting_for: None, ..import }).await
}

async fn save_one(tx: Tx, import: Import, outcome: LineOutcome) -> Result<Step, Error> {
    let failed = outcome.state == LineState::Failed;
    tx.save_import_lines(import.id, &[outcome]).await?;
    let progress = import.progress.after_import(i32::from(!failed), i32::from(failed));
    go_on(tx, Import { progress, waiting_for: None, ..import }).await
}

async fn go_on(tx: Tx, import: Import) -> Result<Step, Error> {
    let until = tx.now() + LEASE;
    tx.save_import(&import, Some(until)).await?;
    tx.commit().await?;
    Ok(Step::On)
}

/// Another service is away: the import rests, and says so.
async fn wait(tx: Tx, import: Import, away: &str) -> Result<Step, Error> {
    let due_at = tx.now() + PAUSE;
    tx.save_import(&Import { waiting_for: Some(away.to_owned()), ..import }, Some(due_at)).await?;
    tx.commit().await?;
    Ok(Step::Over)
}

async fn end(tx: Tx, import: Import) -> Result<Step, Error> {
    let over = import.worked_through(tx.now());
    let is_kept = over.state == ImportState::Checked || over.keeps_addresses();
    tx.save_import(&over, is_kept.then(|| tx.now() + KEPT_OPEN)).await?;
    tx.commit().await?;
    Ok(Step::Over)
}

/// Those who corrected lines that were left out have done so.
async fn forget_addresses(tx: Tx, import: Import) -> Result<Step, Error> {
    import_lines::drop_addresses(&tx, &import, &[LineState::Bad, LineState::Failed]).await?;
    tx.save_import(&Import { waiting_for: None, ..import }, None).await?;
    tx.commit().await?;
    Ok(Step::Over)
}

/// No person went on with it.
async fn expire(tx: Tx, import: Import) -> Result<Step, Error> {
    let over = import.expired(tx.now());
    tx.drop_import_table(over.id).await?;
    tx.save_import(&over, None).await?;
    tx.commit().await?;
    Ok(Step::Over)
}

fn outcome(line: &ImportLine, state: LineState, fault: Option<FieldFault>) -> LineOutcome {
    let fault = fault.map(|fault| (fault.field, fault.description));
    LineOutcome { number: line.number, state, fault, record: line.record }
}

fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
