//! Blocked time.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::{BlockId, EmployeeId},
    schedule::Schedule,
    span::Span,
};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, ledger::days_of};
use crate::{Error, domain::block::Block};

macro_rules! select_blocks {
    ($rest:literal) => {
        concat!(
            "SELECT b.id, b.employee_id, b.title, b.starts_at, b.ends_at, b.blocked_by, b.blocked_at,
                e.name AS employee_name
            FROM block b LEFT JOIN employee e ON e.business_id = :business_id AND e.id = b.employee_id
            WHERE b.business_id = :business_id AND b.unblocked_at IS NULL AND ",
            $rest
        )
    };
}

const ONE: &str = select_blocks!("b.id = :id");
/// A page of blocks that take some of a span, by start.
pub const BLOCKS_BY_START: &str = select_blocks!(
    "b.starts_at >= :from::timestamptz - interval '24 hours' AND b.starts_at < :to AND b.ends_at > :from
        AND (b.starts_at, b.id) > (:after_start, :after_id)
            AND (:employee_id::uuid IS NULL OR b.employee_id = :employee_id)
    ORDER BY b.starts_at, b.id LIMIT :rows"
);
const ADD: &str = "INSERT INTO block
        (business_id, id, employee_id, title, starts_at, ends_at, blocked_by, blocked_at)
    VALUES (:business_id, :id, :employee_id, :title, :starts_at, :ends_at, :blocked_by, :blocked_at)";
const END: &str = "UPDATE block SET unblocked_at = :now, unblocked_by = :actor
    WHERE business_id = :business_id AND id = :id AND unblocked_at IS NULL";

/// A block, and what its employee is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBlock {
    /// The block.
    pub block: Block,
    /// The employee's name, empty while it is not known here.
    pub employee_name: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    employee_id: Uuid,
    title: String,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    blocked_by: String,
    blocked_at: DateTime<Utc>,
    employee_name: Option<String>,
}

impl TryFrom<Row> for StoredBlock {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let span = Span::new(from_db(row.starts_at), from_db(row.ends_at));
        let block = Block {
            id: BlockId(row.id),
            employee: EmployeeId(row.employee_id),
            title: row.title,
            span: span.ok_or(Error::Stored("block"))?,
            by: row.blocked_by,
            at: from_db(row.blocked_at),
        };
        Ok(Self { block, employee_name: row.employee_name.unwrap_or_default() })
    }
}

impl Tx {
    /// Blocks time, by a settled schedule.
    ///
    /// # Errors
    /// SLOT_TAKEN, where something is booked or held.
    pub async fn add_block(&self, schedule: &Schedule, block: &Block) -> Result<(), Error> {
        self.take_days(&days_of(&[block.span], &schedule.zone)).await?;
        let values = named! {
            business_id: self.business.0,
            id: block.id.0,
            employee_id: block.employee.0,
            title: block.title.as_str(),
            starts_at: to_db(block.span.starts_at()),
            ends_at: to_db(block.span.ends_at()),
            blocked_by: block.by.as_str(),
            blocked_at: to_db(block.at),
        };
        self.execute(ADD, values).await?;
        self.occupy_block(block).await
    }

    /// Gives a block's time back.
    ///
    /// # Errors
    /// [`Error::NotFound`], also once it is given back.
    pub async fn remove_block(&self, id: BlockId) -> Result<(), Error> {
        let schedule = self.settled_schedule().await?;
        let span = self.block(id).await?.block.span;
        self.take_days(&days_of(&[span], &schedule.zone)).await?;
        let values = named! { business_id: self.business.0, id: id.0, now: self.at(), actor: self.actor() };
        if self.execute(END, values).await? == 0 {
            return Err(Error::NotFound("block"));
        }
        self.close_block(id).await
    }

    /// One block that is not given back.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn block(&self, id: BlockId) -> Result<StoredBlock, Error> {
        let block = self.one::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await?;
        block.ok_or(Error::NotFound("block"))
    }

    /// All blocks that take some of `within`, by start.
    pub(crate) async fn all_blocks(&self, within: Span) -> Result<Vec<StoredBlock>, Error> {
        self.blocks(None, within, (Timestamp::UNIX_EPOCH, BlockId(Uuid::nil())), u32::MAX).await
    }

    /// Blocks that take some of `within`, of one employee or all, by start, after the one that
    /// starts and is called `after`.
    pub async fn blocks(
        &self,
        employee: Option<EmployeeId>,
        within: Span,
        after: (Timestamp, BlockId),
        rows: u32,
    ) -> Result<Vec<StoredBlock>, Error> {
        let values = named! {
            business_id: self.business.0,
            from: to_db(within.starts_at()),
            to: to_db(within.ends_at()),
            after_start: to_db(after.0),
            after_id: after.1.0,
            employee_id: employee.map(|employee| employee.0),
            rows: i64::from(rows),
        };
        self.all::<Row, _>(BLOCKS_BY_START, values).await
    }
}
