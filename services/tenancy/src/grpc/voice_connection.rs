//! Voice connections: made and listed for owners, opened for the voice door.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD as B64};
use caller::{Actor, BusinessScope, InstallationScope, Tenant};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::tenancy::{
        internal::v1::{
            OpenPlatformRecordingRequest, OpenPlatformRecordingResponse, OpenVoiceConnectionRequest,
            OpenVoiceConnectionResponse, VoiceSecretServiceHandler,
        },
        v1::{
            self as pb, CreateVoiceConnectionRequest, CreateVoiceConnectionResponse,
            DeleteVoiceConnectionRequest, DeleteVoiceConnectionResponse, ListVoiceConnectionsRequest,
            ListVoiceConnectionsResponse, RotateVoiceSecretRequest, RotateVoiceSecretResponse,
            TestVoiceConnectionRequest, TestVoiceConnectionResponse, UpdateVoiceConnectionRequest,
            UpdateVoiceConnectionResponse, VoiceConnectionServiceHandler,
            voice_connection_service_methods::CREATE_VOICE_CONNECTION,
        },
    },
    parse::{chosen_id, id, optional_line, raw_text},
};
use tonic::{Status, async_trait};

use super::{fields, webhook_check::webhook_check};
use crate::{
    Error,
    app::{
        CreateVoiceConnection, RotateVoiceSecret, SampleOutcome, TestVoiceConnection, UpdateVoiceConnection,
        WebhookTest,
    },
    contract::{self, hmac},
    domain::{VoiceConnection, VoicePlatform, VoiceSecret},
    outside::Platforms,
    store::{SealedConnection, Store},
    vault::{Vault, VoiceSecrets},
    webhook_url::WebhookUrls,
};

/// More is no signing key.
const LONGEST_SECRET: usize = 1024;
const LONGEST_AGENT: usize = 200;
/// A platform's id of a recording.
const LONGEST_RECORDING: usize = 100;

/// Serves `VoiceConnectionService` and `VoiceSecretService`.
#[derive(Debug)]
pub(crate) struct VoiceConnections {
    store: Store,
    vault: Arc<Vault>,
    webhooks: WebhookUrls,
    test: TestVoiceConnection,
    platforms: Platforms,
}

impl VoiceConnections {
    pub(crate) fn new(
        store: Store,
        vault: Arc<Vault>,
        webhooks: WebhookUrls,
        test: TestVoiceConnection,
        platforms: Platforms,
    ) -> Self {
        Self { store, vault, webhooks, test, platforms }
    }

    /// A connection, with the address that its owner enters at the platform.
    fn wire(&self, connection: &VoiceConnection) -> pb::VoiceConnection {
        contract::voice_connection(connection, self.webhooks.of(connection))
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
        let (voice_connections, next_page_token) = page.answer(&rows, key, |row| self.wire(row));
        Ok(ListVoiceConnectionsResponse { voice_connections, next_page_token })
    }

    async fn create_voice_connection(
        &self,
        scope: BusinessScope,
        request: CreateVoiceConnectionRequest,
    ) -> Result<CreateVoiceConnectionResponse, Status> {
        let command = parse(&scope.actor(), &request)?;
        self.store
            .idempotent(&scope, &CREATE_VOICE_CONNECTION, &request, async |tx| {
                let connection = command.run(tx, &self.vault).await?;
                Ok(CreateVoiceConnectionResponse { voice_connection: Some(self.wire(&connection)) })
            })
            .await
    }

    async fn update_voice_connection(
        &self,
        scope: BusinessScope,
        request: UpdateVoiceConnectionRequest,
    ) -> Result<UpdateVoiceConnectionResponse, Status> {
        let command = UpdateVoiceConnection {
            id: id("voice_connection_id", &request.voice_connection_id)?,
            label: fields::name("label", &request.label)?,
            platform_agent: platform_agent(&request.platform_agent_id)?,
            voice: optional_line("voice", &request.voice, LONGEST_AGENT)?.unwrap_or_default(),
        };
        let connection = command.run(self.store.begin(&scope)).await?;
        Ok(UpdateVoiceConnectionResponse { voice_connection: Some(self.wire(&connection)) })
    }

    async fn rotate_voice_secret(
        &self,
        scope: BusinessScope,
        request: RotateVoiceSecretRequest,
    ) -> Result<RotateVoiceSecretResponse, Status> {
        let command = RotateVoiceSecret {
            id: id("voice_connection_id", &request.voice_connection_id)?,
            secret: secret("secret", request.secret)?,
            api_key: secret("api_key", request.api_key)?,
        };
        if command.secret.is_none() && command.api_key.is_none() {
            return Err(invalid("secret", "is required without an API key"));
        }
        let connection = command.run(self.store.begin(&scope), &self.vault).await?;
        Ok(RotateVoiceSecretResponse { voice_connection: Some(self.wire(&connection)) })
    }

    async fn test_voice_connection(
        &self,
        scope: BusinessScope,
        request: TestVoiceConnectionRequest,
    ) -> Result<TestVoiceConnectionResponse, Status> {
        let id = id("voice_connection_id", &request.voice_connection_id)?;
        let test = self.test.run(self.store.begin(&scope), id).await?;
        Ok(TestVoiceConnectionResponse::from(test))
    }

