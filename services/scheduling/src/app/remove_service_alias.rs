//! Takes away what people call a service.

use engine::{id::ServiceId, service::Service};
use proto::frontdesk::scheduling::v1::matching_service_methods::REMOVE_SERVICE_ALIAS;

use super::resolve_phrase::sold;
use crate::{Error, store::Tx};

/// An alias to take away.
#[derive(Debug)]
pub struct RemoveServiceAlias {
    /// Of which service.
    pub service: ServiceId,
    /// As it is written.
    pub alias: String,
}

impl RemoveServiceAlias {
    /// Takes the alias away; the service without it.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn run(self, tx: &Tx) -> Result<Service, Error> {
        let Self { service, alias } = self;
        let remove = async |version| {
            if !sold(tx, service).await?.aliases.contains(&alias) {
                return Err(Error::NotFound("alias"));
            }
            tx.remove_alias(version, service, &alias).await
        };
        tx.change_schedule(&REMOVE_SERVICE_ALIAS, service, remove).await?;
        sold(tx, service).await
    }
}
