//! Many clients at one day.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        AppointmentState as State, CreateHoldRequest, ReleaseCallHoldsRequest, VisitItem,
    },
    time::to_proto,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use tonic::Status;
use uuid::Uuid;

use crate::{
    absence, blocks, delay, moving,
    progress::{restore, set},
    proposal,
    resources::WASH,
    salon::{ANA, BEN, COLOUR, CUT, MASSAGE, OVERLAPS, Salon, WILLOW, anyone, by, fact, local, reason},
};

const CLIENTS: u64 = 16;
/// What each client does in a row; `PROVE_ROUNDS` makes it longer.
const ROUNDS: usize = 40;

pub fn rounds() -> usize {
    std::env::var("PROVE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS)
}

/// Numbers that look random and are the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len() as u64) as usize].clone()
    }

    pub fn visit(&mut self) -> Vec<VisitItem> {
        let items = [
            anyone(CUT),
            by(CUT, ANA),
            by(COLOUR, BEN),
            anyone(COLOUR),
            by(COLOUR, ANA),
            by(MASSAGE, BEN),
            anyone(WASH),
        ];
        (0..=self.roll(3)).map(|_| self.pick(&items)).collect()
    }

    pub fn start(&mut self) -> Timestamp {
        local("2026-06-02", "09:00") + SignedDuration::from_mins(5 * self.roll(108) as i64)
    }
}

/// What must not be found in the ledger, and how it would be.
pub const FAULTS: [(&str, &str); 4] = [
    ("rows overlap", OVERLAPS),
    (
        "rows of what is no more",
        "SELECT count(*) FROM ledger l LEFT JOIN appointment a ON a.id = l.visit_id
        LEFT JOIN hold h ON h.id = l.visit_id
        WHERE l.is_open AND (l.kind = 'BOOKING' AND (a.id IS NULL OR a.state = 'CANCELLED')
            OR l.kind = 'HOLD' AND (h.id IS NULL OR h.ended_at IS NOT NULL))",
    ),
    (
        "appointments without rows",
        "SELECT count(*) FROM appointment a WHERE a.state <> 'CANCELLED' AND NOT EXISTS (
        SELECT FROM ledger l WHERE l.visit_id = a.id AND l.is_open AND l.kind = 'BOOKING')",
    ),
    (
        // A fact lies over exactly those bookings that its open conflicts name.
        "conflicts that were not recorded",
        "SELECT count(*) FROM busy_fact f JOIN ledger l ON l.subject_id = f.employee_id
            AND l.is_open AND l.kind = 'BOOKING' AND l.during && tstzrange(f.starts_at, f.ends_at)
        WHERE NOT EXISTS (SELECT FROM conflict k WHERE k.fact_id = f.id AND k.appointment_id = l.visit_id
            AND k.closed_at IS NULL)",
    ),
];

/// What a client has been told.
#[derive(Default)]
struct Told {
    booked: HashMap<String, usize>,
    /// When each was to begin as it was booked.
    starts: HashMap<String, Timestamp>,
    cancelled: HashSet<String>,
    moved: usize,
    delayed: usize,
    proposed: usize,
    refused: HashMap<Reason, usize>,
}

impl Told {
    fn note<T>(&mut self, answer: Result<T, Status>) -> Option<T> {
        answer.map_err(|status| *self.refused.entry(reason(&status)).or_default() += 1).ok()
    }
}

async fn hold(salon: &Salon, call: Uuid, items: Vec<VisitItem>, start: Timestamp) -> Result<String, Status> {
    let request = CreateHoldRequest {
        business_id: WILLOW.to_string(),
        items,
        starts_at: Some(to_proto(start)),
        call_id: call.to_string(),
        ..Default::default()
    };
    let response = salon.availability().create_hold(salon.agent(request)).await?;
    Ok(response.into_inner().hold.unwrap().id)
}

