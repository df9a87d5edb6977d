//! Makes two records of one person one, and two again.

use crate::{
    Error,
    domain::{Customer, CustomerId, CustomerMerge, CustomerMergeId},
    store::{NamedMerge, Tx},
};

/// Two customers, the first of whom stays.
#[derive(Debug, Clone, Copy)]
pub struct MergeCustomers {
    /// Who stays.
    pub survivor: CustomerId,
    /// Who becomes part of them.
    pub merged: CustomerId,
    /// The versions that were seen.
    pub versions: (Option<i64>, Option<i64>),
}

/// Both, and what the one that stays would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergePreview {
    /// Who stays.
    pub survivor: Customer,
    /// Who becomes part of them.
    pub merged: Customer,
    /// The one that stays, afterwards.
    pub combined: Customer,
}

impl MergeCustomers {
    /// What [`Self::run`] would do, without doing it.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Merged`].
    pub async fn preview(self, tx: &Tx) -> Result<MergePreview, Error> {
        let survivor = tx.customer(self.survivor).await?.whole()?;
        let merged = tx.customer(self.merged).await?.whole()?;
        let combined = survivor.combined(&merged);
        Ok(MergePreview { survivor, merged, combined })
    }

    /// Merges and publishes them, unless they are merged already.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`]; [`Error::Merged`] where either is part of another customer.
    pub async fn run(self, tx: &Tx) -> Result<NamedMerge, Error> {
        let mut taken = tx.take_customers(&[self.survivor, self.merged]).await?;
        let survivor = take(&mut taken, self.survivor)?;
        let merged = take(&mut taken, self.merged)?;
        if merged.merged_into == Some(survivor.id) {
            return tx.standing_merge(survivor.id, merged.id).await;
        }
        let survivor = survivor.whole()?.seen_at(self.versions.0)?;
        let merged = merged.whole()?.seen_at(self.versions.1)?;
        let moved: Vec<_> = taken.into_iter().filter(|part| part.merged_into == Some(merged.id)).collect();
        let after = survivor.combined(&merged);
        // The one that stays goes first: followers name its parts after it.
        tx.replace_customer(&survivor, &after).await?;
        for part in moved.iter().chain([&merged]) {
            tx.replace_customer(part, &part.part_of(Some(survivor.id))).await?;
        }
        let merge = CustomerMerge {
            id: tx.new_id(),
            before: survivor,
            after,
            merged: merged.id,
            moved: moved.iter().map(|part| part.id).collect(),
            at: tx.now(),
            by: tx.actor().to_owned(),
            undone: None,
        };
        tx.add_customer_merge(&merge).await?;
        Ok(NamedMerge { merge, merged_name: merged.name })
    }
}

/// A merge to undo.
#[derive(Debug, Clone, Copy)]
pub struct UndoCustomerMerge {
    /// Who stayed.
    pub survivor: CustomerId,
    /// The merge.
    pub id: CustomerMergeId,
}

impl UndoCustomerMerge {
    /// Restores and publishes both, unless it is undone already.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Lasting`].
    pub async fn run(self, tx: &Tx) -> Result<NamedMerge, Error> {
        let NamedMerge { merge, merged_name } = tx.take_customer_merge(self.survivor, self.id).await?;
        if merge.undone.is_some() {
            return Ok(NamedMerge { merge, merged_name });
        }
        let mut taken = tx.take_customers(&[self.survivor, merge.merged]).await?;
        let survivor = take(&mut taken, self.survivor)?;
        let merged = take(&mut taken, merge.merged)?;
        let restored = merge.restored(&survivor, &merged, tx.now())?;
        tx.replace_customer(&survivor, &restored).await?;
        tx.replace_customer(&merged, &merged.part_of(None)).await?;
        for part in taken.iter().filter(|part| merge.moved.contains(&part.id)) {
            tx.replace_customer(part, &part.part_of(Some(merged.id))).await?;
        }
        tx.mark_merge_undone(merge.id).await?;
        let undone = Some((tx.now(), tx.actor().to_owned()));
        Ok(NamedMerge { merge: CustomerMerge { undone, ..merge }, merged_name })
    }
}

fn take(taken: &mut Vec<Customer>, id: CustomerId) -> Result<Customer, Error> {
    let at = taken.iter().position(|customer| customer.id == id).ok_or(Error::NotFound("customer"))?;
    Ok(taken.swap_remove(at))
}

impl Customer {
    /// The customer, if they are part of no other and were not erased.
    ///
    /// # Errors
    /// [`Error::Merged`], [`Error::Erased`].
    pub(super) fn whole(self) -> Result<Self, Error> {
        match self {
            Self { erased_at: Some(_), .. } => Err(Error::Erased),
            Self { merged_into: Some(_), .. } => Err(Error::Merged),
            whole => Ok(whole),
        }
    }
}
