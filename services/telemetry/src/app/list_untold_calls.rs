//! Finds the calls of whose end too little was delivered.

use crate::{domain::ConnectionId, error::Error, store::Tx};

/// A call that has ended at the platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedCall {
    /// The platform's id.
    pub platform_call_id: String,
    /// The events of which any tells all there is to tell.
    pub event_keys: Vec<String>,
    /// That it has ended is all there is to tell.
    pub end_suffices: bool,
}

/// Some calls of a platform.
#[derive(Debug)]
pub struct ListUntoldCalls {
    /// Over which connection.
    pub connection: ConnectionId,
    /// The calls.
    pub calls: Vec<EndedCall>,
}

impl ListUntoldCalls {
    /// The platform's ids of those that are to be told.
    pub async fn run(self, tx: Tx) -> Result<Vec<String>, Error> {
        let Self { connection, calls } = self;
        let keys = calls.iter().flat_map(|call| call.event_keys.clone()).collect();
        let kept = tx.kept_keys(connection, keys).await?;
        let may_suffice = calls.iter().filter(|call| call.end_suffices);
        let ends = may_suffice.map(|call| call.platform_call_id.clone()).collect();
        let ended = tx.ended_calls(connection, ends).await?;
        tx.release();
        let is_told = |call: &EndedCall| {
            call.event_keys.iter().any(|key| kept.contains(key)) || ended.contains(&call.platform_call_id)
        };
        let untold = calls.into_iter().filter(|call| !is_told(call));
        Ok(untold.map(|call| call.platform_call_id).collect())
    }
}
