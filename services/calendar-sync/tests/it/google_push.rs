//! Channels that Google pushes hints through.

use google_fake::Push;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::internal::v1::{
        TakePushRequest, calendar_push_service_client::CalendarPushServiceClient,
    },
};
use testkit::as_service;
use tonic::Status;

use crate::{
    google::{ACCOUNT, World, event},
    salon::Salon,
};

const HELD: [&str; 1] = ["Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z"];

pub async fn deliver(salon: &Salon, push: &Push) -> Result<(), Status> {
    let connection_id = push.address.rsplit('/').next().unwrap().to_owned();
    let message =
        TakePushRequest { connection_id, channel_id: push.channel_id.clone(), token: push.token.clone() };
    let request = as_service("bff", &salon.host, None, message);
    CalendarPushServiceClient::new(salon.channel.clone()).take_push(request).await.map(drop)
}

#[tokio::test]
async fn a_push_has_the_calendar_read_at_once_and_doubled_or_lost_ones_change_nothing() {
    let (world, _) = World::connected().await;
    let salon = &world.salon;
    let first = world.google.take_pushes();
    assert_eq!(first.iter().map(|push| push.state).collect::<Vec<_>>(), ["sync"]);
    assert!(first[0].address.starts_with("https://desk.example.com/api/webhooks/calendars/"));
    world.put("dentist", event("Dentist", 1, 10));
    let pushes = world.google.take_pushes();
    assert_eq!(pushes.len(), 1);
    deliver(salon, &pushes[0]).await.unwrap();
    deliver(salon, &pushes[0]).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
    world.until_held(&HELD).await;
    // A lost one is made up for by the reading in turn.
    world.google.delete(ACCOUNT, ACCOUNT, "dentist");
    drop(world.google.take_pushes());
    world.until_held(&[]).await;
}

#[tokio::test]
async fn a_push_with_another_token_channel_or_calendar_is_unknown() {
    let (world, _) = World::connected().await;
    let salon = &world.salon;
    let push = world.google.take_pushes().remove(0);
    for wrong in [
        Push { token: "made-up".to_owned(), ..push.clone() },
        Push { token: String::new(), ..push.clone() },
        Push { channel_id: uuid::Uuid::nil().to_string(), ..push.clone() },
        Push { channel_id: "made-up".to_owned(), ..push.clone() },
        Push { address: format!("/{}", uuid::Uuid::nil()), ..push.clone() },
    ] {
        let refused = deliver(salon, &wrong).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::NotFound), "{wrong:?}");
    }
    assert!(!salon.dump(&["google_channel"]).await.contains(&push.token), "the token is kept as a hash");
}

#[tokio::test]
async fn a_channel_is_replaced_before_it_ends_and_stopped_with_its_calendar() {
    let (world, calendar) = World::connected().await;
    let salon = &world.salon;
    salon.until(async || world.google.open_channels().len() == 1).await;
    salon.until(async || salon.count("SELECT count(*) FROM google_channel").await == 1).await;
    let first = world.google.open_channels();
    salon.time.advance(SignedDuration::from_hours(6 * 24 + 1));
    let replaced = async || {
        let open = world.google.open_channels();
        open.len() == 1 && open != first
    };
    salon.until(replaced).await;
    let one_is_kept = "SELECT count(*) FROM google_channel WHERE expires_at > '2026-06-10'";
    salon.until(async || salon.count(one_is_kept).await == 1).await;
    assert_eq!(world.google.unwatched(), 0, "both pushed until the next one was open");
    world.disconnect(&calendar).await;
    salon.until(async || world.google.open_channels().is_empty()).await;
    assert_eq!(world.google.unwatched(), 1);
    salon.until(async || salon.count("SELECT count(*) FROM google_calendar").await == 0).await;
}
