//! What comes into a salon's stock and goes out of it.

use caller::Role;
use jiff::{SignedDuration, Timestamp};

use super::{ItemId, stored_names::stored_names};

typed_id::typed_id! {
    /// A movement of an item's stock.
    MovementId,
    /// Items that were counted together.
    StockTakeId,
}

/// How long a count can be undone: what is found to be wrong later is counted again.
const COUNT_UNDOABLE: SignedDuration = SignedDuration::from_hours(24);

/// Why stock changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovementKind {
    /// It was delivered.
    Received,
    /// A customer bought it.
    Sold,
    /// It was used up in a service.
    Used,
    /// It was counted, and there was more or less than known.
    Counted,
    /// It was thrown away.
    Wasted,
}

stored_names!(MovementKind {
    Received = "RECEIVED",
    Sold = "SOLD",
    Used = "USED",
    Counted = "COUNTED",
    Wasted = "WASTED",
});

/// A movement to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMovement {
    /// Unique in the installation.
    pub id: MovementId,
    /// Of which item.
    pub item: ItemId,
    /// Why.
    pub kind: MovementKind,
    /// Above zero what came in, below zero what went out.
    pub quantity: i64,
    /// What one cost, in minor units.
    pub unit_cost: Option<i32>,
    /// What was said about it.
    pub note: Option<String>,
    /// The movement that it reverses.
    pub undoes: Option<MovementId>,
    /// The stock-take that it was counted in.
    pub stock_take: Option<StockTakeId>,
}

impl NewMovement {
    /// Goods that arrived.
    #[must_use]
    pub fn received(id: MovementId, item: ItemId, quantity: u32, unit_cost: Option<i32>) -> Self {
        let (kind, quantity) = (MovementKind::Received, i64::from(quantity));
        Self { unit_cost, ..Self::moved(id, item, kind, quantity) }
    }

    /// Goods that went out: sold, used or thrown away.
    #[must_use]
    pub fn taken(id: MovementId, item: ItemId, kind: MovementKind, quantity: u32) -> Self {
        Self::moved(id, item, kind, -i64::from(quantity))
    }

    /// What counting found, where `on_hand` was known.
    #[must_use]
    pub fn counted(id: MovementId, item: ItemId, on_hand: i64, counted: u32) -> Self {
        Self::moved(id, item, MovementKind::Counted, i64::from(counted) - on_hand)
    }

    fn moved(id: MovementId, item: ItemId, kind: MovementKind, quantity: i64) -> Self {
        Self { id, item, kind, quantity, unit_cost: None, note: None, undoes: None, stock_take: None }
    }

    /// With a note.
    #[must_use]
    pub fn noted(self, note: Option<String>) -> Self {
        Self { note, ..self }
    }

    /// Of a stock-take.
    #[must_use]
    pub fn of_take(self, take: StockTakeId) -> Self {
        Self { stock_take: Some(take), ..self }
    }
}

/// A movement as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    /// What moved.
    pub moved: NewMovement,
    /// The stock after it.
    pub on_hand: i64,
    /// Its place among the changes of the item.
    pub number: i64,
    /// Who recorded it, as the audit trail names them.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Whether it was reversed.
    pub undone: bool,
    /// Whether the item was counted after it, by a count that was not reversed.
    pub counted_since: bool,
}

/// Why a movement is not undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotUndone {
    /// Another movement reversed it.
    #[error("this movement is undone already")]
    Already,
    /// It reverses another one.
    #[error("this movement undoes another one")]
    Reversal,
    /// It is another person's, or of a kind that managers record.
    #[error("only a manager undoes what another person recorded")]
    NotOwn,
    /// The item was counted since: what was counted is the stock, whatever came before.
    #[error("the item was counted since: undo that count first")]
    CountedSince,
    /// A count, too long ago.
    #[error("a count can be undone for 24 hours: count again instead")]
    TooLate,
}

