//! What proves to Google that a code comes back to where it was asked from, while its question is open.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use caller::UserId;
use google_fake::{EVENTS, LIST};
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{BeginConsentRequest, BeginConsentResponse, CalendarKind, ConsentState},
};
use sha2::{Digest, Sha256};
use testkit::{SESSION, as_person};
use url::Url;
use uuid::Uuid;

use crate::{google::World, salon::FIRST_KEY};

const SECOND_KEY: &str = "second:YW5vdGhlciBrZXkgb2YgMzIgYnl0ZXMgaW4gdGVzdHM";
const OTHER: UserId = UserId(Uuid::from_u128(0x71));
const ALL: Option<&[&str]> = Some(&[LIST, EVENTS]);
/// As long as ours.
const VERIFIER: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const SEALED: &str = "verifier_key_id, master_key, sealed_key, sealed_verifier";

fn challenge_of(verifier: &[u8]) -> String {
    B64.encode(Sha256::digest(verifier))
}

fn challenge(asked: &BeginConsentResponse) -> String {
    let url: Url = asked.authorization_url.parse().unwrap();
    url.query_pairs().find(|(name, _)| name == "code_challenge").unwrap().1.into_owned()
}

/// Whether what the challenge was made of is anywhere in a dump, as it is or in hex.
fn has_verifier(dump: &str, challenge: &str) -> bool {
    let is_in = |bytes: &[u8]| bytes.windows(VERIFIER.len()).any(|some| challenge_of(some) == challenge);
    let of_hex = |digits: &[u8]| -> Vec<u8> {
        let pair =
            |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap_or_default(), 16).unwrap_or(0);
        digits.chunks(2).map(pair).collect()
    };
    let dump = dump.as_bytes();
    is_in(dump) || is_in(&of_hex(dump)) || is_in(&of_hex(&dump[1..]))
}

/// Each of two people who are asked has what was sealed for the other.
fn swapped(columns: &str) -> String {
    format!(
        "UPDATE consent_request c SET ({columns}) = (
             SELECT {columns} FROM consent_request o WHERE o.user_id <> c.user_id)"
    )
}

impl World {
    async fn begin_for(&self, user: UserId) -> BeginConsentResponse {
        let message = BeginConsentRequest { kind: CalendarKind::Google.into() };
        let request = as_person(&self.salon.host, user, SESSION, None, None, message);
        self.consents().begin_consent(request).await.unwrap().into_inner()
    }
}

#[tokio::test]
async fn a_verifier_is_unreadable_in_a_dump_while_its_question_is_open() {
    let world = World::open().await;
    let asked = world.begin().await;
    let dump = world.salon.dump(&["consent_request"]).await;
    assert!(!dump.is_empty() && !has_verifier(&dump, &challenge(&asked)), "{dump}");
    // It is found where it is: in the clear, and in hex behind any number of digits.
    let hex: String = VERIFIER.bytes().map(|byte| format!("{byte:02x}")).collect();
    for dump in [format!("(a,{VERIFIER})"), format!("(\\x{hex})"), format!("(\\xf{hex})")] {
        assert!(has_verifier(&dump, &challenge_of(VERIFIER.as_bytes())), "{dump}");
    }
    world.answer(&asked, ALL).await.unwrap();
    assert_eq!(world.standing().await.0, ConsentState::Given);
    assert_eq!(world.salon.dump(&["consent_request"]).await, "", "what was answered is forgotten");
}

#[tokio::test]
async fn a_verifier_that_was_moved_to_another_persons_question_does_not_open() {
    let world = World::open().await;
    for columns in [SEALED, "sealed_verifier", "verifier_key_id, sealed_verifier"] {
        let asked = world.begin().await;
        world.begin_for(OTHER).await;
        world.salon.meddle(&swapped(columns)).await;
        let refused = world.answer(&asked, ALL).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::Internal), "{columns}: {refused:?}");
        assert_eq!(world.standing().await.0, ConsentState::NotGiven);
    }
    let asked = world.begin().await;
    world.begin_for(OTHER).await;
    world.salon.meddle(&swapped(SEALED)).await;
    world.salon.meddle(&swapped(SEALED)).await;
    world.answer(&asked, ALL).await.unwrap();
    assert_eq!(world.standing().await.0, ConsentState::Given, "back where it belongs it opens");
}

#[tokio::test]
async fn a_question_that_a_replica_of_the_release_before_asked_is_answered() {
    let world = World::open().await;
    // It asks for the first time, and again after this release: what that one sealed stays beside.
    for sealed in ["NULL::uuid, NULL, NULL::bytea, NULL::bytea", SEALED] {
        let mut asked = world.begin().await;
        let before =
            format!("UPDATE consent_request SET verifier = '{VERIFIER}', ({SEALED}) = (SELECT {sealed})");
        world.salon.meddle(&before).await;
        asked.authorization_url =
            asked.authorization_url.replace(&challenge(&asked), &challenge_of(VERIFIER.as_bytes()));
        world.answer(&asked, ALL).await.unwrap();
        assert_eq!(world.standing().await.0, ConsentState::Given);
        world.withdraw().await;
    }
    // Asked anew at this release, nothing of it is left.
    world.begin().await;
    world.salon.meddle(&format!("UPDATE consent_request SET verifier = '{VERIFIER}'")).await;
    let asked = world.begin().await;
    assert!(!world.salon.dump(&["consent_request"]).await.contains(VERIFIER));
    world.answer(&asked, ALL).await.unwrap();
    assert_eq!(world.standing().await.0, ConsentState::Given);
}

#[tokio::test]
async fn a_question_is_answered_at_a_replica_with_a_newer_master_key() {
    let mut world = World::open().await;
    let asked = world.begin().await;
    world.salon.channel = world.salon.replica_with(&format!("{SECOND_KEY},{FIRST_KEY}")).await;
    world.answer(&asked, ALL).await.unwrap();
    assert_eq!(world.standing().await.0, ConsentState::Given);
}
