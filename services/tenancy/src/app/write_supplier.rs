//! Creates and changes suppliers.

use crate::{
    Error,
    domain::{Dialled, Email, Supplier, SupplierId},
    store::Tx,
};

/// What is known of a supplier.
#[derive(Debug)]
pub struct SupplierDetails {
    /// What it is called.
    pub name: String,
    /// Where to call.
    pub dialled: Option<Dialled>,
    /// Where to write to.
    pub email: Option<Email>,
    /// How to order.
    pub note: Option<String>,
}

/// Creates a supplier; the one under its id if the business has one.
///
/// # Errors
/// [`Error::TakenField`] for another one's name; [`Error::Phone`].
pub async fn create_supplier(
    tx: &Tx,
    id: Option<SupplierId>,
    details: SupplierDetails,
) -> Result<Supplier, Error> {
    let SupplierDetails { name, dialled, email, note } = details;
    let phone = tx.complete_phone(dialled).await?;
    let id = id.unwrap_or_else(|| tx.new_id());
    only_of_its_name(tx, id, &name).await?;
    Ok(tx.add_supplier(Supplier { id, name, phone, email, note, version: 1 }).await?.record())
}

/// Replaces what is known of a supplier, if anything is different.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Stale`], and as [`create_supplier`].
pub async fn update_supplier(
    tx: &Tx,
    id: SupplierId,
    version: Option<i64>,
    details: SupplierDetails,
) -> Result<Supplier, Error> {
    let SupplierDetails { name, dialled, email, note } = details;
    let before = tx.take_supplier(id).await?.seen_at(version)?;
    let phone = tx.complete_phone(dialled).await?;
    let after = before.clone().described(name, phone, email, note);
    if after != before {
        if after.name != before.name {
            only_of_its_name(tx, id, &after.name).await?;
        }
        tx.save_supplier(&after).await?;
    }
    Ok(after)
}

/// Deletes a supplier, if it is there.
///
/// # Errors
/// [`Error::InUse`] while items name it.
pub async fn delete_supplier(tx: Tx, id: SupplierId) -> Result<(), Error> {
    tx.delete_supplier(id).await?;
    tx.commit().await
}

/// Tables name suppliers in whatever case and with whatever accents: no two are of one name.
async fn only_of_its_name(tx: &Tx, id: SupplierId, name: &str) -> Result<(), Error> {
    // No colleague takes the name meanwhile.
    tx.take_business().await?;
    let others = tx.suppliers_named(&[name.to_owned()]).await?;
    match others.iter().any(|other| other.id != id) {
        true => Err(Error::TakenField("name", "another supplier has this name")),
        false => Ok(()),
    }
}
