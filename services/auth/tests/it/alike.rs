//! That no time tells who has an account: a thousand answers each, and whether they can be told
//! apart. It takes minutes and a quiet machine; `PROVE_SAMPLES` says how many.

use std::time::Instant;

use database::{named, to_db};
use proto::frontdesk::auth::internal::v1::{Client, ForgotPasswordRequest};

use crate::fixture::{Auth, EMAIL, at};

/// Below it, chance alone is no explanation.
const LEAST: f64 = 0.01;
/// Answers to each address: no more, so that no limit refuses one.
const EACH: usize = 5;
/// Answers that only warm up.
const WARMING: usize = 20;

fn samples() -> Option<usize> {
    std::env::var("PROVE_SAMPLES").ok().and_then(|samples| samples.parse().ok())
}

/// A browser at an address of its own.
fn somewhere(n: usize) -> Client {
    at(&format!("10.{}.{}.{}", n / 65_536, n / 256 % 256, n % 256))
}

impl Auth {
    /// Accounts `known-0@demo.test` and so on; `other-0@demo.test` and so on have none.
    async fn crowd(size: usize) -> (testkit::TestRedis, Self) {
        let redis = testkit::redis().await;
        let auth = Self::guarded(&redis).await;
        auth.add(1, EMAIL).await;
        let sql = "INSERT INTO account (id, email, name, admin, password_hash, created_at, email_verified_at)
            SELECT gen_random_uuid(), format('known-%s@demo.test', n), name, false, password_hash, :now, :now
            FROM account, generate_series(0, :size) AS n RETURNING name";
        let (size, now) = (i32::try_from(size).unwrap(), to_db(auth.host.clock.now()));
        auth.peek(sql, named! { size, now }).await;
        (redis, auth)
    }
}

/// Seconds of `samples` answers about known and unknown addresses, in turns.
async fn measured(samples: usize, answer: impl AsyncFn(String, Client)) -> [Vec<f64>; 2] {
    let mut times = [vec![], vec![]];
    for n in 0..samples + WARMING {
        // The order alternates: the second of one turn is the first of the next.
        for which in if n % 2 == 0 { [0, 1] } else { [1, 0] } {
            let email = format!("{}-{}@demo.test", ["known", "other"][which], n / EACH);
            let began = Instant::now();
            answer(email, somewhere(n)).await;
            if n >= WARMING {
                times[which].push(began.elapsed().as_secs_f64());
            }
        }
    }
    times
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// How likely it is that two samples of one distribution differ as much as these: the two-sided
/// Mann-Whitney U test, by its normal approximation.
fn p_value([one, other]: &[Vec<f64>; 2]) -> f64 {
    let (n, m) = (one.len() as f64, other.len() as f64);
    let mut all: Vec<_> =
        one.iter().map(|time| (*time, 0)).chain(other.iter().map(|time| (*time, 1))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ranks: f64 =
        (1..).zip(&all).filter(|(_, (_, which))| *which == 0).map(|(rank, _)| f64::from(rank)).sum();
    let u = ranks - n * (n + 1.0) / 2.0;
    let z = (u - n * m / 2.0).abs() / (n * m * (n + m + 1.0) / 12.0).sqrt();
    two_sided(z)
}

/// Twice the normal distribution's upper tail (Abramowitz and Stegun 26.2.17).
fn two_sided(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let terms = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    2.0 * sum * (-z * z / 2.0).exp() / (2.0 * core::f64::consts::PI).sqrt()
}

fn judge(what: &str, times: &[Vec<f64>; 2]) {
    let [known, unknown] = [median(&times[0]), median(&times[1])].map(|seconds| seconds * 1e3);
    let p = p_value(times);
    println!("{what}: known {known:.3} ms, unknown {unknown:.3} ms, p = {p:.3}");
    assert!(p > LEAST, "{what} tells known from unknown addresses by its time: p = {p}");
}

#[tokio::test]
async fn a_wrong_password_takes_as_long_whether_there_is_an_account_or_not() {
    let Some(samples) = samples() else { return };
    let (_redis, auth) = Auth::crowd((samples + WARMING) / EACH).await;
    let times = measured(samples, async |email, client| {
        auth.sign_in_as(&email, "incorrect horse", client).await.unwrap_err();
    });
    judge("a wrong password", &times.await);
}

#[tokio::test]
async fn a_forgotten_password_takes_as_long_whether_there_is_an_account_or_not() {
    let Some(samples) = samples() else { return };
    let (_redis, auth) = Auth::crowd((samples + WARMING) / EACH).await;
    let times = measured(samples, async |email, client| {
        let message = ForgotPasswordRequest { email, client: Some(client) };
        auth.registration().forgot_password(auth.door(message)).await.unwrap();
    });
    judge("a forgotten password", &times.await);
}

#[test]
fn samples_that_differ_are_told_apart_and_samples_that_do_not_are_not() {
    let even: Vec<_> = (0..500).map(|n| f64::from(n * 2)).collect();
    let odd: Vec<_> = (0..500).map(|n| f64::from(n * 2 + 1)).collect();
    let later: Vec<_> = even.iter().map(|time| time + 60.0).collect();
    assert!(p_value(&[even.clone(), odd]) > 0.9);
    assert!(p_value(&[even, later]) < 0.01);
    assert!((two_sided(1.96) - 0.05).abs() < 1e-4);
}
