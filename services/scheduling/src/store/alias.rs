//! What people call a service, one name at a time; and all of it, made ready to be found.

use std::sync::Arc;

use database::{Named, named};
use engine::{id::ServiceId, schedule::Schedule};

use super::{ATTEMPTS, Tx, settings::ScheduleVersion};
use crate::{Error, domain::matching::Lexicon};

const ADD: &str = "UPDATE service SET aliases = array_append(aliases, :alias::text), version = version + 1
    WHERE business_id = :business_id AND id = :id";
const REMOVE: &str = "UPDATE service SET aliases = array_remove(aliases, :alias::text), version = version + 1
    WHERE business_id = :business_id AND id = :id";

/// What a search by words needs.
#[derive(Debug)]
pub struct Catalogue {
    /// What each service is called.
    pub lexicon: Lexicon,
    /// The schedule that has the services.
    pub schedule: Arc<Schedule>,
}

impl Tx {
    /// The services and what they are called, as of now.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`], [`Error::Unsettled`].
    pub async fn catalogue(&self) -> Result<Arc<Catalogue>, Error> {
        let mut schedule = self.known_schedule().await?;
        for _ in 0..ATTEMPTS {
            if self.is_current(&schedule).await? {
                let known = self.store.cache.catalogue(self.business, schedule.version).await;
                if let Some(known) = known {
                    return Ok(known);
                }
                let lexicon = Lexicon::new(schedule.services.values());
                let made = Arc::new(Catalogue { lexicon, schedule });
                self.store.cache.keep_catalogue(self.business, made.clone()).await;
                return Ok(made);
            }
            schedule = self.load_schedule().await?;
        }
        Err(Error::Unsettled)
    }

    /// Adds what people call a service.
    pub async fn add_alias(&self, _: ScheduleVersion, service: ServiceId, alias: &str) -> Result<(), Error> {
        self.execute(ADD, self.alias_columns(service, alias)).await.map(drop)
    }

    /// Takes away what people call a service, as it is written.
    pub async fn remove_alias(
        &self,
        _: ScheduleVersion,
        service: ServiceId,
        alias: &str,
    ) -> Result<(), Error> {
        self.execute(REMOVE, self.alias_columns(service, alias)).await.map(drop)
    }

    fn alias_columns(&self, service: ServiceId, alias: &str) -> Named {
        named! { business_id: self.business.0, id: service.0, alias }
    }
}
