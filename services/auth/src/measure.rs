//! What is counted about signing in.

use opentelemetry::{KeyValue, global, metrics::Counter};

use crate::Error;

/// What comes of an attempt to sign in.
const OPENED: &str = "opened";
const REFUSED: &str = "refused";
const BLOCKED: &str = "blocked";
const BUSY: &str = "busy";
const FAILED: &str = "failed";

/// Counters of sessions.
#[derive(Debug, Clone)]
pub struct Measure {
    sign_ins: Counter<u64>,
    revocations: Counter<u64>,
}

impl Measure {
    /// The process's counters.
    #[must_use]
    pub fn new() -> Self {
        let meter = global::meter("frontdesk");
        let sign_ins = meter
            .u64_counter("frontdesk.auth.sign_ins")
            .with_description("Attempts to sign in, by outcome.")
            .with_unit("{attempt}")
            .build();
        let revocations = meter
            .u64_counter("frontdesk.auth.sessions.revoked")
            .with_description("Sessions ended because an old refresh token was presented.")
            .with_unit("{session}")
            .build();
        for outcome in [OPENED, REFUSED, BLOCKED, BUSY, FAILED] {
            sign_ins.add(0, &[KeyValue::new("outcome", outcome)]);
        }
        revocations.add(0, &[]);
        Self { sign_ins, revocations }
    }

    /// Counts an attempt to sign in.
    pub fn sign_in<T>(&self, outcome: &Result<T, Error>) {
        let outcome = match outcome {
            Ok(_) => OPENED,
            Err(Error::WrongCredentials | Error::Disabled | Error::AccountExists | Error::FlowOver) => {
                REFUSED
            }
            Err(Error::Blocked { .. }) => BLOCKED,
            Err(Error::TooManyHashes) => BUSY,
            Err(_) => FAILED,
        };
        self.sign_ins.add(1, &[KeyValue::new("outcome", outcome)]);
    }

    /// Counts a session that ended because an old refresh token was presented.
    pub fn revoked(&self) {
        self.revocations.add(1, &[]);
    }
}
