//! Changes how a person is called.

use caller::UserId;

use crate::{Error, store::Store};

/// Renames a person.
pub(crate) async fn rename_person(store: &Store, person: UserId, name: &str) -> Result<(), Error> {
    let tx = store.begin();
    tx.rename(person, name).await?;
    tx.commit().await
}
