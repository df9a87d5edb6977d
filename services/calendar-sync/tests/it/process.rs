//! The service from its configuration on.

use std::time::Duration;

use boot::clock::Clock;
use calendar_sync::{Config, GoogleConfig, SERVICE, migration::Migrator};
use caller::Role;
use proto::frontdesk::calendarsync::v1::{
    ListCalendarsRequest, calendar_service_client::CalendarServiceClient,
};
use testkit::{as_user, host_on};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::salon::{FIRST_KEY, SALON};

#[tokio::test]
async fn the_service_serves_while_scheduling_is_away_and_stops_when_it_is_asked_to() {
    let database = testkit::database::<Migrator>(SERVICE).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let unreachable = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let config = Config {
        service: database.config(),
        scheduling_url: format!("http://{unreachable}"),
        tenancy_url: format!("http://{unreachable}"),
        demo_provider_url: None,
        provider_profiles: None,
        google: GoogleConfig::default(),
        public_url: None,
        sealing_keys: FIRST_KEY.parse().unwrap(),
        sync_interval: Duration::from_secs(2),
    };
    let serving = tokio::spawn(calendar_sync::serve(config, listener, shutdown.clone()));
    let host = host_on(SERVICE, Clock::system());
    let mut calendars = CalendarServiceClient::connect(format!("http://{address}")).await.unwrap();
    let message = ListCalendarsRequest { business_id: SALON.to_string(), ..Default::default() };
    let listed = calendars.list_calendars(as_user(&host, Role::Employee, SALON, message)).await.unwrap();
    assert!(listed.into_inner().calendars.is_empty());
    drop(calendars);
    shutdown.cancel();
    serving.await.unwrap().unwrap();
}
