//! Decides what a phrase means that matched no service.

use engine::{id::ServiceId, service::Service};
use proto::frontdesk::scheduling::v1::matching_service_methods::RESOLVE_PHRASE;

use crate::{
    Error,
    domain::{
        id::PhraseId,
        phrase::{MAX_ALIAS, MAX_ALIASES},
    },
    store::Tx,
};

/// What becomes of a phrase.
#[derive(Debug)]
pub enum Resolution {
    /// It is what people call a service, as it was heard or in other words.
    Alias(ServiceId, Option<String>),
    /// It means nothing that is sold here.
    Dismissed,
}

/// A phrase to resolve.
#[derive(Debug)]
pub struct ResolvePhrase {
    /// The phrase.
    pub phrase: PhraseId,
    /// What becomes of it.
    pub resolution: Resolution,
}

impl ResolvePhrase {
    /// Resolves the phrase; the service, if one has a new alias.
    ///
    /// # Errors
    /// [`Error::NotFound`], an alias that is too long, or one too many.
    pub async fn run(self, tx: &Tx) -> Result<Option<Service>, Error> {
        let Self { phrase, resolution } = self;
        let service = match resolution {
            Resolution::Alias(service, alias) => Some(name(tx, phrase, service, alias).await?),
            Resolution::Dismissed => {
                tx.take_phrase(phrase).await?;
                tx.dismiss_phrase(phrase).await?;
                None
            }
        };
        tx.publish_phrase(phrase).await?;
        tx.audit(&RESOLVE_PHRASE, phrase).await?;
        Ok(service)
    }
}

/// Has a service called by a phrase, which is forgotten then.
async fn name(
    tx: &Tx,
    phrase: PhraseId,
    service: ServiceId,
    alias: Option<String>,
) -> Result<Service, Error> {
    let version = tx.next_schedule().await?;
    let heard = tx.take_phrase(phrase).await?.phrase;
    let alias = alias.unwrap_or(heard);
    if alias.chars().count() > MAX_ALIAS {
        return Err(Error::invalid("alias", format!("is longer than {MAX_ALIAS} characters")));
    }
    let known = sold(tx, service).await?.aliases;
    if !known.contains(&alias) {
        if known.len() >= MAX_ALIASES {
            return Err(Error::invalid("service_id", format!("has {MAX_ALIASES} aliases already")));
        }
        tx.add_alias(version, service, &alias).await?;
    }
    tx.publish_schedule(version).await?;
    tx.drop_phrase(phrase).await?;
    sold(tx, service).await
}

/// A service as it is now.
pub(super) async fn sold(tx: &Tx, service: ServiceId) -> Result<Service, Error> {
    tx.service(service).await?.ok_or(Error::NotFound("service"))
}
