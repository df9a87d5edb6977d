//! What deliveries say of a call. They come late, twice and in any order, so facts
//! are merged by a join: associative, commutative, idempotent. Nothing that was
//! known is ever forgotten, and the order of arrival never shows.

use jiff::Timestamp;

use super::{phone::Phone, transcript::Transcript};

/// What is known of a call; `None` says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// When the first delivery came in.
    pub first_seen: Timestamp,
    /// The platform, as its connection names it.
    pub platform: Option<String>,
    /// Who called.
    pub from: Option<Phone>,
    /// Which number was called.
    pub to: Option<Phone>,
    /// When it started, as the platform says.
    pub started: Option<Timestamp>,
    /// That it ended; an ended call never goes back to live.
    pub ended: Option<End>,
    /// What it was about.
    pub summary: Option<String>,
    /// Version of the agent's settings; 0 while unknown.
    pub agent_version: i32,
    /// What was said.
    pub transcript: Transcript,
    /// Why it ended, as the platform names it.
    pub disconnection: Option<String>,
    /// The number that the caller was put through to.
    pub transferred: Option<Phone>,
}

/// The end of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// When the first delivery that told of it came in.
    pub seen: Timestamp,
    /// When it was, as the platform says.
    pub reported: Option<Timestamp>,
}

impl Facts {
    /// That there is a call, and no more.
    #[must_use]
    pub fn seen_at(first_seen: Timestamp) -> Self {
        Self {
            first_seen,
            platform: None,
            from: None,
            to: None,
            started: None,
            ended: None,
            summary: None,
            agent_version: 0,
            transcript: Transcript::default(),
            disconnection: None,
            transferred: None,
        }
    }

    /// Both, as one.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            first_seen: self.first_seen.min(other.first_seen),
            platform: both(self.platform, other.platform, fuller),
            from: both(self.from, other.from, Ord::max),
            to: both(self.to, other.to, Ord::max),
            started: both(self.started, other.started, Ord::min),
            ended: both(self.ended, other.ended, End::merge),
            summary: both(self.summary, other.summary, fuller),
            agent_version: self.agent_version.max(other.agent_version),
            transcript: self.transcript.longer(other.transcript),
            disconnection: both(self.disconnection, other.disconnection, fuller),
            transferred: both(self.transferred, other.transferred, Ord::max),
        }
    }

    /// What is known of the call and not of the person: times, the platform, how it ended.
    #[must_use]
    pub fn without_person(self) -> Self {
        Self { from: None, to: None, summary: None, transcript: Transcript::default(), ..self }
    }

    /// When the call started, as well as is known.
    #[must_use]
    pub fn started_at(&self) -> Timestamp {
        self.started.unwrap_or(self.first_seen)
    }

    /// When the call ended, as well as is known; never before it started.
    #[must_use]
    pub fn ended_at(&self) -> Option<Timestamp> {
        self.ended.map(|end| end.reported.unwrap_or(end.seen).max(self.started_at()))
    }
}

impl End {
    fn merge(self, other: Self) -> Self {
        Self { seen: self.seen.min(other.seen), reported: both(self.reported, other.reported, Ord::max) }
    }
}

fn both<T>(one: Option<T>, other: Option<T>, join: impl FnOnce(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(join(one, other)),
        (one, other) => one.or(other),
    }
}

/// The longer text; of two as long, the later in the alphabet.
fn fuller(one: String, other: String) -> String {
    if (other.chars().count(), &other) > (one.chars().count(), &one) { other } else { one }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, option, prelude::*};

    use super::*;
    use crate::domain::transcript::{Speaker, Turn};

    fn instant() -> impl Strategy<Value = Timestamp> {
        (0_i64..50).prop_map(|second| Timestamp::from_second(1_780_000_000 + second).unwrap())
    }

    fn text() -> impl Strategy<Value = Option<String>> {
        option::of("[a-cü]{1,3}")
    }

    fn number() -> impl Strategy<Value = Option<Phone>> {
        option::of((10_u32..14).prop_map(|digits| Phone::parse(&format!("+{digits}")).unwrap()))
    }

    fn end() -> impl Strategy<Value = Option<End>> {
        option::of((instant(), option::of(instant())).prop_map(|(seen, reported)| End { seen, reported }))
    }

    fn transcript() -> impl Strategy<Value = Transcript> {
        let measured = (option::of(0..3_i32), option::of(0..2_i32), any::<bool>());
        let turn = (any::<bool>(), "[ab]{0,2}", measured).prop_map(
            |(caller, text, (offset_ms, latency_ms, interrupted))| Turn {
                speaker: if caller { Speaker::Caller } else { Speaker::Agent },
                text,
                offset_ms,
                latency_ms,
                interrupted,
            },
        );
        vec(turn, 0..4).prop_map(Transcript::new)
    }

    fn facts() -> impl Strategy<Value = Facts> {
        let names = (text(), number(), number(), text(), text(), number());
        let times = (instant(), option::of(instant()), end());
        (names, times, 0..3_i32, transcript()).prop_map(
            |(
                (platform, from, to, summary, disconnection, transferred),
                (first_seen, started, ended),
                version,
                transcript,
            )| {
                Facts {
                    first_seen,
                    platform,
                    from,
                    to,
                    started,
                    ended,
                    summary,
                    agent_version: version,
                    transcript,
                    disconnection,
                    transferred,
                }
            },
        )
    }

    fn all(facts: impl IntoIterator<Item = Facts>) -> Option<Facts> {
        facts.into_iter().reduce(Facts::merge)
    }

    proptest! {
        #[test]
        fn the_order_of_arrival_never_shows(
            (told, shuffled) in vec(facts(), 1..6).prop_flat_map(|told| (Just(told.clone()), Just(told).prop_shuffle()))
        ) {
            prop_assert_eq!(all(told), all(shuffled));
        }

        #[test]
        fn deliveries_that_are_repeated_change_nothing(told in vec(facts(), 1..5), again in vec(any::<prop::sample::Index>(), 0..5)) {
            let repeated: Vec<Facts> = again.iter().map(|index| index.get(&told).clone()).collect();
            prop_assert_eq!(all(told.iter().cloned().chain(repeated)), all(told));
        }

        #[test]
        fn how_deliveries_are_grouped_never_shows(one in facts(), two in facts(), three in facts()) {
            let left = one.clone().merge(two.clone()).merge(three.clone());
            prop_assert_eq!(left, one.merge(two.merge(three)));
        }

        #[test]
        fn an_ended_call_stays_ended_and_ends_after_it_started(one in facts(), two in facts()) {
            let ended = one.ended.is_some() || two.ended.is_some();
            let merged = one.merge(two);
            prop_assert_eq!(merged.ended.is_some(), ended);
            prop_assert!(merged.ended_at().is_none_or(|at| at >= merged.started_at()));
        }

        #[test]
        fn nothing_that_was_known_is_forgotten(one in facts(), two in facts()) {
            let merged = one.clone().merge(two);
            prop_assert!(merged.started_at() <= one.started.unwrap_or(Timestamp::MAX));
            prop_assert!(one.summary.is_none() || merged.summary.is_some());
            prop_assert!(one.from.is_none() || merged.from.is_some());
            prop_assert!(merged.transcript.turns().is_empty() <= one.transcript.turns().is_empty());
            prop_assert!(merged.agent_version >= one.agent_version);
        }
    }
}
