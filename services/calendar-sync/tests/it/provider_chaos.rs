//! Edits on both sides of a booking system that fails: in the end both sides agree.

use std::collections::BTreeMap;

use demo_provider::{Appointment, Booking, DemoProvider, Fault};
use jiff::{SignedDuration, Timestamp};

use crate::{
    chaos::{LOST_COMMIT, Random, World, come_to_rest, repair, until_own_held},
    provider::{connected, map, own, sync},
    salon::{MIA, Salon, at},
};

const EDITS: u32 = 500;
const SEED: u64 = 0x5EED_2026_1126;
/// A worker died with the turn at the connection.
pub const LOST_TURN: &str = "UPDATE provider_connection SET worker = gen_random_uuid(),
    working_until = (SELECT max(called_up_to) FROM provider_connection) + interval '3 seconds'";

pub fn standing(system: &DemoProvider, ours: bool) -> Vec<Appointment> {
    let all = system.edit(|book| book.appointments().into_iter().cloned().collect::<Vec<_>>());
    all.into_iter().filter(|found| found.booking.reference.is_some() == ours).collect()
}

pub fn hour(appointment: &Appointment) -> i64 {
    appointment.booking.starts_at.duration_since(at(0, 0)).as_hours()
}

async fn edit(salon: &Salon, system: &DemoProvider, world: &mut World, random: &mut Random) {
    let (hour, now) = (i64::from(72 + random.below(400)), salon.time.now());
    match random.below(12) {
        0..=3 => world.edit_booking(salon, random, hour),
        4..=6 => {
            let n = random.below(40);
            put(system, &format!("own-{n}"), own("P1", hour), now);
            world.own.insert(n, hour);
        }
        7 => {
            let n = random.below(40);
            if world.own.remove(&n).is_some() {
                remove(system, &format!("own-{n}"), now);
            }
        }
        8 => touch_ours(system, now, random),
        9 | 10 => fail(system, random),
        _ => {
            salon.meddle(LOST_COMMIT).await;
            salon.meddle(LOST_TURN).await;
        }
    }
}

/// Someone moves or deletes what was written for an appointment.
pub fn touch_ours(system: &DemoProvider, now: Timestamp, random: &mut Random) {
    let ours = standing(system, true);
    let Some(appointment) = ours.get(random.below(60) as usize) else { return };
    if random.below(2) == 0 {
        let mut moved = appointment.booking.clone();
        moved.starts_at += SignedDuration::from_mins(15);
        moved.ends_at += SignedDuration::from_mins(15);
        put(system, &appointment.id, moved, now);
    } else {
        remove(system, &appointment.id, now);
    }
}

/// The next requests meet a fault.
pub fn fail(system: &DemoProvider, random: &mut Random) {
    let faults = [Fault::Unavailable, Fault::LostAnswer, Fault::TooManyRequests, Fault::Forgotten];
    system.fail(faults[random.below(4) as usize], 1 + random.below(3));
}

/// Enters an appointment, or changes it.
pub fn put(system: &DemoProvider, id: &str, booking: Booking, now: Timestamp) {
    system.edit(|book| {
        let version = book.version(id).map(str::to_owned);
        book.put(id, booking, version.as_deref(), "Mia", now).map(drop).unwrap();
    });
}

pub fn remove(system: &DemoProvider, id: &str, now: Timestamp) {
    system.edit(|book| {
        if let Some(version) = book.version(id).map(str::to_owned) {
            book.delete(id, &version, "Mia", now).unwrap();
        }
    });
}

#[tokio::test]
async fn after_500_edits_with_faults_the_book_and_the_booking_system_agree() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    let (mut world, mut random) = (World::default(), Random(SEED));
    for n in 0..EDITS {
        edit(&salon, &system, &mut world, &mut random).await;
        if n % 10 == 0 {
            salon.time.advance(SignedDuration::from_secs(2));
            salon.read_again().await;
        }
    }
    system.mend();
    come_to_rest(&salon).await;
    repair(&salon, world.booked.len()).await;

    // Nothing doubled, nothing lost, each at its time.
    let mut ours: Vec<i64> = standing(&system, true).iter().map(hour).collect();
    let mut booked: Vec<i64> = world.booked.values().copied().collect();
    ours.sort_unstable();
    booked.sort_unstable();
    assert_eq!(ours, booked);
    let theirs: BTreeMap<String, i64> =
        standing(&system, false).iter().map(|found| (found.id.clone(), hour(found))).collect();
    let own: BTreeMap<String, i64> = world.own.iter().map(|(n, hour)| (format!("own-{n}"), *hour)).collect();
    assert_eq!(theirs, own);
    // And scheduling holds Mia's own, where they are now.
    until_own_held(&salon, &own).await;
}
