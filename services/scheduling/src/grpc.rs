//! The RPCs: each parses its request, has the store do the work, and answers.

mod appointment;
mod availability;
mod block;
mod booking_policy;
mod busy;
mod catalogue;
mod dependency;
mod explanation;
mod fields;
mod hypothesis;
mod intelligence;
mod matching;
mod offers;
mod opening_exception;
mod optimisation;
mod pairing;
mod proposal;
mod proposed;
mod recurrence;
mod resource;
mod schedule;
mod search;
mod series;
mod stranding;
mod time_off;
mod visit;
mod waitlist;
mod walk_in;

pub(crate) use appointment::Appointments;
pub(crate) use availability::Availability;
pub(crate) use block::Blocks;
pub(crate) use booking_policy::BookingPolicies;
pub(crate) use busy::Busy;
pub(crate) use catalogue::Catalogue;
pub(crate) use dependency::Dependencies;
pub(crate) use intelligence::Intelligence;
pub(crate) use matching::Matching;
pub(crate) use opening_exception::OpeningExceptions;
pub(crate) use pairing::Pairings;
pub(crate) use proposal::Proposals;
pub(crate) use resource::Resources;
pub(crate) use schedule::Schedules;
pub(crate) use series::SeriesBook;
pub(crate) use time_off::TimesOff;
pub(crate) use visit::Visits;
pub(crate) use waitlist::Waitlist;
pub(crate) use walk_in::WalkIns;

use proto::parse::{Page, page_token};

/// Rows to ask for: one more than the page shows, whether another follows.
fn wanted(page: &Page) -> u32 {
    page.size + 1
}

/// Cuts the row beyond the page, and makes the token of the next page.
fn cut<T>(mut rows: Vec<T>, page: &Page, key: impl Fn(&T) -> String) -> (Vec<T>, String) {
    let size = usize::try_from(page.size).unwrap_or(usize::MAX);
    if rows.len() <= size {
        return (rows, String::new());
    }
    rows.truncate(size);
    let token = rows.last().map(|last| page_token(&key(last))).unwrap_or_default();
    (rows, token)
}
