//! Has the published agent brought to a platform again, or compared with what is there.

use crate::{
    Error,
    domain::{PublicationState, PublishedConnection, VoiceConnectionId},
    store::Tx,
};

/// A connection over which the published version is to be brought to its platform.
#[derive(Debug)]
pub struct PublishToPlatform {
    /// The connection.
    pub connection: VoiceConnectionId,
}

impl PublishToPlatform {
    /// Has it done at once.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::NotPublished`] where there is nothing to bring, or no way to bring it.
    pub async fn run(self, tx: Tx) -> Result<PublishedConnection, Error> {
        let before = tx.agent_publication(self.connection).await?;
        if let Some(none) = before.connection.takes_no_publication() {
            return Err(Error::NotPublished(reason(none)));
        }
        if tx.wish_publication(Some(self.connection)).await? == 0 {
            return Err(Error::NotPublished(reason(PublicationState::NothingPublished)));
        }
        let wished = tx.agent_publication(self.connection).await?;
        tx.commit().await?;
        Ok(wished)
    }
}

/// A connection whose platform's agent is to be compared with what was brought there.
#[derive(Debug)]
pub struct CheckPublication {
    /// The connection.
    pub connection: VoiceConnectionId,
}

impl CheckPublication {
    /// Has it done at once.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::NotPublished`] before anything was brought there.
    pub async fn run(self, tx: Tx) -> Result<PublishedConnection, Error> {
        let before = tx.agent_publication(self.connection).await?;
        if let Some(none) = before.connection.takes_no_publication() {
            return Err(Error::NotPublished(reason(none)));
        }
        if !tx.wish_check(self.connection).await? {
            return Err(Error::NotPublished("nothing was brought to this platform yet"));
        }
        let wished = tx.agent_publication(self.connection).await?;
        tx.commit().await?;
        Ok(wished)
    }
}

fn reason(none: PublicationState) -> &'static str {
    match none {
        PublicationState::OwnAgent => "our own agent speaks over Twilio: nothing has to be published there",
        PublicationState::NoApiKey => "there is no key for the platform's API",
        PublicationState::NoAgent => "it is not said which agent of the platform is the salon's",
        _ => "no version of the agent is published yet",
    }
}
