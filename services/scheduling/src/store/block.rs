//! Blocked time.

use chrono::{DateTime, Utc};
use database::{from_db, to_db};
use engine::{
    id::{BlockId, EmployeeId},
    schedule::Schedule,
    span::Span,
};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::{Tx, ledger::days_of};
use crate::{Error, domain::block::Block};

macro_rules! select_blocks {
    ($rest:literal) => {
        concat!(
            "SELECT b.id, b.employee_id, b.title, b.starts_at, b.ends_at, b.blocked_by, b.blocked_at,
                e.name AS employee_name
            FROM block b LEFT JOIN employee e ON e.business_id = $1 AND e.id = b.employee_id
            WHERE b.business_id = $1 AND b.unblocked_at IS NULL AND ",
            $rest
        )
    };
}

const ONE: &str = select_blocks!("b.id = $2");
/// Parameters: business, from, to, start and id of the row before, employee, rows wanted.
pub const BLOCKS_BY_START: &str = select_blocks!(
    "b.starts_at >= $2::timestamptz - interval '24 hours' AND b.starts_at < $3 AND b.ends_at > $2
        AND (b.starts_at, b.id) > ($4, $5) AND ($6::uuid IS NULL OR b.employee_id = $6)
    ORDER BY b.starts_at, b.id LIMIT $7"
);
const ADD: &str = "INSERT INTO block
        (business_id, id, employee_id, title, starts_at, ends_at, blocked_by, blocked_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const END: &str = "UPDATE block SET unblocked_at = $3, unblocked_by = $4
    WHERE business_id = $1 AND id = $2 AND unblocked_at IS NULL";

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
        let values: [Value; 8] = [
            self.business.0.into(),
            block.id.0.into(),
            block.employee.0.into(),
            block.title.as_str().into(),
            to_db(block.span.starts_at()).into(),
            to_db(block.span.ends_at()).into(),
            block.by.as_str().into(),
            to_db(block.at).into(),
        ];
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
        let values = [self.business.0.into(), id.0.into(), self.at(), self.actor().into()];
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
        let block = self.one::<Row, _>(ONE, [self.business.0.into(), id.0.into()]).await?;
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
        let values: [Value; 7] = [
            self.business.0.into(),
            to_db(within.starts_at()).into(),
            to_db(within.ends_at()).into(),
            to_db(after.0).into(),
            after.1.0.into(),
            employee.map(|employee| employee.0).into(),
            i64::from(rows).into(),
        ];
        self.all::<Row, _>(BLOCKS_BY_START, values).await
    }
}
