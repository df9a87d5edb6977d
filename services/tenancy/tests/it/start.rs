use boot::{clock::Clock, config::Secret};
use caller::Role;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{GetBusinessRequest, business_service_client::BusinessServiceClient},
};
use tenancy::{Config, NAME, migration::Migrator};
use testkit::{TestDatabase, as_user};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::stage::{KEYS, WILLOW, assert_refused};

/// Nothing answers where the other services should be.
fn config(database: &TestDatabase, keys: &str) -> Config {
    let nowhere = || "http://127.0.0.1:9".to_owned();
    Config {
        service: database.config(),
        sealing_keys: Secret::new(keys),
        public_url: None,
        retell_api_url: "http://127.0.0.1:9".parse().unwrap(),
        vapi_api_url: "http://127.0.0.1:9".parse().unwrap(),
        elevenlabs_api_url: "http://127.0.0.1:9".parse().unwrap(),
        twilio_api_url: "http://127.0.0.1:9".parse().unwrap(),
        auth_url: nowhere(),
        scheduling_url: nowhere(),
        calendar_sync_url: nowhere(),
        telemetry_url: nowhere(),
    }
}

#[tokio::test]
async fn the_service_starts_from_its_configuration_answers_and_stops() {
    let database = testkit::database::<Migrator>(NAME).await;
    let config = config(&database, KEYS);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let service = tokio::spawn(tenancy::serve(config, listener, shutdown.clone()));

    let host = testkit::host_on(NAME, Clock::system());
    let mut businesses = BusinessServiceClient::new(testkit::peer(NAME, address, &host).channel());
    let message = GetBusinessRequest { business_id: WILLOW.to_string() };
    let request = as_user(&host, Role::Guest, WILLOW, message);
    assert_refused(businesses.get_business(request).await, Reason::NotFound);

    shutdown.cancel();
    service.await.unwrap().unwrap();
}

#[tokio::test]
async fn malformed_sealing_keys_stop_the_start_without_being_shown() {
    let database = testkit::database::<Migrator>(NAME).await;
    let config = config(&database, "first:hunter2");
    assert!(!format!("{config:?}").contains("hunter2"));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let error = tenancy::serve(config, listener, CancellationToken::new()).await.unwrap_err();
    let error = format!("{error:#}");
    assert!(error.contains("SEALING_KEYS") && !error.contains("hunter2"), "{error}");
}
