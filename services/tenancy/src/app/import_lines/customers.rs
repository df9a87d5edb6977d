//! Lines of customers.

use proto::error::FieldFault;

use super::{Read, outcome};
use crate::{
    Error,
    domain::{Customer, CustomerId, LineState},
    lines::customer::CustomerLine,
    store::{ImportLine, LineOutcome, Tx},
};

/// Lines as customers whom the business does not know.
pub async fn read(tx: &Tx, lines: &[ImportLine]) -> Result<Vec<Read<CustomerLine>>, Error> {
    let country = tx.business().await?.country();
    let read: Vec<_> = lines.iter().map(|line| CustomerLine::parse(&line.cells, country)).collect();
    let names: Vec<String> = read.iter().flatten().map(|line| line.name.clone()).collect();
    let known = tx.customers_named(names).await?;
    Ok(read.into_iter().map(|line| line.and_then(|line| unknown(line, &known))).collect())
}

/// Adds the customers.
pub async fn import(tx: &Tx, lines: &[ImportLine]) -> Result<Vec<LineOutcome>, Error> {
    let mut outcomes = Vec::with_capacity(lines.len());
    let mut customers = Vec::with_capacity(lines.len());
    for (line, read) in lines.iter().zip(read(tx, lines).await?) {
        let (fault, record) = match read {
            Err(fault) => (Some(fault), None),
            Ok(read) => {
                let customer = customer(tx.new_id(), read);
                let id = customer.id.0;
                customers.push(customer);
                (None, Some(id))
            }
        };
        outcomes.push(outcome(line.number, fault, LineState::Imported, LineState::Failed, record));
    }
    tx.add_new_customers(&customers).await?;
    for customer in &customers {
        tx.publish_customer(customer).await?;
    }
    Ok(outcomes)
}

fn customer(id: CustomerId, line: CustomerLine) -> Customer {
    let CustomerLine { name, phone, email, tags } = line;
    Customer {
        id,
        name,
        phone,
        email,
        tags,
        marketing_consent: None,
        merged_into: None,
        erased_at: None,
        version: 1,
    }
}

fn unknown(line: CustomerLine, known: &[Customer]) -> Read<CustomerLine> {
    match known.iter().find_map(|customer| line.field_of(customer)) {
        Some(field) => Err(FieldFault::new(field, "is that of a customer of this name already")),
        None => Ok(line),
    }
}
