//! Measures which services are bought together.

use engine::id::ServiceId;

use crate::{
    Error,
    domain::pairing::{measured, strongest},
    store::{StoredMeasured, Tx},
};

/// Which pairs are wanted.
#[derive(Debug, Clone, Copy)]
pub struct MeasurePairings {
    /// Pairs with this service; all pairs if `None`.
    pub service: Option<ServiceId>,
    /// How many pairs, the strongest first.
    pub most: usize,
}

impl MeasurePairings {
    /// The pairs, and how many visits were looked at.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn run(self, tx: &Tx) -> Result<(Vec<StoredMeasured>, i64), Error> {
        let (visits, found) = tx.bought_together(measured(tx.now()), self.service).await?;
        Ok((strongest(found, self.most, |pair| pair.together), visits))
    }
}
