//! Parts of the installation fail while people use it: what is left answers or refuses in time, everything is well
//! within seconds once the part is back, and no acknowledged booking is lost or made twice.

mod disk;
mod load;
pub mod proxy;

use core::time::Duration;
use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
    time::Instant,
};

use local::{
    stack::{Postgres, Redis, plan::postgres_port},
    visitor::Visitor,
};
use tokio::time::sleep;

use crate::{
    crash::{book, each_is_in_a_calendar_once, requests},
    faults::{
        disk::Disk,
        load::{Answer, Book, Load, Verdict},
        proxy::{Network, Proxy},
    },
    stack::Stack,
};

/// Ports that processes reach each other by lie this far above the real ones.
const THROUGH: u16 = 110;
const SERVICES: [&str; 5] = ["auth", "tenancy", "scheduling", "calendar-sync", "telemetry"];
const REDIS: u16 = 79;
/// No request is worked on for longer than this; a second more for the answer's way.
const DEADLINE: Duration = Duration::from_secs(31);
/// Within this all is well again; among other tests, which make the machine busy, it is given more.
const PROMISED: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(40);
const SLOW: Duration = Duration::from_millis(100);
/// Room for the databases of the demo and their logs.
const DISK_MEGABYTES: u32 = 1536;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fails_for_seconds_loses_nothing() {
    let trial = Trial::begin(Duration::from_secs(2), PATIENCE, false).await;
    trial.postgres_stopped().await;
    trial.redis_stopped_and_emptied().await;
    trial.frozen("scheduling").await;
    trial.end().await;
}

#[ignore = "two minutes: `make faults` and `make prove` run it"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_is_survived() {
    let trial = Trial::begin(Duration::from_secs(8), PROMISED, true).await;
    trial.postgres_stopped().await;
    trial.redis_stopped_and_emptied().await;
    for service in SERVICES {
        trial.frozen(service).await;
    }
    trial.slow_network().await;
    trial.silent_network().await;
    trial.full_disk().await;
    trial.end().await;
}

/// An installation under load.
struct Trial {
    stack: Stack,
    proxy: Proxy,
    disk: Option<Disk>,
    load: Load,
    /// How long a fault lasts.
    lasting: Duration,
    /// Within this all is well again after it.
    within: Duration,
}

impl Trial {
    async fn begin(lasting: Duration, within: Duration, on_a_disk_of_its_own: bool) -> Self {
        let (mut proxy, mut disk) = (None, None);
        let through = THROUGH.to_string();
        let stack = Stack::start_prepared(&["--processes", "--through", &through], |stack| {
            let ports: Vec<u16> =
                [1, 2, 3, 4, 5, 32, REDIS].map(|offset| stack.base_port() + offset).to_vec();
            proxy = Some(Proxy::start(&ports, THROUGH));
            if on_a_disk_of_its_own {
                disk = Disk::mount(&stack.data().join("postgres"), DISK_MEGABYTES);
            }
        })
        .await;
        let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
        let times = requests(&owner).await;
        let load = Load::begin(&stack.url(), &owner, times);
        let trial = Self { stack, proxy: proxy.unwrap(), disk, load, lasting, within };
        trial.load.recovers(Instant::now()).await;
        println!("| fault | served while it lasts | refused | slowest | well again after |");
        println!("| --- | --- | --- | --- | --- |");
        trial
    }

