//! What the records of the year are called: always the same.

use crate::demo::id;

/// A customer.
pub fn customer(n: usize) -> String {
    id("customer", n)
}

/// A visit.
pub fn visit(n: usize) -> String {
    id("past-visit", n)
}

/// A call.
pub fn call(n: usize) -> String {
    id("past-call", n)
}

/// What was left in a call.
pub fn follow_up(call: usize) -> String {
    id("past-follow-up", call)
}

/// A movement of an item.
pub fn movement(good: usize, n: usize) -> String {
    id(&format!("past-movement-{good}"), n)
}
