//! What becomes of a presented refresh token.
//!
//! A session is one family of refresh tokens, counted by generation. Presenting
//! the current generation rotates to the next. The one before it may still be
//! presented for ten seconds: by another tab, or by a browser that lost the answer.
//! It receives the same successor, so that the family never branches.

use jiff::{SignedDuration, Timestamp};

/// How long after a rotation the token before it is still answered.
pub const GRACE: SignedDuration = SignedDuration::from_secs(10);

/// Number of a token in its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generation(pub u32);

impl Generation {
    /// What sign-in hands out.
    pub const FIRST: Self = Self(1);

    /// The successor.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A family of refresh tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// End of its absolute life, set at sign-in and never moved.
    pub expires_at: Timestamp,
    /// Where it stands.
    pub state: FamilyState,
}

/// Where a family stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FamilyState {
    /// Its current token can be presented.
    Alive {
        /// The current token's generation.
        generation: Generation,
        /// When that was handed out first.
        rotated_at: Timestamp,
    },
    /// Signed out or revoked.
    Ended,
}

/// What to do about a presented token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Hand out this successor of the presented token, the current one from now on.
    Rotate(Generation),
    /// Hand out the current token again.
    Repeat(Generation),
    /// An old token was reused: end the family.
    Revoke,
    /// The family is over.
    Refuse,
}

impl Family {
    /// Decides about the token of generation `presented`.
    #[must_use]
    pub fn present(&self, presented: Generation, now: Timestamp) -> Decision {
        let FamilyState::Alive { generation, rotated_at } = self.state else { return Decision::Refuse };
        if now >= self.expires_at || presented > generation {
            // A token ahead of its family was handed out before the database was restored.
            return Decision::Refuse;
        }
        if presented == generation {
            return Decision::Rotate(generation.next());
        }
        if presented.next() == generation && now.duration_since(rotated_at) <= GRACE {
            return Decision::Repeat(generation);
        }
        Decision::Revoke
    }

    /// Whether its person is still signed in.
    #[must_use]
    pub fn is_alive(&self, now: Timestamp) -> bool {
        matches!(self.state, FamilyState::Alive { .. }) && now < self.expires_at
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: i64 = 1_800_000_000;
    const LIFE: i64 = 3600;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(START + second).unwrap()
    }

    fn family(generation: u32, rotated: i64) -> Family {
        let state = FamilyState::Alive { generation: Generation(generation), rotated_at: at(rotated) };
        Family { expires_at: at(LIFE), state }
    }

    #[test]
    fn the_current_token_rotates() {
        assert_eq!(family(3, 0).present(Generation(3), at(99)), Decision::Rotate(Generation(4)));
    }

    #[test]
    fn parallel_tabs_and_a_lost_answer_get_the_same_successor_for_ten_seconds() {
        let rotated = family(4, 100);
        for second in [100, 101, 109, 110] {
            assert_eq!(rotated.present(Generation(3), at(second)), Decision::Repeat(Generation(4)));
        }
        assert_eq!(rotated.present(Generation(3), at(111)), Decision::Revoke);
    }

    #[test]
    fn once_the_successor_is_used_its_predecessors_predecessor_revokes_even_within_ten_seconds() {
        assert_eq!(family(5, 101).present(Generation(3), at(102)), Decision::Revoke);
    }

    #[test]
    fn nothing_is_answered_from_the_end_of_the_absolute_life_on() {
        assert_eq!(family(2, 0).present(Generation(2), at(LIFE - 1)), Decision::Rotate(Generation(3)));
        assert_eq!(family(2, 0).present(Generation(2), at(LIFE)), Decision::Refuse);
        assert!(!family(2, 0).is_alive(at(LIFE)));
    }

    #[test]
    fn a_token_ahead_of_its_family_is_refused() {
        assert_eq!(family(2, 0).present(Generation(3), at(1)), Decision::Refuse);
    }

    #[test]
    fn a_replica_whose_clock_is_behind_still_answers_the_token_before() {
        assert_eq!(family(2, 100).present(Generation(1), at(98)), Decision::Repeat(Generation(2)));
    }

    /// What a client may do: let time pass, or present one of the tokens it has ever had.
    #[derive(Debug, Clone)]
    enum Step {
        Wait(i64),
        /// This many generations before the newest handed out.
        Present {
            back: u32,
        },
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            (0_i64..15).prop_map(Step::Wait),
            (500_i64..2000).prop_map(Step::Wait),
            prop_oneof![3 => Just(0_u32), 3 => Just(1), 1 => 2_u32..5]
                .prop_map(|back| Step::Present { back }),
            Just(Step::Present { back: 0 }),
        ];
        prop::collection::vec(step, 1..60)
    }

    /// A family as the store keeps it, and what its tokens' holder has seen.
    struct Played {
        family: Family,
        now: i64,
        newest: u32,
        rotated: i64,
        revoked: bool,
    }

    impl Played {
        fn new() -> Self {
            Self { family: family(1, 0), now: 0, newest: 1, rotated: 0, revoked: false }
        }

        fn present(&mut self, back: u32) -> Decision {
            let presented = Generation(self.newest.saturating_sub(back).max(1));
            let decision = self.family.present(presented, at(self.now));
            match decision {
                Decision::Rotate(to) => {
                    let state = FamilyState::Alive { generation: to, rotated_at: at(self.now) };
                    self.family = Family { state, ..self.family };
                    (self.newest, self.rotated) = (to.0, self.now);
                }
                Decision::Revoke => {
                    self.family = Family { state: FamilyState::Ended, ..self.family };
                    self.revoked = true;
                }
                Decision::Repeat(_) | Decision::Refuse => {}
            }
            decision
        }
    }

    proptest! {
        #[test]
        fn a_family_has_one_current_token_until_it_is_revoked_or_its_life_ends(steps in steps()) {
            let mut play = Played::new();
            for step in steps {
                let Step::Present { back } = step else {
                    if let Step::Wait(seconds) = step { play.now += seconds; }
                    continue;
                };
                let presented = play.newest.saturating_sub(back).max(1);
                let (newest, rotated, was_revoked) = (play.newest, play.rotated, play.revoked);
                let decision = play.present(back);
                prop_assert_eq!(play.family.expires_at, at(LIFE), "its life is never extended");
                let expected = if was_revoked || play.now >= LIFE {
                    Decision::Refuse
                } else if presented == newest {
                    Decision::Rotate(Generation(newest + 1))
                } else if presented == newest - 1 && play.now - rotated <= 10 {
                    Decision::Repeat(Generation(newest))
                } else {
                    Decision::Revoke
                };
                prop_assert_eq!(decision, expected);
            }
        }

        #[test]
        fn presenting_a_token_n_times_within_the_grace_hands_out_one_successor(
            times in prop::collection::vec(0_i64..=10, 1..50),
        ) {
            let mut play = Played::new();
            let mut successors = std::collections::BTreeSet::new();
            let mut order = times;
            order.sort_unstable();
            let first = order[0];
            for second in order {
                play.now = second.min(first + 10);
                let generation = match play.family.present(Generation(1), at(play.now)) {
                    Decision::Rotate(to) => { play.present(0); to }
                    Decision::Repeat(to) => to,
                    other => return Err(TestCaseError::fail(format!("{other:?}"))),
                };
                successors.insert(generation);
            }
            prop_assert_eq!(successors.into_iter().collect::<Vec<_>>(), vec![Generation(2)]);
        }
    }
}
