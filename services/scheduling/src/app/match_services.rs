//! Matches what was said to services, and keeps what an agent could not match.

use std::sync::Arc;

use engine::id::CallId;
use proto::frontdesk::scheduling::v1::matching_service_methods::MATCH_SERVICES;

use crate::{
    Error,
    domain::{
        matching::{Candidate, Verdict, verdict},
        phrase::normal,
    },
    store::{Catalogue, Tx},
};

/// A phrase to match.
#[derive(Debug)]
pub struct MatchServices {
    /// What was said.
    pub phrase: String,
    /// In which call.
    pub call: Option<CallId>,
    /// Whether an agent asks: a person who types sees what they missed.
    pub by_agent: bool,
}

/// What a phrase means.
#[derive(Debug)]
pub struct Matched {
    /// Whether it means one service.
    pub verdict: Verdict,
    /// Services it may mean, the best first.
    pub candidates: Vec<Candidate>,
    /// What it was matched with.
    pub catalogue: Arc<Catalogue>,
}

impl MatchServices {
    /// Matches the phrase.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`], [`Error::Unsettled`].
    pub async fn run(self, tx: Tx) -> Result<Matched, Error> {
        let catalogue = tx.catalogue().await?;
        let candidates = catalogue.lexicon.rank(&self.phrase);
        let verdict = verdict(&candidates);
        if verdict != Verdict::Clear && self.by_agent {
            self.hear(&tx).await?;
        }
        tx.commit().await?;
        Ok(Matched { verdict, candidates, catalogue })
    }

    /// Keeps what an agent heard, for a person to look at.
    async fn hear(&self, tx: &Tx) -> Result<(), Error> {
        let Some(phrase) = normal(&self.phrase) else { return Ok(()) };
        let id = tx.hear(&phrase, self.call).await?;
        tx.publish_phrase(id).await?;
        tx.audit(&MATCH_SERVICES, id).await
    }
}
