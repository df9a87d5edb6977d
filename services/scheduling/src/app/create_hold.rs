//! Keeps a time for a customer for a few minutes, and gives it back.

use std::sync::Arc;

use caller::Actor;
use engine::{
    id::{CallId, VisitId},
    item::Item,
    policy::Booker,
    schedule::Schedule,
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::availability_service_methods::{
    CREATE_HOLD, RELEASE_CALL_HOLDS, RELEASE_HOLD,
};

use crate::{
    Error,
    store::{HELD_FOR, NewHold, Tx},
};

/// A time to hold.
#[derive(Debug)]
pub struct CreateHold {
    /// The services.
    pub items: Vec<Item>,
    /// A start that must be free.
    pub start: Timestamp,
    /// In which call.
    pub call: Option<CallId>,
    /// Who holds it: people's holds outside calls are limited.
    pub holder: Actor,
    /// Whose notice counts.
    pub booker: Booker,
}

impl CreateHold {
    /// Holds the time; by the schedule it was placed with.
    ///
    /// # Errors
    /// [`Error::TooManyHolds`], [`Error::TooManyOwnHolds`], or why it can't be placed.
    pub async fn run(self, tx: &Tx) -> Result<(NewHold, Arc<Schedule>), Error> {
        let Self { items, start, call, holder, booker } = self;
        let schedule = tx.settled_schedule().await?;
        match (call, holder) {
            (Some(call), _) => tx.take_turn_in(call).await?,
            (None, Actor::Person { .. }) => tx.take_own_turn().await?,
            (None, Actor::Agent { .. } | Actor::Service { .. }) => {}
        }
        let placement = tx.place(&schedule, &items, start, booker).await?;
        let hold = NewHold { id: tx.new_id(), call, placement, expires_at: tx.now() + HELD_FOR };
        tx.add_hold(&hold).await?;
        tx.audit(&CREATE_HOLD, hold.id).await?;
        Ok((hold, schedule))
    }
}

/// A hold to release.
#[derive(Debug)]
pub struct ReleaseHold(pub VisitId);

impl ReleaseHold {
    /// Releases the hold; does nothing if it has expired or was released.
    ///
    /// # Errors
    /// [`Error::HoldGone`] once it was booked, [`Error::NotFound`].
    pub async fn run(self, tx: Tx) -> Result<(), Error> {
        let Self(hold) = self;
        tx.release_hold(hold).await?;
        tx.audit(&RELEASE_HOLD, hold).await?;
        tx.commit().await
    }
}

/// A call whose holds are released.
#[derive(Debug)]
pub struct ReleaseCallHolds(pub CallId);

impl ReleaseCallHolds {
    /// Releases them; how many there were.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: Tx) -> Result<usize, Error> {
        let Self(call) = self;
        let released = tx.release_holds_of(call).await?;
        tx.audit(&RELEASE_CALL_HOLDS, call).await?;
        tx.commit().await?;
        Ok(released)
    }
}
