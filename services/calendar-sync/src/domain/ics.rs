//! Calendars that are published under an address.

use jiff::SignedDuration;
use url::Url;

use super::ical::Unread;

/// Why an address can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// It may not be called, for this reason.
    #[error("{0}")]
    Server(String),
    /// Its server does not answer, or not now, for this reason.
    #[error("{0}")]
    Unreachable(String),
    /// Its server wants to be left alone for so long.
    #[error("the server asks to come back later")]
    Later(SignedDuration),
    /// Only an account reads it.
    #[error("the server wants a name and a password for this address: connect it as a CalDAV calendar")]
    Login,
    /// There is nothing, or not for those who don't know the right address.
    #[error("nothing is published at this address, or no longer: its owner can publish the calendar again")]
    Missing,
    /// It was there.
    #[error("the calendar was withdrawn from this address for good")]
    Withdrawn,
    /// It is something else.
    #[error("what is at this address {0}")]
    Unread(#[from] Unread),
    /// It has times without events.
    #[error(
        "this address publishes free and busy times alone, which are not read: publish the calendar with its events"
    )]
    FreeBusy,
    /// What the business has to do is known here.
    #[error("this is an address of the salon itself, whose appointments are known here")]
    Own,
}

/// An address as programs write it that subscribe to calendars: `webcal` stands for https.
#[must_use]
pub fn spelt_out(address: &str) -> String {
    let written = address.trim();
    let rest = ["webcal://", "webcals://"].iter().find_map(|scheme| {
        written
            .get(..scheme.len())
            .filter(|own| own.eq_ignore_ascii_case(scheme))
            .and(written.get(scheme.len()..))
    });
    rest.map_or_else(|| written.to_owned(), |rest| format!("https://{rest}"))
}

/// Where an address is, which people are shown of it: the rest lets those read it who know it.
#[must_use]
pub fn host(address: &Url) -> String {
    address.host_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webcal_stands_for_https() {
        for (written, expected) in [
            ("webcal://p1.example.com/a?b=c", "https://p1.example.com/a?b=c"),
            (" WebCals://example.com/\u{e9} ", "https://example.com/\u{e9}"),
            ("https://example.com/webcal://", "https://example.com/webcal://"),
            ("example.com/a.ics", "example.com/a.ics"),
            ("", ""),
        ] {
            assert_eq!(spelt_out(written), expected);
        }
    }

    #[test]
    fn only_the_server_of_an_address_is_shown() {
        let address =
            "https://outlook.example.com:8443/owa/calendar/0fd3/secret/calendar.ics?key=x".parse().unwrap();
        assert_eq!(host(&address), "outlook.example.com");
    }
}
