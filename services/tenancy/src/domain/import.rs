//! Many records from one table.

use caller::UserId;
use jiff::{SignedDuration, Timestamp};

use super::{DateOrder, MappedColumn, stored_names::stored_names};

typed_id::typed_id! {
    /// An import of a business.
    ImportId,
}

/// What the lines of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportKind {
    /// Items.
    Items,
    /// Customers.
    Customers,
    /// Employees.
    Employees,
    /// Appointments.
    Appointments,
}

stored_names!(ImportKind {
    Items = "ITEMS",
    Customers = "CUSTOMERS",
    Employees = "EMPLOYEES",
    Appointments = "APPOINTMENTS",
});

impl ImportKind {
    /// Lines that a table of the kind has at most.
    #[must_use]
    pub fn most_lines(self) -> usize {
        match self {
            Self::Items | Self::Customers => 50_000,
            Self::Appointments => 10_000,
            Self::Employees => 500,
        }
    }
}

/// Where an import stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportState {
    /// Its text is being sent.
    Receiving,
    /// A worker checks its lines.
    Checking,
    /// A person decides.
    Checked,
    /// A worker imports its good lines.
    Importing,
    /// Every good line was imported, or could not be.
    Done(Timestamp),
    /// A person ended it.
    Cancelled(Timestamp),
    /// No one went on with it: its table is deleted.
    Expired(Timestamp),
}

/// Why an import does not go where it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongImportState {
    /// Text or a check after the first check.
    #[error("the text of this import was checked already: begin another one")]
    Received,
    /// A start before the check, or after the end.
    #[error("this import is not waiting to be started")]
    NotChecked,
    /// A start without a good line.
    #[error("no line of this import can be imported")]
    NothingGood,
}

/// How long a table is kept while a person is to go on with it: it is full of what is known of people.
pub const KEPT_OPEN: SignedDuration = SignedDuration::from_hours(24);

/// A business begins at most so many within a day: the lines of each, up to 16 MiB, are kept for a month.
const MOST_IN_A_DAY: usize = 50;
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// A business began as many imports as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{MOST_IN_A_DAY} imports were begun within a day: begin the next one tomorrow")]
pub struct TooManyImports {
    /// When one more may be begun.
    pub wait: SignedDuration,
}

/// What an import waits for whose last step failed.
pub const NEXT_TRY: &str = "next-try";

/// Many records from one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Unique in the installation.
    pub id: ImportId,
    /// What its lines are.
    pub kind: ImportKind,
    /// The file it is from.
    pub file_name: Option<String>,
    /// Where it stands.
    pub state: ImportState,
    /// How far it is.
    pub progress: Progress,
    /// Who began it, as the audit trail names them.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Who had its lines imported, once one did.
    pub started_by: Option<String>,
    /// What it waits for before it goes on.
    pub waiting_for: Option<String>,
    /// What the columns of its table are read as, once they are.
    pub columns: Vec<MappedColumn>,
    /// In which order the dates of its table are, if that matters.
    pub date_order: Option<DateOrder>,
}

/// How many lines are how far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// All.
    pub lines: i32,
    /// Those checked.
    pub checked: i32,
    /// Those that can't be imported.
    pub bad: i32,
    /// Those imported.
    pub imported: i32,
    /// Good ones that could not be imported in the end.
    pub failed: i32,
}

impl Progress {
    /// What is checked: some more, some of them bad.
    #[must_use]
    pub fn after_check(self, checked: i32, bad: i32) -> Self {
        Self { checked: self.checked + checked, bad: self.bad + bad, ..self }
    }

    /// What is imported: some more, and some that could not be.
    #[must_use]
    pub fn after_import(self, imported: i32, failed: i32) -> Self {
        Self { imported: self.imported + imported, failed: self.failed + failed, ..self }
    }
}

impl Import {
    /// From when on imports count for a business that begins one at `now`.
    #[must_use]
    pub fn counted_since(now: Timestamp) -> Timestamp {
        now - DAY
    }

    /// How many that count have to be known.
    #[must_use]
    pub fn most_counted() -> i64 {
        i64::try_from(MOST_IN_A_DAY).unwrap_or(i64::MAX)
    }

    /// Whether one more may be begun at `now` by a business that began some at `recent`, the latest first.
    ///
    /// # Errors
    /// [`TooManyImports`].
    pub fn may_begin(recent: &[Timestamp], now: Timestamp) -> Result<(), TooManyImports> {
        match recent.get(MOST_IN_A_DAY - 1) {
            Some(earliest) => Err(TooManyImports { wait: DAY - now.duration_since(*earliest) }),
            None => Ok(()),
        }
    }

