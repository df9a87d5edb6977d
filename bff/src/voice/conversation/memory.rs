//! What was said, as the model reads it and as the record keeps it.

use async_openai::types::chat::{
    ChatCompletionMessageToolCall, ChatCompletionMessageToolCalls, ChatCompletionRequestAssistantMessage,
    ChatCompletionRequestAssistantMessageContent, ChatCompletionRequestMessage,
    ChatCompletionRequestSystemMessage, ChatCompletionRequestToolMessage, ChatCompletionRequestUserMessage,
    ChatCompletionTool, ChatCompletionTools, FunctionCall, FunctionObject,
};
use proto::frontdesk::telemetry::v1::{Speaker, Turn};
use tokio::time::Instant;

use crate::voice::{model::Wanted, tools::Tool};

/// A conversation so far.
#[derive(Debug)]
pub struct Memory {
    messages: Vec<ChatCompletionRequestMessage>,
    turns: Vec<Turn>,
    /// Bytes of the agent's turn before its last piece: a tool stands between them.
    before: usize,
    began: Instant,
    /// When the caller had spoken, until it is answered.
    heard: Option<Instant>,
    /// When the agent began to speak, until its turn is on record.
    speaking: Option<Instant>,
}

impl Memory {
    pub fn begin(instructions: &str, greeting: &str) -> Self {
        let mut memory = Self::of(vec![system(instructions)]);
        memory.say(greeting);
        memory
    }

    /// A conversation that goes on from what was [said](Self::said); what was said before is on no record.
    pub fn resume(instructions: &str, said: Vec<ChatCompletionRequestMessage>) -> Self {
        let messages = core::iter::once(system(instructions)).chain(said).collect();
        Self::of(messages)
    }

    fn of(messages: Vec<ChatCompletionRequestMessage>) -> Self {
        Self { messages, turns: vec![], before: 0, began: Instant::now(), heard: None, speaking: None }
    }

    /// The first words of an answer leave.
    pub fn begins_to_speak(&mut self) {
        self.speaking.get_or_insert_with(Instant::now);
    }

    /// All but the instructions.
    pub fn said(&self) -> Vec<ChatCompletionRequestMessage> {
        self.messages[1..].to_vec()
    }

    pub fn messages(&self) -> Vec<ChatCompletionRequestMessage> {
        self.messages.clone()
    }

    /// All that was said.
    pub fn turns(&self) -> Vec<Turn> {
        self.turns.clone()
    }

    /// All that was said and can't be cut any more: a record replaces a shorter one, and never a longer.
    pub fn settled(&self) -> Vec<Turn> {
        let last_heard = self.turns.iter().rposition(|turn| turn.speaker() == Speaker::Caller);
        self.turns[..last_heard.map_or(0, |at| at + 1)].to_vec()
    }

    /// What the caller said last.
    pub fn last_heard(&self) -> String {
        let heard = self.turns.iter().rfind(|turn| turn.speaker() == Speaker::Caller);
        heard.map(|turn| turn.text.clone()).unwrap_or_default()
    }

    pub fn hear(&mut self, text: &str) {
        self.messages.push(ChatCompletionRequestMessage::User(ChatCompletionRequestUserMessage {
            content: text.into(),
            name: None,
        }));
        self.turn(Speaker::Caller, text);
        self.heard = Some(Instant::now());
        self.speaking = None;
    }

    pub fn say(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.messages.push(assistant(text, None));
        self.turn(Speaker::Agent, text);
    }

    /// Tools that were used after `text` was said, and what came of them.
    pub fn used(&mut self, text: &str, results: Vec<(Wanted, String)>) {
        let calls = results.iter().map(|(wanted, _)| called(wanted)).collect();
        self.messages.push(assistant(text, Some(calls)));
        self.turn(Speaker::Agent, text);
        for (wanted, result) in results {
            self.messages.push(ChatCompletionRequestMessage::Tool(ChatCompletionRequestToolMessage {
                content: result.into(),
                tool_call_id: wanted.id,
            }));
        }
    }

