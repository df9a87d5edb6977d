//! Time off.

use chrono::{DateTime, NaiveDate, Utc};
use database::{from_db, named, to_db};
use engine::{
    dates::DateRange,
    id::{EmployeeId, TimeOffId},
    span::Span,
};
use jiff::{Timestamp, tz::TimeZone};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    Tx,
    day::{civil, naive},
    settings::ScheduleVersion,
    visits_in_time_off::OverlappingVisit,
};
use crate::{
    Error,
    domain::time_off::{Decision, Extent, Kind, Stage, State, TimeOff},
};

macro_rules! select_time_off {
    ($rest:literal) => {
        concat!(
            "SELECT t.id, t.employee_id, t.kind, t.reason, t.starts_at, t.ends_at, t.first_date, t.last_date,
                t.state, t.requested_by, t.requested_at, t.decided_by, t.decided_at, t.decision_note,
                t.version, e.name AS employee_name
            FROM time_off t LEFT JOIN employee e ON e.business_id = :business_id AND e.id = t.employee_id
            WHERE t.business_id = :business_id AND ",
            $rest
        )
    };
}

const ONE: &str = select_time_off!("t.id = :id");
const APPROVED_SINCE: &str = select_time_off!("t.state = 'APPROVED' AND t.ends_at > :ends_after");
/// Approved time off that takes some of a span.
pub const APPROVED_WITHIN: &str =
    select_time_off!("t.state = 'APPROVED' AND t.ends_at > :from AND t.starts_at < :to");
/// A page of time off by start.
pub const TIME_OFF_BY_START: &str = select_time_off!(
    "(t.starts_at, t.id) > (:after_start, :after_id) AND t.ends_at > :ends_after
        AND (:employee_id::uuid IS NULL OR t.employee_id = :employee_id)
        AND (:state::text IS NULL OR t.state = :state)
        AND (:asker::text IS NULL OR t.state = 'APPROVED' OR t.requested_by = :asker)
    ORDER BY t.starts_at, t.id LIMIT :rows"
);
const ADD: &str = "INSERT INTO time_off (business_id, id, employee_id, kind, reason, starts_at, ends_at,
        first_date, last_date, state, requested_by, requested_at, version, decided_by, decided_at,
        decision_note)
    VALUES (:business_id, :id, :employee_id, :kind, :reason, :starts_at, :ends_at, :first_date, :last_date,
        :state, :requested_by, :requested_at, :version, :decided_by, :decided_at, :decision_note)";
const SAVE: &str = "UPDATE time_off
    SET state = :state, decided_by = :decided_by, decided_at = :decided_at, decision_note = :decision_note,
        version = :version
    WHERE business_id = :business_id AND id = :id";
/// Time off with what goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTimeOff {
    /// The time off.
    pub time_off: TimeOff,
    /// Where it stands in the list.
    pub starts_at: Timestamp,
    /// What the employee is called, empty while that is not known here.
    pub employee_name: String,
    /// The first 200 appointments that stand in it, by start.
    pub visits: Vec<OverlappingVisit>,
}

/// Which time off a list is of.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Only this employee's; `None` for every employee's.
    pub employee: Option<EmployeeId>,
    /// Only in this stage; `None` for every stage.
    pub stage: Option<Stage>,
    /// Of employees other than this one, only approved time off; `None` for all of it.
    pub asker: Option<&'a str>,
    /// It ends after this.
    pub ends_after: Timestamp,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    employee_id: Uuid,
    kind: String,
    reason: String,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    first_date: Option<NaiveDate>,
    last_date: Option<NaiveDate>,
    state: String,
    requested_by: String,
    requested_at: DateTime<Utc>,
    decided_by: Option<String>,
    decided_at: Option<DateTime<Utc>>,
    decision_note: Option<String>,
    version: i64,
    employee_name: Option<String>,
}

impl Row {
    fn kind(&self) -> Result<Kind, Error> {
        let kinds = [Kind::Holiday, Kind::Sick, Kind::Training, Kind::Other];
        kinds.into_iter().find(|kind| kind_name(*kind) == self.kind).ok_or(Error::Stored("time off"))
    }

    fn extent(&self) -> Result<Extent, Error> {
        let stored = || Error::Stored("time off");
        match self.first_date.zip(self.last_date) {
            Some((first, last)) => {
                let dates = DateRange::new(civil(first)?, civil(last)?);
                Ok(Extent::Days(dates.map_err(|_| stored())?))
            }
            None => {
                let span = Span::new(from_db(self.starts_at), from_db(self.ends_at));
                Ok(Extent::Span(span.ok_or_else(stored)?))
            }
        }
    }

    fn state(&mut self) -> Result<State, Error> {
        let decision = self.decided_at.zip(self.decided_by.take()).zip(self.decision_note.take());
        let decision = decision.map(|((at, by), note)| Decision { at: from_db(at), by, note });
        match (self.state.as_str(), decision) {
            ("REQUESTED", None) => Ok(State::Requested),
            ("APPROVED", Some(decision)) => Ok(State::Approved(decision)),
            ("DECLINED", Some(decision)) => Ok(State::Declined(decision)),
            ("WITHDRAWN", Some(decision)) => Ok(State::Withdrawn(decision)),
            _ => Err(Error::Stored("time off")),
        }
    }
}

