//! Movements of stock.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, refused};
use crate::{
    Error,
    domain::{ItemId, Movement, MovementId, MovementKind, NewMovement, NotUndone, StockTakeId},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT m.id, m.item_id, m.number, m.kind, m.quantity, m.on_hand, m.unit_cost_minor, m.note, m.undoes,
                m.stock_take_id, m.created_by, m.created_at, e.name AS author, back.undone IS NOT NULL AS undone,
                COALESCE(counted.last > m.number, false) AS counted_since
            FROM stock_movement m
            -- One by one, so that each is found in its index.
            LEFT JOIN LATERAL (
                SELECT employee.name FROM employee
                WHERE employee.business_id = m.business_id AND employee.user_id =
                    CASE WHEN m.created_by LIKE 'user:%' THEN substr(m.created_by, 6)::uuid END LIMIT 1
            ) e ON true
            LEFT JOIN LATERAL (
                SELECT true AS undone FROM stock_movement undoing
                WHERE undoing.business_id = m.business_id AND undoing.undoes = m.id LIMIT 1
            ) back ON true
            LEFT JOIN LATERAL (
                SELECT c.number AS last FROM stock_movement c
                WHERE c.business_id = m.business_id AND c.item_id = m.item_id AND c.kind = 'COUNTED'
                    AND c.undoes IS NULL AND (
                        SELECT true FROM stock_movement undoing
                        WHERE undoing.business_id = c.business_id AND undoing.undoes = c.id LIMIT 1) IS NULL
                ORDER BY c.number DESC LIMIT 1
            ) counted ON true
            WHERE m.business_id = :business_id AND ",
            $rest
        )
    };
}

/// A page of an item's movements.
pub const STOCK_MOVEMENTS: &str =
    select!("m.item_id = :item_id AND m.number < :before ORDER BY m.number DESC LIMIT :limit");
const BY_ID: &str = select!("m.item_id = :item_id AND m.id = :id");
const AMONG: &str = select!("m.id = ANY(:ids::uuid[])");
const OF_TAKE: &str = select!("m.stock_take_id = :stock_take_id ORDER BY m.item_id");
/// Adds movements of as many items, whose stock changes with them.
const MOVE: &str = "WITH wanted AS (
        SELECT * FROM unnest(:ids::uuid[], :items::uuid[], :kinds::text[], :quantities::bigint[],
            :costs::integer[], :notes::text[], :undoes::uuid[], :takes::uuid[])
            AS wanted (id, item_id, kind, quantity, cost, note, undoes, take)
    ), moved AS (
        UPDATE item SET on_hand = item.on_hand + wanted.quantity, revision = item.revision + 1
        FROM wanted WHERE item.business_id = :business_id AND item.id = wanted.item_id
        RETURNING item.id, item.on_hand, item.revision
    )
    INSERT INTO stock_movement (business_id, id, item_id, number, kind, quantity, on_hand, unit_cost_minor, note,
        undoes, stock_take_id, created_by, created_at)
    SELECT :business_id, wanted.id, wanted.item_id, moved.revision, wanted.kind, wanted.quantity, moved.on_hand,
        NULLIF(wanted.cost, -1), NULLIF(wanted.note, ''),
        NULLIF(wanted.undoes, '00000000-0000-0000-0000-000000000000'::uuid),
        NULLIF(wanted.take, '00000000-0000-0000-0000-000000000000'::uuid), :by, :now
    FROM wanted JOIN moved ON moved.id = wanted.item_id";

/// Adds movements of one item, which are after each other, and the last of which leaves its stock.
const MOVE_ALL: &str = "WITH wanted AS (
        SELECT * FROM unnest(:ids::uuid[], :kinds::text[], :quantities::bigint[], :stocks::bigint[], :costs::integer[],
            :notes::text[], :times::timestamptz[], :people::text[])
            WITH ORDINALITY AS wanted (id, kind, quantity, on_hand, cost, note, at, by, place)
    ), moved AS (
        UPDATE item SET on_hand = on_hand + :moved, revision = revision + :count
        WHERE business_id = :business_id AND id = :item_id RETURNING revision - :count AS before
    )
    INSERT INTO stock_movement (business_id, id, item_id, number, kind, quantity, on_hand, unit_cost_minor, note,
        created_by, created_at)
    SELECT :business_id, wanted.id, :item_id, moved.before + wanted.place, wanted.kind, wanted.quantity,
        wanted.on_hand, NULLIF(wanted.cost, -1), NULLIF(wanted.note, ''), wanted.by, wanted.at
    FROM wanted CROSS JOIN moved";

/// In an array, whose entries are no NULLs, where no cost is known.
const NO_COST: i32 = -1;

/// A movement that was recorded before the item came here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastMovement {
    /// What moved.
    pub moved: NewMovement,
    /// The stock after it.
    pub on_hand: i64,
    /// When.
    pub at: Timestamp,
    /// Who recorded it, as the audit trail names them.
    pub by: String,
}

/// A movement with the name of who recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedMovement {
    /// The movement.
    pub movement: Movement,
    /// The employee whose account recorded it; empty where it is no employee's.
    pub author: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    item_id: Uuid,
    number: i64,
    kind: String,
    quantity: i64,
    on_hand: i64,
    unit_cost_minor: Option<i32>,
    note: Option<String>,
    undoes: Option<Uuid>,
    stock_take_id: Option<Uuid>,
    created_by: String,
    created_at: DateTime<Utc>,
    author: Option<String>,
    undone: bool,
    counted_since: bool,
}

