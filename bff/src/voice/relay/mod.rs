//! Twilio's socket: the words of a caller come in, those of our agent go out.

mod frames;
mod room;
mod session;

use core::time::Duration;

use axum::{
    extract::{
        Path, State, WebSocketUpgrade, rejection::PathRejection, ws::rejection::WebSocketUpgradeRejection,
    },
    response::{IntoResponse, Response},
};
use http::{HeaderMap, Uri};
use proto::error::{Reason, invalid, refuse, retry_later};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use self::{room::Room, session::Session};
use super::{
    VoiceDoor,
    adapter::Received,
    background::Background,
    connection,
    intake::Intake,
    model::Model,
    twilio::{self, twiml::Direction},
};
use crate::refusal::Refusal;

/// More than a caller's words of a minute.
const MAX_FRAME: usize = 64 << 10;
const RETRY: Duration = Duration::from_secs(1);

/// The agent's own conversations of this process.
#[derive(Debug, Clone)]
pub struct Conversations {
    model: Option<Model>,
    room: Room,
    /// These, and what outlasts a request of a platform.
    background: Background,
    /// Cancelled when the process is asked to stop: no new call is taken.
    leaving: CancellationToken,
}

impl Conversations {
    /// Room for `most` at once, half of them of one business; with a model alone there are any.
    #[must_use]
    pub fn new(model: Option<Model>, most: usize, leaving: CancellationToken) -> Self {
        Self { model, room: Room::of(most), background: Background::default(), leaving }
    }

    /// What outlasts a request.
    pub(super) fn background(&self) -> &Background {
        &self.background
    }

    /// Waits until every call has ended and what was left behind is done. After `within` those that are left say
    /// goodbye, and what failed is tried at once.
    pub async fn closed(&self, within: Duration) {
        self.background.closed(within).await;
    }

    /// Cuts off what is still under way, and logs what is lost by it.
    pub async fn give_up(&self) {
        self.background.give_up().await;
    }
}

/// How Twilio is to take a call; `None` where no agent speaks.
///
/// # Errors
/// As [`Intake::playbook`].
pub(super) async fn take(door: &VoiceDoor, intake: &Intake, call: &str) -> Result<Option<String>, Status> {
    if door.line.conversations.model.is_none() {
        return Ok(None);
    }
    let playbook = intake.playbook(call).await?;
    let (greeting, language) = (playbook.greeting.as_str(), playbook.language.tag());
    let action = door.address(intake.connection());
    let url = format!("{}/relay", socket_address(&action));
    let records_to = playbook.records.then_some(action.as_str());
    Ok(Some(Direction::Relay { url: &url, action: &action, greeting, language, records_to }.to_xml()))
}

/// `GET …/relay`.
pub(super) async fn upgrade(
    State(door): State<VoiceDoor>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let Path(id) = path.map_err(|_| connection::unknown())?;
    let connection = door.connection(twilio::NAME, &id).await?;
    let address = format!("{}/relay", socket_address(&door.address(&connection)));
    let url = uri.query().map_or_else(|| address.clone(), |query| format!("{address}?{query}"));
    let now = door.gateway.host().clock.now();
    door.believe(&connection, Received { url: &url, headers: &headers, body: &[] }, now)?;
    let upgrade = upgrade.map_err(|_| invalid("Upgrade", "must be websocket"))?;
    let conversations = door.line.conversations.clone();
    let model = conversations.model.clone().ok_or_else(no_model)?;
    if conversations.leaving.is_cancelled() {
        return Err(retry_later(Reason::Unavailable, "this process takes no more calls", RETRY).into());
    }
    let place = conversations.room.take(connection.business).ok_or_else(busy)?;
    let background = conversations.background.clone();
    let token = background.token();
    let intake = Intake::new(&door, connection, bytes::Bytes::new(), now);
    let longest = door.call_time;
    Ok(upgrade
        .max_message_size(MAX_FRAME)
        .max_frame_size(MAX_FRAME)
        .on_upgrade(move |wire| async move {
            let business = intake.connection().business;
            let session = Session::new(model, intake, longest, background.closing().clone());
            tokio::select! {
                () = session.serve(wire) => {}
                () = background.ending().cancelled() => {
                    tracing::error!(%business, "a call was cut off, the process stops");
                }
            }
            drop((place, token));
        })
        .into_response())
}

fn no_model() -> Status {
    refuse(Reason::Unavailable, "no model is configured for the agent")
}

fn busy() -> Status {
    retry_later(Reason::Busy, "as many calls as this process takes are under way", RETRY)
}

/// As a socket's address is signed.
fn socket_address(address: &str) -> String {
    match address.strip_prefix("http") {
        Some(rest) => format!("ws{rest}"),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_at_the_address_of_its_page() {
        assert_eq!(socket_address("https://desk.test/a"), "wss://desk.test/a");
        assert_eq!(socket_address("http://localhost:8080/a"), "ws://localhost:8080/a");
    }
}
