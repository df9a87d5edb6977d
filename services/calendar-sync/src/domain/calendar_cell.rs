//! Calendars as the cells of a table name them.

/// The cell of a simulated calendar.
const DEMO: &str = "demo";

/// What a cell names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CalendarCell {
    /// The calendar that is published at an address.
    Address(String),
    /// A simulated calendar.
    Demo,
    /// A calendar of an account at Google, by its id or its name.
    AtGoogle(String),
}

impl CalendarCell {
    /// Reads a cell.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if text.contains("://") {
            Self::Address(text.to_owned())
        } else if text.eq_ignore_ascii_case(DEMO) {
            Self::Demo
        } else {
            Self::AtGoogle(text.to_owned())
        }
    }
}

/// How the account at Google stands in which a calendar is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    /// This installation is not known to Google.
    Absent,
    /// Its owner has not let Frontdesk use it.
    NotAllowed,
    /// It has no such calendar.
    Searched,
}

/// Why a cell names no calendar that can be connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CellFault {
    /// It names none.
    #[error("{}", what_to_give(*.account, *.demo))]
    Unknown {
        /// Where it was looked for.
        account: Account,
        /// Whether simulated calendars exist here.
        demo: bool,
    },
    /// It names several.
    #[error("is the name of several calendars in your account at Google: give the id of one")]
    Ambiguous,
}

/// What a cell can name.
fn what_to_give(account: Account, demo: bool) -> String {
    let mut text = "must be the address that the calendar is published at (https:// or webcal://)".to_owned();
    if account == Account::Searched {
        text += ", or the name or id of a calendar that your account at Google may change";
    }
    if demo {
        text += ", or demo, which is a simulated calendar";
    }
    if account == Account::NotAllowed {
        text += "; to name a calendar of your account at Google, connect that account first";
    }
    text
}

/// Which of these ids and names a cell names: an id before a name.
///
/// # Errors
/// [`CellFault`].
pub fn named<'a>(
    cell: &str,
    calendars: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    demo: bool,
) -> Result<&'a str, CellFault> {
    if let Some((id, _)) = calendars.clone().find(|(id, _)| id.eq_ignore_ascii_case(cell)) {
        return Ok(id);
    }
    let cell = cell.to_lowercase();
    let mut found = calendars.filter(|(_, name)| name.trim().to_lowercase() == cell);
    match (found.next(), found.next()) {
        (Some((id, _)), None) => Ok(id),
        (Some(_), Some(_)) => Err(CellFault::Ambiguous),
        (None, _) => Err(CellFault::Unknown { account: Account::Searched, demo }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_an_address_the_simulated_calendar_or_one_at_google() {
        for (text, expected) in [
            (" webcal://p1.example.com/a ", CalendarCell::Address("webcal://p1.example.com/a".to_owned())),
            ("http://example.com/a.ics", CalendarCell::Address("http://example.com/a.ics".to_owned())),
            ("Demo", CalendarCell::Demo),
            ("Ana at work", CalendarCell::AtGoogle("Ana at work".to_owned())),
        ] {
            assert_eq!(CalendarCell::parse(text), expected);
        }
    }

    #[test]
    fn a_calendar_is_found_by_its_id_or_by_a_name_that_it_alone_has() {
        let calendars =
            [("ana@example.com", "Ana"), ("1@group", "Ben"), ("2@group", "ben "), ("3@group", "1@group")];
        let found = |cell: &str| named(cell, calendars.into_iter(), false);
        assert_eq!(found("Ana@example.com"), Ok("ana@example.com"));
        assert_eq!(found("ANA"), Ok("ana@example.com"));
        assert_eq!(found("1@group"), Ok("1@group"));
        assert_eq!(found("Ben"), Err(CellFault::Ambiguous));
        assert_eq!(found("Cleo"), Err(CellFault::Unknown { account: Account::Searched, demo: false }));
    }

    #[test]
    fn a_fault_says_what_can_be_given_here() {
        let fault = |account, demo| CellFault::Unknown { account, demo }.to_string();
        let address = "must be the address that the calendar is published at (https:// or webcal://)";
        assert_eq!(fault(Account::Absent, false), address);
        assert_eq!(
            fault(Account::NotAllowed, true),
            format!(
                "{address}, or demo, which is a simulated calendar; to name a calendar of your account at Google, \
                 connect that account first"
            )
        );
        assert_eq!(
            fault(Account::Searched, false),
            format!("{address}, or the name or id of a calendar that your account at Google may change")
        );
    }
}
