//! `/ws`: browsers hear what changed, and read it through REST.

mod change;
mod cursor;
mod end;
mod follow;
mod frames;
mod hub;
mod measure;
mod socket;

use core::time::Duration;
use std::sync::Arc;

use axum::{
    extract::{Extension, State, WebSocketUpgrade},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, header};
use proto::error::Reason;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use super::{Browser, client::ClientInfo};
use crate::{
    Gateway,
    edge::{Address, Limit, Limits, Shares, busy, crowded},
    refusal::Refusal,
};
use cursor::LOGS;
pub use cursor::{Cursor, CursorKey};
use hub::Hub;
use measure::Measure;
use socket::Socket;

/// The largest frame a browser sends: a token, or a list of businesses.
const MAX_FRAME: usize = 64 << 10;

/// The live socket's part of the door.
#[derive(Debug)]
pub struct Live {
    hub: Arc<Hub>,
    room: Arc<Semaphore>,
    shares: Arc<Shares>,
    frames: u32,
    greeting_time: Duration,
    tasks: TaskTracker,
    cursor_key: CursorKey,
    measure: Measure,
}

impl Live {
    /// Begins to follow every log; needs a runtime.
    ///
    /// # Errors
    /// A log of no service.
    pub fn start(gateway: &Gateway, limits: &Limits, cursor_key: CursorKey) -> anyhow::Result<Self> {
        let hub = Arc::new(Hub::new(limits.socket_lag));
        let tasks = TaskTracker::new();
        for (log, source) in LOGS.into_iter().enumerate() {
            let shutdown = gateway.host().shutdown.clone();
            tasks.spawn(follow::follow(hub.clone(), log, gateway.peer(source)?.clone(), shutdown));
        }
        let room = Arc::new(Semaphore::new(limits.sockets));
        let shares = Shares::of(limits.sockets, limits.parts);
        let (frames, greeting_time) = (limits.socket_frames, limits.greeting_time);
        Ok(Self { hub, room, shares, frames, greeting_time, tasks, cursor_key, measure: Measure::new() })
    }

    /// The cursor of a browser that reads everything anew.
    #[must_use]
    pub fn now(&self) -> String {
        self.hub.resume(None).cursor.seal(&self.cursor_key)
    }

    /// Waits until every socket has been closed, after the host was asked to stop.
    pub async fn closed(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// `GET /ws`.
pub async fn upgrade(
    State(door): State<Arc<Browser>>,
    Extension(Address(address)): Extension<Address>,
    ClientInfo(client): ClientInfo,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let listed = headers.get(header::ORIGIN).is_some_and(|origin| door.xsrf.is_listed(origin));
    if !listed {
        return Err(Refusal::new(Reason::Xsrf, "the socket is opened from another origin"));
    }
    let place = door.live.room.clone().try_acquire_owned().map_err(|_| {
        door.limited.count(Limit::Sockets);
        busy()
    })?;
    let share = door.live.shares.take(address).ok_or_else(|| {
        door.limited.count(Limit::NetworkSockets);
        crowded()
    })?;
    let token = door.live.tasks.token();
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    Ok(upgrade
        .on_upgrade(move |wire| async move {
            let open = door.live.measure.open();
            Socket::new(door, client).serve(wire).await;
            drop((open, place, share, token));
        })
        .into_response())
}