async fn client(salon: &Salon, number: u64) -> Told {
    let (mut dice, mut told, mut holds) =
        (Dice(0x9e37_79b9_7f4a_7c15 ^ (number + 1)), Told::default(), vec![]);
    let mut blocked: Vec<String> = vec![];
    let call = Uuid::from_u128(0xca11_0000 + u128::from(number));
    // Four early ones, which can be late from the first minute on.
    if number < 4 {
        let visit = if number.is_multiple_of(2) { by(CUT, ANA) } else { by(MASSAGE, BEN) };
        let start = local("2026-06-02", "09:30") + SignedDuration::from_mins(60 * (number / 2) as i64);
        if let Some(visit) = told.note(salon.book(vec![visit], start).await) {
            told.starts.insert(visit.id.clone(), start);
            told.booked.insert(visit.id.clone(), visit.items.len());
            // At once: later, all that are early may be cancelled or moved to the afternoon.
            let answer = told.note(delay::delay(salon, &visit.id, 5).await);
            told.delayed += usize::from(answer.as_ref().is_some_and(|answer| answer.proposal.is_none()));
            told.proposed += usize::from(answer.is_some_and(|answer| answer.proposal.is_some()));
        }
    }
    for round in 0..rounds() {
        let (items, start) = (dice.visit(), dice.start());
        match dice.roll(17) {
            0..=3 => {
                if let Some(visit) = told.note(salon.book(items, start).await) {
                    told.starts.insert(visit.id.clone(), start);
                    told.booked.insert(visit.id, visit.items.len());
                }
            }
            4 | 5 => holds.extend(told.note(hold(salon, call, items, start).await)),
            6 => {
                if let Some(id) = holds.pop()
                    && let Some(visit) = told.note(salon.book_hold(&id).await)
                {
                    told.booked.insert(visit.id, visit.items.len());
                }
            }
            7 => {
                if let Some(id) = holds.pop() {
                    told.note(salon.release(&id).await);
                } else {
                    let request = ReleaseCallHoldsRequest {
                        business_id: WILLOW.to_string(),
                        call_id: call.to_string(),
                    };
                    told.note(salon.availability().release_call_holds(salon.agent(request)).await);
                }
            }
            8 => {
                let open = told.booked.keys().filter(|id| !told.cancelled.contains(*id)).min().cloned();
                if let Some(id) = open
                    && told.note(salon.cancel(&id).await).is_some()
                {
                    told.cancelled.insert(id);
                }
            }
            9 => {
                let ids: Vec<_> = told.booked.keys().filter(|id| !told.cancelled.contains(*id)).collect();
                if let Some(id) = ids.iter().max() {
                    // There, or a day later: two days are taken in order.
                    let start = start + SignedDuration::from_hours(24 * dice.roll(2) as i64);
                    let moved = moving::send(salon, moving::request(id, start)).await;
                    told.moved += usize::from(told.note(moved).is_some());
                }
            }
            10 => {
                // Confirmed, or not after all: a click and back.
                if let Some(id) = told.booked.keys().max().cloned()
                    && told.note(set(salon, &id, State::Confirmed).await).is_some()
                {
                    told.note(set(salon, &id, State::Booked).await);
                }
            }
            11 => {
                if let Some(id) = told.cancelled.iter().max().cloned()
                    && told.note(restore(salon, &id).await).is_some()
                {
                    told.cancelled.remove(&id);
                }
            }
            12 => {
                let lunch = blocks::request(ANA, start, start + SignedDuration::from_mins(15));
                blocked.extend(told.note(blocks::block(salon, lunch).await).map(|block| block.id));
            }
            13 => {
                if let Some(id) = blocked.pop() {
                    told.note(blocks::unblock(salon, &id).await);
                }
            }
            14 | 15 => {
                // The first ones of the day: those of the afternoon are not late yet.
                let mut open: Vec<_> = told.booked.keys().cloned().collect();
                open.sort_unstable_by_key(|id| {
                    (told.starts.get(id).copied().unwrap_or(Timestamp::MAX), id.clone())
                });
                open.truncate(2);
                if open.is_empty() {
                    continue;
                }
                let minutes = 5 + 5 * dice.roll(6) as i32;
                let answer = told.note(delay::delay(salon, &dice.pick(&open), minutes).await);
                told.delayed += usize::from(answer.as_ref().is_some_and(|answer| answer.proposal.is_none()));
                // Applies all of it, or one line; another task may have been quicker.
                if let Some(proposed) = answer.and_then(|answer| answer.proposal) {
                    let lines = proposed.lines.iter().enumerate();
                    let placed: Vec<_> =
                        lines.filter(|(_, line)| line.to.is_some()).map(|(at, _)| at).collect();
                    let chosen = if dice.roll(4) == 0 { vec![dice.pick(&placed)] } else { placed };
                    told.note(proposal::apply(salon, &proposed, &chosen).await);
                    told.proposed += 1;
                }
            }
            _ if number == 1 => {
                // It changes the schedule that everyone else reads.
                let until = salon.time.now() + SignedDuration::from_mins(5);
                told.note(absence::report(salon, absence::late(BEN, until)).await);
            }
            _ if number == 0 => salon.time.advance(SignedDuration::from_secs(10)),
            _ => {
                let busy =
                    fact(&format!("{number}-{}", round % 3), start, start + SignedDuration::from_mins(25));
                told.note(salon.import(vec![busy]).await);
            }
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_clients_at_one_day_never_overlap_lose_or_deadlock() {
    race(&Salon::with_a_basin().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_clients_behind_a_pooler_never_overlap_lose_or_deadlock() {
    race(&Salon::pooled(4).await.add_basin().await).await;
}

async fn race(salon: &Salon) {
    // The day itself: a visit is delayed around its time alone.
    salon.time.set(local("2026-06-02", "09:00"));
    let told = futures::future::join_all((0..CLIENTS).map(|number| client(salon, number))).await;

    let expected_refusals = [
        Reason::SlotTaken,
        Reason::NotWorking,
        Reason::NotSkilled,
        Reason::HoldGone,
        Reason::TooManyHolds,
        // The clock has passed the first start.
        Reason::TooSoon,
        // A visit of the afternoon is not late in the morning.
        Reason::NotYet,
        // Nor confirmed once it should have begun.
        Reason::NoLonger,
        // A cancelled visit is not confirmed.
        Reason::WrongState,
        // Nor is a visit moved as it was proposed for another version of it.
        Reason::Stale,
        // The clock was moved while a passport was on its way.
        Reason::PassportRefused,
    ];
    let (mut booked, mut cancelled, mut moved) = (HashMap::new(), HashSet::new(), 0);
    let (mut delayed, mut proposed) = (0, 0);
    for told in told {
        booked.extend(told.booked);
        cancelled.extend(told.cancelled);
        moved += told.moved;
        delayed += told.delayed;
        proposed += told.proposed;
        for reason in told.refused.keys() {
            assert!(expected_refusals.contains(reason), "{reason:?}");
        }
    }
    assert!(
        // How many find a place on a day that sixteen fill at once is their luck; that some do is not.
        booked.len() >= 5 && !cancelled.is_empty() && moved > 0,
        "{} booked, {} cancelled, {moved} moved",
        booked.len(),
        cancelled.len()
    );

    assert!(delayed + proposed > 0, "no visit was delayed");

    // Every acknowledged booking is there as it was told, and nothing else is.
    let kept = salon.booked().await;
    assert_eq!(kept.len(), booked.len());
    for visit in &kept {
        assert_eq!(booked.get(&visit.id), Some(&visit.items.len()));
        assert_eq!(visit.state() == State::Cancelled, cancelled.contains(&visit.id));
    }
    for (what, sql) in FAULTS {
        assert_eq!(salon.count(sql).await, 0, "{what}");
    }
    assert_eq!(salon.deadlocks().await, 0);
}

#[tokio::test]
async fn a_deadlock_would_have_been_seen() {
    let salon = Salon::open().await;
    for day in ["2026-06-02", "2026-06-03"] {
        salon.book(vec![by(CUT, ANA)], local(day, "09:00")).await.unwrap();
    }
    let worker = caller::Worker::new("test", WILLOW);
    let (first, second) = futures::join!(salon.pool.begin(&worker), salon.pool.begin(&worker));
    let (first, second) = (first.unwrap(), second.unwrap());
    let take = async |tx: &DatabaseTransaction, day: &str| {
        tx.execute_unprepared(&format!("UPDATE business_day SET version = version + 1 WHERE day = '{day}'"))
            .await
    };
    take(&first, "2026-06-02").await.unwrap();
    take(&second, "2026-06-03").await.unwrap();
    let (one, other) = futures::join!(take(&first, "2026-06-03"), async {
        let taken = take(&second, "2026-06-02").await;
        second.rollback().await.unwrap();
        taken
    });
    assert!(one.is_err() || other.is_err());
    first.rollback().await.unwrap();
    assert_eq!(salon.deadlocks().await, 1);
}
