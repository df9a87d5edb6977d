//! Connections to salons' own booking systems.

mod wire;

use std::collections::{BTreeMap, HashMap};

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::calendarsync::v1::{
        self as pb, CompareProviderAvailabilityRequest, CompareProviderAvailabilityResponse,
        ConnectProviderRequest, ConnectProviderResponse, DisconnectProviderRequest,
        DisconnectProviderResponse, KeepProviderRequest, KeepProviderResponse,
        ListProviderConnectionsRequest, ListProviderConnectionsResponse, ListProviderRecordsRequest,
        ListProviderRecordsResponse, ListProviderRunsRequest, ListProviderRunsResponse,
        MapProviderRecordRequest, MapProviderRecordResponse, ProviderConnectionServiceHandler,
        RotateProviderTokenRequest, RotateProviderTokenResponse, SyncProviderRequest, SyncProviderResponse,
        TestProviderConnectionRequest, TestProviderConnectionResponse,
    },
    parse,
    time::to_proto,
    webhook,
};
use tonic::{Status, async_trait};
use url::Url;
use uuid::Uuid;

use super::{
    MAX_TEXT,
    calendar::{password, wire_cleanup, written},
};
use crate::{
    app::{CompareAvailability, ConnectProvider, MapProvider, SyncProvider, TakeProviderPush},
    domain::{
        caldav::Password,
        cleanup::Cleanup,
        provider::{Connection, Credentials, Named, ProviderKind, RecordKind, Replacement},
    },
    error::Error,
};
use wire::{availability, run, system, wire_kind, wire_record};

/// Settings that are given at once.
const MOST_SETTINGS: usize = 20;
const LONGEST_KEY: usize = 40;

/// Serves `ProviderConnectionService`.
#[derive(Debug)]
pub struct Providers {
    /// Connects and disconnects.
    pub connect: ConnectProvider,
    /// Reads.
    pub sync: SyncProvider,
    /// Maps.
    pub map: MapProvider,
    /// Compares.
    pub compare: CompareAvailability,
    /// Knows which pushes are taken.
    pub push: TakeProviderPush,
    /// Where booking systems reach this installation, if it was told.
    pub public_url: Option<Url>,
}

impl Providers {
    /// A connection, with the address that its owner enters at a system that pushes.
    async fn wire(&self, scope: &BusinessScope, connection: Connection) -> pb::ProviderConnection {
        let open = &self.connect.open;
        let system = open.providers.of(&connection.kind).map(|provider| provider.system());
        let pushes = system.as_ref().is_ok_and(|system| system.pushes);
        let push_url = self.public_url.as_ref().filter(|_| pushes);
        let push_url = push_url.and_then(|url| url.join(&webhook::provider(connection.id)).ok());
        let takes_pushes = push_url.is_some()
            && self.push.is_ready(scope, connection.id).await.unwrap_or_else(|error| {
                tracing::warn!(%error, connection = %connection.id, "whether pushes are taken is not known");
                false
            });
        let needs_services = system.is_ok_and(|system| system.books_services)
            && open.needs_services(scope, connection.id).await.unwrap_or_else(|error| {
                tracing::warn!(%error, connection = %connection.id, "whether services are needed is not known");
                false
            });
        let (written_count, cleanup) = self.written(scope, &connection).await.unwrap_or_else(|error| {
            tracing::warn!(%error, connection = %connection.id, "what is written there is not known");
            (0, None)
        });
        pb::ProviderConnection {
            takes_pushes,
            needs_services,
            written_count: i32::try_from(written_count).unwrap_or(i32::MAX),
            cleanup: cleanup.map(wire_cleanup),
            id: connection.id.to_string(),
            kind: wire_kind(&connection.kind).into(),
            profile: connection.kind.profile().to_owned(),
            label: connection.label,
            connected_at: Some(to_proto(connection.connected_at)),
            token_changed_at: Some(to_proto(connection.token_changed_at)),
            read_at: connection.read_at.map(to_proto),
            push_url: push_url.map(String::from).unwrap_or_default(),
        }
    }

