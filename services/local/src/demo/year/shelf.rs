//! What was delivered, sold, used up, counted and thrown away in the year.

use jiff::{Timestamp, civil::Date};
use proto::frontdesk::tenancy::v1::StockMovementKind::{self, Counted, Received, Sold, Used, Wasted};

use super::{
    dice::Dice,
    visits::{DAYS_BEHIND, Year, later},
};
use crate::demo::stock::Good;

/// What was ordered for these stayed away: nothing was delivered for so many days.
const UNORDERED_DAYS: i64 = 90;

/// A movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// Why.
    pub kind: StockMovementKind,
    /// As much as came in or went out, or was there.
    pub quantity: i32,
    /// What one cost, of a delivery.
    pub cost: Option<i32>,
    /// When.
    pub at: Timestamp,
    /// The account that recorded it, by place.
    pub by: usize,
}

/// The movements of an item, by time. What the demo's first delivery leaves low is low in the end.
pub fn movements(seed: u64, year: &Year, good: &Good, now: Timestamp) -> Vec<Movement> {
    let mut shelf = Shelf {
        dice: Dice::new(seed, good.sku),
        is_low: good.delivered <= good.low_at,
        year,
        good,
        on_hand: 0,
        movements: vec![],
    };
    shelf.deliver(year.first());
    for day in 1..=DAYS_BEHIND {
        shelf.day(day);
    }
    shelf.movements.retain(|movement| movement.at <= now);
    shelf.movements
}

struct Shelf<'a> {
    dice: Dice,
    is_low: bool,
    year: &'a Year,
    good: &'a Good,
    on_hand: i32,
    movements: Vec<Movement>,
}

impl Shelf<'_> {
    fn day(&mut self, day: i64) {
        let date = later(self.year.first(), day);
        let weekday = date.weekday().to_monday_one_offset();
        if weekday == 7 {
            return;
        }
        // On Thursdays comes what was ordered on Tuesday.
        let may_order = !self.is_low || day < DAYS_BEHIND - UNORDERED_DAYS;
        if weekday == 4 && self.on_hand <= self.good.low_at + 2 && may_order {
            self.deliver(date);
        }
        let taken = if self.good.price.is_some() { (Sold, 22) } else { (Used, 30) };
        if self.dice.percent(taken.1) {
            self.take(taken.0, date);
        }
        if self.dice.percent(1) {
            self.take(Wasted, date);
        }
        // A stock-take on the first Monday of the month.
        if weekday == 1 && date.day() <= 7 {
            self.count(date);
        }
    }

    fn deliver(&mut self, date: Date) {
        let quantity = (2 * self.good.low_at + 6).max(8);
        self.on_hand += quantity;
        self.add(Received, quantity, Some(self.good.cost), date, 9 * 60 + 20);
    }

    fn take(&mut self, kind: StockMovementKind, date: Date) {
        if self.on_hand == 0 {
            return;
        }
        self.on_hand -= 1;
        let minute = i32::try_from(self.dice.between(10 * 60, 17 * 60)).unwrap_or_default();
        self.add(kind, 1, None, date, minute);
    }

    fn count(&mut self, date: Date) {
        if self.dice.percent(25) && self.on_hand > 0 {
            self.on_hand -= 1;
        }
        self.add(Counted, self.on_hand, None, date, 17 * 60 + 30);
    }

    fn add(&mut self, kind: StockMovementKind, quantity: i32, cost: Option<i32>, date: Date, minute: i32) {
        let at = self.year.at(date, minute);
        let by = *self.dice.pick(&[2, 3]);
        // Two of a day may come in another order than they were rolled in.
        let at = self.movements.last().map_or(at, |last| at.max(last.at));
        self.movements.push(Movement { kind, quantity, cost, at, by });
    }
}
