//! What was said in a call, as a platform times it.

use proto::frontdesk::telemetry::v1::{Speaker, Turn};

use super::field::offset_ms;

/// Something said, by the platform's clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Who said it.
    pub speaker: Speaker,
    /// The words.
    pub text: String,
    /// Milliseconds after the start of the call; -1 where the platform says nothing of it.
    pub offset_ms: i32,
    /// When it began, in seconds of any clock.
    pub from: Option<f64>,
    /// When it ended, in seconds of the same clock.
    pub to: Option<f64>,
}

/// Turns, with how long the caller waited for the agent's, and which of them the caller spoke into.
#[must_use]
pub fn turns(said: &[Said]) -> Vec<Turn> {
    let neighbour = |at: Option<usize>| at.and_then(|at| said.get(at));
    let turn = |(at, words): (usize, &Said)| {
        let is_agent = words.speaker == Speaker::Agent;
        let of_caller = |other: Option<&'_ Said>| {
            other.filter(|other| is_agent && other.speaker != words.speaker).cloned()
        };
        let before = of_caller(neighbour(at.checked_sub(1)));
        let after = of_caller(neighbour(Some(at + 1)));
        Turn {
            speaker: words.speaker.into(),
            text: words.text.clone(),
            offset_ms: words.offset_ms,
            latency_ms: before.and_then(|before| waited(before.to, words.from)),
            interrupted: after.is_some_and(|after| overlaps(words.to, after.from)),
        }
    };
    said.iter().enumerate().map(turn).collect()
}

/// Milliseconds from one moment to a later one.
fn waited(from: Option<f64>, to: Option<f64>) -> Option<i32> {
    let seconds = to? - from?;
    (seconds >= 0.0).then(|| offset_ms(Some(seconds)))
}

fn overlaps(end: Option<f64>, next: Option<f64>) -> bool {
    end.zip(next).is_some_and(|(end, next)| next < end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_waits_for_the_agent_and_speaks_into_its_turn() {
        let said = |speaker, text: &str, from, to| Said {
            speaker,
            text: text.to_owned(),
            offset_ms: -1,
            from: Some(from),
            to: Some(to),
        };
        let turns = turns(&[
            said(Speaker::Agent, "Hello", 0.5, 1.0),
            said(Speaker::Caller, "A cut", 1.5, 2.0),
            said(Speaker::Agent, "I have ten, noon", 2.75, 5.0),
            said(Speaker::Caller, "Ten", 4.5, 5.2),
            said(Speaker::Agent, "Ten it is", 5.1, 6.0),
        ]);
        let measured: Vec<_> = turns.iter().map(|turn| (turn.latency_ms, turn.interrupted)).collect();
        let expected = [(None, false), (None, false), (Some(750), true), (None, false), (None, false)];
        assert_eq!(measured, expected, "an answer before the end of the question was not waited for");
    }
}
