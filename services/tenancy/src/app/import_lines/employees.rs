//! Lines of employees.

use std::collections::HashSet;

use proto::error::FieldFault;

use super::Read;
use crate::{
    Error,
    domain::{Employee, EmployeeId, ImportId},
    lines::employee::EmployeeLine,
    store::{ImportLine, Tx},
};

/// Lines as employees whom the business does not have.
pub async fn read(tx: &Tx, lines: &[ImportLine]) -> Result<Vec<Read<EmployeeLine>>, Error> {
    let read: Vec<_> = lines.iter().map(|line| EmployeeLine::parse(&line.cells)).collect();
    let names: Vec<String> = read.iter().flatten().map(|line| line.name.clone()).collect();
    let known: HashSet<String> = tx.employee_names_among(names).await?.into_iter().collect();
    let unknown = |line: EmployeeLine| {
        if known.contains(&line.name.to_lowercase()) {
            Err(FieldFault::new("name", "is that of an employee already"))
        } else {
            Ok(line)
        }
    };
    Ok(read.into_iter().map(|line| line.and_then(unknown)).collect())
}

/// Drops the address of a published calendar from a line that needs it no more: it is a secret.
pub async fn drop_address(tx: &Tx, import: ImportId, line: &ImportLine) -> Result<(), Error> {
    let cells = EmployeeLine::without_address(&line.cells);
    if cells == line.cells {
        return Ok(());
    }
    tx.replace_import_cells(import, line.number, &cells).await
}

/// Adds the employee of a line and publishes them.
///
/// # Errors
/// Within the result, what is wrong with the line by now.
pub async fn employ(tx: &Tx, line: &ImportLine) -> Result<Read<EmployeeId>, Error> {
    let EmployeeLine { name, .. } = match read(tx, core::slice::from_ref(line)).await?.pop() {
        Some(Ok(read)) => read,
        Some(Err(fault)) => return Ok(Err(fault)),
        None => return Err(Error::NotFound("line")),
    };
    let employee = tx.add_employee(Employee::new(tx.new_id(), name, None)).await?.record();
    tx.publish_employee(&employee).await?;
    Ok(Ok(employee.id))
}