    /// Shortens the agent's last turn to what was heard of it. What it said before it used a tool was heard.
    pub fn cut(&mut self, heard: &str) {
        let Some(turn) = self.turns.last_mut().filter(|turn| turn.speaker() == Speaker::Agent) else {
            return;
        };
        turn.text = spoken(&turn.text, self.before, heard);
        self.before = self.before.min(turn.text.len());
        turn.interrupted = true;
        if turn.text.is_empty() {
            self.turns.pop();
        }
        let last = self.messages.iter_mut().rev().find_map(|message| match message {
            ChatCompletionRequestMessage::Assistant(message) => message.content.as_mut(),
            _ => None,
        });
        if let Some(ChatCompletionRequestAssistantMessageContent::Text(text)) = last {
            *text = format!("{}…", spoken(text, 0, heard));
        }
    }

    /// The agent's words between two of the caller's are one turn, whatever was done in between.
    fn turn(&mut self, speaker: Speaker, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        match self.turns.last_mut().filter(|turn| turn.speaker() == speaker && speaker == Speaker::Agent) {
            Some(turn) => {
                self.before = turn.text.len();
                turn.text.push(' ');
                turn.text.push_str(text);
            }
            None => {
                self.before = 0;
                let spoke = self.speaking.take().filter(|_| speaker == Speaker::Agent);
                let heard = self.heard.take();
                let latency_ms = heard.zip(spoke).map(|(heard, spoke)| millis(heard, spoke));
                self.turns.push(Turn {
                    speaker: speaker.into(),
                    text: text.to_owned(),
                    offset_ms: millis(self.began, spoke.unwrap_or_else(Instant::now)),
                    latency_ms,
                    interrupted: false,
                });
            }
        }
    }
}

fn millis(from: Instant, to: Instant) -> i32 {
    i32::try_from(to.saturating_duration_since(from).as_millis()).unwrap_or(i32::MAX)
}

/// The part of `text` up to the end of what was heard, which platforms name of the last piece alone; it begins behind
/// `before`.
fn spoken(text: &str, before: usize, heard: &str) -> String {
    let heard = heard.trim();
    match text.rfind(heard).filter(|_| !heard.is_empty()) {
        Some(at) => text[..at + heard.len()].to_owned(),
        None => format!("{} {heard}", &text[..before]).trim().to_owned(),
    }
}

/// A tool as the API is told of it.
pub fn tool(tool: Tool) -> ChatCompletionTools {
    let definition = tool.definition();
    ChatCompletionTools::Function(ChatCompletionTool {
        function: FunctionObject {
            name: definition.name.to_owned(),
            description: Some(definition.description.to_owned()),
            parameters: Some(definition.parameters),
            strict: None,
        },
    })
}

fn system(text: &str) -> ChatCompletionRequestMessage {
    ChatCompletionRequestMessage::System(ChatCompletionRequestSystemMessage {
        content: text.into(),
        name: None,
    })
}

fn assistant(text: &str, calls: Option<Vec<ChatCompletionMessageToolCalls>>) -> ChatCompletionRequestMessage {
    ChatCompletionRequestMessage::Assistant(ChatCompletionRequestAssistantMessage {
        content: (!text.is_empty()).then(|| text.into()),
        tool_calls: calls,
        ..ChatCompletionRequestAssistantMessage::default()
    })
}

