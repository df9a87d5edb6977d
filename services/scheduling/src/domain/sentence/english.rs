//! In English.

use jiff::civil::DateTime;

use super::{Clock, Gist, Moment, Outlook, SaidDay};

/// A sentence about the visit at `start`.
pub(super) fn say(gist: Gist<'_>, start: Moment, outlook: Outlook<'_>) -> String {
    let start = when(start);
    let said = match gist {
        Gist::Free(name) => format!("{start} is free{}", with(name)),
        Gist::Passed => format!("{start} has passed already"),
        Gist::TooSoon => format!("{start} is too soon for us to book"),
        Gist::TooFar => format!("{start} is further ahead than we book"),
        Gist::Closed => format!("we are closed at {start}"),
        Gist::Closes(at) => format!("we close at {}, before the visit would be over", when(at)),
        Gist::NotOffered(service) => format!("no one here does {service} at the moment"),
        Gist::DoesNotDo(name, service) => format!("{} does not do {service}", person(name)),
        Gist::Booked(name, until) => {
            format!("{} is with another customer until {}", person(name), when(until))
        }
        Gist::Held(name) => {
            format!("{start}{} is being held for another customer for a few minutes", with(name))
        }
        Gist::Away(name, until) => format!("{} is away until {}", person(name), when(until)),
        Gist::AwayFromThenOn(name) => format!("{} is away for the rest of the day", person(name)),
        Gist::NotAtWork(name, at) => format!("{} is not at work at {}", person(name), when(at)),
        Gist::NoneAtWork(service, at) => format!("no one who does {service} is at work at {}", when(at)),
        Gist::EverybodyBusy(service, at) => format!("everybody who does {service} is busy at {}", when(at)),
        Gist::NothingOfKind(kind, at) => format!("no {kind} is free at {}", when(at)),
        Gist::NotEquipped => "we do not have what this visit needs".to_owned(),
        Gist::NotTogether => "these services can't be done in one visit".to_owned(),
        Gist::NeedsEarlier(service, first, hours) => {
            format!("{service} needs {first} on an earlier visit{}", before(hours))
        }
        Gist::NoRoom(at) => format!("there is not enough room between customers at {}", when(at)),
    };
    let rest = match outlook {
        Outlook::Taken => String::new(),
        Outlook::Next(at, name) => format!(", but {}{} is free", when(at), with(name)),
        Outlook::Nothing => ", and nothing is free in the two weeks after".to_owned(),
    };
    super::sentence(&said, &rest)
}

/// A sentence about calendars that can't be seen.
pub(super) fn doubt(unseen: &[&str]) -> String {
    let calendars = match unseen {
        [""] => "one calendar".to_owned(),
        [name] => format!("{name}'s calendar"),
        names => format!("{} calendars", names.len()),
    };
    format!("We can't see {calendars} right now, so that may change.")
}

/// How long before at least.
fn before(hours: u16) -> String {
    match (hours / 24, hours % 24) {
        (0, 0) => String::new(),
        (1, 0) => ", a day before at least".to_owned(),
        (days, 0) => format!(", {days} days before at least"),
        _ => format!(", {hours} hours before at least"),
    }
}

fn when(moment: Moment) -> String {
    let shown = moment.shown;
    let time = match moment.clock {
        Clock::Spoken => spoken(shown),
        Clock::Screen => format!("{}:{:02}", shown.hour(), shown.minute()),
    };
    match moment.day {
        SaidDay::Same => time,
        SaidDay::Today => format!("{time} today"),
        SaidDay::Tomorrow => format!("{time} tomorrow"),
        SaidDay::Named => format!("{time} on {}", shown.strftime("%A %-d %B")),
    }
}

fn spoken(shown: DateTime) -> String {
    let (half, hour) = (if shown.hour() < 12 { "am" } else { "pm" }, (shown.hour() + 11) % 12 + 1);
    match shown.minute() {
        0 => format!("{hour} {half}"),
        minute => format!("{hour}:{minute:02} {half}"),
    }
}

fn with(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" with {name}") }
}

fn person(name: &str) -> &str {
    if name.is_empty() { "the person you asked for" } else { name }
}