    /// How many appointments to come are in a connection's system, and how far taking them out is.
    async fn written(
        &self,
        scope: &BusinessScope,
        connection: &Connection,
    ) -> Result<(i64, Option<Cleanup>), Error> {
        let tx = self.connect.open.store.begin(scope);
        let written = tx.written_to(connection.id).await?;
        let ending = tx.ending_calendars_of(connection.id).await?;
        tx.commit().await?;
        let cleanups = ending.into_iter().map(|ending| ending.cleanup);
        Ok((written, connection.ending_since.and(cleanups.reduce(Cleanup::with))))
    }
}

#[async_trait]
impl ProviderConnectionServiceHandler for Providers {
    async fn list_provider_connections(
        &self,
        scope: BusinessScope,
        _: ListProviderConnectionsRequest,
    ) -> Result<ListProviderConnectionsResponse, Status> {
        let tx = self.connect.open.store.begin(&scope);
        let connections = tx.connections().await?;
        tx.commit().await?;
        let systems = self.connect.open.providers.systems();
        let mut wired = Vec::with_capacity(connections.len());
        for connection in connections {
            wired.push(self.wire(&scope, connection).await);
        }
        Ok(ListProviderConnectionsResponse {
            connections: wired,
            systems: systems.into_iter().map(system).collect(),
        })
    }

    async fn connect_provider(
        &self,
        scope: BusinessScope,
        request: ConnectProviderRequest,
    ) -> Result<ConnectProviderResponse, Status> {
        let kind = kind(request.kind(), &request.profile)?;
        let label = parse::line("label", &request.label, MAX_TEXT)?;
        let given =
            Credentials { token: password("token", &request.token)?, settings: settings(request.settings)? };
        let connected = self.connect.connect(&scope, kind, label, given).await?;
        Ok(ConnectProviderResponse { connection: Some(self.wire(&scope, connected).await) })
    }

    async fn rotate_provider_token(
        &self,
        scope: BusinessScope,
        request: RotateProviderTokenRequest,
    ) -> Result<RotateProviderTokenResponse, Status> {
        let id = parse::id("connection_id", &request.connection_id)?;
        let settings = settings(request.settings)?;
        let keeps = request.token.is_empty() && !settings.is_empty();
        let token = (!keeps).then(|| password("token", &request.token)).transpose()?;
        let rotated = self.connect.rotate(&scope, id, Replacement { token, settings }).await?;
        Ok(RotateProviderTokenResponse { connection: Some(self.wire(&scope, rotated).await) })
    }

    async fn disconnect_provider(
        &self,
        scope: BusinessScope,
        request: DisconnectProviderRequest,
    ) -> Result<DisconnectProviderResponse, Status> {
        let id = parse::id("connection_id", &request.connection_id)?;
        self.connect.disconnect(&scope, id, written(request.take_out)).await?;
        Ok(DisconnectProviderResponse {})
    }

    async fn keep_provider(
        &self,
        scope: BusinessScope,
        request: KeepProviderRequest,
    ) -> Result<KeepProviderResponse, Status> {
        self.connect.keep(&scope, parse::id("connection_id", &request.connection_id)?).await?;
        Ok(KeepProviderResponse {})
    }

    async fn test_provider_connection(
        &self,
        scope: BusinessScope,
        request: TestProviderConnectionRequest,
    ) -> Result<TestProviderConnectionResponse, Status> {
        let id = parse::id("connection_id", &request.connection_id)?;
        Ok(match self.connect.test(&scope, id).await? {
            Ok(account) => TestProviderConnectionResponse { account, fault: String::new() },
            Err(fault) => TestProviderConnectionResponse { account: String::new(), fault: fault.to_string() },
        })
    }

    async fn sync_provider(
        &self,
        scope: BusinessScope,
        request: SyncProviderRequest,
    ) -> Result<SyncProviderResponse, Status> {
        let id = parse::id("connection_id", &request.connection_id)?;
        let ended = self.sync.sync(&scope, id, request.dry_run).await?;
        Ok(SyncProviderResponse { run: Some(run(ended)) })
    }