    async fn delete_voice_connection(
        &self,
        scope: BusinessScope,
        request: DeleteVoiceConnectionRequest,
    ) -> Result<DeleteVoiceConnectionResponse, Status> {
        let id = id("voice_connection_id", &request.voice_connection_id)?;
        let tx = self.store.begin(&scope);
        tx.delete_voice_connection(id).await?;
        tx.commit().await?;
        Ok(DeleteVoiceConnectionResponse {})
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
        Ok(answer(&sealed, &self.vault.open(&sealed)?, self.store.clock().now()))
    }

    async fn open_platform_recording(
        &self,
        scope: BusinessScope,
        request: OpenPlatformRecordingRequest,
    ) -> Result<OpenPlatformRecordingResponse, Status> {
        let id = id("voice_connection_id", &request.voice_connection_id)?;
        let recording = raw_text("recording_id", &request.recording_id, LONGEST_RECORDING)?;
        let tx = self.store.begin(&scope);
        let sealed = tx.sealed_voice_connection(id).await?;
        tx.commit().await?;
        let SealedConnection { connection: VoiceConnection { platform, account, .. }, .. } = &sealed;
        if *platform != VoicePlatform::Twilio || account.is_empty() {
            return Err(Error::NoRecordings.into());
        }
        let url = self.platforms.twilio_recording(account, &recording).ok_or(Error::NoRecordings)?;
        let key = self.vault.open(&sealed)?.secret;
        let login = B64.encode(format!("{account}:{}", key.expose()));
        Ok(OpenPlatformRecordingResponse { url: url.into(), authorization: format!("Basic {login}") })
    }
}

/// What the door needs of a connection.
fn answer(sealed: &SealedConnection, secrets: &VoiceSecrets, now: Timestamp) -> OpenVoiceConnectionResponse {
    let connection = &sealed.connection;
    let secret = secrets.secret.expose();
    let old = secrets.old.as_ref().filter(|_| sealed.takes_old_secret(now));
    OpenVoiceConnectionResponse {
        business_id: sealed.business.to_string(),
        platform: pb::VoicePlatform::from(connection.platform).into(),
        secret: secret.to_owned(),
        time_zone: sealed.zone.to_string(),
        webhook_check: pb::WebhookCheck::from(&connection.check).into(),
        hmac: hmac(&connection.check),
        old_secret: old.map(|old| old.expose().to_owned()).unwrap_or_default(),
    }
}

fn parse(actor: &Actor, request: &CreateVoiceConnectionRequest) -> Result<CreateVoiceConnection, Status> {
    let platform = fields::platform(request.platform)?;
    Ok(CreateVoiceConnection {
        id: chosen_id("voice_connection_id", &request.voice_connection_id, actor)?,
        platform,
        label: fields::name("label", &request.label)?,
        secret: secret("secret", request.secret.clone())?.ok_or_else(|| invalid("secret", "is required"))?,
        check: webhook_check(platform, request.webhook_check, request.hmac.clone())?,
        account: account(platform, &request.account)?,
        platform_agent: platform_agent(&request.platform_agent_id)?,
        voice: voice(platform, &request.voice)?,
        api_key: api_key(platform, request.api_key.clone())?,
    })
}

/// A key, if there is one: kept as it is, for it is compared byte by byte.
fn secret(field: &str, text: String) -> Result<Option<VoiceSecret>, Status> {
    if text.len() > LONGEST_SECRET || text.chars().any(char::is_control) {
        return Err(invalid(field, "must be at most 1024 characters, without control characters"));
    }
    Ok((!text.is_empty()).then(|| VoiceSecret::new(text)))
}

fn account(platform: VoicePlatform, text: &str) -> Result<String, Status> {
    let account = text.trim();
    if !platform.has_account(account) {
        let wanted = if platform == VoicePlatform::Twilio {
            "must be the account SID: AC and 32 hexadecimal digits"
        } else {
            "must be empty: this platform's API needs none"
        };
        return Err(invalid("account", wanted));
    }
    Ok(account.to_owned())
}

fn platform_agent(text: &str) -> Result<String, Status> {
    Ok(optional_line("platform_agent_id", text, LONGEST_AGENT)?.unwrap_or_default())
}

fn voice(platform: VoicePlatform, text: &str) -> Result<String, Status> {
    let voice = optional_line("voice", text, LONGEST_AGENT)?.unwrap_or_default();
    if platform.has_voice(&voice) { Ok(voice) } else { Err(invalid("voice", platform.voices())) }
}

impl From<WebhookTest> for TestVoiceConnectionResponse {
    fn from(test: WebhookTest) -> Self {
        let (outcome, reason) = match test.outcome {
            SampleOutcome::Accepted => (pb::WebhookTestOutcome::Accepted, String::new()),
            SampleOutcome::Refused(reason) => (pb::WebhookTestOutcome::Refused, reason),
            SampleOutcome::Elsewhere => (pb::WebhookTestOutcome::Elsewhere, String::new()),
            SampleOutcome::Unreachable(reason) => (pb::WebhookTestOutcome::Unreachable, reason),
        };
        Self {
            outcome: outcome.into(),
            url: test.url,
            status: test.status.map(i32::from).unwrap_or_default(),
            reason,
            elapsed_ms: i32::try_from(test.elapsed.as_millis()).unwrap_or(i32::MAX),
        }
    }
}

fn api_key(platform: VoicePlatform, text: String) -> Result<Option<VoiceSecret>, Status> {
    let key = secret("api_key", text)?;
    if key.is_some() && platform.has_one_key() {
        return Err(invalid("api_key", "must be empty: this platform's API takes the secret"));
    }
    Ok(key)
}
