//! Adds and removes suggestions of services that go well with each other.

use proto::frontdesk::scheduling::v1::pairing_service_methods::{CREATE_PAIRING, DELETE_PAIRING};

use crate::{
    Error,
    domain::{id::PairingId, pairing::Pairing},
    store::{StoredPairing, Tx},
};

/// Versions of a pairing, which never changes: it is added, and removed.
const ADDED: i64 = 1;
const REMOVED: i64 = 2;

/// A pairing to add.
#[derive(Debug)]
pub struct CreatePairing(pub Pairing);

impl CreatePairing {
    /// Adds the pairing; with the names that go with it.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a service, [`Error::Exists`], too many suggestions of one service.
    pub async fn run(self, tx: &Tx) -> Result<StoredPairing, Error> {
        let Self(pairing) = self;
        tx.add_pairing(&pairing).await?;
        tx.publish_pairing(pairing.id, ADDED).await?;
        tx.audit(&CREATE_PAIRING, pairing.id).await?;
        let name = async |service| {
            Ok::<_, Error>(tx.service(service).await?.map(|service| service.name).unwrap_or_default())
        };
        let (service_name, suggested_name) = (name(pairing.service).await?, name(pairing.suggested).await?);
        Ok(StoredPairing { pairing, service_name, suggested_name })
    }
}

/// A pairing to remove.
#[derive(Debug)]
pub struct DeletePairing(pub PairingId);

impl DeletePairing {
    /// Removes the pairing.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn run(self, tx: &Tx) -> Result<(), Error> {
        let Self(id) = self;
        tx.delete_pairing(id).await?;
        tx.publish_pairing(id, REMOVED).await?;
        tx.audit(&DELETE_PAIRING, id).await
    }
}
