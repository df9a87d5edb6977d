//! Filters that people saved.

use caller::{Actor, BusinessScope, Tenant, UserId};
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::telemetry::v1::{
        CallView as WireView, CallViewServiceHandler, DeleteCallViewRequest, DeleteCallViewResponse,
        ListCallViewsRequest, ListCallViewsResponse, SaveCallViewRequest, SaveCallViewResponse,
        call_view_service_methods::SAVE_CALL_VIEW,
    },
    parse,
};
use tonic::{Status, async_trait};

use crate::store::{CallView, Store};

const LONGEST_NAME: usize = 60;
const LONGEST_QUERY: usize = 1_000;

/// Serves `CallViewService`.
#[derive(Debug)]
pub struct CallViews {
    store: Store,
}

impl CallViews {
    /// The views in `store`.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl CallViewServiceHandler for CallViews {
    async fn list_call_views(
        &self,
        scope: BusinessScope,
        _: ListCallViewsRequest,
    ) -> Result<ListCallViewsResponse, Status> {
        let person = person(&scope)?;
        let tx = self.store.begin(&scope);
        let views = tx.call_views(person).await?;
        tx.release();
        Ok(ListCallViewsResponse { call_views: views.into_iter().map(wire).collect() })
    }

    async fn save_call_view(
        &self,
        scope: BusinessScope,
        request: SaveCallViewRequest,
    ) -> Result<SaveCallViewResponse, Status> {
        let person = person(&scope)?;
        let name = parse::line("name", &request.name, LONGEST_NAME)?;
        let query = query(&request.query)?;
        self.store
            .idempotent(&scope, &SAVE_CALL_VIEW, &request, async |tx| {
                let saved = tx.save_call_view(person, &name, &query).await?;
                Ok(SaveCallViewResponse { call_view: Some(wire(saved)) })
            })
            .await
    }

    async fn delete_call_view(
        &self,
        scope: BusinessScope,
        request: DeleteCallViewRequest,
    ) -> Result<DeleteCallViewResponse, Status> {
        let person = person(&scope)?;
        let id = parse::id("call_view_id", &request.call_view_id)?;
        let tx = self.store.begin(&scope);
        tx.delete_call_view(person, id).await?;
        tx.commit().await?;
        Ok(DeleteCallViewResponse {})
    }
}

fn person(scope: &BusinessScope) -> Result<UserId, Status> {
    match scope.actor() {
        Actor::Person { user, .. } => Ok(user),
        Actor::Agent { .. } | Actor::Service { .. } => {
            Err(refuse(Reason::RoleTooLow, "only a person has views"))
        }
    }
}

/// The query of an address: what a browser writes there is ASCII without spaces.
fn query(text: &str) -> Result<String, Status> {
    let fits = text.len() <= LONGEST_QUERY && text.bytes().all(|byte| byte.is_ascii_graphic());
    if fits {
        Ok(text.to_owned())
    } else {
        Err(invalid("query", "must be at most 1,000 characters of an address"))
    }
}

fn wire(view: CallView) -> WireView {
    WireView { id: view.id.to_string(), name: view.name, query: view.query }
}
