//! A server that takes calls and answers none: the calendars of others are read all the same.

use std::time::Duration;

use provider_fakes::phorest::Phorest;

use crate::{
    google::World,
    many_caldav::{Many, connect},
    others::{Theirs, beside},
    provider::map,
    salon::{MIA, Salon, TOM, TOMS, visit},
};

/// More than there are turns.
const CALENDARS: usize = 40;
/// A server's part of the turns to read, and to write.
const AT_SERVER: i64 = 12;
const WRITTEN_AT_SERVER: i64 = 4;
/// Longer than any test.
const NEVER: Duration = Duration::from_secs(3_600);

/// Calendars at a server that are being read.
fn read_at(server: &str) -> String {
    format!(
        "SELECT count(*) FROM sync_state WHERE lease IS NOT NULL AND server = '{}'",
        server.trim_start_matches("http://")
    )
}

#[tokio::test]
async fn a_server_that_hangs_has_its_part_of_the_turns_and_another_one_is_read_meanwhile() {
    let salon = Salon::open().await;
    let (sick, sick_at) = Many::start().await;
    let (_well, well_at) = Many::start().await;
    for n in 0..CALENDARS {
        connect(&salon, &sick_at, n).await;
    }
    connect(&salon, &well_at, CALENDARS).await;
    let unread = "SELECT count(*) FROM sync_state WHERE synced_at IS NULL OR lease IS NOT NULL";
    salon.until(async || salon.count(unread).await == 0).await;

    sick.answer_late(NEVER);
    let well = well_at.trim_start_matches("http://").to_owned();
    // Of those alone: with another one among them, a claim has no full share of its server.
    let due = format!("UPDATE sync_state SET due_at = '2000-01-01' WHERE server <> '{well}'");
    salon.meddle(&due).await;
    salon.until(async || salon.count(&read_at(&sick_at)).await == AT_SERVER).await;
    // It falls due after all that wait for the other server.
    let last =
        format!("UPDATE sync_state SET synced_at = NULL, due_at = '2000-01-02' WHERE server = '{well}'");
    salon.meddle(&last).await;
    let is_read =
        format!("SELECT count(*) FROM sync_state WHERE server = '{well}' AND synced_at IS NOT NULL");
    salon.until(async || salon.count(&is_read).await == 1).await;
    assert_eq!(salon.count(&read_at(&sick_at)).await, AT_SERVER, "none of those was given up meanwhile");
    let failed = "SELECT count(*) FROM sync_state WHERE last_error IS NOT NULL";
    assert_eq!(salon.count(failed).await, 0);
}

#[tokio::test]
async fn a_server_that_hangs_has_its_part_of_the_turns_to_write_and_another_calendar_is_written_meanwhile() {
    let salon = Salon::open().await;
    let (sick, sick_at) = Many::start().await;
    for n in 0..10 {
        connect(&salon, &sick_at, n).await;
    }
    salon.connect(TOMS, TOM).await.unwrap();
    let unread = "SELECT count(*) FROM sync_state WHERE synced_at IS NULL OR lease IS NOT NULL";
    salon.until(async || salon.count(unread).await == 0).await;

    sick.answer_late(NEVER);
    let writing = "SELECT count(*) FROM calendar_write WHERE lease IS NOT NULL";
    salon.publish_and_follow(visit(0xF1, 1, &[(MIA, "Cut", 11, 30)])).await;
    salon.until(async || salon.count(writing).await == WRITTEN_AT_SERVER).await;
    salon.publish_and_follow(visit(0xF2, 1, &[(TOM, "Wash", 11, 20)])).await;
    let toms =
        format!("SELECT count(*) FROM calendar_write WHERE calendar_id = '{TOMS}' AND written = wanted");
    salon.until(async || salon.count(&toms).await == 1).await;
    assert_eq!(salon.count(writing).await, WRITTEN_AT_SERVER, "none of those was given up meanwhile");
}

/// What the release before connects during a rollout.
const WITHOUT_SERVER: &str = "UPDATE sync_state SET server = '', synced_at = NULL, due_at = '2000-01-01'";

#[tokio::test]
async fn a_calendar_that_the_release_before_connected_counts_for_its_server_once_it_is_read() {
    let (salon, _, connection) = beside::<Phorest>().await;
    map(&salon, &connection, Phorest::mia(), Some(MIA)).await.unwrap();
    let (_, server) = Many::start().await;
    connect(&salon, &server, 0).await;
    salon.connect(TOMS, TOM).await.unwrap();
    let unread = "SELECT count(*) FROM sync_state WHERE synced_at IS NULL OR lease IS NOT NULL";
    salon.until(async || salon.count(unread).await == 0).await;
    salon.meddle(WITHOUT_SERVER).await;
    salon.until(async || salon.count(unread).await == 0).await;
    let host = server.trim_start_matches("http://");
    for (server, calendars) in [(host, 1), ("PROFILE phorest", 1), ("", 1)] {
        let at = format!("SELECT count(*) FROM sync_state WHERE server = '{server}'");
        assert_eq!(salon.count(&at).await, calendars, "{server:?}");
    }

    let (world, _) = World::connected().await;
    world.salon.meddle(WITHOUT_SERVER).await;
    world.salon.until(async || world.salon.count(unread).await == 0).await;
    let at_google = "SELECT count(*) FROM sync_state WHERE server = 'google'";
    assert_eq!(world.salon.count(at_google).await, 1);
}