    /// Its text, if it is still being sent.
    ///
    /// # Errors
    /// [`WrongImportState::Received`].
    pub fn receiving(self) -> Result<Self, WrongImportState> {
        match self.state {
            ImportState::Receiving => Ok(self),
            _ => Err(WrongImportState::Received),
        }
    }

    /// The person whose calendars are connected and who books: who started it, or began it before it was checked. `None` if that was
    /// no person.
    #[must_use]
    pub fn importer(&self) -> Option<UserId> {
        self.inviter().parse().ok()
    }

    /// A worker is to check so many lines, whose columns and dates were read so.
    #[must_use]
    pub fn checking(self, lines: i32, columns: Vec<MappedColumn>, date_order: Option<DateOrder>) -> Self {
        let progress = Progress { lines, ..Progress::default() };
        Self { state: ImportState::Checking, progress, columns, date_order, ..self }
    }

    /// A worker is to import the good lines in the name of `by`; one that waits is worked on at once.
    ///
    /// # Errors
    /// [`WrongImportState`].
    pub fn started(self, by: &str) -> Result<Self, WrongImportState> {
        match self.state {
            ImportState::Checked if self.progress.bad < self.progress.lines => {
                Ok(Self { state: ImportState::Importing, started_by: Some(by.to_owned()), ..self })
            }
            ImportState::Checked => Err(WrongImportState::NothingGood),
            ImportState::Checking | ImportState::Importing if self.waiting_for.is_some() => {
                Ok(Self { waiting_for: None, ..self })
            }
            _ => Err(WrongImportState::NotChecked),
        }
    }

    /// The person in whose name people are invited: who started it, or began it before it was checked.
    #[must_use]
    pub fn inviter(&self) -> &str {
        let by = self.started_by.as_ref().unwrap_or(&self.by);
        by.strip_prefix("user:").unwrap_or_default()
    }

    /// The last step failed, and nothing of it was kept: it is tried again.
    #[must_use]
    pub fn failing(self) -> Self {
        Self { waiting_for: Some(NEXT_TRY.to_owned()), ..self }
    }

    /// Whether nothing comes of it any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.state, ImportState::Done(_) | ImportState::Cancelled(_) | ImportState::Expired(_))
    }

    /// Whether lines that were left out keep the addresses of calendars for [`KEPT_OPEN`] after its end: the person
    /// whose table it is takes them away, corrects them and imports them again.
    #[must_use]
    pub fn keeps_addresses(&self) -> bool {
        let has_ended = matches!(self.state, ImportState::Done(_) | ImportState::Cancelled(_));
        self.kind == ImportKind::Employees && has_ended && self.progress.bad + self.progress.failed > 0
    }

    /// A person ends it; one that is over stays as it is.
    #[must_use]
    pub fn cancelled(self, at: Timestamp) -> Self {
        if self.is_over() {
            return self;
        }
        Self { state: ImportState::Cancelled(at), waiting_for: None, ..self }
    }

    /// What comes when a person did not go on with it for [`KEPT_OPEN`]; one on which a worker works stays as it is.
    #[must_use]
    pub fn expired(self, at: Timestamp) -> Self {
        match self.state {
            ImportState::Receiving | ImportState::Checked => Self { state: ImportState::Expired(at), ..self },
            _ => self,
        }
    }

    /// What comes when a worker has no line left to check or to import.
    #[must_use]
    pub fn worked_through(self, at: Timestamp) -> Self {
        match self.state {
            ImportState::Checking => Self { state: ImportState::Checked, waiting_for: None, ..self },
            ImportState::Importing => Self { state: ImportState::Done(at), waiting_for: None, ..self },
            _ => self,
        }
    }
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineState {
    /// No worker has looked at it.
    Unchecked,
    /// It can be imported.
    Good,
    /// It can't.
    Bad,
    /// It is a record.
    Imported,
    /// It was good, and could not be imported in the end.
    Failed,
}

