//! In German.

use super::{Clock, Gist, Moment, Outlook, SaidDay};

/// A sentence about calendars that can't be seen.
pub(super) fn doubt(unseen: &[&str]) -> String {
    let calendars = match unseen {
        [""] => "Einen Kalender".to_owned(),
        [name] => format!("Den Kalender von {name}"),
        names => format!("{} Kalender", names.len()),
    };
    format!("{calendars} können wir gerade nicht einsehen, das kann sich also noch ändern.")
}

/// A sentence about the visit at `start`.
pub(super) fn say(gist: Gist<'_>, start: Moment, outlook: Outlook<'_>) -> String {
    let start = when(start);
    let said = match gist {
        Gist::Free(name) => format!("{start} ist{} frei", with(name)),
        Gist::Passed => format!("ein Termin {start} ist nicht mehr möglich"),
        Gist::TooSoon => format!("ein Termin {start} ist uns zu kurzfristig"),
        Gist::TooFar => format!("ein Termin {start} liegt weiter voraus, als wir buchen"),
        Gist::Closed => format!("{start} haben wir geschlossen"),
        Gist::Closes(at) => format!("wir schließen {}, bevor der Besuch zu Ende wäre", when(at)),
        Gist::NotOffered(service) => format!("{service} macht hier zurzeit niemand"),
        Gist::DoesNotDo(name, service) => format!("{} macht {service} nicht", person(name)),
        Gist::Booked(name, until) => format!("{} hat bis {} einen anderen Termin", person(name), end(until)),
        Gist::Held(name) => {
            format!("{start} wird{} gerade für jemand anderen freigehalten", with(name))
        }
        Gist::Away(name, until) => format!("{} ist bis {} nicht da", person(name), end(until)),
        Gist::AwayFromThenOn(name) => format!("{} ist an diesem Tag nicht mehr da", person(name)),
        Gist::NotAtWork(name, at) => format!("{} arbeitet {} nicht", person(name), when(at)),
        Gist::NoneAtWork(service, at) => format!("{} arbeitet niemand, der {service} macht", when(at)),
        Gist::EverybodyBusy(service, at) => {
            format!("{} haben alle, die {service} machen, schon etwas vor", when(at))
        }
        Gist::NothingOfKind(kind, at) => format!("{} ist kein Platz der Art {kind} frei", when(at)),
        Gist::NotEquipped => "für diesen Besuch sind wir nicht eingerichtet".to_owned(),
        Gist::NotTogether => "diese Leistungen gehen nicht in einem Besuch".to_owned(),
        Gist::NeedsEarlier(service, first, hours) => {
            format!("vor {service} braucht es bei einem früheren Besuch {first}{}", before(hours))
        }
        Gist::NoRoom(at) => format!("{} ist zwischen den Terminen nicht genug Zeit", when(at)),
    };
    let rest = match outlook {
        Outlook::Taken => String::new(),
        Outlook::Next(at, name) => format!(", aber {} ist{} frei", when(at), with(name)),
        Outlook::Nothing => ", und in den zwei Wochen danach ist nichts frei".to_owned(),
    };
    super::sentence(&said, &rest)
}

/// How long before at least.
fn before(hours: u16) -> String {
    match (hours / 24, hours % 24) {
        (0, 0) => String::new(),
        (1, 0) => ", mindestens einen Tag vorher".to_owned(),
        (days, 0) => format!(", mindestens {days} Tage vorher"),
        _ => format!(", mindestens {hours} Stunden vorher"),
    }
}

fn when(moment: Moment) -> String {
    let time = clock(moment);
    match moment.day {
        SaidDay::Same => format!("um {time}"),
        SaidDay::Today => format!("heute um {time}"),
        SaidDay::Tomorrow => format!("morgen um {time}"),
        SaidDay::Named => format!("am {} um {time}", date(moment)),
    }
}

/// As the end of a time: "bis …".
fn end(moment: Moment) -> String {
    match moment.day {
        SaidDay::Same => clock(moment),
        SaidDay::Today => format!("heute um {}", clock(moment)),
        SaidDay::Tomorrow => format!("morgen um {}", clock(moment)),
        SaidDay::Named => format!("{} um {}", date(moment), clock(moment)),
    }
}

fn clock(moment: Moment) -> String {
    match (moment.shown.hour(), moment.shown.minute()) {
        (hour, 0) if moment.clock == Clock::Spoken => format!("{hour} Uhr"),
        (hour, minute) => format!("{hour}:{minute:02} Uhr"),
    }
}

fn date(moment: Moment) -> String {
    let date = moment.shown.date();
    format!("{}, {}", german_dates::weekday(date.weekday()), german_dates::day_and_month(date))
}

fn with(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" bei {name}") }
}

fn person(name: &str) -> &str {
    if name.is_empty() { "die gewünschte Person" } else { name }
}
