//! A past call again: its caller says the same, and another agent answers. Free times are looked for as of the moment in
//! the call; what the agent reads beside them is as it is now, and where that says something else, the replay says so.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};
use tokio::{sync::mpsc, time::timeout};
use tokio_util::sync::CancellationToken;

use super::{
    Conversation, Hands,
    rehearsal::{Failed, LONGEST_TURN, Part, Rehearsal, failed},
};
use crate::voice::{model::Wanted, tools::Tool};

/// Turns of a caller that are replayed, and look-ups that are compared.
const MOST_TURNS: usize = 40;
const MOST_COMPARED: usize = 12;

/// What there is of a past call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastCall {
    /// When it started.
    pub started_at: Timestamp,
    /// What the caller said, in order.
    pub words: Vec<PastWords>,
    /// What the agent's tools answered, in order.
    pub tools: Vec<PastTool>,
}

/// A caller's turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastWords {
    /// The words.
    pub text: String,
    /// How far into the call; `None` where the platform gave no time.
    pub offset: Option<SignedDuration>,
}

/// A tool that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastTool {
    /// Its name.
    pub name: String,
    /// JSON.
    pub arguments: String,
    /// JSON.
    pub result: String,
    /// When it was used.
    pub at: Timestamp,
}

/// What a replay comes to, bit by bit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayPart {
    /// A look-up of the call says something else now, as of then.
    Changed {
        /// The tool's name.
        tool: String,
        /// What it said.
        before: String,
        /// What it says.
        after: String,
    },
    /// The caller says this again.
    Said(String),
    /// The agent's answer.
    Part(Part),
}

impl Conversation<Rehearsal> {
    /// Replays a call, part by part, until it is `cut`.
    pub async fn replay(mut self, call: PastCall, parts: mpsc::Sender<ReplayPart>, cut: CancellationToken) {
        self.compare(&call.tools, &parts, &cut).await;
        let mut at = call.started_at;
        let last = match call.words.len() > MOST_TURNS {
            true => Part::Failed(Failed::CutShort),
            false => Part::Over,
        };
        for words in call.words.into_iter().take(MOST_TURNS) {
            if cut.is_cancelled() {
                return;
            }
            at = words.offset.map_or(at, |offset| call.started_at + offset);
            self.hands.as_of = Some(at);
            let _ = parts.send(ReplayPart::Said(words.text.clone())).await;
            if let Err(failed) = self.answer_again(&words.text, &parts, &cut).await {
                let _ = parts.send(ReplayPart::Part(Part::Failed(failed))).await;
                return;
            }
        }
        let _ = parts.send(ReplayPart::Part(last)).await;
    }

    async fn answer_again(
        &mut self,
        text: &str,
        parts: &mpsc::Sender<ReplayPart>,
        cut: &CancellationToken,
    ) -> Result<(), Failed> {
        self.hear(text);
        if self.is_too_long() {
            return Err(Failed::TooLong);
        }
        let (said, mut answered) = mpsc::channel(16);
        let answering = async move { timeout(LONGEST_TURN, self.rounds(&said, cut)).await };
        let passing = async {
            while let Some(part) = answered.recv().await {
                let _ = parts.send(ReplayPart::Part(part)).await;
            }
        };
        match tokio::join!(answering, passing).0 {
            Ok(Ok(())) => Ok(()),
            Ok(Err(fault)) => Err(failed(&fault)),
            Err(_) => Err(Failed::Silent),
        }
    }

    /// Asks again what was looked up in the call, as of then.
    async fn compare(
        &mut self,
        tools: &[PastTool],
        parts: &mpsc::Sender<ReplayPart>,
        cut: &CancellationToken,
    ) {
        for past in tools.iter().filter(|past| reads(past)).take(MOST_COMPARED) {
            if cut.is_cancelled() {
                return;
            }
            let Ok(arguments) = serde_json::from_str::<Map<String, Value>>(&past.arguments) else { continue };
            self.hands.as_of = Some(past.at);
            let wanted = Wanted { name: past.name.clone(), ..Wanted::default() };
            let now = self.hands.run(&wanted, arguments).await;
            if let Some((before, after)) = difference(&past.name, &past.result, &now) {
                let tool = past.name.clone();
                let _ = parts.send(ReplayPart::Changed { tool, before, after }).await;
            }
        }
    }
}

/// Whether a tool only reads what has no past: services, hours, and with them free times.
fn reads(past: &PastTool) -> bool {
    let tool = Tool::named(&past.name);
    matches!(tool, Some(Tool::ListServices | Tool::SearchAvailability | Tool::OpeningHours))
}

/// What a tool said, and what it says now, where its facts differ. An answer that was cut short says nothing.
fn difference(tool: &str, before: &str, after: &str) -> Option<(String, String)> {
    let before: Value = serde_json::from_str(before).ok()?;
    let after: Value = serde_json::from_str(after).ok()?;
    if before["ok"] != true || facts(tool, &before) == facts(tool, &after) {
        return None;
    }
    let say = |answer: &Value| answer["say"].as_str().unwrap_or_default().to_owned();
    Some((say(&before), say(&after)))
}

/// What of an answer is a fact of the salon, not how it is put.
fn facts(tool: &str, answer: &Value) -> Value {
    let of = |list: &Value, fields: [&str; 3]| -> Value {
        let rows = list.as_array().into_iter().flatten();
        rows.map(|row| fields.iter().map(|field| row[*field].clone()).collect::<Value>()).collect()
    };
    match tool {
        "search_availability" => of(&answer["offers"], ["starts_at", "with", "price"]),
        "list_services" => of(&answer["services"], ["service_id", "minutes", "price"]),
        _ => [&answer["day"], &answer["open"], &answer["say"]].into_iter().cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_times_lengths_and_hours_are_a_difference_and_other_words_are_none() {
        let search = |starts: &str, say: &str| {
            format!(
                r#"{{"ok":true,"say":"{say}","offers":[{{"starts_at":"{starts}","with":"Mia","price":null}}]}}"#
            )
        };
        let (ten, two) = (search("10", "At ten."), search("14", "At two."));
        assert_eq!(difference("search_availability", &ten, &search("10", "Ten?")), None);
        let told = Some(("At ten.".to_owned(), "At two.".to_owned()));
        assert_eq!(difference("search_availability", &ten, &two), told);
        let services = |minutes: i32| {
            format!(
                r#"{{"ok":true,"say":"{minutes}","services":[{{"service_id":"c","minutes":{minutes},"price":"1"}}]}}"#
            )
        };
        assert!(difference("list_services", &services(60), &services(90)).is_some());
        let closed = r#"{"ok":true,"say":"We're closed.","open":false,"day":"2026-06-02"}"#;
        let open = r#"{"ok":true,"say":"From nine.","open":true,"day":"2026-06-02"}"#;
        assert!(difference("opening_hours", closed, open).is_some());
    }

    #[test]
    fn what_was_refused_or_cut_short_is_not_compared() {
        let refused = r#"{"ok":false,"say":"Which day?"}"#;
        assert_eq!(difference("search_availability", refused, r#"{"ok":true,"offers":[]}"#), None);
        assert_eq!(difference("list_services", r#"{"ok":true,"serv"#, r#"{"ok":true}"#), None);
    }
}
