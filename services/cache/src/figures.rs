//! The figures of all services' caches, as Redis keeps them beside the cache.

use core::str::FromStr;
use std::collections::{BTreeMap, VecDeque};

use redis::Pipeline;
use serde::{Deserialize, Serialize};

use crate::{
    Cache, Unreachable,
    operation::{Operation, Outcome},
};

/// A hash of counters, each named `kind:counter`.
const TOTALS: &str = "cachestats:totals";
/// A list of operations, the latest first.
const RECENT: &str = "cachestats:recent";
/// Operations that are kept.
const KEPT: usize = 50;

const OPERATIONS: &str = "operations";
const HITS: &str = "hits";
const MISSES: &str = "misses";
const ERRORS: &str = "errors";
const MICROS: &str = "micros";

/// Counts of one kind, since they were last reset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindFigures {
    /// Reads, writes, invalidations and tests.
    pub operations: u64,
    /// Reads that found a value.
    pub hits: u64,
    /// Reads that found none.
    pub misses: u64,
    /// Operations that Redis did not serve.
    pub errors: u64,
    /// What all of them took together, in microseconds.
    pub micros: u64,
}

impl KindFigures {
    fn count(&mut self, operation: &Operation) {
        self.operations += 1;
        self.micros += u64::try_from(operation.took.as_micros()).unwrap_or(u64::MAX);
        match operation.outcome {
            Outcome::Hit => self.hits += 1,
            Outcome::Miss => self.misses += 1,
            Outcome::Error => self.errors += 1,
            Outcome::Stored | Outcome::Removed => {}
        }
    }

    fn counters(&self) -> [(&'static str, u64); 5] {
        [
            (OPERATIONS, self.operations),
            (HITS, self.hits),
            (MISSES, self.misses),
            (ERRORS, self.errors),
            (MICROS, self.micros),
        ]
    }

    fn set(&mut self, counter: &str, value: u64) {
        match counter {
            OPERATIONS => self.operations = value,
            HITS => self.hits = value,
            MISSES => self.misses = value,
            ERRORS => self.errors = value,
            MICROS => self.micros = value,
            // Of a newer version.
            _ => {}
        }
    }

    /// Percent of hits among hits and misses; 0 when there are neither.
    #[must_use]
    pub fn hit_rate(&self) -> f64 {
        let reads = self.hits + self.misses;
        if reads == 0 { 0.0 } else { self.hits as f64 * 100.0 / reads as f64 }
    }
}

impl core::ops::AddAssign for KindFigures {
    fn add_assign(&mut self, other: Self) {
        self.operations += other.operations;
        self.hits += other.hits;
        self.misses += other.misses;
        self.errors += other.errors;
        self.micros += other.micros;
    }
}

/// An operation that was written down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recent {
    /// `get`, `set`, `invalidate` or `test`.
    pub operation: String,
    /// Of the value or generation.
    pub key: String,
    /// The kind's name.
    pub kind: String,
    /// `hit`, `miss`, `stored`, `removed` or `error`.
    pub result: String,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// When it ended, in RFC 3339.
    pub at: String,
}

impl From<Operation> for Recent {
    fn from(operation: Operation) -> Self {
        Self {
            operation: operation.verb.name().to_owned(),
            key: operation.key,
            kind: operation.kind.name().to_owned(),
            result: operation.outcome.name().to_owned(),
            micros: u64::try_from(operation.took.as_micros()).unwrap_or(u64::MAX),
            at: operation.at.to_string(),
        }
    }
}

/// All services' figures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    /// By the kind's name.
    pub kinds: BTreeMap<String, KindFigures>,
    /// The latest first, at most 50.
    pub recent: Vec<Recent>,
}

impl Figures {
    /// All kinds together.
    #[must_use]
    pub fn total(&self) -> KindFigures {
        let mut total = KindFigures::default();
        self.kinds.values().for_each(|kind| total += *kind);
        total
    }

    fn read(totals: BTreeMap<String, String>, recent: &[String]) -> Self {
        let mut kinds: BTreeMap<String, KindFigures> = BTreeMap::new();
        for (field, value) in totals {
            if let (Some((kind, counter)), Ok(value)) = (field.split_once(':'), u64::from_str(&value)) {
                kinds.entry(kind.to_owned()).or_default().set(counter, value);
            }
        }
        Self { kinds, recent: recent.iter().filter_map(|entry| serde_json::from_str(entry).ok()).collect() }
    }
}

/// Figures that are not written yet.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    kinds: BTreeMap<&'static str, KindFigures>,
    recent: VecDeque<Recent>,
}

impl Batch {
    pub(crate) fn add(&mut self, operation: Operation) {
        self.kinds.entry(operation.kind.name()).or_default().count(&operation);
        if self.recent.len() == KEPT {
            self.recent.pop_front();
        }
        self.recent.push_back(operation.into());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Adds it to what Redis has, all or nothing.
    pub(crate) fn pipeline(&self) -> Pipeline {
        let mut pipeline = redis::pipe();
        pipeline.atomic();
        for (kind, figures) in &self.kinds {
            for (counter, by) in figures.counters().into_iter().filter(|(_, by)| *by > 0) {
                pipeline.hincr(TOTALS, format!("{kind}:{counter}"), by).ignore();
            }
        }
        for recent in &self.recent {
            // Strings and a number are always JSON.
            pipeline.lpush(RECENT, serde_json::to_string(recent).unwrap_or_default()).ignore();
        }
        pipeline.ltrim(RECENT, 0, KEPT.cast_signed() - 1).ignore();
        pipeline
    }
}

impl Cache {
    /// The figures of all services.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn figures(&self) -> Result<Figures, Unreachable> {
        let open = self.open.as_ref().ok_or(Unreachable::None)?;
        let mut pipeline = redis::pipe();
        pipeline.hgetall(TOTALS).lrange(RECENT, 0, -1);
        let (totals, recent): (_, Vec<String>) = open.redis.ask_patiently(&pipeline).await?;
        Ok(Figures::read(totals, &recent))
    }

    /// Counts from zero again, and forgets the latest operations.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn reset_figures(&self) -> Result<(), Unreachable> {
        let open = self.open.as_ref().ok_or(Unreachable::None)?;
        let mut pipeline = redis::pipe();
        pipeline.del(TOTALS).ignore().del(RECENT).ignore();
        open.redis.ask_patiently(&pipeline).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hit_rate_is_of_reads_alone() {
        let figures = KindFigures { operations: 9, hits: 3, misses: 1, errors: 5, micros: 0 };
        assert!((figures.hit_rate() - 75.0).abs() < f64::EPSILON);
        assert!(KindFigures::default().hit_rate().abs() < f64::EPSILON);
    }

    #[test]
    fn what_is_not_ours_in_the_figures_is_passed_over() {
        let totals = [("catalogue:hits", "2"), ("catalogue:colour", "3"), ("hits", "4"), ("x:hits", "many")];
        let totals = totals.map(|(field, value)| (field.to_owned(), value.to_owned())).into();
        let figures = Figures::read(totals, &["{}".to_owned(), "no JSON".to_owned()]);
        assert_eq!(figures.total(), KindFigures { hits: 2, ..KindFigures::default() });
        assert!(figures.recent.is_empty());
    }
}
