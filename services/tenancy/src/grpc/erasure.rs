//! Erasures of customers.

use std::sync::Arc;

use caller::BusinessScope;
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, EraseCustomerRequest, EraseCustomerResponse, ErasureServiceHandler, GetErasureRequest,
        GetErasureResponse, erasure_service_methods::ERASE_CUSTOMER,
    },
    parse::id,
    time::to_proto,
};
use tokio::sync::Notify;
use tonic::{Status, async_trait};

use crate::{app::erase_customer, domain::Erasure, store::Store};

/// Serves `ErasureService`.
#[derive(Debug)]
pub(crate) struct Erasures {
    store: Store,
    hint: Arc<Notify>,
}

impl Erasures {
    /// `hint` is notified when an erasure begins.
    pub(crate) fn new(store: Store, hint: Arc<Notify>) -> Self {
        Self { store, hint }
    }
}

#[async_trait]
impl ErasureServiceHandler for Erasures {
    async fn erase_customer(
        &self,
        scope: BusinessScope,
        request: EraseCustomerRequest,
    ) -> Result<EraseCustomerResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let answer = self
            .store
            .idempotent(&scope, &ERASE_CUSTOMER, &request, async |tx| {
                let erasure = erase_customer(tx, customer).await?;
                Ok(EraseCustomerResponse { erasure: Some(pb::Erasure::from(&erasure)) })
            })
            .await;
        self.hint.notify_one();
        answer
    }

    async fn get_erasure(
        &self,
        scope: BusinessScope,
        request: GetErasureRequest,
    ) -> Result<GetErasureResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let tx = self.store.begin(&scope);
        let erasure = tx.erasure(customer).await?;
        if erasure.is_none() {
            tx.customer(customer).await?;
        }
        tx.commit().await?;
        Ok(GetErasureResponse { erasure: erasure.as_ref().map(pb::Erasure::from) })
    }
}

impl From<&Erasure> for pb::Erasure {
    fn from(erasure: &Erasure) -> Self {
        let holders = erasure.holders.iter().map(|state| pb::ErasureHolder {
            service: state.holder.name().to_owned(),
            confirmed_at: state.confirmed_at.map(to_proto),
            waiting_for: state.waiting_for.clone(),
            record_count: state.records,
        });
        Self {
            customer_id: erasure.customer.to_string(),
            begun_at: Some(to_proto(erasure.at)),
            begun_by: erasure.by.clone(),
            finished_at: erasure.finished_at.map(to_proto),
            holders: holders.collect(),
            cancelled_visit_count: erasure.cancelled,
        }
    }
}
