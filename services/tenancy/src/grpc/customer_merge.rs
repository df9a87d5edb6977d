//! Merges of customers.

use caller::BusinessScope;
use contacts::Contacts;
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::tenancy::v1::{
        self as pb, CustomerMergeServiceHandler, ListCustomerMergesRequest, ListCustomerMergesResponse,
        MergeCustomersRequest, MergeCustomersResponse, PreviewCustomerMergeRequest,
        PreviewCustomerMergeResponse, UndoCustomerMergeRequest, UndoCustomerMergeResponse,
        customer_merge_service_methods::{MERGE_CUSTOMERS, UNDO_CUSTOMER_MERGE},
    },
    parse::id,
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{MergeCustomers, UndoCustomerMerge},
    store::Store,
};

/// Serves `CustomerMergeService`.
#[derive(Debug)]
pub(crate) struct CustomerMerges {
    store: Store,
    contacts: Contacts,
}

impl CustomerMerges {
    pub(crate) fn new(store: Store, contacts: Contacts) -> Self {
        Self { store, contacts }
    }
}

#[async_trait]
impl CustomerMergeServiceHandler for CustomerMerges {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        self.contacts.reach(scope).await
    }

    async fn preview_customer_merge(
        &self,
        scope: BusinessScope,
        request: PreviewCustomerMergeRequest,
    ) -> Result<PreviewCustomerMergeResponse, Status> {
        let command = parse(&request.customer_id, &request.merged_customer_id, (0, 0))?;
        let tx = self.store.begin(&scope);
        let preview = command.preview(&tx).await?;
        tx.commit().await?;
        Ok(PreviewCustomerMergeResponse {
            customer: Some(pb::Customer::from(&preview.survivor)),
            merged: Some(pb::Customer::from(&preview.merged)),
            combined: Some(pb::Customer::from(&preview.combined)),
        })
    }

    async fn merge_customers(
        &self,
        scope: BusinessScope,
        request: MergeCustomersRequest,
    ) -> Result<MergeCustomersResponse, Status> {
        let versions = (request.version, request.merged_version);
        let command = parse(&request.customer_id, &request.merged_customer_id, versions)?;
        self.store
            .idempotent(&scope, &MERGE_CUSTOMERS, &request, async |tx| {
                let merged = command.run(tx).await?;
                Ok(MergeCustomersResponse {
                    merge: Some(pb::CustomerMerge::from(&merged)),
                    customer: Some(pb::Customer::from(&merged.merge.after)),
                })
            })
            .await
    }

    async fn list_customer_merges(
        &self,
        scope: BusinessScope,
        request: ListCustomerMergesRequest,
    ) -> Result<ListCustomerMergesResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let tx = self.store.begin(&scope);
        tx.customer(customer).await?;
        let merges = tx.customer_merges(customer).await?;
        tx.commit().await?;
        Ok(ListCustomerMergesResponse { merges: merges.iter().map(pb::CustomerMerge::from).collect() })
    }

    async fn undo_customer_merge(
        &self,
        scope: BusinessScope,
        request: UndoCustomerMergeRequest,
    ) -> Result<UndoCustomerMergeResponse, Status> {
        let command = UndoCustomerMerge {
            survivor: id("customer_id", &request.customer_id)?,
            id: id("merge_id", &request.merge_id)?,
        };
        self.store
            .idempotent(&scope, &UNDO_CUSTOMER_MERGE, &request, async |tx| {
                let undone = command.run(tx).await?;
                Ok(UndoCustomerMergeResponse { merge: Some(pb::CustomerMerge::from(&undone)) })
            })
            .await
    }
}

fn parse(customer_id: &str, merged_id: &str, versions: (i64, i64)) -> Result<MergeCustomers, Status> {
    let command = MergeCustomers {
        survivor: id("customer_id", customer_id)?,
        merged: id("merged_customer_id", merged_id)?,
        versions: (fields::seen_version(versions.0)?, fields::seen_version(versions.1)?),
    };
    if command.survivor == command.merged {
        return Err(invalid("merged_customer_id", "must be another customer"));
    }
    Ok(command)
}
