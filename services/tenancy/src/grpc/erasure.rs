//! Erasures of customers.

use std::sync::Arc;

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, EraseCustomerRequest, EraseCustomerResponse, ErasureServiceHandler, GetErasureRequest,
        GetErasureResponse, ListOpenErasuresRequest, ListOpenErasuresResponse,
        erasure_service_methods::ERASE_CUSTOMER,
    },
    page::page,
    parse::id,
    time::to_proto,
};
use tokio::sync::Notify;
use tonic::{Status, async_trait};

use crate::{
    app::erase_customer,
    domain::{CustomerId, Erasure},
    store::Store,
};

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
                Ok(EraseCustomerResponse { erasure: Some(to_wire(&erasure, tx.now())) })
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
        let now = tx.now();
        tx.commit().await?;
        Ok(GetErasureResponse { erasure: erasure.map(|erasure| to_wire(&erasure, now)) })
    }

    async fn list_open_erasures(
        &self,
        scope: BusinessScope,
        request: ListOpenErasuresRequest,
    ) -> Result<ListOpenErasuresResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.map(|(begun, id)| (begun, CustomerId(id)));
        let tx = self.store.begin(&scope);
        let rows = tx.open_erasures(after, page.limit()).await?;
        let now = tx.now();
        tx.commit().await?;
        let key = |row: &&Erasure| (row.at, row.customer.0);
        let (erasures, next_page_token) = page.answer(&rows, key, |row| to_wire(row, now));
        Ok(ListOpenErasuresResponse { erasures, next_page_token })
    }
}

fn to_wire(erasure: &Erasure, now: Timestamp) -> pb::Erasure {
    let holders = erasure.holders.iter().map(|state| pb::ErasureHolder {
        service: state.holder.name().to_owned(),
        confirmed_at: state.confirmed_at.map(to_proto),
        waiting_for: state.waiting_for.clone(),
        record_count: state.records,
    });
    pb::Erasure {
        customer_id: erasure.customer.to_string(),
        begun_at: Some(to_proto(erasure.at)),
        begun_by: erasure.by.clone(),
        finished_at: erasure.finished_at.map(to_proto),
        holders: holders.collect(),
        cancelled_visit_count: erasure.cancelled,
        late: erasure.is_late(now),
    }
}
