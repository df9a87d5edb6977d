//! One call over the socket.

use core::{ops::ControlFlow, time::Duration};

use axum::extract::ws::{Message, WebSocket};
use tokio::{
    sync::mpsc,
    time::{sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

use super::frames::{Heard, Said, Setup};
use crate::voice::{
    conversation::{Conversation, Farewell, Line, Next, Telephone, Utterance},
    delivery::CallEvent,
    field::{call_id, e164},
    intake::Intake,
    model::Model,
    twilio::{self, twiml::Handoff},
};

const TO_BEGIN: Duration = Duration::from_secs(10);
/// A frame that Twilio doesn't take in this time is the last.
const TO_SEND: Duration = Duration::from_secs(5);
/// Neither says anything: the line is dead.
const SILENCE: Duration = Duration::from_secs(120);
/// A turn that is under way when the call's time is up has so long to end.
const TO_FINISH: Duration = Duration::from_secs(2);
/// More than a caller says while a tool runs; the rest is left out.
const MEANWHILE: usize = 8 << 10;
/// Words that wait to be sent.
const WORDS: usize = 64;
/// The caller waits no longer for the end of the conversation to be on record.
const TO_KEEP: Duration = Duration::from_secs(2);

/// A call under way.
pub struct Session {
    model: Model,
    intake: Intake,
    /// How long the call lasts.
    longest: Duration,
    closing: CancellationToken,
}

/// Why a call is over.
#[derive(Debug, Clone, PartialEq, Eq)]
enum End {
    /// The agent said goodbye.
    Agent,
    /// The caller goes on with a person at this number.
    HandedOver(String),
    /// Twilio closed the socket, or broke off.
    Platform,
}

/// What the caller did while the agent spoke.
#[derive(Debug, Default)]
struct Meanwhile {
    /// Heard of the agent's turn, when the caller spoke into it.
    heard: Option<String>,
    /// Said already.
    prompt: Option<String>,
    over: bool,
}

impl Session {
    pub fn new(model: Model, intake: Intake, longest: Duration, closing: CancellationToken) -> Self {
        Self { model, intake, longest, closing }
    }

    pub async fn serve(self, mut wire: WebSocket) {
        let Some(setup) = begin(&mut wire).await else { return };
        match self.conversation(&setup).await {
            Ok(mut conversation) => {
                let end = self.converse(&mut wire, &mut conversation).await;
                if timeout(TO_KEEP, conversation.record(true).keep()).await.is_err() {
                    tracing::warn!("the record of a call that ended waits");
                }
                let handoff_data = match end {
                    End::HandedOver(number) => Some(Handoff::Transfer(number).write()),
                    // A silent line is ended by us; of one that is gone Twilio knows already.
                    End::Agent | End::Platform => None,
                };
                let _ = send(&mut wire, Said::End { handoff_data }).await;
            }
            Err(status) => {
                tracing::warn!(%status, "a call could not be begun");
                let handoff_data = Some(Handoff::NotBegun.write());
                let _ = send(&mut wire, Said::End { handoff_data }).await;
            }
        }
        let _ = timeout(TO_SEND, wire.send(Message::Close(None))).await;
    }

    /// The conversation, once the call is on record.
    async fn conversation(&self, setup: &Setup) -> Result<Conversation<Telephone>, tonic::Status> {
        let platform_call_id = call_id("callSid", Some(&setup.call_sid))?;
        let playbook = self.intake.playbook(&platform_call_id).await?;
        let line = Line {
            platform_call_id,
            platform: twilio::NAME,
            session: call_id("sessionId", Some(&setup.session_id))?,
            from: e164(&setup.from),
            to: e164(&setup.to),
            agent_version: playbook.version,
            language: playbook.language,
        };
        let key = format!("{}:setup:{}", line.platform_call_id, line.session);
        let body = serde_json::to_vec(setup).expect("a setup is JSON");
        self.intake.renewed(body.into()).record(CallEvent { key, facts: line.facts(), ended: false }).await?;
        let now = self.intake.local_now();
        let telephone = Telephone::new(self.intake.clone(), line);
        Ok(Conversation::begin(self.model.clone(), telephone, playbook, &now, self.longest))
    }

    async fn converse(&self, wire: &mut WebSocket, conversation: &mut Conversation<Telephone>) -> End {
        loop {
            let over = tokio::select! {
                biased;
                () = self.closing.cancelled() => Err(Farewell::Closing),
                // Whether the caller says anything more or not: frames without words can't put it off either.
                () = sleep_until(conversation.ends_at()) => Err(Farewell::TooLong),
                heard = hear(wire) => Ok(heard),
            };
            let heard = match over {
                Ok(heard) => heard,
                Err(why) => return farewell(wire, conversation, why).await,
            };
            let mut said = match heard {
                Some(Heard::Prompt { voice_prompt, last: true }) => Some(voice_prompt),
                Some(Heard::Interrupt { utterance_until_interrupt }) => {
                    conversation.cut_short(&utterance_until_interrupt);
                    None
                }
                Some(Heard::Error { description }) => {
                    tracing::warn!(%description, "Twilio did not take a frame");
                    None
                }
                Some(_) => None,
                None => return End::Platform,
            };
            while let Some(words) = said.take() {
                match turn(wire, conversation, &words, &self.closing).await {
                    ControlFlow::Continue(next) => said = next,
                    ControlFlow::Break(end) => return end,
                }
            }
        }
    }
}

/// One turn of the agent; the words that the caller said into it come next. It is cut once the call has no time left.
async fn turn(
    wire: &mut WebSocket,
    conversation: &mut Conversation<Telephone>,
    words: &str,
    closing: &CancellationToken,
) -> ControlFlow<End, Option<String>> {
    let (speak, mut spoken) = mpsc::channel(WORDS);
    let last_moment = conversation.ends_at() + TO_FINISH;
    let cut = CancellationToken::new();
    let mut meanwhile = Meanwhile::default();
    let mut next = None;
    {
        let answering = conversation.answer(words, speak, &cut);
        tokio::pin!(answering);
        loop {
            tokio::select! {
                biased;
                token = spoken.recv() => match token {
                    Some(Utterance::Words(token)) if !cut.is_cancelled() => {
                        if send(wire, Said::Text { token, last: false }).await.is_err() {
                            meanwhile.take(None, &cut);
                        }
                    }
                    Some(_) => {}
                    // The turn is over, and all of it was sent.
                    None => break,
                },
                done = &mut answering, if next.is_none() => next = Some(done),
                () = closing.cancelled(), if !cut.is_cancelled() => cut.cancel(),
                () = sleep_until(last_moment), if !cut.is_cancelled() => cut.cancel(),
                heard = hear(wire), if next.is_none() && !meanwhile.over => meanwhile.take(heard, &cut),
            }
        }
    }
    if let Some(heard) = &meanwhile.heard {
        conversation.cut_short(heard);
    }
    // The next one holds all of this one, so the caller does not wait for it.
    drop(conversation.record(false).keep());
    if meanwhile.over || send(wire, Said::Text { token: String::new(), last: true }).await.is_err() {
        return ControlFlow::Break(End::Platform);
    }
    match next {
        Some(Next::Listen) => ControlFlow::Continue(meanwhile.prompt),
        // Who speaks meanwhile may have thought better of it.
        Some(Next::HandOver(_)) if meanwhile.prompt.is_some() => ControlFlow::Continue(meanwhile.prompt),
        Some(Next::HandOver(number)) => ControlFlow::Break(End::HandedOver(number)),
        Some(Next::HangUp) | None => ControlFlow::Break(End::Agent),
    }
}

impl Meanwhile {
    fn take(&mut self, heard: Option<Heard>, cut: &CancellationToken) {
        match heard {
            Some(Heard::Interrupt { utterance_until_interrupt }) => {
                self.heard = Some(utterance_until_interrupt);
                cut.cancel();
            }
            Some(Heard::Prompt { voice_prompt, last: true }) => {
                let prompt = self.prompt.get_or_insert_default();
                if prompt.len() < MEANWHILE {
                    let space = if prompt.is_empty() { "" } else { " " };
                    prompt.push_str(space);
                    prompt.push_str(&voice_prompt);
                }
                cut.cancel();
            }
            Some(_) => {}
            None => {
                self.over = true;
                cut.cancel();
            }
        }
    }
}

async fn farewell(wire: &mut WebSocket, conversation: &mut Conversation<Telephone>, why: Farewell) -> End {
    let (speak, mut spoken) = mpsc::channel(WORDS);
    conversation.close(why, speak).await;
    while let Some(utterance) = spoken.recv().await {
        let Utterance::Words(token) = utterance else { continue };
        let _ = send(wire, Said::Text { token, last: true }).await;
    }
    End::Agent
}

async fn begin(wire: &mut WebSocket) -> Option<Setup> {
    match timeout(TO_BEGIN, hear(wire)).await {
        Ok(Some(Heard::Setup(setup))) => Some(setup),
        _ => {
            tracing::warn!("a socket of Twilio's did not say whose call it is");
            None
        }
    }
}

/// The next frame; `None` when there is none any more.
async fn hear(wire: &mut WebSocket) -> Option<Heard> {
    loop {
        match timeout(SILENCE, wire.recv()).await.ok()??.ok()? {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(heard) => return Some(heard),
                Err(error) => tracing::warn!(%error, "a frame of Twilio's is malformed"),
            },
            Message::Close(_) => return None,
            Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => {}
        }
    }
}

async fn send(wire: &mut WebSocket, said: Said) -> Result<(), End> {
    let text = serde_json::to_string(&said).expect("a frame is JSON");
    match timeout(TO_SEND, wire.send(Message::Text(text.into()))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Platform),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_caller_says_into_a_turn_cuts_it_and_is_one_prompt_of_bounded_length() {
        let (mut meanwhile, cut) = (Meanwhile::default(), CancellationToken::new());
        let mut says = |words: &str| {
            let voice_prompt = words.to_owned();
            meanwhile.take(Some(Heard::Prompt { voice_prompt, last: true }), &cut);
            meanwhile.prompt.clone().unwrap()
        };
        assert_eq!(says("A haircut"), "A haircut");
        assert!(cut.is_cancelled());
        assert_eq!(says("on Friday"), "A haircut on Friday");
        let long = "x".repeat(MEANWHILE);
        let heard = says(&long);
        assert_eq!(says(&long), heard);
    }
}
