//! Blocked time.

use caller::{BusinessScope, Tenant};
use engine::id::{BlockId, EmployeeId};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, BlockServiceHandler, BlockTimeRequest, BlockTimeResponse, ListBlocksRequest,
        ListBlocksResponse, UnblockTimeRequest, UnblockTimeResponse,
        block_service_methods::{BLOCK_TIME, UNBLOCK_TIME},
    },
    page::page,
    parse::{id, optional_id},
};
use tonic::{Status, async_trait};

use super::{fields, schedule::zone_name};
use crate::{
    Error,
    app::{BlockTime, Named, People, UnblockTime},
    domain::block::{Block, span},
    store::{Store, StoredBlock},
};

const MAX_TITLE: usize = 80;

/// Serves `BlockService`.
#[derive(Debug)]
pub(crate) struct Blocks {
    store: Store,
    people: People,
}

impl Blocks {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl BlockServiceHandler for Blocks {
    async fn block_time(
        &self,
        scope: BusinessScope,
        request: BlockTimeRequest,
    ) -> Result<BlockTimeResponse, Status> {
        let block = parse(&self.store, &scope, &request)?;
        self.people.check(&scope, Named::employee("employee_id", block.employee)).await?;
        self.people.own_or_manager(&scope, block.employee, Error::NotOwnTime).await?;
        self.store
            .idempotent(&scope, &BLOCK_TIME, &request, async |tx| {
                let stored = BlockTime(block).run(tx).await?;
                Ok(BlockTimeResponse { block: Some(pb::Block::from(&stored)) })
            })
            .await
    }

    async fn unblock_time(
        &self,
        scope: BusinessScope,
        request: UnblockTimeRequest,
    ) -> Result<UnblockTimeResponse, Status> {
        let id: BlockId = id("block_id", &request.block_id)?;
        self.store
            .idempotent(&scope, &UNBLOCK_TIME, &request, async |tx| {
                UnblockTime { id, role: scope.role() }.run(tx).await?;
                Ok(UnblockTimeResponse {})
            })
            .await
    }

    async fn list_blocks(
        &self,
        scope: BusinessScope,
        request: ListBlocksRequest,
    ) -> Result<ListBlocksResponse, Status> {
        let employee: Option<EmployeeId> = optional_id("employee_id", &request.employee_id)?;
        let page = page(request.page_size, &request.page_token)?;
        let after = fields::after(&page);
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        let tx = self.store.begin(&scope);
        let within = fields::window(request.from.as_ref(), request.to.as_ref(), tx.now())?;
        let rows = tx.blocks(employee, within, after, page.limit()).await?;
        let time_zone = zone_name(&tx.zone().await?);
        tx.release();
        let key = |row: &&StoredBlock| (row.block.span.starts_at(), row.block.id.0);
        let (blocks, next_page_token) = page.answer(&rows, key, pb::Block::from);
        Ok(ListBlocksResponse { blocks, next_page_token, time_zone })
    }
}

fn parse(store: &Store, scope: &BusinessScope, request: &BlockTimeRequest) -> Result<Block, Status> {
    let starts_at = fields::step("starts_at", request.starts_at.as_ref())?;
    let ends_at = fields::step("ends_at", request.ends_at.as_ref())?;
    Ok(Block {
        id: store.new_id(),
        employee: id("employee_id", &request.employee_id)?,
        title: fields::line("title", &request.title, MAX_TITLE)?,
        span: span(starts_at, ends_at).map_err(|error| invalid("ends_at", &error.to_string()))?,
        by: scope.actor().to_string(),
        at: store.now(),
    })
}