    async fn list_provider_runs(
        &self,
        scope: BusinessScope,
        request: ListProviderRunsRequest,
    ) -> Result<ListProviderRunsResponse, Status> {
        let id = parse::id("connection_id", &request.connection_id)?;
        let tx = self.map.store.begin(&scope);
        tx.connection(id).await?;
        let runs = tx.runs(id).await?;
        tx.commit().await?;
        Ok(ListProviderRunsResponse { runs: runs.into_iter().map(run).collect() })
    }

    async fn list_provider_records(
        &self,
        scope: BusinessScope,
        request: ListProviderRecordsRequest,
    ) -> Result<ListProviderRecordsResponse, Status> {
        let id = parse::id("connection_id", &request.connection_id)?;
        let records = self.map.records(&scope, id).await?;
        let own = |kind: pb::ProviderRecordKind| {
            move |named: &Named<Uuid>| pb::OwnRecord {
                kind: kind.into(),
                id: named.id.to_string(),
                name: named.name.clone(),
            }
        };
        let employees = records.employees.iter().map(own(pb::ProviderRecordKind::Employee));
        let services = records.services.iter().map(own(pb::ProviderRecordKind::Service));
        Ok(ListProviderRecordsResponse {
            records: records.theirs.iter().map(|record| wire_record(record, &records)).collect(),
            own: employees.chain(services).collect(),
        })
    }

    async fn map_provider_record(
        &self,
        scope: BusinessScope,
        request: MapProviderRecordRequest,
    ) -> Result<MapProviderRecordResponse, Status> {
        let id = parse::id("connection_id", &request.connection_id)?;
        let kind = match request.kind() {
            pb::ProviderRecordKind::Employee => RecordKind::Employee,
            pb::ProviderRecordKind::Service => RecordKind::Service,
            pb::ProviderRecordKind::Unspecified => return Err(invalid("kind", "is required")),
        };
        let external = parse::raw_text("external_id", &request.external_id, MAX_TEXT)?;
        let mapped: Option<Uuid> = parse::optional_id("mapped_id", &request.mapped_id)?;
        self.map.map(&scope, id, (kind, &external), mapped, written(request.take_out)).await?;
        let records = self.map.records(&scope, id).await?;
        let changed = records.theirs.iter().find(|record| record.kind == kind && record.external == external);
        Ok(MapProviderRecordResponse { record: changed.map(|record| wire_record(record, &records)) })
    }

    async fn compare_provider_availability(
        &self,
        scope: BusinessScope,
        request: CompareProviderAvailabilityRequest,
    ) -> Result<CompareProviderAvailabilityResponse, Status> {
        let id = parse::id("connection_id", &request.connection_id)?;
        let date = match request.date.as_str() {
            "" => None,
            text => Some(text.parse().map_err(|_| invalid("date", "is no date, such as 2026-12-24"))?),
        };
        let compared = self.compare.compare(&scope, id, date).await?;
        Ok(CompareProviderAvailabilityResponse {
            date: compared.date.to_string(),
            time_zone: compared.zone,
            employees: compared.employees.into_iter().map(availability).collect(),
            as_of: Some(to_proto(compared.at)),
        })
    }
}

fn kind(wire: pb::ProviderKind, profile: &str) -> Result<ProviderKind, Status> {
    match wire {
        pb::ProviderKind::Demo => Ok(ProviderKind::Demo),
        pb::ProviderKind::Square => Ok(ProviderKind::Square),
        pb::ProviderKind::Profile => Ok(ProviderKind::Profile(parse::text("profile", profile, MAX_TEXT)?)),
        pb::ProviderKind::Unspecified => Err(invalid("kind", "is required")),
    }
}

/// The settings that are given.
fn settings(settings: HashMap<String, String>) -> Result<BTreeMap<String, Password>, Status> {
    if settings.len() > MOST_SETTINGS || settings.keys().any(|key| key.len() > LONGEST_KEY) {
        return Err(invalid("settings", "are more than any booking system has"));
    }
    let given = settings.into_iter().filter(|(_, value)| !value.trim().is_empty());
    let parsed = given.map(|(key, value)| {
        let value = password(&format!("settings.{key}"), value.trim())?;
        Ok::<_, Status>((key, value))
    });
    parsed.collect()
}
