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

/// What was left in a call. The inbox lists what has no due time by id: those of earlier calls are lower.
pub fn follow_up(call: usize) -> String {
    let random = id("past-follow-up", call);
    format!("{call:08x}{}", &random[8..])
}

/// A movement of an item.
pub fn movement(good: usize, n: usize) -> String {
    id(&format!("past-movement-{good}"), n)
}
