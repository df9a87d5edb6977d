//! A cache of answers, in Redis, that is never older than what was committed.
//!
//! Each business has a generation for each kind of answer. A reader asks for the generation and the
//! value at once, and believes a value that carries this generation; otherwise it loads, having read
//! the generation first, and stores what it loaded under it. A writer draws a new generation after the
//! commit. If that is lost, stale values live for at most thirty seconds.
//!
//! Without Redis, or with one that takes longer than [`PATIENCE`], everything is loaded.

mod connection;
mod figures;
mod flight;
mod inspect;
mod measure;
mod operation;
mod place;
mod read;
mod record;
mod write;

pub use connection::{PATIENCE, Unreachable};
pub use figures::{Figures, KindFigures, Recent};
pub use inspect::Health;
pub use place::Kind;
pub use read::LIFE;

use boot::{Host, clock::Clock};
use opentelemetry::global;

use connection::Connection;
use flight::Flights;
use measure::Measure;
use record::Recorder;

/// A service's share of the cache.
#[derive(Debug, Clone)]
pub struct Cache {
    service: &'static str,
    clock: Clock,
    open: Option<Open>,
}

/// What a cache with a Redis has.
#[derive(Debug, Clone)]
struct Open {
    redis: Connection,
    flights: Flights,
    recorder: Recorder,
}

impl Cache {
    /// The cache of the host's service, without connecting yet. A host without a Redis for
    /// caches has one in which nothing is ever found. Needs a runtime.
    #[must_use]
    pub fn open(host: &Host) -> Self {
        let redis = host.cache.as_ref().and_then(|client| {
            let opened = Connection::open(client);
            opened.inspect_err(|error| tracing::warn!(%error, "there will be no cache")).ok()
        });
        let open = redis.map(|redis| Open {
            recorder: Recorder::start(redis.clone(), Measure::on(&global::meter("frontdesk"))),
            flights: Flights::default(),
            redis,
        });
        Self { service: host.service, clock: host.clock.clone(), open }
    }
}
