//! People's consent to use their calendars at Google: asked, kept, renewed, revoked.

use caller::UserId;
use google_fake::{EVENTS, LIST};
use jiff::SignedDuration;
use proto::frontdesk::calendarsync::v1::{
    BeginConsentRequest, CalendarKind, ConsentState, ListConsentsRequest,
    consent_service_client::ConsentServiceClient,
};
use testkit::{SESSION, USER, as_person};
use uuid::Uuid;

use crate::{
    calendars::field,
    google::{ACCOUNT, World, event},
    salon::{FIRST_KEY, MIA, Salon, visit},
};

const SECOND_KEY: &str = "second:YW5vdGhlciBrZXkgb2YgMzIgYnl0ZXMgaW4gdGVzdHM";
const HOUR: SignedDuration = SignedDuration::from_hours(1);

#[tokio::test]
async fn the_question_names_what_is_asked_for_and_nothing_of_the_answer_is_believed_twice() {
    let world = World::open().await;
    assert_eq!(world.standing().await, (ConsentState::NotGiven, String::new()));
    let asked = world.begin().await;
    let url: url::Url = asked.authorization_url.parse().unwrap();
    let value = |wanted: &str| url.query_pairs().find(|(name, _)| name == wanted).unwrap().1.into_owned();
    assert_eq!(value("scope"), format!("{LIST} {EVENTS}"));
    assert_eq!((value("access_type").as_str(), value("code_challenge_method").as_str()), ("offline", "S256"));
    assert_eq!(value("state"), asked.state);
    assert_eq!(value("redirect_uri"), "https://desk.example.com/onboarding/oauth-callback");
    world.answer(&asked, Some(&[LIST, EVENTS])).await.unwrap();
    assert_eq!(world.standing().await, (ConsentState::Given, ACCOUNT.to_owned()));
    assert_eq!(field(&world.answer(&asked, Some(&[LIST, EVENTS])).await.unwrap_err()), "state");
}

#[tokio::test]
async fn a_denial_a_made_up_code_and_half_a_consent_keep_nothing() {
    let world = World::open().await;
    let asked = world.begin().await;
    world.answer(&asked, None).await.unwrap();
    let asked = world.begin().await;
    assert_eq!(field(&world.finish(&asked.state, Some("4/made-up")).await.unwrap_err()), "code");
    let asked = world.begin().await;
    assert_eq!(field(&world.answer(&asked, Some(&[LIST])).await.unwrap_err()), "scope");
    assert_eq!(world.standing().await.0, ConsentState::NotGiven);
    assert!(world.calendars().await.unwrap().authorization_required);
    assert_eq!(world.salon.dump(&["google_grant"]).await, "");
}

#[tokio::test]
async fn google_is_offered_where_it_is_configured_alone() {
    let salon = Salon::open().await;
    let mut consents = ConsentServiceClient::new(salon.channel.clone());
    let person = |message| as_person(&salon.host, USER, SESSION, None, None, message);
    let listed = consents.list_consents(person(ListConsentsRequest {})).await.unwrap().into_inner();
    let kinds: Vec<_> = listed.consents.iter().map(|consent| consent.kind()).collect();
    assert_eq!(kinds, [CalendarKind::Demo]);
    let begin = BeginConsentRequest { kind: CalendarKind::Google.into() };
    let begin = as_person(&salon.host, USER, SESSION, None, None, begin);
    assert_eq!(field(&consents.begin_consent(begin).await.unwrap_err()), "kind");
}

#[tokio::test]
async fn tokens_are_unreadable_in_a_dump_and_open_for_no_one_else() {
    let world = World::open().await;
    world.allow().await;
    let dump = world.salon.dump(&["google_grant"]).await;
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    for secret in ["ya29.", "1//"] {
        assert!(!dump.contains(secret) && !dump.contains(&hex(secret)), "{dump}");
    }
    // Moved to another person's row, they stay shut.
    let other = UserId(Uuid::from_u128(0x70));
    world.salon.meddle(&format!("UPDATE google_grant SET user_id = '{other}'")).await;
    let copy = format!(
        "INSERT INTO google_grant SELECT '{USER}'::uuid, id, account, key_id, master_key, sealed_key, sealed_refresh,
            sealed_access, access_expires_at, granted_at FROM google_grant"
    );
    world.salon.meddle(&copy).await;
    assert!(world.calendars().await.is_ok(), "back where it belongs it opens");
    world.salon.meddle(&format!("DELETE FROM google_grant WHERE user_id = '{USER}'")).await;
    world.salon.meddle("UPDATE google_grant SET id = gen_random_uuid()").await;
    world.salon.meddle(&format!("UPDATE google_grant SET user_id = '{USER}'")).await;
    assert!(world.calendars().await.is_err(), "under another id it does not");
}

#[tokio::test]
async fn a_new_master_key_wraps_what_people_gave() {
    let world = World::open().await;
    world.allow().await;
    let _rotated = world.salon.replica_with(&format!("{SECOND_KEY},{FIRST_KEY}")).await;
    let left = "SELECT count(*) FROM google_grant WHERE master_key <> 'second'";
    assert_eq!(world.salon.count(left).await, 0);
}

