//! The calls that the agent took in the year: what was booked, moved and cancelled in them is what the visits say.

use jiff::{Timestamp, civil::Weekday};

use super::{
    clientele::Client,
    dice::Dice,
    visits::{DAYS_BEHIND, End, Hand, Visit, Year, later},
};
use crate::{demo::salon::SERVICES, demo_call::Platform};

/// What callers ask, and what the agent says.
pub const QUESTIONS: [(&str, &str, &str); 5] = [
    (
        "Are you open on Sundays?",
        "We're closed on Sundays. We're open Monday to Saturday from nine.",
        "Asked for the opening hours.",
    ),
    ("What time do you close on Saturday?", "On Saturday we close at six.", "Asked for Saturday's hours."),
    (
        "How much is a full colour at the moment?",
        "A full colour is 118 pounds.",
        "Asked for the price of a full colour.",
    ),
    ("Do you do gel nails?", "Yes, a gel manicure takes fifty minutes.", "Asked whether gel nails are done."),
    (
        "Is there anywhere to park nearby?",
        "I don't know about parking, I'm afraid. The nearest station is Russell Square.",
        "Asked where to park.",
    ),
];

/// What callers leave for the team.
pub const MESSAGES: [&str; 6] = [
    "My colour has turned a bit warm. Could someone call me back about it?",
    "I left a grey scarf on Thursday. Do you have it?",
    "Could Sofia tell me which shampoo she used?",
    "I'd like to ask about hair for a wedding, for six people.",
    "I was charged twice, I think. Could the manager call me?",
    "I have a question about my voucher.",
];

/// What a call was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The visit at this place was booked.
    Booked(usize),
    /// It was moved.
    Moved(usize),
    /// It was cancelled.
    Cancelled(usize),
    /// There was no free time for a service that suited.
    NoTime(usize),
    /// The caller heard the times and took none.
    NotTaken(usize),
    /// One of [`QUESTIONS`].
    Question(usize),
    /// One of [`MESSAGES`].
    Message(usize),
    /// The caller said nothing.
    Abandoned,
}

/// A call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// When it began.
    pub at: Timestamp,
    /// Who called, if the number is a customer's.
    pub client: Option<usize>,
    /// What about.
    pub subject: Subject,
    /// Over which of the salon's connections.
    pub platform: Platform,
}

/// The calls until `now`, by time.
pub fn calls(seed: u64, year: &Year, clients: &[Client], visits: &[Visit], now: Timestamp) -> Vec<Call> {
    let mut dice = Dice::new(seed, "calls");
    let mut subjects: Vec<(Timestamp, Option<usize>, Subject)> =
        visits.iter().enumerate().flat_map(|(n, visit)| about(n, visit)).collect();
    for day in 0..=DAYS_BEHIND {
        let date = later(year.first(), day);
        // The number has been on the door for longer and longer.
        for _ in 0..4 {
            let wanted = if date.weekday() == Weekday::Sunday { 12 } else { 15 + 20 * day / DAYS_BEHIND };
            let minute = i32::try_from(dice.between(8 * 60, 20 * 60 + 30)).unwrap_or_default();
            let other = other(&mut dice, clients.len());
            if dice.percent(wanted) {
                subjects.push((year.at(date, minute), other.0, other.1));
            }
        }
    }
    subjects.retain(|(at, ..)| *at <= now);
    subjects.sort_by_key(|(at, client, _)| (*at, *client));
    let call = |(at, client, subject)| Call { at, client, subject, platform: line(at) };
    subjects.into_iter().map(call).collect()
}

/// The connection that rings: three of four calls come in over the first.
pub fn line(at: Timestamp) -> Platform {
    if at.as_second() % 4 == 0 { Platform::Twilio } else { Platform::Retell }
}

/// The calls in which a visit was booked, moved and cancelled.
fn about(n: usize, visit: &Visit) -> impl Iterator<Item = (Timestamp, Option<usize>, Subject)> + use<> {
    let client = Some(visit.client);
    let booked = (visit.booked_by == Hand::Phone).then_some((visit.booked_at, client, Subject::Booked(n)));
    let moved = visit.moved.filter(|moved| moved.by == Hand::Phone);
    let moved = moved.map(|moved| (moved.at, client, Subject::Moved(n)));
    let cancelled = match visit.end {
        End::Cancelled { at, by: Hand::Phone, .. } => Some((at, client, Subject::Cancelled(n))),
        _ => None,
    };
    booked.into_iter().chain(moved).chain(cancelled)
}

/// A call that changes no visit.
fn other(dice: &mut Dice, clients: usize) -> (Option<usize>, Subject) {
    let last = i64::try_from(clients).unwrap_or(i64::MAX) - 1;
    let client = usize::try_from(dice.between(0, last)).ok();
    let among = |dice: &mut Dice, length: usize| {
        usize::try_from(dice.between(0, i64::try_from(length).unwrap_or(1) - 1)).unwrap_or_default()
    };
    match dice.between(1, 100) {
        1..=36 => (client, Subject::Question(among(dice, QUESTIONS.len()))),
        37..=52 => (client, Subject::NoTime(among(dice, SERVICES.len()))),
        53..=60 => (client, Subject::NotTaken(among(dice, SERVICES.len()))),
        61..=84 => (client, Subject::Message(among(dice, MESSAGES.len()))),
        _ => (client.filter(|_| dice.percent(40)), Subject::Abandoned),
    }
}
