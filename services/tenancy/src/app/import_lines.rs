//! What becomes of the lines of a table.

pub mod appointments;
mod customers;
mod employees;
mod items;
mod onboarding;

use proto::error::FieldFault;
use uuid::Uuid;

use crate::{
    Error,
    domain::{Import, ImportKind, LineState},
    store::{ImportLine, LineOutcome, Tx},
};

pub use employees::{announce_links, drop_address, drop_addresses, employ, link, taken_accounts};
pub use onboarding::{Examined, Onboarded, Onboarding};

/// The values of a line that must be unique among lines and records, each with its column.
type Keys = Vec<(&'static str, String)>;

/// A line that was read, or what is wrong with it.
type Read<T> = Result<T, FieldFault>;

/// Checks lines, without importing any. `refused` are those that another service would refuse, by their numbers.
pub async fn check(
    tx: &Tx,
    import: &Import,
    lines: &[ImportLine],
    refused: &[(i32, FieldFault)],
) -> Result<Vec<LineOutcome>, Error> {
    let read = read(tx, import.kind, lines).await?;
    let keys: Vec<(String, i32)> = lines
        .iter()
        .zip(&read)
        .filter_map(|(line, read)| Some((line.number, read.as_ref().ok()?)))
        .flat_map(|(number, keys)| keys.iter().map(move |(column, value)| (key(column, value), number)))
        .collect();
    let kept = tx.keep_import_keys(import.id, &keys).await?;
    let outcomes = lines.iter().zip(read).map(|(line, read)| {
        let fault = match read {
            Err(fault) => Some(fault),
            Ok(keys) => {
                let other = refused.iter().find(|(number, _)| *number == line.number);
                doubled(&keys, line.number, &kept).or_else(|| other.map(|(_, fault)| fault.clone()))
            }
        };
        outcome(line.number, fault, LineState::Good, LineState::Bad, None)
    });
    Ok(outcomes.collect())
}

/// Imports good lines; those that can't be imported any more fail.
pub async fn import(tx: &Tx, import: &Import, lines: &[ImportLine]) -> Result<Vec<LineOutcome>, Error> {
    match import.kind {
        ImportKind::Items => items::import(tx, import, lines).await,
        ImportKind::Customers => customers::import(tx, lines).await,
        // Other services take part.
        ImportKind::Employees | ImportKind::Appointments => Ok(vec![]),
    }
}

/// What each line has that no other may have, if it can be imported.
async fn read(tx: &Tx, kind: ImportKind, lines: &[ImportLine]) -> Result<Vec<Read<Keys>>, Error> {
    match kind {
        ImportKind::Items => Ok(keys_of(items::read(tx, lines).await?, |line| line.keys())),
        ImportKind::Customers => Ok(keys_of(customers::read(tx, lines).await?, |line| line.keys())),
        ImportKind::Employees => Ok(keys_of(employees::read(tx, lines).await?, |line| line.keys())),
        // Scheduling reads them.
        ImportKind::Appointments => Ok(vec![]),
    }
}

fn keys_of<T>(read: Vec<Read<T>>, keys: impl Fn(&T) -> Keys) -> Vec<Read<Keys>> {
    read.into_iter().map(|line| line.map(|line| keys(&line))).collect()
}

fn doubled(keys: &Keys, number: i32, kept: &std::collections::HashMap<String, i32>) -> Option<FieldFault> {
    keys.iter().find_map(|(column, value)| {
        let first = kept.get(&key(column, value)).filter(|first| **first != number)?;
        Some(FieldFault::new(column, &format!("is that of line {first} as well")))
    })
}

fn key(column: &str, value: &str) -> String {
    format!("{column}\n{value}")
}

fn outcome(
    number: i32,
    fault: Option<FieldFault>,
    good: LineState,
    bad: LineState,
    record: Option<Uuid>,
) -> LineOutcome {
    let state = if fault.is_some() { bad } else { good };
    LineOutcome { number, state, fault: fault.map(|fault| (fault.field, fault.description)), record }
}
