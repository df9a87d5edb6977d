//! Keeps an employee's time free of bookings, and gives it back.

use caller::Role;
use engine::{id::BlockId, policy::Booker};
use proto::frontdesk::{
    events::v1::{BlockChanged, event::Payload},
    scheduling::v1::block_service_methods::{BLOCK_TIME, UNBLOCK_TIME},
};

use crate::{
    Error,
    domain::block::Block,
    store::{StoredBlock, Tx},
};

/// Versions of a block: it takes the time, and gives it back.
const TAKEN: i64 = 1;
const GIVEN_BACK: i64 = 2;

/// Time to block.
#[derive(Debug)]
pub struct BlockTime(pub Block);

impl BlockTime {
    /// Blocks the time.
    ///
    /// # Errors
    /// SLOT_TAKEN, TOO_SOON, TOO_FAR.
    pub async fn run(self, tx: &Tx) -> Result<StoredBlock, Error> {
        let Self(block) = self;
        let schedule = tx.settled_schedule().await?;
        schedule.policy.admit(block.span.starts_at(), Booker::Installation, tx.now())?;
        tx.add_block(&schedule, &block).await?;
        publish(tx, block.id, TAKEN).await?;
        tx.audit(&BLOCK_TIME, block.id).await?;
        tx.block(block.id).await
    }
}

/// A block to give back.
#[derive(Debug)]
pub struct UnblockTime {
    /// The block.
    pub id: BlockId,
    /// The caller's role.
    pub role: Role,
}

impl UnblockTime {
    /// Gives the time back.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NotOwnBlock`].
    pub async fn run(self, tx: &Tx) -> Result<(), Error> {
        let Self { id, role } = self;
        let block = tx.block(id).await?.block;
        let is_own = tx.is_actor(block.employee).await?;
        if !block.may_be_removed_by(tx.actor(), role, is_own) {
            return Err(Error::NotOwnBlock);
        }
        tx.remove_block(id).await?;
        publish(tx, id, GIVEN_BACK).await?;
        tx.audit(&UNBLOCK_TIME, id).await
    }
}

async fn publish(tx: &Tx, id: BlockId, version: i64) -> Result<(), Error> {
    tx.publish_change(id, version, Payload::Block(BlockChanged { block_id: id.to_string() })).await
}
