//! Holds: time kept for a customer for five minutes.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::{CallId, CustomerId, VisitId},
    schedule::Schedule,
    service::Price,
    visit::Placement,
};
use jiff::{SignedDuration, Timestamp};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, purpose::Purpose};
use crate::{Error, measure::Figure};

/// How long a hold lasts.
pub const HELD_FOR: SignedDuration = SignedDuration::from_mins(5);
/// Most holds open for one call.
const MOST_PER_CALL: i64 = 3;

/// Most holds one person has open outside calls: a receptionist's tabs hold one each.
const MOST_PER_PERSON: usize = 8;

/// Serialises transactions that count the same call's holds.
const TAKE_CALL: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('call:' || :business_id::uuid || :call_id::uuid, 0))";
/// Holds open in a call.
pub const HOLDS_OF_CALL: &str = "SELECT id FROM hold
    WHERE business_id = :business_id AND call_id = :call_id AND ended_at IS NULL AND expires_at > :now
    ORDER BY id";
/// Serialises transactions that count the same person's holds, per browser tab.
const TAKE_PERSON: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('holds:' || :business_id::uuid || :person::text, 0))";
/// Holds that a person, named as in the audit trail, has open outside calls.
pub const HOLDS_OF_PERSON: &str = "SELECT id FROM hold
    WHERE business_id = :business_id AND held_by = :person AND call_id IS NULL AND ended_at IS NULL
        AND expires_at > :now";
const ADD: &str = "INSERT INTO hold
        (business_id, id, call_id, held_by, starts_at, ends_at, price_minor, currency, ledger_rows, created_at,
        expires_at)
    VALUES (:business_id, :id, :call_id, :held_by, :starts_at, :ends_at, :price_minor, :currency,
        :ledger_rows, :now, :expires_at)";
const END: &str = "UPDATE hold SET ended_at = :now, outcome = :outcome
    WHERE business_id = :business_id AND id = ANY(:ids::uuid[]) AND ended_at IS NULL AND expires_at > :now
    RETURNING id, call_id, starts_at, ends_at, price_minor, currency, ledger_rows, outcome";
const ONE: &str = "SELECT id, call_id, starts_at, ends_at, price_minor, currency, ledger_rows, outcome
    FROM hold
    WHERE business_id = :business_id AND id = :id";

/// How a hold ends before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Booked,
    Released,
    Displaced,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Self::Booked => "BOOKED",
            Self::Released => "RELEASED",
            Self::Displaced => "DISPLACED",
        }
    }
}

/// A hold to be made.
#[derive(Debug, Clone)]
pub struct NewHold {
    /// Its id, and that of the appointment it may become.
    pub id: VisitId,
    /// The call it is for.
    pub call: Option<CallId>,
    /// What it keeps.
    pub placement: Placement,
    /// When it ends by itself.
    pub expires_at: Timestamp,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    call_id: Option<Uuid>,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    price_minor: i32,
    currency: String,
    ledger_rows: i16,
    outcome: Option<String>,
}

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

impl From<IdRow> for VisitId {
    fn from(row: IdRow) -> Self {
        Self(row.id)
    }
}

/// A hold as it is kept, without its items.
struct Kept {
    id: VisitId,
    call: Option<CallId>,
    starts_at: Timestamp,
    ends_at: Timestamp,
    price: Price,
    ledger_rows: usize,
    is_booked: bool,
}

impl TryFrom<Row> for Kept {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: VisitId(row.id),
            call: row.call_id.map(CallId),
            starts_at: from_db(row.starts_at),
            ends_at: from_db(row.ends_at),
            price: Price { minor: row.price_minor, currency: row.currency },
            ledger_rows: usize::try_from(row.ledger_rows).map_err(|_| Error::Stored("hold"))?,
            is_booked: row.outcome.as_deref() == Some(Outcome::Booked.name()),
        })
    }
}

impl Tx {
    /// Takes the turn to hold something in a call.
    ///
    /// # Errors
    /// [`Error::TooManyHolds`].
    pub async fn take_turn_in(&self, call: CallId) -> Result<(), Error> {
        if self.holds_of(call).await?.len() as i64 >= MOST_PER_CALL {
            return Err(Error::TooManyHolds);
        }
        Ok(())
    }

