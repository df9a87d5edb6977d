//! The RPCs: each parses its request, has the store do the work, and answers.

mod business;
mod customer;
mod directory;
mod employee;
mod fields;
mod follow_up;
mod voice_connection;

pub(crate) use business::Businesses;
pub(crate) use customer::Customers;
pub(crate) use directory::Directory;
pub(crate) use employee::Employees;
pub(crate) use follow_up::FollowUps;
pub(crate) use voice_connection::VoiceConnections;

use proto::parse::page_token;

use crate::domain::{Listing, Place};

/// Cuts the row beyond the page, and makes the token of the next page of it.
fn pages<T>(mut rows: Vec<T>, listing: &Listing, place: impl Fn(&T) -> Place) -> (Vec<T>, String) {
    let size = usize::try_from(listing.size).unwrap_or(usize::MAX);
    if rows.len() <= size {
        return (rows, String::new());
    }
    rows.truncate(size);
    let token = rows.last().map(|last| page_token(&place(last).to_string())).unwrap_or_default();
    (rows, token)
}