#[tokio::test]
async fn keys_of_people_that_were_changed_hold_up_no_other() {
    let world = World::open().await;
    world.allow().await;
    // More than are wrapped at a time have a copy of another person's, which does not open for them.
    let copies = "INSERT INTO google_grant
        SELECT (jsonb_populate_record(g, jsonb_build_object('user_id', lpad(to_hex(n), 32, '0')))).*
        FROM google_grant g, generate_series(1, 150) n";
    world.salon.meddle(copies).await;
    let _rotated = world.salon.replica_with(&format!("{SECOND_KEY},{FIRST_KEY}")).await;
    let under = async |key: &str| {
        world.salon.count(&format!("SELECT count(*) FROM google_grant WHERE master_key = '{key}'")).await
    };
    assert_eq!((under("first").await, under("second").await), (150, 1));
}

#[tokio::test]
async fn replicas_that_meet_at_an_expired_token_spend_the_refresh_token_once() {
    let (world, _) = World::connected().await;
    let salon = &world.salon;
    let _second = salon.replica().await;
    let _third = salon.replica().await;
    world.google.rotate();
    let before = world.google.refreshes().0;
    for round in 1_u8..=5 {
        salon.let_pass(HOUR + HOUR).await;
        world.put("dentist", event("Dentist", 1, 10 + round));
        salon.publish(visit(0xF0 + u128::from(round), 1, &[(MIA, "Cut", 72 + i64::from(round), 30)])).await;
        salon.read_again().await;
        let (first, second, third) = tokio::join!(world.calendars(), world.calendars(), world.calendars());
        assert!(first.is_ok() && second.is_ok() && third.is_ok());
    }
    let (refreshes, reused) = world.google.refreshes();
    assert_eq!((refreshes - before, reused), (5, 0));
    assert_eq!(world.standing().await.0, ConsentState::Given);
}

#[tokio::test]
async fn a_revoked_consent_is_said_and_its_renewal_goes_on_where_it_stopped() {
    let (world, _) = World::connected().await;
    let salon = &world.salon;
    assert!(!salon.calendar().await.authorization_required && salon.calendar().await.own_account);
    world.google.revoke(ACCOUNT);
    salon.read_again().await;
    salon.until(async || salon.calendar().await.authorization_required).await;
    salon.until(async || !salon.calendar().await.last_error.is_empty()).await;
    assert_eq!(world.standing().await, (ConsentState::Revoked, ACCOUNT.to_owned()));
    assert!(world.calendars().await.unwrap().authorization_required);
    assert!(!salon.dump(&["google_grant"]).await.is_empty());
    let left =
        "SELECT count(*) FROM google_grant WHERE sealed_refresh IS NOT NULL OR sealed_access IS NOT NULL";
    assert_eq!(salon.count(left).await, 0, "nothing is kept that opens nothing");

    world.put("dentist", event("Dentist", 1, 10));
    let unwritten = "SELECT count(*) FROM calendar_write WHERE written < wanted";
    let position = salon.scheduling.publish(
        &salon.host,
        &crate::salon::SALON.to_string(),
        visit(0xF1, 1, &[(MIA, "Cut", 9, 30)]),
    );
    salon
        .until(async || {
            outbox::caught_up(&salon.app, calendar_sync::FOLLOWER, "scheduling", position).await.unwrap()
        })
        .await;
    assert_eq!(salon.count(unwritten).await, 1);
    world.allow().await;
    world.until_held(&["Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z"]).await;
    salon.until_written().await;
    // The read ends after scheduling took what it told.
    salon.until(async || salon.calendar().await.last_error.is_empty()).await;
    assert!(!salon.calendar().await.authorization_required);
}

#[tokio::test]
async fn a_withdrawn_consent_ends_at_google_too() {
    let (world, _) = World::connected().await;
    world.withdraw().await;
    world.withdraw().await;
    assert_eq!(world.standing().await, (ConsentState::NotGiven, String::new()));
    assert_eq!(world.salon.dump(&["google_grant"]).await, "");
    assert!(world.salon.calendar().await.authorization_required);
    let asked = world.begin().await;
    world.answer(&asked, Some(&[LIST, EVENTS])).await.unwrap();
    assert_eq!(world.google.refreshes().1, 0);
    assert!(!world.salon.calendar().await.authorization_required);
}

#[tokio::test]
async fn access_that_google_takes_no_more_is_brought_anew() {
    let (world, _) = World::connected().await;
    world.google.expire_access();
    world.put("dentist", event("Dentist", 1, 10));
    world.until_held(&["Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z"]).await;
    assert_eq!(world.google.refreshes(), (1, 0));
}

#[tokio::test]
async fn a_refresh_that_outlasts_its_turn_keeps_what_it_brought() {
    let (world, _) = World::connected().await;
    let salon = &world.salon;
    // Each refresh token is good once.
    world.google.rotate();
    let (before, _) = world.google.refreshes();
    let held = world.google.hold_tokens().await;
    salon.let_pass(HOUR).await;
    salon.read_again().await;
    salon.until(async || world.google.refreshes().0 == before + 1).await;
    // Its turn goes to a worker that dies with it, while Google's answer is on the way.
    salon
        .meddle("UPDATE google_grant SET refresher = gen_random_uuid(), refreshing_until = '2026-06-02'")
        .await;
    drop(held);
    world.put("dentist", event("Dentist", 1, 10));
    world.until_held(&["Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z"]).await;
    assert_eq!((world.google.refreshes(), world.standing().await.0), ((before + 1, 0), ConsentState::Given));
}