impl Movement {
    /// The movement that reverses it, for `actor` with `role` at `now`.
    ///
    /// # Errors
    /// [`NotUndone`].
    pub fn reversed(
        &self,
        id: MovementId,
        actor: &str,
        role: Role,
        now: Timestamp,
    ) -> Result<NewMovement, NotUndone> {
        let own = self.by == actor && matches!(self.moved.kind, MovementKind::Sold | MovementKind::Used);
        if self.undone {
            return Err(NotUndone::Already);
        }
        if self.moved.undoes.is_some() {
            return Err(NotUndone::Reversal);
        }
        if role < Role::Manager && !own {
            return Err(NotUndone::NotOwn);
        }
        if self.counted_since {
            return Err(NotUndone::CountedSince);
        }
        if self.moved.kind == MovementKind::Counted && now.duration_since(self.at) > COUNT_UNDOABLE {
            return Err(NotUndone::TooLate);
        }
        let NewMovement { item, kind, quantity, unit_cost, .. } = self.moved;
        let undoes = Some(self.moved.id);
        Ok(NewMovement { unit_cost, undoes, ..NewMovement::moved(id, item, kind, -quantity) })
    }

    /// Whether `actor` with `role` may reverse it at `now`.
    #[must_use]
    pub fn undoable(&self, actor: &str, role: Role, now: Timestamp) -> bool {
        self.reversed(self.moved.id, actor, role, now).is_ok()
    }
}

/// What was counted of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Of which item.
    pub item: ItemId,
    /// How many.
    pub counted: u32,
    /// The stock that the person saw.
    pub seen_on_hand: i64,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const ITEM: ItemId = ItemId(Uuid::nil());
    const AT: Timestamp = Timestamp::UNIX_EPOCH;

    fn id(n: u128) -> MovementId {
        MovementId(Uuid::from_u128(n))
    }

    fn recorded(moved: NewMovement, by: &str) -> Movement {
        Movement {
            moved,
            on_hand: 0,
            number: 2,
            by: by.to_owned(),
            at: AT,
            undone: false,
            counted_since: false,
        }
    }

    #[test]
    fn counting_moves_by_the_difference() {
        let moved = |on_hand, counted| NewMovement::counted(id(1), ITEM, on_hand, counted).quantity;
        assert_eq!([moved(5, 3), moved(3, 5), moved(4, 4), moved(-2, 0)], [-2, 2, 0, 2]);
    }

    #[test]
    fn a_movement_is_reversed_once_and_a_reversal_never() {
        let sold = recorded(NewMovement::taken(id(1), ITEM, MovementKind::Sold, 2), "user:a");
        let back = sold.reversed(id(2), "user:a", Role::Employee, AT).unwrap();
        assert_eq!((back.quantity, back.undoes), (2, Some(id(1))));
        let undone = Movement { undone: true, ..sold };
        assert_eq!(undone.reversed(id(3), "user:a", Role::Owner, AT), Err(NotUndone::Already));
        assert_eq!(recorded(back, "user:a").reversed(id(3), "x", Role::Owner, AT), Err(NotUndone::Reversal));
    }

    #[test]
    fn employees_undo_their_own_sales_alone() {
        let sold = recorded(NewMovement::taken(id(1), ITEM, MovementKind::Sold, 2), "user:a");
        let received = recorded(NewMovement::received(id(1), ITEM, 2, None), "user:a");
        assert!(sold.undoable("user:a", Role::Employee, AT));
        assert!(!sold.undoable("user:b", Role::Employee, AT));
        assert!(!received.undoable("user:a", Role::Employee, AT));
        assert!(sold.undoable("user:b", Role::Manager, AT));
    }

    #[test]
    fn nothing_is_undone_that_a_later_count_took_in() {
        let received = recorded(NewMovement::received(id(1), ITEM, 2, None), "user:a");
        let taken_in = Movement { counted_since: true, ..received };
        assert_eq!(taken_in.reversed(id(2), "user:a", Role::Owner, AT), Err(NotUndone::CountedSince));
    }

    #[test]
    fn a_count_is_undone_within_a_day_and_a_delivery_later_as_well() {
        let [counted, received] =
            [NewMovement::counted(id(1), ITEM, 5, 3), NewMovement::received(id(1), ITEM, 2, None)]
                .map(|moved| recorded(moved, "user:a"));
        let undone = |movement: &Movement, now| movement.reversed(id(2), "user:a", Role::Manager, now);
        let (last, late) = (AT + COUNT_UNDOABLE, AT + COUNT_UNDOABLE + SignedDuration::from_secs(1));
        assert_eq!(undone(&counted, last).unwrap().quantity, 2);
        assert_eq!(undone(&counted, late), Err(NotUndone::TooLate));
        assert_eq!(undone(&received, late).unwrap().quantity, -2);
    }
}