impl TryFrom<Row> for StoredTimeOff {
    type Error = Error;
    fn try_from(mut row: Row) -> Result<Self, Error> {
        let time_off = TimeOff {
            id: TimeOffId(row.id),
            employee: EmployeeId(row.employee_id),
            kind: row.kind()?,
            extent: row.extent()?,
            state: row.state()?,
            reason: row.reason,
            requested_by: row.requested_by,
            requested_at: from_db(row.requested_at),
            version: row.version,
        };
        Ok(Self {
            time_off,
            starts_at: from_db(row.starts_at),
            employee_name: row.employee_name.unwrap_or_default(),
            visits: vec![],
        })
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Holiday => "HOLIDAY",
        Kind::Sick => "SICK",
        Kind::Training => "TRAINING",
        Kind::Other => "OTHER",
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Requested => "REQUESTED",
        Stage::Approved => "APPROVED",
        Stage::Declined => "DECLINED",
        Stage::Withdrawn => "WITHDRAWN",
    }
}

impl Tx {
    /// Adds time off that takes place in `zone`.
    ///
    /// # Errors
    /// [`Error::Invalid`], where the zone left out all of its days.
    pub async fn add_time_off(
        &self,
        _: ScheduleVersion,
        time_off: &TimeOff,
        zone: &TimeZone,
    ) -> Result<(), Error> {
        let span = time_off.extent.span(zone);
        let span = span.ok_or_else(|| Error::invalid("first_date", "is no day in the business's zone"))?;
        let dates = match time_off.extent {
            Extent::Days(dates) => Some(dates),
            Extent::Span(_) => None,
        };
        let decision = time_off.state.decision();
        let values = named! {
            business_id: self.business.0,
            id: time_off.id.0,
            employee_id: time_off.employee.0,
            kind: kind_name(time_off.kind),
            reason: time_off.reason.as_str(),
            starts_at: to_db(span.starts_at()),
            ends_at: to_db(span.ends_at()),
            first_date: dates.map(|dates| naive(dates.first())),
            last_date: dates.map(|dates| naive(dates.last())),
            state: stage_name(time_off.state.stage()),
            requested_by: time_off.requested_by.as_str(),
            requested_at: to_db(time_off.requested_at),
            version: time_off.version,
            decided_by: decision.map(|decision| decision.by.as_str()),
            decided_at: decision.map(|decision| to_db(decision.at)),
            decision_note: decision.map(|decision| decision.note.as_str()),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// A time off, locked until this transaction ends: the schedule is locked exclusively.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_time_off(&self, _: ScheduleVersion, id: TimeOffId) -> Result<TimeOff, Error> {
        let found: Option<StoredTimeOff> =
            self.one::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await?;
        Ok(found.ok_or(Error::NotFound("time off"))?.time_off)
    }

    /// Time off and what stands in it.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn time_off(&self, id: TimeOffId, zone: &TimeZone) -> Result<StoredTimeOff, Error> {
        let found = self.all::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await?;
        self.with_standing(found, zone).await?.pop().ok_or(Error::NotFound("time off"))
    }

    /// Saves where time off stands.
    pub async fn save_time_off(&self, _: ScheduleVersion, time_off: &TimeOff) -> Result<(), Error> {
        let decision = time_off.state.decision();
        let values = named! {
            business_id: self.business.0,
            id: time_off.id.0,
            state: stage_name(time_off.state.stage()),
            decided_by: decision.map(|decision| decision.by.as_str()),
            decided_at: decision.map(|decision| to_db(decision.at)),
            decision_note: decision.map(|decision| decision.note.as_str()),
            version: time_off.version,
        };
        self.execute(SAVE, values).await.map(drop)
    }

    /// Time off by start, after the one that started and is called `after`, and what
    /// stands in each.
    pub async fn time_off_list(
        &self,
        wanted: Wanted<'_>,
        after: (Timestamp, TimeOffId),
        rows: u32,
        zone: &TimeZone,
    ) -> Result<Vec<StoredTimeOff>, Error> {
        let values = named! {
            business_id: self.business.0,
            after_start: to_db(after.0),
            after_id: after.1.0,
            ends_after: to_db(wanted.ends_after),
            employee_id: wanted.employee.map(|employee| employee.0),
            state: wanted.stage.map(stage_name),
            rows: i64::from(rows),
            asker: wanted.asker,
        };
        let found = self.all::<Row, _>(TIME_OFF_BY_START, values).await?;
        self.with_standing(found, zone).await
    }

    /// Adds the appointments that stand in each time off that was not declined or withdrawn.
    async fn with_standing(
        &self,
        mut time_off_list: Vec<StoredTimeOff>,
        zone: &TimeZone,
    ) -> Result<Vec<StoredTimeOff>, Error> {
        let stands = time_off_list.iter().map(|stored| &stored.time_off).filter(|time_off| time_off.stands());
        let stands: Vec<_> = stands.filter_map(|off| Some((off, off.extent.span(zone)?))).collect();
        let mut visits = self.visits_in_time_off(&stands).await?;
        for stored in &mut time_off_list {
            stored.visits = visits.remove(&stored.time_off.id).unwrap_or_default();
        }
        Ok(time_off_list)
    }

    /// Approved time off that takes some of `within`.
    pub(crate) async fn approved_within(&self, within: Span) -> Result<Vec<TimeOff>, Error> {
        let values = named! {
            business_id: self.business.0,
            from: to_db(within.starts_at()),
            to: to_db(within.ends_at()),
        };
        let approved: Vec<StoredTimeOff> = self.all::<Row, _>(APPROVED_WITHIN, values).await?;
        Ok(approved.into_iter().map(|stored| stored.time_off).collect())
    }

    /// Approved time off that ends after `at`.
    pub(crate) async fn approved_since(&self, at: Timestamp) -> Result<Vec<TimeOff>, Error> {
        let approved: Vec<StoredTimeOff> = self
            .all::<Row, _>(APPROVED_SINCE, named! { business_id: self.business.0, ends_after: to_db(at) })
            .await?;
        Ok(approved.into_iter().map(|stored| stored.time_off).collect())
    }
}
