//! Voice connections: made and listed for owners, opened for the voice door.

use std::sync::Arc;

use caller::{Actor, BusinessScope, InstallationScope, Tenant};
use proto::{
    error::invalid,
    frontdesk::tenancy::{
        internal::v1::{OpenVoiceConnectionRequest, OpenVoiceConnectionResponse, VoiceSecretServiceHandler},
        v1::{
            self as pb, CreateVoiceConnectionRequest, CreateVoiceConnectionResponse,
            ListVoiceConnectionsRequest, ListVoiceConnectionsResponse, VoiceConnectionServiceHandler,
        },
    },
    parse::{chosen_id, id},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::CreateVoiceConnection,
    domain::{VoiceConnection, VoiceSecret},
    store::Store,
    vault::Vault,
};

/// More is no signing key.
const LONGEST_SECRET: usize = 1024;

/// Serves `VoiceConnectionService` and `VoiceSecretService`.
#[derive(Debug)]
pub(crate) struct VoiceConnections {
    store: Store,
    vault: Arc<Vault>,
}

impl VoiceConnections {
    pub(crate) fn new(store: Store, vault: Arc<Vault>) -> Self {
        Self { store, vault }
    }
}

#[async_trait]
impl VoiceConnectionServiceHandler for VoiceConnections {
    async fn list_voice_connections(
        &self,
        scope: BusinessScope,
        request: ListVoiceConnectionsRequest,
    ) -> Result<ListVoiceConnectionsResponse, Status> {
        let (page, listing) = fields::listing(request.page_size, &request.page_token)?;
        let tx = self.store.begin(&scope);
        let rows = tx.voice_connections(&listing).await?;
        tx.commit().await?;
        let key = |row: &&VoiceConnection| (row.label.clone(), row.id.0);
        let (voice_connections, next_page_token) = page.answer(&rows, key, pb::VoiceConnection::from);
        Ok(ListVoiceConnectionsResponse { voice_connections, next_page_token })
    }

    async fn create_voice_connection(
        &self,
        scope: BusinessScope,
        request: CreateVoiceConnectionRequest,
    ) -> Result<CreateVoiceConnectionResponse, Status> {
        let command = parse(&scope.actor(), request)?;
        let connection = command.run(self.store.begin(&scope), &self.vault).await?;
        let voice_connection = Some(pb::VoiceConnection::from(&connection));
        Ok(CreateVoiceConnectionResponse { voice_connection })
    }
}

#[async_trait]
impl VoiceSecretServiceHandler for VoiceConnections {
    async fn open_voice_connection(
        &self,
        scope: InstallationScope,
        request: OpenVoiceConnectionRequest,
    ) -> Result<OpenVoiceConnectionResponse, Status> {
        let id = id("voice_connection_id", &request.voice_connection_id)?;
        let tx = self.store.begin_installation(&scope);
        let sealed = tx.sealed_connection(id).await?;
        tx.commit().await?;
        let secret = self.vault.open(&sealed)?;
        Ok(OpenVoiceConnectionResponse {
            business_id: sealed.business.to_string(),
            platform: pb::VoicePlatform::from(sealed.connection.platform).into(),
            secret: secret.expose().to_owned(),
            time_zone: sealed.zone.to_string(),
        })
    }
}

fn parse(actor: &Actor, request: CreateVoiceConnectionRequest) -> Result<CreateVoiceConnection, Status> {
    Ok(CreateVoiceConnection {
        id: chosen_id("voice_connection_id", &request.voice_connection_id, actor)?,
        platform: fields::platform(request.platform)?,
        label: fields::name("label", &request.label)?,
        secret: secret(request.secret)?,
    })
}

/// A signing key: kept as it is, for it is compared byte by byte.
fn secret(text: String) -> Result<VoiceSecret, Status> {
    if text.is_empty() {
        return Err(invalid("secret", "is required"));
    }
    if text.len() > LONGEST_SECRET || text.chars().any(char::is_control) {
        return Err(invalid("secret", "must be at most 1024 characters, without control characters"));
    }
    Ok(VoiceSecret::new(text))
}
