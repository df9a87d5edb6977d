//! Lines of employees.

use proto::{error::FieldFault, parse::optional_line};

use super::{bare, fault, fits, plain};
use crate::{
    domain::{Email, Field, Fields, folded},
    grpc::fields,
};

/// The fields of employees in tables.
pub const FIELDS: Fields = Fields { all: ALL, needed: &[&["name"]], dated: &[] };

const ALL: &[Field] = &[
    Field { name: "name", also: &["fullname", "employee", "staff", "stylist"] },
    Field { name: "email", also: &["emailaddress", "mail"] },
    Field { name: "role", also: &["accesslevel"] },
    Field { name: "calendar", also: &["calendarname"] },
];

/// The column that has the calendar.
const CALENDAR: usize = 3;
/// As long as an address may be.
const LONGEST_CALENDAR: usize = 2048;

/// A line as an employee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmployeeLine {
    /// What the person is called.
    pub name: String,
    /// Where the invitation goes, and to which role.
    pub invitation: Option<(Email, &'static str)>,
    /// The calendar that is connected for them, as calendar-sync reads it: an address or a name.
    pub calendar: Option<String>,
}

impl EmployeeLine {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with its first wrong cell.
    pub fn parse(cells: &[String]) -> Result<Self, FieldFault> {
        fits(&FIELDS, cells)?;
        let cell = |at: usize| cells.get(at).map_or("", String::as_str);
        let role = role(cell(2))?;
        let calendar = plain("calendar", cell(CALENDAR))?;
        if calendar.len() > LONGEST_CALENDAR {
            return Err(FieldFault::new("calendar", "is longer than 2,048 bytes"));
        }
        Ok(Self {
            name: fault(fields::name("name", plain("name", cell(0))?))?,
            invitation: fault(fields::email(bare(cell(1))))?.map(|email| (email, role)),
            calendar: fault(optional_line("calendar", calendar, LONGEST_CALENDAR))?,
        })
    }

    /// A line without the part of a published calendar's address that is a secret.
    #[must_use]
    pub fn without_address(cells: &[String]) -> Vec<String> {
        let shown = |(at, cell): (usize, &String)| match cell.split_once("://") {
            Some((scheme, rest)) if at >= CALENDAR => {
                let server = rest.split(['/', '?', '#']).next().unwrap_or_default();
                let server = server.rsplit('@').next().unwrap_or_default();
                format!("{scheme}://{server}/\u{2026}")
            }
            _ => cell.clone(),
        };
        cells.iter().enumerate().map(shown).collect()
    }

    /// What no other line may have.
    #[must_use]
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let email = self.invitation.as_ref().map(|(email, _)| ("email", email.as_str().to_lowercase()));
        let address = self.calendar.iter().filter(|calendar| calendar.contains("://"));
        let address = address.map(|address| ("calendar", address.clone()));
        core::iter::once(("name", folded(&self.name))).chain(email).chain(address).collect()
    }
}

fn role(cell: &str) -> Result<&'static str, FieldFault> {
    match bare(cell).to_uppercase().as_str() {
        "" | "EMPLOYEE" => Ok("EMPLOYEE"),
        "MANAGER" => Ok("MANAGER"),
        "OWNER" => Ok("OWNER"),
        _ => Err(FieldFault::new("role", "must be EMPLOYEE, MANAGER or OWNER")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::ImportKind, lines::table_reading::first_line};

    fn parsed(text: &str) -> Result<EmployeeLine, FieldFault> {
        EmployeeLine::parse(&first_line(text, ImportKind::Employees))
    }

    #[test]
    fn a_pasted_line_is_an_employee() {
        let line = parsed("Ana\tana@example.com\tmanager\tAna at work").unwrap();
        assert_eq!(line.calendar.as_deref(), Some("Ana at work"));
        assert_eq!(line.invitation.as_ref().map(|(_, role)| *role), Some("MANAGER"));
        assert_eq!(parsed("Ana").unwrap().invitation, None);
    }

    #[test]
    fn only_the_server_of_an_address_is_left_in_a_line() {
        let shown = |calendar: &str| {
            let cells = ["Ana", "https://example.com/me", "", calendar].map(ToOwned::to_owned);
            EmployeeLine::without_address(&cells)
        };
        let left = |calendar: &str| ["Ana", "https://example.com/me", "", calendar].map(ToOwned::to_owned);
        assert_eq!(shown("webcal://p1.example.com/secret?key=x"), left("webcal://p1.example.com/\u{2026}"));
        assert_eq!(shown("https://me:word@example.com"), left("https://example.com/\u{2026}"));
        assert_eq!(shown("Ana at work"), left("Ana at work"));
        let shifted = ["Ash", "Ana", "", "", "https://example.com/secret"].map(ToOwned::to_owned);
        let shifted = EmployeeLine::without_address(&shifted);
        assert_eq!(shifted[4], "https://example.com/\u{2026}", "a separator within a name has shifted it");
    }

    #[test]
    fn two_lines_do_not_have_the_calendar_of_one_address() {
        let calendar =
            |text: &str| parsed(text).unwrap().keys().into_iter().find(|(column, _)| *column == "calendar");
        assert_eq!(
            calendar("Ana,,,https://example.com/A"),
            Some(("calendar", "https://example.com/A".to_owned()))
        );
        assert_eq!(calendar("Ana,,,demo"), None);
    }

    #[test]
    fn what_is_wrong_is_said_of_its_column() {
        for (text, field) in [
            ("Ana,ana", "email"),
            ("=Ana,", "name"),
            ("A\u{2066}na,", "name"),
            ("A\u{fffd}a,", "name"),
            ("Ana,,boss", "role"),
            ("Ana,,,=x", "calendar"),
            ("Ana,,,A\u{2066}na", "calendar"),
        ] {
            assert_eq!(parsed(text).unwrap_err().field, field, "{text}");
        }
    }
}
