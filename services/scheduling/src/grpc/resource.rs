//! Chairs, rooms and machines.

use caller::{BusinessScope, Tenant};
use engine::{id::ResourceId, resource::Resource};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, ArchiveResourceRequest, ArchiveResourceResponse, CreateResourceRequest,
        CreateResourceResponse, ListResourcesRequest, ListResourcesResponse, RenameResourceRequest,
        RenameResourceResponse, ResourceServiceHandler, RestoreResourceRequest, RestoreResourceResponse,
        resource_service_methods::CREATE_RESOURCE,
    },
    parse::{chosen_id, id},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{ArchiveResource, CreateResource, RenameResource, RestoreResource},
    contract::FromEngine,
    store::Store,
};

const MAX_NAME: usize = 100;

/// Serves `ResourceService`.
#[derive(Debug)]
pub(crate) struct Resources {
    store: Store,
}

impl Resources {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl ResourceServiceHandler for Resources {
    async fn list_resources(
        &self,
        scope: BusinessScope,
        _: ListResourcesRequest,
    ) -> Result<ListResourcesResponse, Status> {
        let tx = self.store.begin(&scope);
        let resources = tx.resources().await?;
        tx.release();
        Ok(ListResourcesResponse { resources: resources.iter().map(pb::Resource::from_engine).collect() })
    }

    async fn create_resource(
        &self,
        scope: BusinessScope,
        request: CreateResourceRequest,
    ) -> Result<CreateResourceResponse, Status> {
        let resource = request.resource.as_ref().ok_or_else(|| invalid("resource", "is required"))?;
        let chosen: Option<ResourceId> = chosen_id("resource.id", &resource.id, &scope.actor())?;
        let resource = Resource {
            id: chosen.unwrap_or_else(|| self.store.new_id()),
            name: fields::line("resource.name", &resource.name, MAX_NAME)?,
            kind: fields::resource_kind("resource.kind", &resource.kind)?,
        };
        self.store
            .idempotent(&scope, &CREATE_RESOURCE, &request, async |tx| {
                let resource = CreateResource(resource).run(tx).await?;
                Ok(CreateResourceResponse { resource: Some(pb::Resource::from_engine(&resource)) })
            })
            .await
    }

    async fn rename_resource(
        &self,
        scope: BusinessScope,
        request: RenameResourceRequest,
    ) -> Result<RenameResourceResponse, Status> {
        let id: ResourceId = id("resource_id", &request.resource_id)?;
        let name = fields::line("name", &request.name, MAX_NAME)?;
        let resource = RenameResource(id, name).run(self.store.begin(&scope)).await?;
        Ok(RenameResourceResponse { resource: Some(pb::Resource::from_engine(&resource)) })
    }

    async fn archive_resource(
        &self,
        scope: BusinessScope,
        request: ArchiveResourceRequest,
    ) -> Result<ArchiveResourceResponse, Status> {
        let id: ResourceId = id("resource_id", &request.resource_id)?;
        ArchiveResource(id).run(self.store.begin(&scope)).await?;
        Ok(ArchiveResourceResponse {})
    }

    async fn restore_resource(
        &self,
        scope: BusinessScope,
        request: RestoreResourceRequest,
    ) -> Result<RestoreResourceResponse, Status> {
        let id: ResourceId = id("resource_id", &request.resource_id)?;
        let resource = RestoreResource(id).run(self.store.begin(&scope)).await?;
        Ok(RestoreResourceResponse { resource: Some(pb::Resource::from_engine(&resource)) })
    }
}
