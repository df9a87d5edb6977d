//! Changes the chairs, rooms and machines of the salon.

use engine::{id::ResourceId, resource::Resource};
use proto::frontdesk::scheduling::v1::resource_service_methods::{
    ARCHIVE_RESOURCE, CREATE_RESOURCE, RENAME_RESOURCE, RESTORE_RESOURCE,
};

use crate::{Error, store::Tx};

/// A resource to add.
#[derive(Debug)]
pub struct CreateResource(pub Resource);

impl CreateResource {
    /// Adds the resource, or returns the one that its id has already.
    ///
    /// # Errors
    /// [`Error::NameTaken`], or one too many.
    pub async fn run(self, tx: &Tx) -> Result<Resource, Error> {
        let Self(resource) = self;
        // A service that chose the id asks again: nothing changes.
        match tx.resource(resource.id).await {
            Err(Error::NotFound(_)) => {}
            known => return known,
        }
        let add = async |version| tx.add_resource(version, &resource).await;
        let is_new = tx.change_schedule(&CREATE_RESOURCE, resource.id, add).await?;
        if is_new { Ok(resource) } else { tx.resource(resource.id).await }
    }
}

/// A resource and its new name.
#[derive(Debug)]
pub struct RenameResource(pub ResourceId, pub String);

impl RenameResource {
    /// Renames the resource.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NameTaken`].
    pub async fn run(self, tx: Tx) -> Result<Resource, Error> {
        let Self(id, name) = self;
        let rename = async |version| tx.rename_resource(version, id, &name).await;
        tx.change_schedule(&RENAME_RESOURCE, id, rename).await?;
        let resource = tx.resource(id).await?;
        tx.commit().await?;
        Ok(resource)
    }
}

/// A resource to take away.
#[derive(Debug)]
pub struct ArchiveResource(pub ResourceId);

impl ArchiveResource {
    /// Takes the resource away.
    ///
    /// # Errors
    /// [`Error::NotFound`], or [`Error::InUse`] by a service or a visit.
    pub async fn run(self, tx: Tx) -> Result<(), Error> {
        let Self(id) = self;
        let archive = async |version| tx.archive_resource(version, id).await;
        tx.change_schedule(&ARCHIVE_RESOURCE, id, archive).await?;
        tx.commit().await
    }
}

/// A resource to bring back.
#[derive(Debug)]
pub struct RestoreResource(pub ResourceId);

impl RestoreResource {
    /// Brings the resource back, or returns it if it is there.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NameTaken`], or one too many.
    pub async fn run(self, tx: Tx) -> Result<Resource, Error> {
        let Self(id) = self;
        match tx.resource(id).await {
            Err(Error::NotFound(_)) => {}
            known => {
                tx.release();
                return known;
            }
        }
        let restore = async |version| tx.restore_resource(version, id).await;
        tx.change_schedule(&RESTORE_RESOURCE, id, restore).await?;
        let resource = tx.resource(id).await?;
        tx.commit().await?;
        Ok(resource)
    }
}
