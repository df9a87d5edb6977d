//! Booking systems of others, each a strict fake on loopback, and what is the same for all of them.

use std::collections::HashMap;

use caller::Role;
use jiff::Timestamp;
use proto::frontdesk::calendarsync::v1::{
    ConnectProviderRequest, ListProviderConnectionsRequest, MapProviderRecordRequest, ProviderConnection,
    ProviderKind, ProviderRecordKind, ProviderSystem,
};
use provider_fakes::Fault;
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    provider::{client, sync},
    salon::{SALON, Salon},
};

/// A fake, as its salon's people use it.
pub trait Theirs: Clone + Send + Sync + 'static {
    /// What is needed to connect it at an address.
    fn connecting(url: &str) -> ConnectProviderRequest;

    /// Serves it beside a salon.
    async fn serve(salon: &Salon) -> (Self, String);

    /// The appointments there: the id, whether it bears our mark, and when it starts.
    fn standing(&self) -> Vec<(String, bool, Timestamp)>;

    /// Enters half an hour of Mia's own.
    fn enter(&self, starts: Timestamp) -> String;

    /// Moves one.
    fn shift(&self, id: &str, starts: Timestamp);

    /// Cancels one.
    fn cancel(&self, id: &str);

    /// Gives one to an employee there.
    fn give(&self, id: &str, person: &str);

    /// The next requests meet a fault.
    fn fail(&self, fault: Fault, count: usize);

    /// Nothing goes wrong any more.
    fn mend(&self);

    /// Mia's id there, and that of what is cut.
    fn mia() -> &'static str;

    /// Tom's.
    fn tom() -> &'static str;
}

/// Serves a router on loopback.
pub async fn serve(router: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

pub fn settings(given: &[(&str, &str)]) -> HashMap<String, String> {
    given.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

pub async fn connect(salon: &Salon, message: ConnectProviderRequest) -> Result<ProviderConnection, Status> {
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    Ok(client(salon).connect_provider(request).await?.into_inner().connection.unwrap())
}

pub async fn system(salon: &Salon, kind: ProviderKind) -> ProviderSystem {
    let message = ListProviderConnectionsRequest { business_id: SALON.to_string() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let listed = client(salon).list_provider_connections(request).await.unwrap().into_inner();
    listed.systems.into_iter().find(|system| system.kind() == kind).unwrap()
}

pub async fn map_service(salon: &Salon, connection: &str, external: &str, service: Uuid) {
    let message = MapProviderRecordRequest {
        business_id: SALON.to_string(),
        connection_id: connection.to_owned(),
        kind: ProviderRecordKind::Service.into(),
        external_id: external.to_owned(),
        mapped_id: service.to_string(),
        take_out: false,
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    client(salon).map_provider_record(request).await.unwrap();
}

/// A salon beside a connected system whose records were read.
pub async fn beside<T: Theirs>() -> (Salon, T, String) {
    let salon = Salon::open().await;
    let (theirs, url) = T::serve(&salon).await;
    let connection = connect(&salon, T::connecting(&url)).await.unwrap().id;
    sync(&salon, &connection, false).await;
    (salon, theirs, connection)
}

/// When the appointments that bear our mark start.
pub fn ours(theirs: &impl Theirs) -> Vec<Timestamp> {
    theirs.standing().into_iter().filter(|(_, ours, _)| *ours).map(|(_, _, starts)| starts).collect()
}

/// Makes writes that wait after a failure due, until all is written.
pub async fn write_out(salon: &Salon) {
    salon
        .until(async || {
            salon.meddle("UPDATE calendar_write SET due_at = '2026-06-01' WHERE written < wanted").await;
            salon.count("SELECT count(*) FROM calendar_write WHERE written < wanted").await == 0
        })
        .await;
}
