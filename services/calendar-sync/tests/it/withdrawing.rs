//! A person's consent for Google that is withdrawn once what Frontdesk wrote is taken out of its calendars.

use google_fake::{EVENTS, LIST};
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{Calendar, ConsentState},
};

use crate::{
    calendars::field,
    disconnecting::{disconnect, ending, hold_writes, keep, let_write},
    google::{ACCOUNT, World, event},
    salon::{MIA, TOM, TOMS, visit},
};

const TEAM: &str = "team@group.calendar.google.com";

/// A world with two calendars of the account, for Mia and Tom, and two visits to come for Mia and one for Tom.
async fn written() -> (World, Calendar, Calendar) {
    let (world, mias) = World::connected().await;
    world.google.add_calendar(ACCOUNT, TEAM, "Team", google_fake::Role::Owner);
    let toms = world.connect(TEAM, TOM).await.unwrap();
    let salon = &world.salon;
    salon.until(async || salon.count("SELECT count(*) FROM google_channel").await == 2).await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 11, 30), (TOM, "Wash", 11, 20)])).await;
    salon.publish(visit(0xF2, 1, &[(MIA, "Cut", 13, 30)])).await;
    world.put("dentist", event("Dentist", 1, 15));
    (world, mias, toms)
}

fn there(world: &World) -> usize {
    world.google.events(ACCOUNT, ACCOUNT).len() + world.google.events(ACCOUNT, TEAM).len()
}

async fn until_ended(world: &World) {
    world.salon.until(async || world.standing().await.0 == ConsentState::NotGiven).await;
}

#[tokio::test]
async fn what_is_ahead_is_taken_out_of_all_calendars_of_the_account_before_google_is_told() {
    let (world, _, _) = written().await;
    let salon = &world.salon;
    salon.connect(TOMS, TOM).await.unwrap();
    assert_eq!((world.consent().await.written_count, there(&world)), (3, 4));
    hold_writes(salon).await;
    world.try_withdraw(true).await.unwrap();
    let consent = world.consent().await;
    let cleanup = consent.cleanup.as_ref().unwrap();
    assert_eq!((consent.state(), consent.account.as_str()), (ConsentState::Ending, ACCOUNT));
    assert_eq!((cleanup.event_count, cleanup.left_count, consent.written_count), (3, 3, 0));
    assert!(world.google.honours(ACCOUNT), "it is needed until they are out");
    assert!(ending(salon).await.iter().all(|one| one.access_withdrawn && !one.authorization_required));
    let_write(salon).await;
    until_ended(&world).await;
    assert!(!world.google.honours(ACCOUNT));
    assert_eq!(there(&world), 1, "the dentist stays");
    assert_eq!(salon.dump(&["google_grant", "google_calendar"]).await, "");
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 1, "calendars elsewhere stay connected");
    assert!(world.google.open_channels().is_empty(), "they are stopped by it");
}

#[tokio::test]
async fn while_it_is_withdrawn_nothing_is_connected_or_kept_by_it_until_it_is_given_again() {
    let (world, mias, toms) = written().await;
    let salon = &world.salon;
    world.google.add_calendar(ACCOUNT, "other", "Other", google_fake::Role::Owner);
    hold_writes(salon).await;
    world.try_withdraw(true).await.unwrap();
    assert!(world.calendars().await.unwrap().authorization_required);
    assert_eq!(field(&world.connect("other", MIA).await.unwrap_err()), "external_id");
    let refused = keep(salon, &mias.id).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::InUse));
    assert!(refused.message().contains("allow it again"), "{refused:?}");
    let asked = world.begin().await;
    world.answer(&asked, Some(&[LIST, EVENTS])).await.unwrap();
    assert_eq!(world.standing().await, (ConsentState::Given, ACCOUNT.to_owned()));
    keep(salon, &mias.id).await.unwrap();
    let_write(salon).await;
    salon.until_written().await;
    salon.until(async || salon.count("SELECT count(*) FROM google_calendar").await == 1).await;
    assert_eq!(world.google.events(ACCOUNT, ACCOUNT).len(), 3, "hers is as it was");
    assert!(world.google.events(ACCOUNT, TEAM).is_empty(), "{} is disconnected", toms.name);
    assert_eq!(world.standing().await.0, ConsentState::Given);
}

#[tokio::test]
async fn what_is_stuck_can_be_left_and_the_leave_ends_at_once() {
    let (world, _, _) = written().await;
    let salon = &world.salon;
    world.google.fail(google_fake::Fault::Unavailable, 1_000);
    world.try_withdraw(true).await.unwrap();
    let fault = async || world.consent().await.cleanup.is_some_and(|cleanup| !cleanup.fault.is_empty());
    salon.until(fault).await;
    world.try_withdraw(true).await.unwrap();
    assert_eq!(world.standing().await.0, ConsentState::Ending, "it is tried again");
    world.try_withdraw(false).await.unwrap();
    assert_eq!(world.standing().await.0, ConsentState::NotGiven);
    assert!(!world.google.honours(ACCOUNT));
    salon.until(async || salon.count("SELECT count(*) FROM google_calendar").await == 0).await;
    assert_eq!(there(&world), 4);
}

#[tokio::test]
async fn a_leave_that_google_honours_no_more_takes_nothing_out() {
    let (world, _, _) = written().await;
    world.google.revoke(ACCOUNT);
    world.salon.read_again().await;
    world.salon.until(async || world.standing().await.0 == ConsentState::Revoked).await;
    assert_eq!(field(&world.try_withdraw(true).await.unwrap_err()), "take_out");
    assert!(ending(&world.salon).await.is_empty(), "nothing is begun that can't be done");
    world.try_withdraw(false).await.unwrap();
    assert_eq!(world.standing().await.0, ConsentState::NotGiven);
}

#[tokio::test]
async fn a_withdrawal_whose_process_ended_is_gone_on_with() {
    let (world, _, _) = written().await;
    // It was kept that the consent ends, and no calendar was left yet.
    world
        .salon
        .meddle("UPDATE google_grant SET ending_since = '2026-06-01', end_due_at = '2026-06-01'")
        .await;
    until_ended(&world).await;
    assert_eq!(there(&world), 1);
}

#[tokio::test]
async fn google_is_told_again_until_it_answers_and_what_was_said_shows() {
    let (world, _, _) = written().await;
    world.google.fail_revocations(1);
    world.try_withdraw(true).await.unwrap();
    let told = async || {
        let cleanup = world.consent().await.cleanup;
        cleanup.is_some_and(|cleanup| cleanup.left_count == 0 && cleanup.fault == "Google answers 503")
    };
    world.salon.until(told).await;
    assert_eq!(world.standing().await.0, ConsentState::Ending);
    world.salon.time.advance(SignedDuration::from_mins(2));
    until_ended(&world).await;
    assert!(!world.google.honours(ACCOUNT));
}

#[tokio::test]
async fn a_calendar_that_is_disconnected_by_itself_leaves_the_leave_as_it_is() {
    let (world, mias, _) = written().await;
    disconnect(&world.salon, &mias.id, true).await.unwrap();
    world.salon.until(async || world.salon.count("SELECT count(*) FROM google_calendar").await == 1).await;
    let consent = world.consent().await;
    assert_eq!((consent.state(), consent.cleanup), (ConsentState::Given, None));
    assert!(world.google.honours(ACCOUNT));
}
