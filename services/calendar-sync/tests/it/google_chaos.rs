//! Edits on both sides of a Google that fails: in the end both sides agree.

use std::collections::BTreeMap;

use google_fake::Fault;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{
    chaos::{LOST_COMMIT, Random, World as Expected, come_to_rest, repair, until_own_held},
    google::{ACCOUNT, World},
    salon::at,
};

/// The long run is a part of `make prove`.
const EDITS: u32 = 500;
const LONG: u32 = 5_000;
const SEED: u64 = 0x5EED_2026_1127;
/// A worker died with the turn to spend the refresh token, before it spent it.
pub const LOST_REFRESH: &str =
    "UPDATE google_grant SET refresher = gen_random_uuid(), access_expires_at = 'epoch',
    refreshing_until = (SELECT max(called_up_to) FROM google_grant) + interval '3 seconds'
    WHERE refresher IS NULL";

fn own(hour: i64) -> Value {
    let text = |minute| at(hour, minute).to_string();
    json!({ "summary": "Own", "start": { "dateTime": text(0) }, "end": { "dateTime": text(30) } })
}

fn is_ours(event: &Value) -> bool {
    event["extendedProperties"]["private"]["frontdeskEvent"] == event["id"] && event["id"].is_string()
}

pub fn hour(event: &Value) -> i64 {
    let starts: Timestamp = event["start"]["dateTime"].as_str().unwrap().parse().unwrap();
    starts.duration_since(at(0, 0)).as_hours()
}

pub fn standing(world: &World, ours: bool) -> Vec<Value> {
    world.google.events(ACCOUNT, ACCOUNT).into_iter().filter(|event| is_ours(event) == ours).collect()
}

/// Someone moves or deletes what was written for an appointment.
pub fn touch_ours(world: &World, random: &mut Random) {
    let there = standing(world, true);
    let Some(event) = there.get(random.below(60) as usize) else { return };
    let id = event["id"].as_str().unwrap();
    if random.below(2) == 0 {
        let mut moved = event.clone();
        moved["end"] = json!({ "dateTime": at(hour(event), 45).to_string() });
        world.google.put(ACCOUNT, ACCOUNT, id, moved);
    } else {
        world.google.delete(ACCOUNT, ACCOUNT, id);
    }
}

/// The next requests meet a fault.
pub fn fail(world: &World, random: &mut Random) {
    let faults =
        [Fault::Unavailable, Fault::LostAnswer, Fault::RateLimited, Fault::TooManyRequests, Fault::Forgotten];
    world.google.fail(faults[random.below(5) as usize], 1 + random.below(3) as usize);
}

/// Deliveries are doubled, lost, or made.
pub async fn push(world: &World, random: &mut Random) {
    for push in world.google.take_pushes() {
        for _ in 0..random.below(3) {
            let _ = crate::google_push::deliver(&world.salon, &push).await;
        }
    }
}

async fn edit(world: &World, expected: &mut Expected, random: &mut Random) {
    let (salon, hour) = (&world.salon, i64::from(72 + random.below(400)));
    match random.below(13) {
        0..=3 => expected.edit_booking(salon, random, hour),
        4..=6 => {
            let n = random.below(40);
            world.put(&format!("own-{n}"), own(hour));
            expected.own.insert(n, hour);
        }
        7 => {
            let n = random.below(40);
            if expected.own.remove(&n).is_some() {
                world.google.delete(ACCOUNT, ACCOUNT, &format!("own-{n}"));
            }
        }
        8 => touch_ours(world, random),
        9 | 10 => fail(world, random),
        11 => {
            salon.meddle(LOST_COMMIT).await;
            salon.meddle(LOST_REFRESH).await;
        }
        _ => push(world, random).await,
    }
}

async fn agree_after(edits: u32) {
    let (world, _) = World::connected().await;
    world.google.rotate();
    let salon = &world.salon;
    let (mut expected, mut random) = (Expected::default(), Random(SEED));
    for n in 0..edits {
        edit(&world, &mut expected, &mut random).await;
        if n % 10 == 0 {
            salon.time.advance(SignedDuration::from_secs(2));
            salon.read_again().await;
        }
    }
    world.google.mend();
    come_to_rest(salon).await;
    repair(salon, expected.booked.len()).await;

    // Nothing doubled, nothing lost, each at its time.
    let mut ours: Vec<i64> = standing(&world, true).iter().map(hour).collect();
    let mut booked: Vec<i64> = expected.booked.values().copied().collect();
    ours.sort_unstable();
    booked.sort_unstable();
    assert_eq!(ours, booked);
    let theirs: BTreeMap<String, i64> = standing(&world, false)
        .iter()
        .map(|event| (event["id"].as_str().unwrap().to_owned(), hour(event)))
        .collect();
    let own: BTreeMap<String, i64> =
        expected.own.iter().map(|(n, hour)| (format!("own-{n}"), *hour)).collect();
    assert_eq!(theirs, own);
    assert_eq!(world.google.refreshes().1, 0, "no refresh token is spent twice");
    // And scheduling holds Mia's own, where they are now.
    until_own_held(salon, &own).await;
}

#[tokio::test]
async fn after_500_edits_with_faults_the_book_and_google_agree() {
    agree_after(EDITS).await;
}

#[tokio::test]
#[ignore = "a part of `make prove`"]
async fn after_5000_edits_with_faults_the_book_and_google_agree() {
    agree_after(LONG).await;
}