impl TryFrom<Row> for SignedMovement {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let kind = MovementKind::named(&row.kind)
            .ok_or_else(|| Error::Stored("movement", format!("of kind {}", row.kind).into()))?;
        let moved = NewMovement {
            id: MovementId(row.id),
            item: ItemId(row.item_id),
            kind,
            quantity: row.quantity,
            unit_cost: row.unit_cost_minor,
            note: row.note,
            undoes: row.undoes.map(MovementId),
            stock_take: row.stock_take_id.map(StockTakeId),
        };
        let movement = Movement {
            moved,
            on_hand: row.on_hand,
            number: row.number,
            by: row.created_by,
            at: from_db(row.created_at),
            undone: row.undone,
            counted_since: row.counted_since,
        };
        Ok(Self { movement, author: row.author.unwrap_or_default() })
    }
}

impl Tx {
    /// A page of an item's movements, the latest first, and one more if there are more.
    pub async fn stock_movements(
        &self,
        item: ItemId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<SignedMovement>, Error> {
        let values = named! {
            business_id: self.business.0,
            item_id: item.0,
            before: before.unwrap_or(i64::MAX),
            limit: i64::from(limit),
        };
        self.all::<Row, _>(STOCK_MOVEMENTS, values).await
    }

    /// One movement of an item.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn stock_movement(&self, item: ItemId, id: MovementId) -> Result<Movement, Error> {
        let key = named! { business_id: self.business.0, item_id: item.0, id: id.0 };
        let found: Option<SignedMovement> = self.one::<Row, _>(BY_ID, key).await?;
        found.map(|signed| signed.movement).ok_or(Error::NotFound("movement"))
    }

    /// What was counted together, in the order of the items' ids.
    ///
    /// # Errors
    /// [`Error::NotFound`] if nothing was counted so.
    pub async fn stock_take(&self, take: StockTakeId) -> Result<Vec<Movement>, Error> {
        let key = named! { business_id: self.business.0, stock_take_id: take.0 };
        let counted: Vec<SignedMovement> = self.all::<Row, _>(OF_TAKE, key).await?;
        if counted.is_empty() {
            return Err(Error::NotFound("stock-take"));
        }
        Ok(counted.into_iter().map(|signed| signed.movement).collect())
    }

    /// Adds movements of items that are there, each of another one; as they were recorded by `by`.
    ///
    /// # Errors
    /// [`Error::NotUndone`] if one reverses what another transaction has reversed meanwhile.
    pub async fn add_movements(
        &self,
        movements: &[NewMovement],
        by: &str,
    ) -> Result<Vec<SignedMovement>, Error> {
        let ids: Vec<Uuid> = movements.iter().map(|moved| moved.id.0).collect();
        let items: Vec<Uuid> = movements.iter().map(|moved| moved.item.0).collect();
        let kinds: Vec<String> = movements.iter().map(|moved| moved.kind.name().to_owned()).collect();
        let quantities: Vec<i64> = movements.iter().map(|moved| moved.quantity).collect();
        let costs: Vec<i32> = movements.iter().map(|moved| moved.unit_cost.unwrap_or(NO_COST)).collect();
        let notes: Vec<String> =
            movements.iter().map(|moved| moved.note.clone().unwrap_or_default()).collect();
        let undoes: Vec<Uuid> =
            movements.iter().map(|moved| moved.undoes.map_or(Uuid::nil(), |undone| undone.0)).collect();
        let takes: Vec<Uuid> =
            movements.iter().map(|moved| moved.stock_take.map_or(Uuid::nil(), |take| take.0)).collect();
        let values = named! {
            business_id: self.business.0, ids: ids.clone(), items, kinds, quantities, costs, notes, undoes,
            takes, by, now: self.at(),
        };
        let already = || Error::NotUndone(NotUndone::Already);
        let added = self.try_execute(MOVE, values).await;
        let added = added.map_err(|error| refused(error, &[("stock_movement_undoes", already)]))?;
        if added != ids.len() as u64 {
            return Err(Error::NotFound("item"));
        }
        let mut recorded: Vec<SignedMovement> =
            self.all::<Row, _>(AMONG, named! { business_id: self.business.0, ids: ids.clone() }).await?;
        recorded.sort_by_key(|signed| ids.iter().position(|id| *id == signed.movement.moved.id.0));
        Ok(recorded)
    }

    /// Adds movements of an item that were recorded before it came here, by time.
    pub async fn add_past_movements(&self, item: ItemId, past: &[PastMovement]) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            item_id: item.0,
            ids: past.iter().map(|one| one.moved.id.0).collect::<Vec<_>>(),
            kinds: past.iter().map(|one| one.moved.kind.name().to_owned()).collect::<Vec<_>>(),
            quantities: past.iter().map(|one| one.moved.quantity).collect::<Vec<_>>(),
            stocks: past.iter().map(|one| one.on_hand).collect::<Vec<_>>(),
            costs: past.iter().map(|one| one.moved.unit_cost.unwrap_or(NO_COST)).collect::<Vec<_>>(),
            notes: past.iter().map(|one| one.moved.note.clone().unwrap_or_default()).collect::<Vec<_>>(),
            times: past.iter().map(|one| to_db(one.at)).collect::<Vec<_>>(),
            people: past.iter().map(|one| one.by.clone()).collect::<Vec<_>>(),
            moved: past.iter().map(|one| one.moved.quantity).sum::<i64>(),
            count: past.len() as i64,
        };
        self.execute(MOVE_ALL, values).await.map(drop)
    }
}
