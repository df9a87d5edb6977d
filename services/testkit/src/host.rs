//! Hosts of services under test: keys from fixed seeds, a clock that stands still.

use std::{
    collections::BTreeMap,
    io::Write,
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use boot::{
    Host,
    clock::{Clock, TestClock},
    drain::DrainConfig,
    environment::Environment,
    security::SecurityProfile,
    transport::Transport,
};
use caller::{Gate, Keyring, Signer, Verifier};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::postgres;

/// When every test begins: Monday, 1 June 2026, 08:00 UTC.
pub const START: &str = "2026-06-01T08:00:00Z";

/// The services that sign passports in an installation.
const ISSUERS: [&str; 7] = ["bff", "auth", "tenancy", "scheduling", "calendar-sync", "telemetry", "local"];

static KEYRINGS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let seeds: Vec<_> = ISSUERS.iter().zip(1..).map(|(issuer, seed)| (*issuer, [seed; 32])).collect();
    Keyring::generate(&seeds).expect("32 bytes are a seed").into_iter().collect()
});

/// The keyring file of a service.
///
/// # Panics
/// When there is no such service.
#[must_use]
pub fn keyring_json(service: &str) -> &'static str {
    KEYRINGS.get(service).unwrap_or_else(|| panic!("{service} is no issuer of passports"))
}

/// The keyring of a service; all trust one another.
///
/// # Panics
/// When there is no such service.
#[must_use]
pub fn keyring(service: &str) -> Arc<Keyring> {
    Arc::new(Keyring::parse(keyring_json(service)).expect("a generated keyring parses"))
}

/// The keyring file on disk; it is the same in every run.
///
/// # Panics
/// When it can't be written.
#[must_use]
pub fn keyring_file(service: &str) -> PathBuf {
    let directory = postgres::root().expect("a directory for keyrings");
    let path = directory.join(format!("{service}.json"));
    if std::fs::read_to_string(&path).ok().as_deref() != Some(keyring_json(service)) {
        // Tests beside this one may be writing the same file.
        let mut unfinished = tempfile::NamedTempFile::new_in(directory).expect("a file beside the keyring");
        unfinished.write_all(keyring_json(service).as_bytes()).expect("the keyring is written");
        unfinished.persist(&path).expect("the keyring is renamed");
    }
    path
}

/// A host without Redis, and the clock it reads.
///
/// # Panics
/// When there is no such service.
#[must_use]
pub fn host(service: &'static str) -> (Host, TestClock) {
    let start: Timestamp = START.parse().expect("the start is a timestamp");
    let (clock, time) = Clock::test(start);
    (host_on(service, clock), time)
}

/// A host on a clock that others read as well.
///
/// # Panics
/// When there is no such service.
#[must_use]
pub fn host_on(service: &'static str, clock: Clock) -> Host {
    let keyring = keyring(service);
    Host {
        service,
        signer: Signer::new(keyring.clone()),
        gate: Gate::new(Verifier::new(service, keyring), clock.reader()),
        clock,
        redis: None,
        cache: None,
        transport: Transport::mesh(),
        health_listen: None,
        leaving: CancellationToken::new(),
        shutdown: CancellationToken::new(),
        drain: DrainConfig::default().drain(),
        environment: Environment::Test,
        security: SecurityProfile::of(Environment::Test),
    }
}
