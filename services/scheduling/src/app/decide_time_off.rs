//! Requests time off, and decides on it.

use caller::{Method, Role};
use engine::id::TimeOffId;
use proto::frontdesk::scheduling::v1::time_off_service_methods::{
    APPROVE_TIME_OFF, DECLINE_TIME_OFF, REQUEST_TIME_OFF, WITHDRAW_TIME_OFF,
};

use crate::{
    Error,
    domain::{
        id::ChangeId,
        time_off::{Decision, TimeOff},
        undoable::{TimeOffChange, Undoable},
    },
    store::{ScheduleEdit, Stranded, Tx},
};

/// A request for time off.
#[derive(Debug)]
pub struct RequestTimeOff(pub TimeOff);

impl RequestTimeOff {
    /// Keeps the request until it is decided on.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx) -> Result<TimeOffId, Error> {
        let Self(requested) = self;
        let id = requested.id;
        let add = async |version| tx.add_time_off(version, &requested, &tx.zone().await?).await;
        tx.change_schedule(&REQUEST_TIME_OFF, id, add).await?;
        Ok(id)
    }
}

/// What is decided.
#[derive(Debug, Clone, Copy)]
pub enum Verdict {
    /// The employee is away.
    Approve,
    /// The employee works.
    Decline,
    /// The request is taken back by a person of this role.
    Withdraw(Role),
}

impl Verdict {
    fn method(self) -> &'static Method {
        match self {
            Self::Approve => &APPROVE_TIME_OFF,
            Self::Decline => &DECLINE_TIME_OFF,
            Self::Withdraw(_) => &WITHDRAW_TIME_OFF,
        }
    }

    fn apply(self, time_off: TimeOff, decision: Decision) -> Result<TimeOff, Error> {
        match self {
            Self::Approve => Ok(time_off.approve(decision)?),
            Self::Decline => Ok(time_off.decline(decision)?),
            Self::Withdraw(role) if time_off.concerns(&decision.by, role) => Ok(time_off.withdraw(decision)?),
            Self::Withdraw(_) => Err(Error::NotTheirs),
        }
    }
}

/// A decision on time off.
#[derive(Debug)]
pub struct DecideTimeOff {
    /// The time off.
    pub id: TimeOffId,
    /// What is decided.
    pub verdict: Verdict,
    /// What the employee is told beside; may be empty.
    pub note: String,
}

impl DecideTimeOff {
    /// Decides; the appointments that this strands, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NotTheirs`], or a state that allows no such decision.
    pub async fn run(self, tx: &Tx) -> Result<(Vec<Stranded>, ChangeId), Error> {
        let (id, method) = (self.id, self.verdict.method());
        let (edit, stranded, change) = self.apply(tx).await?;
        tx.finish_schedule(method, id, edit.version).await?;
        let change = tx.add_undoable(&Undoable { time_off: Some(change), ..Undoable::default() }).await?;
        Ok((stranded, change))
    }

    /// The appointments that the decision would strand: it is made and rolled back.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn preview(self, tx: Tx) -> Result<Vec<Stranded>, Error> {
        Ok(self.apply(&tx).await?.1)
    }

    async fn apply(self, tx: &Tx) -> Result<(ScheduleEdit, Vec<Stranded>, TimeOffChange), Error> {
        let Self { id, verdict, note } = self;
        let edit = tx.edit_schedule().await?;
        let decision = Decision { at: tx.now(), by: tx.actor().to_owned(), note };
        let requested = tx.take_time_off(edit.version, id).await?;
        let before = requested.state.clone();
        let decided = verdict.apply(requested, decision)?;
        tx.save_time_off(edit.version, &decided).await?;
        let (stranded, change) = match verdict {
            Verdict::Approve => {
                (tx.stranded(&edit, Some(decided.employee)).await?, TimeOffChange::decided(&decided))
            }
            Verdict::Decline => (vec![], TimeOffChange::decided(&decided)),
            Verdict::Withdraw(_) => (vec![], TimeOffChange::withdrawn(&decided, before)),
        };
        Ok((edit, stranded, change))
    }
}
