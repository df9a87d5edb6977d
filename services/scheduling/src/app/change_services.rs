//! Changes what the salon sells.

use engine::{id::ServiceId, service::Service};
use proto::frontdesk::scheduling::v1::catalogue_service_methods::{
    ARCHIVE_SERVICE, CREATE_SERVICE, UPDATE_SERVICE,
};

use super::resolve_phrase::sold;
use crate::{Error, store::Tx};

/// A service to add.
#[derive(Debug)]
pub struct CreateService(pub Service);

impl CreateService {
    /// Adds the service, or returns the one that its id has already.
    ///
    /// # Errors
    /// [`Error::NameTaken`], or a field that does not fit the rest of the business.
    pub async fn run(self, tx: Tx) -> Result<Service, Error> {
        let Self(service) = self;
        let add = async |version| tx.add_service(version, &service).await;
        if !tx.change_schedule(&CREATE_SERVICE, service.id, add).await? {
            // Nothing changed, so nothing is committed.
            return sold(&tx, service.id).await;
        }
        tx.commit().await?;
        Ok(service)
    }
}

/// A service as it shall be, with the version the caller saw.
#[derive(Debug)]
pub struct UpdateService(pub Service);

impl UpdateService {
    /// Replaces what the service is.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`], [`Error::NameTaken`], or a field that does not fit the rest of
    /// the business.
    pub async fn run(self, tx: Tx) -> Result<Service, Error> {
        let Self(service) = self;
        let update = async |version| tx.update_service(version, &service).await;
        tx.change_schedule(&UPDATE_SERVICE, service.id, update).await?;
        tx.commit().await?;
        Ok(Service { version: service.version + 1, ..service })
    }
}

/// A service to take off the list.
#[derive(Debug)]
pub struct ArchiveService(pub ServiceId);

impl ArchiveService {
    /// Takes the service off the list, and the rules it is part of.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn run(self, tx: Tx) -> Result<(), Error> {
        let Self(id) = self;
        let archive = async |version| tx.archive_service(version, id).await;
        tx.change_schedule(&ARCHIVE_SERVICE, id, archive).await?;
        tx.commit().await
    }
}
