//! Tables as text: lines read as records, and records written as lines. The same rules hold for a cell as for the
//! field of a request.

pub mod appointment;
pub mod customer;
pub mod employee;
pub mod item;
pub mod table;
pub mod table_reading;

use proto::error::FieldFault;
use tonic::Status;

use crate::domain::{Fields, ImportKind};

/// The fields of a kind's tables.
#[must_use]
pub fn fields(kind: ImportKind) -> &'static Fields {
    match kind {
        ImportKind::Items => &item::FIELDS,
        ImportKind::Customers => &customer::FIELDS,
        ImportKind::Employees => &employee::FIELDS,
        ImportKind::Appointments => &appointment::FIELDS,
    }
}

/// What a line's `field` is worth, or what is wrong with it.
fn fault<T>(parsed: Result<T, Status>) -> Result<T, FieldFault> {
    parsed.map_err(|status| FieldFault::of(&status))
}

/// Characters shown of the cells that a line has too many.
const LONGEST_SURPLUS: usize = 60;

/// Refuses a line with more cells than its table has columns: a separator within a cell has shifted the others.
fn fits(fields: &Fields, cells: &[String]) -> Result<(), FieldFault> {
    let Some(surplus) = cells.get(fields.all.len()) else { return Ok(()) };
    let shown: String = surplus.trim().chars().filter(|c| !c.is_control()).take(LONGEST_SURPLUS).collect();
    Err(FieldFault::new("line", &format!("has more cells than the table has columns: “{shown}”")))
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

/// The date that a cell begins with, before its time if it has one.
fn date_part(cell: &str) -> &str {
    let cell = bare(cell);
    cell.split(['T', ' ']).next().unwrap_or(cell).trim_end_matches(',')
}
