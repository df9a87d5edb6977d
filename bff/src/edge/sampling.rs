//! Which traces of callers outside are kept.
//!
//! Callers choose their trace ids, and would choose the flag that services below obey as well. So the door
//! decides, by a keyed hash of the trace id: callers can't predict it, each replica decides alike, and what a
//! page reports of a trace later is kept exactly if the door's part of it was.

use boot::config::Secret;
use hmac::{Hmac, Mac};
use opentelemetry::trace::TraceId;
use sha2::Sha256;

const PURPOSE: &[u8] = b"frontdesk trace sampling";

/// Decides for a share of all traces.
#[derive(Debug, Clone)]
pub struct Sampling {
    key: Hmac<Sha256>,
    share: f64,
}

impl Sampling {
    /// Keeps `share` of the traces, the same ones on each replica with this key.
    #[must_use]
    pub fn new(key: &Secret, share: f64) -> Self {
        let mut key =
            <Hmac<Sha256> as Mac>::new_from_slice(key.expose().as_bytes()).expect("any length is a key");
        key.update(PURPOSE);
        Self { key, share }
    }

    /// Whether a trace is kept.
    #[must_use]
    pub fn keeps(&self, trace: TraceId) -> bool {
        if self.share >= 1.0 {
            return true;
        }
        let mut mac = self.key.clone();
        mac.update(&trace.to_bytes());
        let hash = mac.finalize().into_bytes();
        let (first, _) = hash.split_first_chunk().expect("a hash has 32 bytes");
        // The highest 53 bits: as many as a float holds.
        let place = (u64::from_be_bytes(*first) >> 11) as f64 / (1_u64 << 53) as f64;
        place < self.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(key: &str, share: f64) -> Vec<u128> {
        let sampling = Sampling::new(&Secret::new(key), share);
        (1..=1000).filter(|id| sampling.keeps(TraceId::from(*id))).collect()
    }

    #[test]
    fn as_many_traces_are_kept_as_the_share_says_and_which_ones_depends_on_the_key() {
        assert_eq!(kept("a key", 1.0).len(), 1000);
        assert_eq!(kept("a key", 0.0).len(), 0);
        let tenth = kept("a key", 0.1);
        assert!((60..140).contains(&tenth.len()), "{}", tenth.len());
        assert_eq!(tenth, kept("a key", 0.1));
        assert_ne!(tenth, kept("another key", 0.1));
    }
}
