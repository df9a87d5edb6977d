//! Reading through the cache.

use core::{future::Future, time::Duration};
use std::time::Instant;

use caller::Tenant;
use prost::Message;

use crate::{
    Cache, Kind, Open, Unreachable,
    flight::Brought,
    operation::{Operation, Outcome, Verb},
    place::{Generation, generation_key, value_key},
};

/// The longest a value lives, and so the longest that a lost change can go unseen.
pub const LIFE: Duration = Duration::from_secs(30);
/// A generation outlives every value.
pub(crate) const GENERATION_LIFE: Duration = Duration::from_secs(86_400);

/// What was found in the cache.
enum Found<M> {
    /// The value, as it is now.
    Value(M),
    /// None that counts.
    Nothing(Generation),
    /// Redis is no help.
    Unknown,
}

impl Cache {
    /// The value of `key`, from the cache or from `load`, whose answer must depend on the
    /// business and on `key` alone: who asks is not part of it.
    ///
    /// It lives for `ttl`, at most [`LIFE`], from before it was loaded. `key` names a value
    /// within its kind and must not be of a caller's making at any length.
    ///
    /// # Errors
    /// What `load` refuses; an error is never cached. The cache itself fails no call.
    pub async fn read<M, E, F>(
        &self,
        kind: Kind,
        scope: &impl Tenant,
        key: &str,
        ttl: Duration,
        load: impl FnOnce() -> F,
    ) -> Result<M, E>
    where
        M: Message + Default,
        F: Future<Output = Result<M, E>>,
    {
        let Some(open) = &self.open else { return load().await };
        let business = scope.business();
        let place = Place {
            kind,
            generation: generation_key(self.service, kind, business),
            value: value_key(self.service, kind, business, key),
        };
        let asked = Instant::now();
        let generation = match self.find(open, &place).await {
            Found::Value(value) => return Ok(value),
            Found::Unknown => return load().await,
            Found::Nothing(generation) => generation,
        };
        let (loaded, brought) = open.flights.fly((place.value.clone(), generation), load).await;
        if let (Ok(value), Brought::Here) = (&loaded, brought) {
            let left = ttl.min(LIFE).saturating_sub(asked.elapsed());
            self.keep(open, place, generation, value, left).await;
        }
        loaded
    }

    async fn find<M: Message + Default>(&self, open: &Open, place: &Place) -> Found<M> {
        let began = Instant::now();
        let (found, outcome) = match look(open, place).await {
            Ok((generation, Some(value))) => match M::decode(&*value) {
                Ok(value) => (Found::Value(value), Outcome::Hit),
                // Of another version of the service.
                Err(_) => (Found::Nothing(generation), Outcome::Miss),
            },
            Ok((generation, None)) => (Found::Nothing(generation), Outcome::Miss),
            Err(_) => (Found::Unknown, Outcome::Error),
        };
        self.record(open, place.kind, Verb::Get, outcome, &place.value, began.elapsed());
        found
    }

    async fn keep(
        &self,
        open: &Open,
        place: Place,
        generation: Generation,
        value: &impl Message,
        left: Duration,
    ) {
        // A load that took as long as a value lives brings nothing worth keeping.
        let left = u64::try_from(left.as_millis()).unwrap_or(0);
        if left == 0 {
            return;
        }
        let began = Instant::now();
        let mut pipeline = redis::pipe();
        pipeline.pset_ex(&place.value, generation.stamp(&value.encode_to_vec()), left).ignore();
        let kept: Result<(), _> = open.redis.ask(&pipeline).await;
        let outcome = if kept.is_ok() { Outcome::Stored } else { Outcome::Error };
        self.record(open, place.kind, Verb::Set, outcome, &place.value, began.elapsed());
    }

    pub(crate) fn record(
        &self,
        open: &Open,
        kind: Kind,
        verb: Verb,
        outcome: Outcome,
        key: &str,
        took: Duration,
    ) {
        let (key, at) = (key.to_owned(), self.clock.now());
        open.recorder.record(Operation { kind, verb, outcome, key, took, at });
    }
}

/// What Redis has under a key.
type Kept = Option<Vec<u8>>;

/// Where a value and its generation are.
struct Place {
    kind: Kind,
    generation: String,
    value: String,
}

/// The generation, and the value if it is of it; a generation that is missing is drawn.
async fn look(open: &Open, place: &Place) -> Result<(Generation, Kept), Unreachable> {
    let mut pipeline = redis::pipe();
    pipeline.cmd("MGET").arg(&place.generation).arg(&place.value);
    let ((generation, value),): ((Kept, Kept),) = open.redis.ask(&pipeline).await?;
    if let Some(generation) = generation.as_deref().and_then(Generation::parse) {
        let value = value.and_then(|kept| generation.opens(&kept).map(<[u8]>::to_vec));
        return Ok((generation, value));
    }
    let drawn = Generation::draw();
    let mut pipeline = redis::pipe();
    let set = pipeline.cmd("SET").arg(&place.generation).arg(drawn.bytes());
    set.arg("NX").arg("GET").arg("EX").arg(GENERATION_LIFE.as_secs());
    let (earlier,): (Kept,) = open.redis.ask(&pipeline).await?;
    Ok((earlier.as_deref().and_then(Generation::parse).unwrap_or(drawn), None))
}
