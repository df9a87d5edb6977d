//! Fills the demo: what a first look needs before the installation is ready, the year behind it while the salon is open.

use core::{str::FromStr, time::Duration};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::Context;
use boot::{Host, peer::Peer};
use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::{
    demo::{self, Peers, Shelves, World},
    patience::persist,
    stack::Secrets,
};

/// Before the year is filled again: five minutes, in which a busy machine gets free.
const PAUSES: [Duration; 5] = [
    Duration::from_secs(10),
    Duration::from_secs(20),
    Duration::from_secs(40),
    Duration::from_secs(80),
    Duration::from_secs(160),
];

/// What lies behind a demo salon that is made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Past {
    /// Nothing: it opens today.
    None,
    /// A year.
    Year,
}

/// The demo, as far as it is filled: its files say it, so that an interrupted start is gone on with.
#[derive(Debug)]
pub struct Filling {
    peers: Peers,
    host: Host,
    wanted: Past,
    days: i64,
    /// When the demo with a year was first started: the year counts back from there.
    began: Mark<Began>,
    /// That everything without a date is there: a person may have changed it since.
    seeded: Mark<Date>,
    /// The day up to which it is filled.
    booked_on: Mark<Date>,
}

/// What is left to fill once the installation is ready.
#[derive(Debug)]
pub struct Unfilled {
    world: Option<World>,
    today: Date,
    since: Instant,
}

impl Filling {
    /// Of an installation whose data lives in a folder. Without a year, `days` days from today are booked.
    pub fn new(peers: Peers, host: Host, data: &Path, wanted: Past, days: i64) -> Self {
        Self {
            peers,
            host,
            wanted,
            days,
            began: Mark::new(data, "demo-year-before"),
            seeded: Mark::new(data, "demo-seeded"),
            booked_on: Mark::new(data, "demo-booked-on"),
        }
    }

    /// What it is filled through.
    pub fn services(&self) -> [&Peer; 5] {
        let Peers { auth, tenancy, scheduling, calendar_sync, telemetry } = &self.peers;
        [auth, tenancy, scheduling, calendar_sync, telemetry]
    }

    /// Fills what the salon needs to be open: seeds it once, and books the days to come.
    ///
    /// # Errors
    /// The first refusal, or a file that can't be read.
    pub async fn open(&self, secrets: &Secrets) -> anyhow::Result<Unfilled> {
        let since = Instant::now();
        let now = self.host.clock.now();
        let today = now.to_zoned(TimeZone::UTC).date();
        let booked_on = self.booked_on.read()?;
        if booked_on.is_none() && self.wanted == Past::Year && self.began.read()?.is_none() {
            self.began.write(Began(now))?;
        }
        let began = self.began.read()?.map(|Began(at)| at);
        if booked_on.is_none() && self.seeded.read()?.is_none() {
            eprintln!("Filling the demo salon …");
            let shelves = if began.is_some() { Shelves::Empty } else { Shelves::Delivered };
            demo::seed(&self.peers, secrets, shelves).await.context("seeding the demo")?;
            self.seeded.write(today)?;
        }
        let world = match (began, booked_on) {
            _ if booked_on == Some(today) => None,
            (None, _) => {
                let visits = demo::book(&self.peers, &self.host, self.days).await;
                let visits = visits.context("booking the demo's days")?;
                tracing::info!(visits, "the demo's next days are booked");
                None
            }
            // As it was when it began: what is there by now was made of that world.
            (Some(began), None) => {
                let world = demo::world(day(began), began)?;
                demo::open_year(&self.peers, &world).await.context("booking the demo's next days")?;
                Some(world)
            }
            (Some(began), Some(booked_on)) => {
                self.book_since(day(began), now, booked_on).await?;
                None
            }
        };
        if world.is_none() {
            self.booked_on.write(today)?;
        }
        Ok(Unfilled { world, today, since })
    }

    /// Fills the year behind the salon, if it is not there yet; what is there stays. Services that are too busy to answer
    /// in time are asked again.
    ///
    /// # Errors
    /// The refusal that outlasts the pauses: another start goes on from there.
    pub async fn finish(&self, unfilled: Unfilled) -> anyhow::Result<()> {
        let Unfilled { world: Some(world), today, since } = unfilled else { return Ok(()) };
        persist("filling the demo's year", PAUSES, |_| true, || self.fill(&world, today, since)).await
    }

    async fn fill(&self, world: &World, today: Date, since: Instant) -> anyhow::Result<()> {
        let filled = demo::fill_year(&self.peers, world).await.context("filling the demo's year")?;
        let demo::Filled { customers, visits, calls, follow_ups, movements } = filled;
        let seconds = since.elapsed().as_secs_f64();
        eprintln!(
            "A year of Willow & Co: {customers} customers, {visits} visits, {calls} calls, {follow_ups} messages, \
             {movements} movements of stock, in {seconds:.1} s"
        );
        let began = self.began.read()?.map_or(today, |Began(at)| day(at));
        if began < today {
            self.book_since(began, self.host.clock.now(), began).await?;
        }
        self.booked_on.write(today)
    }

    /// Books what customers have had in mind since a day, in the demo that began on another.
    async fn book_since(&self, began: Date, now: Timestamp, since: Date) -> anyhow::Result<()> {
        let world = demo::world(began, now)?;
        let since = since.to_zoned(TimeZone::UTC)?.timestamp();
        let visits = demo::book_since(&self.peers, &world, since).await.context("booking the demo's days")?;
        tracing::info!(visits, "what the demo's customers have booked since is in the book");
        Ok(())
    }
}

fn day(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// When a demo with a year was first started; demos that were made earlier know the day alone.
#[derive(Debug, PartialEq, Eq)]
struct Began(Timestamp);

impl FromStr for Began {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        let of_day = |_| Ok(text.parse::<Date>()?.to_zoned(TimeZone::UTC)?.timestamp());
        text.parse().or_else(of_day).map(Self)
    }
}

impl core::fmt::Display for Began {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

/// A file that says how far the demo is filled.
#[derive(Debug)]
struct Mark<T> {
    path: PathBuf,
    says: core::marker::PhantomData<T>,
}

impl<T: FromStr<Err = jiff::Error> + core::fmt::Display> Mark<T> {
    fn new(data: &Path, name: &str) -> Self {
        Self { path: data.join(name), says: core::marker::PhantomData }
    }

    /// What it says; nothing where it is not there.
    fn read(&self) -> anyhow::Result<Option<T>> {
        match fs::read_to_string(&self.path) {
            Ok(text) => {
                Ok(Some(text.trim().parse().with_context(|| format!("reading {}", self.path.display()))?))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("reading {}", self.path.display())),
        }
    }

    fn write(&self, says: T) -> anyhow::Result<()> {
        fs::write(&self.path, says.to_string()).with_context(|| format!("writing {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_says_what_was_written_and_nothing_before() {
        let folder = tempfile::tempdir().unwrap();
        let mark = Mark::<Began>::new(folder.path(), "began");
        assert_eq!(mark.read().unwrap(), None);
        mark.write("2026-06-01T08:00:00Z".parse().unwrap()).unwrap();
        assert_eq!(mark.read().unwrap(), Some("2026-06-01T08:00:00Z".parse().unwrap()));
        fs::write(folder.path().join("began"), "2026-06-01").unwrap();
        assert_eq!(mark.read().unwrap(), Some("2026-06-01T00:00:00Z".parse().unwrap()));
        fs::write(folder.path().join("began"), "yesterday").unwrap();
        assert!(mark.read().is_err(), "a damaged mark is no empty salon");
    }
}
