//! What is done behind an answer, since a caller or a platform waits for that alone.

use core::time::Duration;

use proto::frontdesk::telemetry::internal::v1::CallFacts;
use tokio::{task::JoinHandle, time::timeout};

use super::{Faults, Intake, is_done, is_fault};
use crate::voice::{
    background::About,
    delivery::{CallEvent, ToolCall},
};

/// What the team reads of a caller whom a fault of ours left without an answer.
const UNANSWERED: &str = "Their call ended while the book could not be reached. Please call back.";
/// The platform waits no longer for the end of a call to be acknowledged, and a caller for what comes next.
const TO_LEAVE: Duration = Duration::from_secs(3);
/// Waits before an event of a call is tried again that no platform delivers again.
const RECORD_AGAIN_AFTER: [Duration; 3] =
    [Duration::from_millis(500), Duration::from_secs(2), Duration::from_secs(8)];

impl Intake {
    /// Keeps a call event that is acknowledged whatever is away, since a caller waits: where it can't be kept in a moment,
    /// it is tried again behind the answer.
    pub async fn record_or_later(&self, event: CallEvent) {
        match timeout(TO_LEAVE, self.record(event.clone())).await {
            Ok(Ok(_)) => return,
            Ok(Err(status)) => tracing::warn!(%status, "an event of a call is recorded later"),
            Err(_) => tracing::warn!("recording an event of a call takes long"),
        }
        drop(self.clone().record_behind(event));
    }

    /// Keeps a call event behind whatever follows, as often as it has to be tried.
    pub fn record_behind(self, event: CallEvent) -> JoinHandle<()> {
        let about = self.about("an event of a call", &event.facts.platform_call_id);
        let background = self.background.clone();
        let About { business, call, .. } = about.clone();
        let recording = async move {
            let mut waits = RECORD_AGAIN_AFTER.iter();
            while let Err(status) = self.record(event.clone()).await {
                tracing::warn!(%status, "an event of a call was not recorded");
                if !is_fault(&status) || !self.background.try_again(&mut waits).await {
                    tracing::error!(%business, call, "an event of a call was never recorded");
                    return;
                }
            }
        };
        background.spawn_about(about, recording)
    }

    /// Leaves the team a message where it takes any: one of a call, whichever and however many events tell of its end.
    /// One that a fault of ours kept from the team is left open: the next such event tries it again.
    pub(super) async fn ask_to_call_back(&self, facts: CallFacts) {
        let call = facts.platform_call_id.clone();
        let takes_messages = self.playbook(&call).await.is_ok_and(|playbook| playbook.may.take_messages);
        if !takes_messages {
            return;
        }
        let message = ToolCall::message(format!("{call}:unanswered"), facts, UNANSWERED);
        match timeout(TO_LEAVE, self.leave_behind(message)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => tracing::error!("telling the team of a caller without an answer failed"),
            // It goes on meanwhile.
            Err(_) => tracing::warn!("telling the team of a caller without an answer takes long"),
        }
    }

    /// Leaves the team a message behind the answer, as often as it has to be tried.
    pub(super) fn leave_behind(&self, message: ToolCall) -> JoinHandle<()> {
        let about = self.about("a message to the team", &message.facts.platform_call_id);
        let leaving = self.renewed(self.body.clone()).leave(message, about.clone());
        self.background.spawn_about(about, leaving)
    }

    async fn leave(self, message: ToolCall, About { business, call, .. }: About) {
        let retries = self.message_retries;
        match self.answer_once(message, Faults::LeftOpen { retries }).await {
            Ok(answer) if is_done(&answer) => {}
            Ok(_) => tracing::error!(%business, call, "a message to the team was refused"),
            Err(status) => {
                tracing::error!(%business, call, %status, "a message to the team was tried in vain")
            }
        }
    }

    pub(super) fn about(&self, what: &'static str, platform_call_id: &str) -> About {
        About { what, business: self.agent.business(), call: platform_call_id.to_owned() }
    }
}
