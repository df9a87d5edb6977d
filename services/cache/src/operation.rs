//! One operation on the cache, as it is counted.

use core::time::Duration;

use jiff::Timestamp;

use crate::Kind;

/// What was done to the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Get,
    Set,
    Invalidate,
    Test,
}

impl Verb {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Set => "set",
            Self::Invalidate => "invalidate",
            Self::Test => "test",
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Hit,
    Miss,
    Stored,
    Removed,
    Error,
}

impl Outcome {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Miss => "miss",
            Self::Stored => "stored",
            Self::Removed => "removed",
            Self::Error => "error",
        }
    }
}

/// One operation.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) kind: Kind,
    pub(crate) verb: Verb,
    pub(crate) outcome: Outcome,
    pub(crate) key: String,
    pub(crate) took: Duration,
    pub(crate) at: Timestamp,
}