    /// Breaks something, repairs it, and judges what people saw.
    async fn suffer(&self, name: &str, break_it: impl FnOnce(), repair: impl FnOnce()) {
        let began = Instant::now();
        break_it();
        // What is watched is what happens in this time.
        sleep(self.lasting).await;
        repair();
        let healed = Instant::now();
        let recovered =
            tokio::time::timeout(self.within, self.load.recovers(healed)).await.unwrap_or_else(|_| {
                panic!("{name}: not well {:?} later: {:?}", self.within, self.unwell(healed))
            });
        let answers = self.load.felt(began);
        let wrong: BTreeSet<_> = answers
            .iter()
            .filter_map(|answer| match &answer.verdict {
                Verdict::Wrong(how) => Some((answer.route, how)),
                Verdict::Served | Verdict::Refused => None,
            })
            .collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?}");
        let during: Vec<_> = answers.iter().filter(|answer| answer.began < healed).collect();
        let slowest = during.iter().map(|answer| answer.took).max().unwrap_or_default();
        assert!(slowest <= DEADLINE, "{name}: an answer took {slowest:?}");
        println!(
            "| {name} | {} | {} | {:.1} s | {:.1} s{} |",
            routes(&during, &Verdict::Served),
            routes(&during, &Verdict::Refused),
            slowest.as_secs_f64(),
            recovered.as_secs_f64(),
            if recovered > PROMISED { " (promised: 10 s)" } else { "" },
        );
    }

    fn unwell(&self, since: Instant) -> Vec<Answer> {
        let answers = self.load.felt(since);
        let unwell = answers.into_iter().filter(|answer| answer.verdict != Verdict::Served);
        unwell.take(10).collect()
    }

    async fn postgres_stopped(&self) {
        self.suffer(
            "Postgres stopped, and started again",
            || self.postgres().stop().unwrap(),
            || drop(self.postgres()),
        )
        .await;
    }

    async fn redis_stopped_and_emptied(&self) {
        let (folder, port) = (self.stack.data().join("redis"), self.stack.base_port() + REDIS);
        let password = self.stack.secret("redis");
        let redis = || Redis::start(&folder, port, &password).unwrap();
        // A Redis that starts again here has nothing.
        self.suffer("Redis stopped, and started again empty", || redis().stop(), || drop(redis())).await;
    }

    async fn frozen(&self, service: &str) {
        let process = self.stack.process(service).to_string();
        let signal = |signal: &str| {
            let sent = Command::new("kill").args([signal, &process]).status();
            assert!(sent.unwrap().success());
        };
        let name = format!("`{service}` frozen (SIGSTOP)");
        self.suffer(&name, || signal("-STOP"), || signal("-CONT")).await;
    }

    async fn slow_network(&self) {
        self.suffer(
            "every message between processes, Postgres and Redis 100 ms late",
            || self.proxy.behave(Network::Slow(SLOW)),
            || self.proxy.behave(Network::Fine),
        )
        .await;
    }

    async fn silent_network(&self) {
        self.suffer(
            "a network that swallows everything between them",
            || self.proxy.behave(Network::Silent),
            || self.proxy.behave(Network::Fine),
        )
        .await;
    }

    async fn full_disk(&self) {
        let Some(disk) = &self.disk else {
            println!("| Postgres' disk full | not tried: mounting needs root | | | |");
            return;
        };
        self.suffer(
            "Postgres' disk full",
            || disk.fill(),
            || {
                disk.clear();
                // Without room for its log the server may have ended; its keeper starts it again.
                drop(self.postgres());
            },
        )
        .await;
    }

    /// The private server, started if it does not run.
    fn postgres(&self) -> Postgres {
        let password = self.stack.secret("postgres-superuser");
        let folder = self.stack.data().join("postgres");
        Postgres::start(&folder, postgres_port(self.stack.base_port()), &password).unwrap()
    }

    /// Everything that was acknowledged is there, once.
    async fn end(self) {
        let Self { stack, proxy: _proxy, disk: _disk, load, .. } = self;
        let acknowledged: Book = load.stop().await;
        let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
        for (key, (time, id)) in &acknowledged {
            let again = book(&owner, key, time).await;
            assert_eq!(again.as_ref(), Some(id), "{key} was acknowledged and is not there");
        }
        let ids = acknowledged.into_values().map(|(_, id)| id).collect::<Vec<_>>();
        println!("{} bookings were acknowledged; each is in the book and in one calendar once", ids.len());
        each_is_in_a_calendar_once(&owner, ids).await;
    }
}

/// The routes that had such answers, with how many.
fn routes(answers: &[&Answer], verdict: &Verdict) -> String {
    let mut named = BTreeMap::<&str, usize>::new();
    for answer in answers.iter().filter(|answer| answer.verdict == *verdict) {
        *named.entry(answer.route).or_default() += 1;
    }
    named.into_iter().map(|(route, times)| format!("{route} {times}")).collect::<Vec<_>>().join(", ")
}
