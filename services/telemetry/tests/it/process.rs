//! The service from its configuration on.

use boot::clock::Clock;
use caller::Role;
use proto::frontdesk::telemetry::v1::{ListCallsRequest, call_service_client::CallServiceClient};
use telemetry::{Config, SERVICE, migration::Migrator, recordings::ShelfConfig};
use testkit::{as_user, host_on};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::desk::SALON;

#[tokio::test]
async fn the_service_migrates_serves_and_stops_when_it_is_asked_to() {
    let database = testkit::database::<Migrator>(SERVICE).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let nowhere = || "http://127.0.0.1:9".to_owned();
    let config = Config {
        service: database.config(),
        scheduling_url: nowhere(),
        tenancy_url: nowhere(),
        recordings: ShelfConfig::default(),
    };
    let serving = tokio::spawn(telemetry::serve(config, listener, shutdown.clone()));
    let host = host_on(SERVICE, Clock::system());
    let mut calls = CallServiceClient::connect(format!("http://{address}")).await.unwrap();
    let message = ListCallsRequest { business_id: SALON.to_string(), ..ListCallsRequest::default() };
    let listed = calls.list_calls(as_user(&host, Role::Manager, SALON, message)).await.unwrap();
    assert!(listed.into_inner().calls.is_empty());
    drop(calls);
    shutdown.cancel();
    serving.await.unwrap().unwrap();
}