    /// Takes the turn to hold something outside calls.
    ///
    /// # Errors
    /// [`Error::TooManyOwnHolds`].
    pub async fn take_own_turn(&self) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, person: self.actor() };
        self.execute(TAKE_PERSON, key.clone()).await?;
        let values = key.and(named! { now: self.at() });
        let open: Vec<VisitId> = self.all::<IdRow, _>(HOLDS_OF_PERSON, values).await?;
        if open.len() >= MOST_PER_PERSON { Err(Error::TooManyOwnHolds(MOST_PER_PERSON)) } else { Ok(()) }
    }

    /// Keeps a placed visit's time.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub async fn add_hold(&self, hold: &NewHold) -> Result<(), Error> {
        let NewHold { id, call, placement, expires_at } = hold;
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            call_id: call.map(|call| call.0),
            held_by: self.actor(),
            starts_at: to_db(placement.starts_at),
            ends_at: to_db(placement.ends_at),
            price_minor: placement.price.minor,
            currency: placement.price.currency.as_str(),
            ledger_rows: (placement.occupied.len() as i16),
            now: self.at(),
            expires_at: to_db(*expires_at),
        };
        self.execute(ADD, values).await?;
        self.tally(Figure::Held, 1);
        self.add_hold_items(*id, &placement.items).await?;
        self.occupy(Purpose::Hold { visit: *id, expires_at: *expires_at }, &placement.occupied).await
    }

    /// Takes a hold's time over for a customer's booking: what it kept, and for which call.
    ///
    /// # Errors
    /// [`Error::HoldGone`], [`Error::NotFound`], EARLIER_VISIT.
    pub async fn take_hold(
        &self,
        id: VisitId,
        customer: Option<CustomerId>,
    ) -> Result<(Placement, Option<CallId>), Error> {
        let schedule = self.settled_schedule().await?;
        self.take_days_of(&[id], &schedule).await?;
        let Some(kept) = self.end_holds(&[id], Outcome::Booked).await?.pop() else {
            self.hold(id).await?;
            return Err(Error::HoldGone);
        };
        let occupied = self.close_visit(id).await?;
        // By a clock that is ahead of this one it may have expired already.
        if occupied.len() != kept.ledger_rows {
            return Err(Error::HoldGone);
        }
        let items = self.hold_items(id).await?;
        self.admit_customer(&schedule, &items, customer).await?;
        let (starts_at, ends_at, price) = (kept.starts_at, kept.ends_at, kept.price);
        let placement = Placement { starts_at, ends_at, items, occupied, price };
        Ok((placement, kept.call))
    }

    /// Releases a hold's time; does nothing if the hold has expired or was released.
    ///
    /// # Errors
    /// [`Error::HoldGone`] once it was booked, [`Error::NotFound`].
    pub async fn release_hold(&self, id: VisitId) -> Result<(), Error> {
        let schedule = self.settled_schedule().await?;
        self.take_days_of(&[id], &schedule).await?;
        if self.end_holds(&[id], Outcome::Released).await?.is_empty() {
            return if self.hold(id).await?.is_booked { Err(Error::HoldGone) } else { Ok(()) };
        }
        self.close_visits(&[id]).await
    }

    /// Gives back all that is held in a call, and says how many holds that were.
    pub async fn release_holds_of(&self, call: CallId) -> Result<usize, Error> {
        let schedule = self.settled_schedule().await?;
        let ids = self.holds_of(call).await?;
        self.take_days_of(&ids, &schedule).await?;
        let released: Vec<_> =
            self.end_holds(&ids, Outcome::Released).await?.iter().map(|hold| hold.id).collect();
        self.close_visits(&released).await?;
        Ok(released.len())
    }

    /// Ends holds whose days this transaction has taken, for something that goes before.
    pub(crate) async fn displace_holds(&self, ids: &[VisitId]) -> Result<(), Error> {
        self.end_holds(ids, Outcome::Displaced).await?;
        self.close_visits(ids).await
    }

    /// Takes the days in which visits take up time, by a settled schedule.
    pub(crate) async fn take_days_of(&self, visits: &[VisitId], schedule: &Schedule) -> Result<(), Error> {
        let days = self.days_of_visits(visits, &schedule.zone).await?;
        self.take_days(&days).await
    }

    /// Holds open in a call, whose turn this transaction takes.
    async fn holds_of(&self, call: CallId) -> Result<Vec<VisitId>, Error> {
        let key = named! { business_id: self.business.0, call_id: call.0 };
        self.execute(TAKE_CALL, key.clone()).await?;
        self.all::<IdRow, _>(HOLDS_OF_CALL, key.and(named! { now: self.at() })).await
    }

    async fn end_holds(&self, ids: &[VisitId], outcome: Outcome) -> Result<Vec<Kept>, Error> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let values = named! { business_id: self.business.0, ids, now: self.at(), outcome: outcome.name() };
        self.all::<Row, _>(END, values).await
    }

    async fn hold(&self, id: VisitId) -> Result<Kept, Error> {
        let hold = self.one::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await?;
        hold.ok_or(Error::NotFound("hold"))
    }
}
