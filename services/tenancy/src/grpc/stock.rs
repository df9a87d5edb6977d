//! Movements of stock.

use std::collections::HashSet;

use caller::{BusinessScope, Tenant};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::tenancy::v1::{
        self as pb, CountDifference, ListStockMovementsRequest, ListStockMovementsResponse,
        PreviewStockTakeRequest, PreviewStockTakeResponse, ReceiveStockRequest, ReceiveStockResponse,
        RecordStockTakeRequest, RecordStockTakeResponse, StockMovement, StockMovementKind,
        StockServiceHandler, TakeFromStockRequest, TakeFromStockResponse, UndoStockMovementRequest,
        UndoStockMovementResponse, UndoStockTakeRequest, UndoStockTakeResponse, WasteStockRequest,
        WasteStockResponse,
        stock_service_methods::{
            RECEIVE_STOCK, RECORD_STOCK_TAKE, TAKE_FROM_STOCK, UNDO_STOCK_MOVEMENT, UNDO_STOCK_TAKE,
            WASTE_STOCK,
        },
    },
    page::page,
    parse::{id, optional_text},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{MoveStock, Moves, counted_items, record_stock_take, undo_movement, undo_stock_take},
    domain::{Count, MovementKind},
    store::{SignedMovement, Store},
};

const MOST_COUNTS: usize = 200;

/// Serves `StockService`.
#[derive(Debug)]
pub(crate) struct Stock {
    store: Store,
}

impl Stock {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl StockServiceHandler for Stock {
    async fn list_stock_movements(
        &self,
        scope: BusinessScope,
        request: ListStockMovementsRequest,
    ) -> Result<ListStockMovementsResponse, Status> {
        let item = id("item_id", &request.item_id)?;
        let page = page::<i64>(request.page_size, &request.page_token)?;
        let tx = self.store.begin(&scope);
        tx.item(item).await?;
        let rows = tx.stock_movements(item, page.after, page.limit()).await?;
        let now = tx.now();
        tx.commit().await?;
        let key = |row: &&SignedMovement| row.movement.number;
        let (movements, next_page_token) = page.answer(&rows, key, |signed| wire(signed, &scope, now));
        Ok(ListStockMovementsResponse { movements, next_page_token })
    }

    async fn take_from_stock(
        &self,
        scope: BusinessScope,
        request: TakeFromStockRequest,
    ) -> Result<TakeFromStockResponse, Status> {
        let moves = Moves::Out(taken(request.kind)?);
        let command = command(&request.item_id, moves, request.quantity, &request.note)?;
        self.store
            .idempotent(&scope, &TAKE_FROM_STOCK, &request, async |tx| {
                Ok(TakeFromStockResponse { movement: Some(wire(&command.run(tx).await?, &scope, tx.now())) })
            })
            .await
    }

    async fn receive_stock(
        &self,
        scope: BusinessScope,
        request: ReceiveStockRequest,
    ) -> Result<ReceiveStockResponse, Status> {
        let cost = request.unit_cost_minor.map(|cost| fields::amount("unit_cost_minor", cost)).transpose()?;
        let command = command(&request.item_id, Moves::In(cost), request.quantity, &request.note)?;
        self.store
            .idempotent(&scope, &RECEIVE_STOCK, &request, async |tx| {
                Ok(ReceiveStockResponse { movement: Some(wire(&command.run(tx).await?, &scope, tx.now())) })
            })
            .await
    }

    async fn waste_stock(
        &self,
        scope: BusinessScope,
        request: WasteStockRequest,
    ) -> Result<WasteStockResponse, Status> {
        let moves = Moves::Out(MovementKind::Wasted);
        let command = command(&request.item_id, moves, request.quantity, &request.note)?;
        self.store
            .idempotent(&scope, &WASTE_STOCK, &request, async |tx| {
                Ok(WasteStockResponse { movement: Some(wire(&command.run(tx).await?, &scope, tx.now())) })
            })
            .await
    }

