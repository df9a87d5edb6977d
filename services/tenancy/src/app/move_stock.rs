//! Records what comes into stock and goes out of it.

use std::collections::HashMap;

use caller::Role;

use crate::{
    Error,
    domain::{Count, Item, ItemId, MovementId, MovementKind, NewMovement, NotUndone, StockTakeId},
    store::{SignedMovement, Tx},
};

/// How stock moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// It was delivered, at some cost for one.
    In(Option<i32>),
    /// It was sold, used or thrown away.
    Out(MovementKind),
}

/// A movement to record.
#[derive(Debug)]
pub struct MoveStock {
    /// Of which item.
    pub item: ItemId,
    /// In or out.
    pub moves: Moves,
    /// How many.
    pub quantity: u32,
    /// What is said about it.
    pub note: Option<String>,
}

impl MoveStock {
    /// Records it and publishes the item.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such item; [`Error::NotForSale`] for a sale of one without a price;
    /// [`Error::ItemWithoutCurrency`] for a delivery at a cost of one that is in none.
    pub async fn run(self, tx: &Tx) -> Result<SignedMovement, Error> {
        let Self { item, moves, quantity, note } = self;
        // Taken, so that its price, or its currency, can't go before the movement is recorded.
        match moves {
            Moves::Out(MovementKind::Sold) => drop(tx.take_item(item).await?.for_sale()?),
            Moves::In(Some(_)) => drop(tx.take_item(item).await?.with_currency()?),
            Moves::In(None) | Moves::Out(_) => {}
        }
        let id = tx.new_id();
        let moved = match moves {
            Moves::In(cost) => NewMovement::received(id, item, quantity, cost),
            Moves::Out(kind) => NewMovement::taken(id, item, kind, quantity),
        };
        tx.record_movement(moved.noted(note)).await
    }
}

/// Reverses a movement and publishes the item.
///
/// # Errors
/// [`Error::NotFound`], [`Error::NotUndone`].
pub async fn undo_movement(
    tx: &Tx,
    item: ItemId,
    id: MovementId,
    role: Role,
) -> Result<SignedMovement, Error> {
    tx.take_item(item).await?;
    let movement = tx.stock_movement(item, id).await?;
    let reversal = movement.reversed(tx.new_id(), tx.actor(), role, tx.now())?;
    tx.record_movement(reversal).await
}

/// The counted items with what was counted, in the order of the counts.
///
/// # Errors
/// [`Error::Unknown`] for an item that the business doesn't have.
pub async fn counted_items(tx: &Tx, counts: &[Count]) -> Result<Vec<(Item, Count)>, Error> {
    let ids: Vec<_> = counts.iter().map(|count| count.item).collect();
    let items = tx.take_items(&ids).await?;
    let mut items: HashMap<_, _> = items.into_iter().map(|item| (item.id, item)).collect();
    counts
        .iter()
        .map(|count| {
            let item = items.remove(&count.item).ok_or(Error::Unknown("counts.item_id", "item"))?;
            Ok((item, *count))
        })
        .collect()
}

/// Records what was counted as one stock-take, and publishes the items.
///
/// # Errors
/// [`Error::Unknown`]; [`Error::Moved`] when the stock of one is not what was seen.
pub async fn record_stock_take(
    tx: &Tx,
    counts: &[Count],
    note: Option<String>,
) -> Result<(StockTakeId, Vec<SignedMovement>), Error> {
    let take = tx.new_id();
    let counted = counted_items(tx, counts).await?;
    if let Some((item, _)) = counted.iter().find(|(item, count)| item.on_hand != count.seen_on_hand) {
        return Err(Error::Moved(item.details.name.clone()));
    }
    let movements: Vec<_> = counted
        .iter()
        .map(|(item, count)| {
            let counted = NewMovement::counted(tx.new_id(), item.id, item.on_hand, count.counted);
            counted.of_take(take).noted(note.clone())
        })
        .collect();
    let recorded = tx.add_movements(&movements, tx.actor()).await?;
    for (item, _) in &counted {
        tx.publish_item(item.id).await?;
    }
    Ok((take, recorded))
}

/// Reverses what was counted together, all of it or nothing, and publishes the items. Counts that were undone one by one
/// are left out.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::NotUndone`] when all of it is undone already, or too long ago;
/// [`Error::CountedSince`] when one of the items was counted again.
pub async fn undo_stock_take(tx: &Tx, take: StockTakeId, role: Role) -> Result<Vec<SignedMovement>, Error> {
    let items: Vec<_> = tx.stock_take(take).await?.iter().map(|counted| counted.moved.item).collect();
    let names: HashMap<_, _> =
        tx.take_items(&items).await?.into_iter().map(|item| (item.id, item.details.name)).collect();
    // Read again: nothing of it changes from here on.
    let counted = tx.stock_take(take).await?;
    let standing: Vec<_> = counted.iter().filter(|one| !one.undone).collect();
    if standing.is_empty() {
        return Err(NotUndone::Already.into());
    }
    let mut reversals = vec![];
    for one in standing {
        let name = names.get(&one.moved.item).cloned().unwrap_or_default();
        let reversal = one.reversed(tx.new_id(), tx.actor(), role, tx.now());
        reversals.push(reversal.map_err(|why| match why {
            NotUndone::CountedSince => Error::CountedSince(name),
            why => why.into(),
        })?);
    }
    let recorded = tx.add_movements(&reversals, tx.actor()).await?;
    for reversal in &reversals {
        tx.publish_item(reversal.item).await?;
    }
    Ok(recorded)
}

impl Tx {
    async fn record_movement(&self, moved: NewMovement) -> Result<SignedMovement, Error> {
        let item = moved.item;
        let recorded = self.add_movements(&[moved], self.actor()).await?;
        self.publish_item(item).await?;
        recorded.into_iter().next().ok_or(Error::NotFound("item"))
    }
}
