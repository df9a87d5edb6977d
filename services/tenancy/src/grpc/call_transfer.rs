//! Callers of live calls, put through to a person.

use caller::BusinessScope;
use proto::{
    frontdesk::tenancy::internal::v1::{
        self as pb, CallTransferServiceHandler, GetCallTransferRequest, GetCallTransferResponse,
        TransferCallRequest, TransferCallResponse,
    },
    parse::{id, raw_text},
};
use tonic::{Status, async_trait};

use crate::{app::CallTransfers, domain::TransferHindrance, store::Store};

const LONGEST_ID: usize = 255;

/// Serves `CallTransferService`.
#[derive(Debug)]
pub(crate) struct Transfers {
    store: Store,
    transfers: CallTransfers,
}

impl Transfers {
    pub(crate) fn new(store: Store, transfers: CallTransfers) -> Self {
        Self { store, transfers }
    }
}

#[async_trait]
impl CallTransferServiceHandler for Transfers {
    async fn get_call_transfer(
        &self,
        scope: BusinessScope,
        request: GetCallTransferRequest,
    ) -> Result<GetCallTransferResponse, Status> {
        let connection = id("voice_connection_id", &request.voice_connection_id)?;
        let number = self.transfers.number(self.store.begin(&scope), connection).await?;
        let hindrance = match number {
            Ok(_) => pb::TransferHindrance::Unspecified,
            Err(TransferHindrance::NoNumber) => pb::TransferHindrance::NoNumber,
            Err(TransferHindrance::Platform) => pb::TransferHindrance::Platform,
            Err(TransferHindrance::NoApiKey) => pb::TransferHindrance::NoApiKey,
        };
        Ok(GetCallTransferResponse { hindrance: hindrance.into(), phone: number.unwrap_or_default() })
    }

    async fn transfer_call(
        &self,
        scope: BusinessScope,
        request: TransferCallRequest,
    ) -> Result<TransferCallResponse, Status> {
        let connection = id("voice_connection_id", &request.voice_connection_id)?;
        let call = raw_text("platform_call_id", &request.platform_call_id, LONGEST_ID)?;
        let phone = self.transfers.transfer(self.store.begin(&scope), connection, &call).await?;
        Ok(TransferCallResponse { phone })
    }
}