fn called(wanted: &Wanted) -> ChatCompletionMessageToolCalls {
    ChatCompletionMessageToolCalls::Function(ChatCompletionMessageToolCall {
        id: wanted.id.clone(),
        function: FunctionCall { name: wanted.name.clone(), arguments: wanted.arguments.clone() },
    })
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;

    fn texts(turns: &[Turn]) -> Vec<&str> {
        turns.iter().map(|turn| turn.text.as_str()).collect()
    }

    #[test]
    fn an_interrupted_turn_is_what_was_heard_of_it() {
        let mut memory = Memory::begin("Be kind.", "Hello.");
        memory.hear("A cut, please");
        memory.say("I have 10 am, noon or 2:30 pm.");
        memory.cut("I have 10 am,");
        assert_eq!(texts(&memory.turns()), ["Hello.", "A cut, please", "I have 10 am,"]);
        let ChatCompletionRequestMessage::Assistant(last) = memory.messages().pop().unwrap() else {
            panic!()
        };
        assert_eq!(last.content, Some("I have 10 am,…".into()));
        memory.cut("");
        assert_eq!(texts(&memory.turns()), ["Hello.", "A cut, please"]);
    }

    #[test]
    fn the_wait_for_an_answer_is_until_its_first_words() {
        let mut memory = Memory::begin("Be kind.", "Hello.");
        memory.hear("A cut, please");
        let heard = memory.heard.unwrap();
        memory.began = heard - Duration::from_secs(2);
        memory.speaking = Some(heard + Duration::from_millis(640));
        memory.begins_to_speak();
        memory.say("I have 10 am.");
        memory.begins_to_speak();
        memory.say("Or noon.");
        memory.cut("I have 10 am.");
        let turns = memory.turns();
        assert_eq!((turns[0].latency_ms, turns[0].interrupted), (None, false), "a greeting answers no one");
        let answer = &turns[2];
        assert_eq!((answer.offset_ms, answer.latency_ms, answer.interrupted), (2_640, Some(640), true));
        assert_eq!(answer.text, "I have 10 am.");
    }

    #[test]
    fn what_was_said_before_a_tool_stays_when_nothing_after_it_was_heard() {
        let mut memory = Memory::begin("Be kind.", "Hello.");
        memory.hear("What does it cost?");
        let wanted = Wanted { id: "1".into(), name: "list_services".into(), arguments: "{}".into() };
        memory.used("One moment.", vec![(wanted, "{}".into())]);
        memory.say("It costs 62 pounds.");
        memory.cut("");
        let last = memory.turns().pop().unwrap();
        assert_eq!((last.text.as_str(), last.interrupted), ("One moment.", true));
        let ChatCompletionRequestMessage::Assistant(cut) = memory.messages().pop().unwrap() else { panic!() };
        assert_eq!(cut.content, Some("…".into()));
        assert_eq!(
            spoken("One moment. It costs 62 pounds.", 11, "It costs sixty"),
            "One moment. It costs sixty"
        );
        memory.hear("And a colour?");
        memory.say("90 pounds.");
        memory.cut("");
        assert_eq!(texts(&memory.turns()).last(), Some(&"And a colour?"), "a turn of one piece is cut whole");
    }

    #[test]
    fn what_the_caller_said_is_never_cut() {
        let mut memory = Memory::begin("Be kind.", "Hello.");
        memory.hear("A cut, please");
        memory.cut("Hel");
        assert_eq!(texts(&memory.turns()), ["Hello.", "A cut, please"]);
    }

    #[test]
    fn a_turn_that_may_still_be_cut_is_not_settled() {
        let mut memory = Memory::begin("Be kind.", "Hello.");
        assert!(memory.settled().is_empty());
        memory.hear("A cut, please");
        memory.say("I have 10 am.");
        assert_eq!(texts(&memory.settled()), ["Hello.", "A cut, please"]);
        assert_eq!(memory.turns().len(), 3);
    }

    #[test]
    fn a_tool_between_two_sentences_leaves_one_turn() {
        let mut memory = Memory::begin("Be kind.", "Hello.");
        memory.hear("A cut, please");
        let wanted = Wanted { id: "1".into(), name: "list_services".into(), arguments: "{}".into() };
        memory.used("One moment.", vec![(wanted, "{}".into())]);
        memory.say("It costs 62 pounds.");
        assert_eq!(memory.turns().last().unwrap().text, "One moment. It costs 62 pounds.");
        // Instructions, greeting, caller, the call of the tool, its result, and the answer.
        assert_eq!(memory.messages().len(), 6);
    }
}
