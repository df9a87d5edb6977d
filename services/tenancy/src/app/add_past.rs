//! Takes over the records of a salon that worked before it came here.

use jiff::Timestamp;

use crate::{
    Error,
    domain::{Customer, FollowUp, FollowUpState, ItemId, MovementId, MovementKind, NewMovement},
    store::{PastMovement, Tx},
};

/// Adds customers whom the business does not know, and publishes them; returns how many.
///
/// # Errors
/// [`Error::NotFound`] when there is no such business.
pub async fn add_past_customers(tx: Tx, customers: Vec<Customer>) -> Result<usize, Error> {
    let ids: Vec<_> = customers.iter().map(|customer| customer.id).collect();
    let known: Vec<_> = tx.customers_among(&ids).await?.into_iter().map(|customer| customer.id).collect();
    let new: Vec<_> = customers.into_iter().filter(|customer| !known.contains(&customer.id)).collect();
    tx.take_over().await?;
    tx.add_new_customers(&new).await?;
    for customer in &new {
        tx.publish_customer(customer).await?;
    }
    tx.commit().await?;
    Ok(new.len())
}

/// What moved, and how many of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// So many were delivered, each at some cost.
    In(u32, Option<i32>),
    /// So many were sold, used or thrown away.
    Out(MovementKind, u32),
    /// So many were there.
    Counted(u32),
}

/// A movement that was recorded elsewhere.
#[derive(Debug)]
pub struct Told {
    /// Unique in the installation.
    pub id: MovementId,
    /// How many.
    pub quantity: Quantity,
    /// What was said about it.
    pub note: Option<String>,
    /// When.
    pub at: Timestamp,
    /// Who recorded it, as the audit trail names them.
    pub by: String,
}

/// Adds the movements of an item that has never moved, and publishes it; returns how many.
///
/// # Errors
/// [`Error::NotFound`] when the business has no such item.
pub async fn add_past_movements(tx: Tx, id: ItemId, told: Vec<Told>) -> Result<usize, Error> {
    let item = tx.take_item(id).await?;
    if item.revision != item.version {
        return Ok(0);
    }
    tx.take_over().await?;
    let mut on_hand = 0;
    let movements: Vec<_> = told.into_iter().map(|told| past(id, told, &mut on_hand)).collect();
    tx.add_past_movements(id, &movements).await?;
    tx.publish_item(id).await?;
    tx.commit().await?;
    Ok(movements.len())
}

/// The movement, after which `on_hand` are there.
fn past(item: ItemId, told: Told, on_hand: &mut i64) -> PastMovement {
    let Told { id, quantity, note, at, by } = told;
    let moved = match quantity {
        Quantity::In(quantity, cost) => NewMovement::received(id, item, quantity, cost),
        Quantity::Out(kind, quantity) => NewMovement::taken(id, item, kind, quantity),
        Quantity::Counted(counted) => NewMovement::counted(id, item, *on_hand, counted),
    };
    *on_hand += moved.quantity;
    PastMovement { moved: moved.noted(note), on_hand: *on_hand, at, by }
}

/// Adds follow-ups that the business does not know, and publishes those that are open; returns how many.
///
/// # Errors
/// [`Error::Unknown`] for a customer whom the business doesn't have.
pub async fn add_past_follow_ups(tx: Tx, follow_ups: Vec<FollowUp>) -> Result<usize, Error> {
    tx.take_over().await?;
    let mut added = 0;
    for follow_up in follow_ups {
        if matches!(tx.follow_up(follow_up.id).await, Err(Error::NotFound(_))) {
            tx.add_follow_up(&follow_up).await?;
            if matches!(follow_up.state, FollowUpState::Done { .. }) {
                tx.save_follow_up(&follow_up).await?;
            } else {
                tx.publish_follow_up(&follow_up).await?;
            }
            added += 1;
        }
    }
    tx.commit().await?;
    Ok(added)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_count_is_the_difference_to_what_moved_before_it() {
        let mut on_hand = 0;
        let mut after = |quantity| {
            let (id, by) = (MovementId(Uuid::nil()), String::new());
            let told = Told { id, quantity, note: None, at: Timestamp::UNIX_EPOCH, by };
            let past = past(ItemId(Uuid::nil()), told, &mut on_hand);
            (past.moved.quantity, past.on_hand)
        };
        assert_eq!(after(Quantity::In(12, Some(540))), (12, 12));
        assert_eq!(after(Quantity::Out(MovementKind::Used, 5)), (-5, 7));
        assert_eq!(after(Quantity::Counted(6)), (-1, 6));
    }
}