stored_names!(LineState {
    Unchecked = "UNCHECKED",
    Good = "GOOD",
    Bad = "BAD",
    Imported = "IMPORTED",
    Failed = "FAILED",
});

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn import(state: ImportState, progress: Progress) -> Import {
        Import {
            id: ImportId(Uuid::nil()),
            kind: ImportKind::Items,
            file_name: None,
            state,
            progress,
            by: "user:1".to_owned(),
            at: Timestamp::UNIX_EPOCH,
            started_by: None,
            waiting_for: None,
            columns: vec![],
            date_order: None,
        }
    }

    #[test]
    fn an_import_is_started_once_it_is_checked_and_has_a_good_line() {
        let some = Progress { lines: 2, checked: 2, bad: 1, ..Progress::default() };
        let started = import(ImportState::Checked, some).started("user:2").unwrap();
        assert_eq!(started.state, ImportState::Importing);
        assert_eq!(started.clone().started("user:3"), Err(WrongImportState::NotChecked));
        assert_eq!(started.clone().failing().started("user:3"), Ok(started), "one that waits goes on");
        let none = Progress { bad: 2, ..some };
        assert_eq!(import(ImportState::Checked, none).started("user:2"), Err(WrongImportState::NothingGood));
        assert_eq!(import(ImportState::Checking, some).receiving(), Err(WrongImportState::Received));
    }

    #[test]
    fn one_more_than_fifty_within_a_day_waits_for_the_first_of_them_to_be_a_day_old() {
        let now = Timestamp::UNIX_EPOCH;
        let hours =
            |count: i64| (0..count).map(|n| now - SignedDuration::from_mins(10 * n)).collect::<Vec<_>>();
        assert_eq!(Import::may_begin(&hours(49), now), Ok(()));
        let wait = DAY - SignedDuration::from_mins(490);
        assert_eq!(Import::may_begin(&hours(50), now), Err(TooManyImports { wait }));
    }

    #[test]
    fn only_an_import_that_waits_for_a_person_expires() {
        let (some, at) = (Progress { lines: 1, checked: 1, ..Progress::default() }, Timestamp::UNIX_EPOCH);
        let over = |state| import(state, some).expired(at).state;
        assert_eq!(over(ImportState::Receiving), ImportState::Expired(at));
        assert_eq!(over(ImportState::Checked), ImportState::Expired(at));
        for state in [ImportState::Checking, ImportState::Importing, ImportState::Cancelled(at)] {
            assert_eq!(over(state), state);
        }
        let expired = import(ImportState::Expired(at), some);
        assert_eq!(expired.clone().cancelled(at).state, ImportState::Expired(at));
        assert_eq!(expired.started("user:1"), Err(WrongImportState::NotChecked));
    }

    #[test]
    fn people_are_invited_in_the_name_of_who_started_it() {
        let checked = import(ImportState::Checked, Progress { lines: 1, checked: 1, ..Progress::default() });
        assert_eq!(checked.inviter(), "1");
        assert_eq!(checked.started("user:2").unwrap().inviter(), "2");
    }

    #[test]
    fn the_importer_is_the_person_who_started_it_or_began_it_before() {
        let begun =
            |by: &str| Import { by: by.to_owned(), ..import(ImportState::Checked, Progress::default()) };
        let user = UserId(Uuid::from_u128(7));
        assert_eq!(begun(&format!("user:{user}")).importer(), Some(user));
        assert_eq!(begun("service:local").importer(), None);
        let starter = UserId(Uuid::from_u128(8));
        let some = Progress { lines: 1, checked: 1, ..Progress::default() };
        let begun = Import { progress: some, ..begun(&format!("user:{user}")) };
        let started = begun.started(&format!("user:{starter}")).unwrap();
        assert_eq!((started.importer(), started.inviter()), (Some(starter), starter.to_string().as_str()));
    }

    #[test]
    fn addresses_are_kept_after_the_end_for_lines_of_employees_that_were_left_out() {
        let at = Timestamp::UNIX_EPOCH;
        let of = |kind, state, bad, failed| {
            let progress = Progress { lines: 3, checked: 3, bad, imported: 0, failed };
            Import { kind, ..import(state, progress) }.keeps_addresses()
        };
        assert!(of(ImportKind::Employees, ImportState::Done(at), 1, 0));
        assert!(of(ImportKind::Employees, ImportState::Cancelled(at), 0, 1));
        assert!(!of(ImportKind::Employees, ImportState::Done(at), 0, 0));
        assert!(!of(ImportKind::Customers, ImportState::Done(at), 1, 1));
        assert!(!of(ImportKind::Employees, ImportState::Expired(at), 1, 0), "its lines are gone");
        assert!(!of(ImportKind::Employees, ImportState::Importing, 1, 0), "it is not over");
    }

    #[test]
    fn what_is_over_stays_so() {
        let at = Timestamp::UNIX_EPOCH;
        let done = import(ImportState::Importing, Progress::default()).worked_through(at);
        assert_eq!(done.state, ImportState::Done(at));
        assert_eq!(done.clone().cancelled(Timestamp::MAX), done);
        let cancelled = import(ImportState::Checking, Progress::default()).cancelled(at);
        assert_eq!(cancelled.clone().worked_through(at), cancelled);
    }
}