    async fn undo_stock_movement(
        &self,
        scope: BusinessScope,
        request: UndoStockMovementRequest,
    ) -> Result<UndoStockMovementResponse, Status> {
        let item = id("item_id", &request.item_id)?;
        let movement = id("movement_id", &request.movement_id)?;
        self.store
            .idempotent(&scope, &UNDO_STOCK_MOVEMENT, &request, async |tx| {
                let undone = undo_movement(tx, item, movement, scope.role()).await?;
                Ok(UndoStockMovementResponse { movement: Some(wire(&undone, &scope, tx.now())) })
            })
            .await
    }

    async fn preview_stock_take(
        &self,
        scope: BusinessScope,
        request: PreviewStockTakeRequest,
    ) -> Result<PreviewStockTakeResponse, Status> {
        let counts = counts(&request.counts)?;
        let tx = self.store.begin(&scope);
        let counted = counted_items(&tx, &counts).await?;
        tx.commit().await?;
        let differences =
            counted.into_iter().zip(&request.counts).map(|((item, _), count)| CountDifference {
                item_id: item.id.to_string(),
                item_name: item.details.name,
                on_hand: item.on_hand,
                counted: count.counted,
                difference: i64::from(count.counted) - item.on_hand,
            });
        Ok(PreviewStockTakeResponse { differences: differences.collect() })
    }

    async fn record_stock_take(
        &self,
        scope: BusinessScope,
        request: RecordStockTakeRequest,
    ) -> Result<RecordStockTakeResponse, Status> {
        let counts = counts(&request.counts)?;
        let note = optional_text("note", &request.note, fields::LONGEST_REMARK)?;
        self.store
            .idempotent(&scope, &RECORD_STOCK_TAKE, &request, async |tx| {
                let (take, recorded) = record_stock_take(tx, &counts, note).await?;
                let movements = recorded.iter().map(|signed| wire(signed, &scope, tx.now())).collect();
                Ok(RecordStockTakeResponse { movements, stock_take_id: take.to_string() })
            })
            .await
    }

    async fn undo_stock_take(
        &self,
        scope: BusinessScope,
        request: UndoStockTakeRequest,
    ) -> Result<UndoStockTakeResponse, Status> {
        let take = id("stock_take_id", &request.stock_take_id)?;
        self.store
            .idempotent(&scope, &UNDO_STOCK_TAKE, &request, async |tx| {
                let undone = undo_stock_take(tx, take, scope.role()).await?;
                let movements = undone.iter().map(|signed| wire(signed, &scope, tx.now())).collect();
                Ok(UndoStockTakeResponse { movements })
            })
            .await
    }
}

fn wire(signed: &SignedMovement, scope: &BusinessScope, now: Timestamp) -> StockMovement {
    let may_undo = signed.movement.undoable(&scope.actor().to_string(), scope.role(), now);
    StockMovement { may_undo, ..StockMovement::from(signed) }
}

fn command(item_id: &str, moves: Moves, quantity: i32, note: &str) -> Result<MoveStock, Status> {
    Ok(MoveStock {
        item: id("item_id", item_id)?,
        moves,
        quantity: fields::quantity("quantity", quantity, 1)?,
        note: optional_text("note", note, fields::LONGEST_REMARK)?,
    })
}

fn taken(kind: i32) -> Result<MovementKind, Status> {
    match StockMovementKind::try_from(kind) {
        Ok(StockMovementKind::Sold) => Ok(MovementKind::Sold),
        Ok(StockMovementKind::Used) => Ok(MovementKind::Used),
        _ => Err(invalid("kind", "must be SOLD or USED")),
    }
}

fn counts(wire: &[pb::Count]) -> Result<Vec<Count>, Status> {
    if !(1..=MOST_COUNTS).contains(&wire.len()) {
        return Err(invalid("counts", "must be 1 to 200"));
    }
    let mut seen = HashSet::new();
    let parse = |(index, count): (usize, &pb::Count)| {
        let item = id(&format!("counts[{index}].item_id"), &count.item_id)?;
        if !seen.insert(item) {
            return Err(invalid("counts", "must have each item once"));
        }
        let counted = fields::quantity(&format!("counts[{index}].counted"), count.counted, 0)?;
        Ok(Count { item, counted, seen_on_hand: count.seen_on_hand })
    };
    wire.iter().enumerate().map(parse).collect()
}
