//! Lines of employees.

use std::collections::HashSet;

use caller::UserId;
use proto::error::FieldFault;

use super::{Onboarded, Read};
use crate::{
    Error,
    app::Member,
    domain::{Employee, EmployeeId, Import, ImportId, LineState},
    lines::employee::EmployeeLine,
    store::{ImportLine, LineOutcome, Tx},
};

/// Lines as employees whom the business does not have.
pub async fn read(tx: &Tx, lines: &[ImportLine]) -> Result<Vec<Read<EmployeeLine>>, Error> {
    let read: Vec<_> = lines.iter().map(|line| EmployeeLine::parse(&line.cells)).collect();
    let names: Vec<String> = read.iter().flatten().map(|line| line.name.clone()).collect();
    let known: HashSet<String> = tx.employee_names_among(names).await?.into_iter().collect();
    let unknown = |line: EmployeeLine| {
        if known.contains(&line.name) {
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

/// As [`drop_address`], from all lines of these states.
pub async fn drop_addresses(tx: &Tx, import: &Import, states: &[LineState]) -> Result<(), Error> {
    let most = u32::try_from(import.kind.most_lines()).unwrap_or(u32::MAX);
    for state in states {
        for line in tx.import_lines(import.id, Some(*state), 0, most).await? {
            drop_address(tx, import.id, &line).await?;
        }
    }
    Ok(())
}

/// Adds the employee of a line and publishes them.
///
/// # Errors
/// Within the result, what is wrong with the line by now.
pub async fn employ(tx: &Tx, line: &ImportLine) -> Result<Read<EmployeeId>, Error> {
    // One at a time: no colleague adds an employee of the same name meanwhile.
    tx.take_business().await?;
    let EmployeeLine { name, .. } = match read(tx, core::slice::from_ref(line)).await?.pop() {
        Some(Ok(read)) => read,
        Some(Err(fault)) => return Ok(Err(fault)),
        None => return Err(Error::NotFound("line")),
    };
    let employee = tx.add_employee(Employee::new(tx.new_id(), name, None)).await?.record();
    tx.publish_employee(&employee).await?;
    Ok(Ok(employee.id))
}

/// The lines whose members are employees already.
pub async fn taken_accounts(tx: &Tx, members: &[(i32, Member)]) -> Result<Vec<(i32, FieldFault)>, Error> {
    let mut taken = vec![];
    for (number, member) in members {
        if let Some(employee) = tx.employee_of(member.user).await? {
            taken.push((*number, is_of(&employee)));
        }
    }
    Ok(taken)
}

/// Says of good lines with whose accounts their employees will be linked.
pub async fn announce_links(
    tx: &Tx,
    import: ImportId,
    members: Vec<(i32, Member)>,
    outcomes: &[LineOutcome],
) -> Result<(), Error> {
    let is_good =
        |number: i32| outcomes.iter().any(|line| line.number == number && line.state == LineState::Good);
    let links = members.into_iter().filter(|(number, _)| is_good(*number));
    let links: Vec<(i32, String)> = links.map(|(number, member)| (number, member.name)).collect();
    if links.is_empty() { Ok(()) } else { tx.link_import_lines(import, &links).await }
}

/// Links the employee of a line with the member whose address it has, if it is one's. Says what was refused.
pub async fn link(
    tx: &Tx,
    import: ImportId,
    line: &ImportLine,
    Onboarded { fault, member }: Onboarded,
) -> Result<Option<FieldFault>, Error> {
    let (mut fault, mut name) = (fault, String::new());
    if let (Some(member), Some(employee)) = (member, line.record) {
        match link_account(tx, EmployeeId(employee), member.user).await? {
            Ok(()) => name = member.name,
            Err(refused) => fault = Some(refused),
        }
    }
    tx.link_import_lines(import, &[(line.number, name)]).await?;
    Ok(fault)
}

/// Makes an account that of an employee, and publishes it.
async fn link_account(tx: &Tx, employee: EmployeeId, user: UserId) -> Result<Read<()>, Error> {
    // One at a time: a member who joins meanwhile must not become another employee.
    tx.take_business().await?;
    match tx.employee_of(user).await? {
        Some(other) if other.id != employee => return Ok(Err(is_of(&other))),
        Some(_) => return Ok(Ok(())),
        None => {}
    }
    let before = tx.take_employee(employee).await?.ok_or(Error::NotFound("employee"))?;
    let (name, last_day) = (before.name.clone(), before.last_day);
    match before.described(name, last_day, Some(user)) {
        Ok(linked) => {
            tx.save_employee(&linked).await?;
            tx.publish_employee(&linked).await?;
            Ok(Ok(()))
        }
        Err(fault) => Ok(Err(FieldFault::new("email", &format!("was not linked: {fault}")))),
    }
}

fn is_of(employee: &Employee) -> FieldFault {
    FieldFault::new("email", &format!("belongs to {}, who is an employee already", employee.name))
}
