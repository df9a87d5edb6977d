//! Lines of employees.

use proto::error::FieldFault;

use super::{bare, fault, plain, table::Column};
use crate::{domain::Email, grpc::fields};

/// The columns of a table of employees.
pub const COLUMNS: &[Column] = &[
    Column { name: "name", also: &["fullname", "employee", "staff", "stylist"] },
    Column { name: "email", also: &["emailaddress", "mail"] },
    Column { name: "role", also: &["accesslevel"] },
    Column { name: "calendar", also: &["calendarname"] },
];

/// A line as an employee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmployeeLine {
    /// What the person is called.
    pub name: String,
    /// Where the invitation goes, and to which role.
    pub invitation: Option<(Email, &'static str)>,
    /// What the calendar is called that is connected for them.
    pub calendar: Option<String>,
}

impl EmployeeLine {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with its first wrong cell.
    pub fn parse(cells: &[String]) -> Result<Self, FieldFault> {
        let cell = |at: usize| cells.get(at).map_or("", String::as_str);
        let role = role(cell(2))?;
        let calendar = plain("calendar", cell(3))?;
        let named = (!calendar.is_empty()).then(|| fault(fields::name("calendar", calendar))).transpose()?;
        Ok(Self {
            name: fault(fields::name("name", plain("name", cell(0))?))?,
            invitation: fault(fields::email(bare(cell(1))))?.map(|email| (email, role)),
            calendar: named,
        })
    }

    /// What no other line may have.
    #[must_use]
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let email = self.invitation.as_ref().map(|(email, _)| ("email", email.as_str().to_lowercase()));
        core::iter::once(("name", self.name.to_lowercase())).chain(email).collect()
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
    use crate::lines::table::read;

    fn parsed(text: &str) -> Result<EmployeeLine, FieldFault> {
        EmployeeLine::parse(&read(text, COLUMNS, true, 9).unwrap()[0].cells)
    }

    #[test]
    fn a_pasted_line_is_an_employee() {
        let line = parsed("Ana\tana@example.com\tmanager\tAna at work").unwrap();
        assert_eq!(line.calendar.as_deref(), Some("Ana at work"));
        assert_eq!(line.invitation.as_ref().map(|(_, role)| *role), Some("MANAGER"));
        assert_eq!(parsed("Ana").unwrap().invitation, None);
    }

    #[test]
    fn what_is_wrong_is_said_of_its_column() {
        for (text, field) in [
            ("Ana,ana", "email"),
            ("=Ana,", "name"),
            ("A\u{2066}na,", "name"),
            ("Ana,,boss", "role"),
            ("Ana,,,=x", "calendar"),
        ] {
            assert_eq!(parsed(text).unwrap_err().field, field, "{text}");
        }
    }
}
