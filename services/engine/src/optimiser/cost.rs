//! What a day costs, in minutes.

use core::ops::{Add, Sub};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Minutes that moving a visit must bring: less is not worth a call to its customer.
pub const WORTH_A_CALL: i64 = 15;
/// One minute for so many by which a visit is moved.
const MOVED_PER_MINUTE: i64 = 5;
/// Cost in minutes of a visit left without an employee: more than all other parts together.
const UNPLACED: i64 = 1_000;

/// What a day costs, by part. Less is better:
///
/// `lost + 15 · touched + moved ÷ 5 + 1000 · unplaced − served`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cost {
    /// Minutes in which an employee is at work and free, but no service of the salon fits.
    pub lost_minutes: i64,
    /// Visits that get another time or another employee.
    pub touched: i64,
    /// Minutes between the old and the new starts of those.
    pub moved_minutes: i64,
    /// Visits whose employee is away and for which no other employee is available.
    pub unplaced: i64,
    /// Minutes, from coming to going, of those who waited and are served.
    pub served_minutes: i64,
}

impl Cost {
    /// In minutes. Visits are moved by multiples of five, so nothing is rounded.
    #[must_use]
    pub fn total(self) -> i64 {
        self.lost_minutes
            + WORTH_A_CALL * self.touched
            + self.moved_minutes / MOVED_PER_MINUTE
            + UNPLACED * self.unplaced
            - self.served_minutes
    }

    pub(super) fn of_move(from: Timestamp, to: Timestamp) -> Self {
        Self { touched: 1, moved_minutes: minutes(from, to).abs(), ..Self::default() }
    }

    pub(super) fn of_leaving_out() -> Self {
        Self { unplaced: 1, ..Self::default() }
    }

    pub(super) fn of_serving(from: Timestamp, to: Timestamp) -> Self {
        Self { served_minutes: minutes(from, to), ..Self::default() }
    }
}

impl Add for Cost {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            lost_minutes: self.lost_minutes + other.lost_minutes,
            touched: self.touched + other.touched,
            moved_minutes: self.moved_minutes + other.moved_minutes,
            unplaced: self.unplaced + other.unplaced,
            served_minutes: self.served_minutes + other.served_minutes,
        }
    }
}

impl Sub for Cost {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            lost_minutes: self.lost_minutes - other.lost_minutes,
            touched: self.touched - other.touched,
            moved_minutes: self.moved_minutes - other.moved_minutes,
            unplaced: self.unplaced - other.unplaced,
            served_minutes: self.served_minutes - other.served_minutes,
        }
    }
}

fn minutes(from: Timestamp, to: Timestamp) -> i64 {
    to.duration_since(from).as_mins()
}
