//! Tables as text: lines read as records, and records written as lines. The same rules hold for a cell as for the
//! field of a request.

pub mod appointment;
pub mod customer;
pub mod employee;
pub mod item;
pub mod table;

use proto::error::FieldFault;
use tonic::Status;

use crate::domain::ImportKind;
use table::Column;

/// The columns of a kind's tables, in the order in which cells are kept.
#[must_use]
pub fn columns(kind: ImportKind) -> &'static [Column] {
    match kind {
        ImportKind::Items => item::COLUMNS,
        ImportKind::Customers => customer::COLUMNS,
        ImportKind::Employees => employee::COLUMNS,
        ImportKind::Appointments => appointment::COLUMNS,
    }
}

/// What a line's `field` is worth, or what is wrong with it.
fn fault<T>(parsed: Result<T, Status>) -> Result<T, FieldFault> {
    parsed.map_err(|status| FieldFault::of(&status))
}

/// A cell that is text of the business's own: not one that a spreadsheet takes for a formula.
fn plain<'a>(field: &str, cell: &'a str) -> Result<&'a str, FieldFault> {
    let cell = cell.trim();
    match cell.strip_prefix('\'') {
        Some(rest) if table::is_formula(rest) => Ok(rest),
        _ if table::is_formula(cell) => Err(FieldFault::new(
            field,
            "begins like a formula: put an apostrophe before the =, +, - or @ if it is meant so",
        )),
        _ => Ok(cell),
    }
}

/// A cell that may begin with + or - by nature, such as a telephone number.
fn bare(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('\'').unwrap_or(cell)
}
