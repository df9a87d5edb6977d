//! Begins the erasure of a person: what tenancy itself keeps of them is gone with it, and a worker asks the others.

use crate::{
    Error,
    domain::{Customer, CustomerId, Email, Erasure, KnownRecord, Phone, Traces},
    store::Tx,
};

/// Erases the record of a customer, of those who are part of them, and what is kept beside them. One who was erased stays
/// so.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Merged`].
pub async fn erase_customer(tx: &Tx, id: CustomerId) -> Result<Erasure, Error> {
    let records = tx.take_customers(&[id]).await?;
    let whole = records.iter().find(|record| record.id == id).ok_or(Error::NotFound("customer"))?;
    if whole.merged_into.is_some() {
        return Err(Error::Merged);
    }
    if let Some(erasure) = tx.erasure(id).await? {
        return Ok(erasure);
    }
    let erased: Vec<Customer> = records.iter().map(|record| record.clone().erased(tx.now())).collect();
    let traces = traces(&records, &erased);
    let ids: Vec<CustomerId> = records.iter().map(|record| record.id).collect();
    let gone = tx.delete_follow_ups_of(&ids, &[], &traces.phones).await?;
    tx.delete_beside(&ids).await?;
    for record in &erased {
        tx.save_customer(record).await?;
        tx.publish_customer(record).await?;
    }
    let erasure = Erasure::begin(id, tx.actor(), tx.now(), traces);
    tx.add_erasure(&erasure).await?;
    tx.erase_changes(&ids, gone).await?;
    Ok(erasure)
}

/// What the person is found by elsewhere.
fn traces(records: &[Customer], erased: &[Customer]) -> Traces {
    let all = |text: fn(&Customer) -> Option<&str>| {
        let mut texts: Vec<String> = records.iter().filter_map(text).map(str::to_owned).collect();
        texts.sort_unstable();
        texts.dedup();
        texts
    };
    Traces {
        customers: erased.iter().map(|one| KnownRecord { id: one.id.0, version: one.version }).collect(),
        names: all(|customer| Some(&customer.name)),
        phones: all(|customer| customer.phone.as_ref().map(Phone::as_str)),
        emails: all(|customer| customer.email.as_ref().map(Email::as_str)),
        ..Traces::default()
    }
}
