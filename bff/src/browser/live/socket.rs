//! One socket: who listens, to what, and until when.

use core::time::Duration;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use axum::extract::ws::{Message, WebSocket};
use caller::{BusinessId, Denied, Role};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use proto::{
    error::denied,
    frontdesk::{
        auth::internal::v1::Client,
        live::v1::{
            Authenticate, Changed, ClientFrame, Ready, Reset, ServerFrame, Subscribe, client_frame,
            server_frame,
        },
    },
};
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::{Instant, Interval, MissedTickBehavior, interval, sleep_until, timeout},
};

use super::{
    super::{Browser, Person},
    change::{Change, News},
    cursor::{Cursor, Log},
    end::End,
    frames::Frames,
    hub::Word,
};
use crate::edge::Limit;

const PING: Duration = Duration::from_secs(20);
/// A bit more than two unanswered pings: the browser is gone.
const SILENCE: Duration = Duration::from_secs(50);
/// A frame that the browser doesn't take in this time is its last.
const TO_SEND: Duration = Duration::from_secs(5);
/// For the browser to confirm the end.
const TO_LEAVE: Duration = Duration::from_secs(1);
const MOST_BUSINESSES: usize = 200;
/// Questions to auth of one socket at a time.
const AT_ONCE: usize = 8;
/// What the record calls a subscription.
const PATH: &str = "/ws";

/// A browser that listens.
#[derive(Debug)]
pub struct Socket {
    door: Arc<Browser>,
    /// The browser, for the record of what its person was refused.
    client: Client,
    words: Receiver<Word>,
    /// Since then nothing was heard of the person's memberships: an answer of auth's that was asked
    /// for later still holds.
    settled_at: Timestamp,
    frames: Frames,
    person: Option<Person>,
    /// When the person must have proven themselves, or prove it again.
    due: Instant,
    roles: HashMap<BusinessId, Role>,
    cursor: Cursor,
}

impl Socket {
    /// Hears everything from now on, so that nothing is lost between being let in and being told.
    #[must_use]
    pub fn new(door: Arc<Browser>, client: Client) -> Self {
        Self {
            client,
            words: door.live.hub.listen(),
            settled_at: door.gateway.host().clock.now(),
            frames: Frames::new(door.live.frames),
            person: None,
            due: Instant::now() + door.live.greeting_time,
            door,
            roles: HashMap::new(),
            cursor: Cursor::default(),
        }
    }

    /// Serves until either side has enough.
    pub async fn serve(mut self, mut wire: WebSocket) {
        let Err(end) = self.converse(&mut wire).await;
        if let Some(frame) = end.frame() {
            drop(timeout(TO_SEND, wire.send(Message::Close(Some(frame)))).await);
            // With frames left unread, the system would cut the connection before the code arrives.
            drop(timeout(TO_LEAVE, async { while let Some(Ok(_)) = wire.recv().await {} }).await);
        }
    }

    async fn converse(&mut self, wire: &mut WebSocket) -> Result<core::convert::Infallible, End> {
        let shutdown = self.door.gateway.host().shutdown.clone();
        let mut ping = pings();
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                biased;
                () = shutdown.cancelled() => return Err(End::Restart),
                () = sleep_until(self.due) => return Err(End::Unauthenticated),
                word = self.words.recv() => self.tell(wire, word).await?,
                frame = wire.recv() => {
                    heard = Instant::now();
                    self.hear(wire, frame.ok_or(End::Gone)?.map_err(|_| End::Gone)?).await?;
                }
                _ = ping.tick() => {
                    if heard.elapsed() > SILENCE {
                        return Err(End::Gone);
                    }
                    send(wire, Message::Ping(bytes::Bytes::new())).await?;
                }
            }
        }
    }

    async fn hear(&mut self, wire: &mut WebSocket, message: Message) -> Result<(), End> {
        self.frames.count().inspect_err(|_| self.door.limited.count(Limit::SocketFrames))?;
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(End::Gone),
            Message::Binary(_) => return Err(End::Malformed),
        };
        let frame: ClientFrame = serde_json::from_str(&text).map_err(|_| End::Malformed)?;
        match frame.frame.ok_or(End::Malformed)? {
            client_frame::Frame::Authenticate(Authenticate { token }) => self.authenticate(&token).await,
            client_frame::Frame::Subscribe(subscribe) => self.subscribe(wire, subscribe).await,
        }
    }

    /// A kept answer of auth might be from before the session's end was told: it is asked anew.
    async fn authenticate(&mut self, token: &str) -> Result<(), End> {
        let person = self.door.person_of(token).await?;
        let other = |before: Person| (before.user, before.session) != (person.user, person.session);
        if self.person.is_some_and(other) {
            return Err(End::Unauthenticated);
        }
        self.door.admissions.admit_now(person, None).await?;
        let left = person.expires_at.duration_since(self.door.gateway.host().clock.now());
        self.due = Instant::now() + Duration::try_from(left).unwrap_or_default();
        self.person = Some(person);
        Ok(())
    }

    async fn subscribe(&mut self, wire: &mut WebSocket, subscribe: Subscribe) -> Result<(), End> {
        let person = self.person.ok_or(End::Unauthenticated)?;
        if subscribe.business_ids.len() > MOST_BUSINESSES {
            return Err(End::Malformed);
        }
        let ids = subscribe.business_ids.iter().map(|id| id.parse().map_err(|_| End::Malformed));
        let businesses: HashSet<BusinessId> = ids.collect::<Result<_, _>>()?;
        let asked = businesses.into_iter().map(|business| self.role_since(person, business));
        self.roles = stream::iter(asked).buffer_unordered(AT_ONCE).try_collect().await?;
        // A cursor that can't be read is one too old to know.
        let cursor = match subscribe.cursor.as_str() {
            "" => None,
            text => Some(Cursor::open(text, &self.door.live.cursor_key).unwrap_or_default()),
        };
        let resumed = self.door.live.hub.resume(cursor);
        match resumed.missed {
            None => frame(wire, server_frame::Frame::Reset(Reset {})).await?,
            Some(missed) => {
                self.cursor = cursor.unwrap_or(resumed.cursor);
                for (log, position, news) in missed {
                    self.news(wire, log, position, &news).await?;
                }
            }
        }
        self.cursor = resumed.cursor;
        self.ready(wire).await
    }

    async fn tell(&mut self, wire: &mut WebSocket, word: Result<Word, RecvError>) -> Result<(), End> {
        match word {
            Ok(Word::News(log, position, news)) => self.news(wire, log, position, &news).await,
            Ok(Word::Reset) => self.start_over(wire).await,
            Err(RecvError::Lagged(_)) => {
                self.door.live.measure.lagged();
                self.start_over(wire).await
            }
            Err(RecvError::Closed) => Err(End::Restart),
        }
    }

    async fn news(&mut self, wire: &mut WebSocket, log: Log, position: i64, news: &News) -> Result<(), End> {
        let ended =
            |person: Person| matches!(news, News::SessionEnded(session) if *session == person.session);
        if self.person.is_some_and(ended) {
            return Err(End::Unauthenticated);
        }
        let own = self.membership(news).await?;
        match news.change() {
            Some(change) if self.cursor.advance(log, position) => self.changed(wire, change, own).await,
            _ => Ok(()),
        }
    }

    /// Asks anew when the person's own membership changed, even if the position was
    /// passed before: the answer in hand may be older than the change.
    async fn membership(&mut self, news: &News) -> Result<bool, End> {
        let News::Membership(change, user) = news else { return Ok(false) };
        let Some(person) = self.person.filter(|person| person.user == *user) else { return Ok(false) };
        self.settled_at = self.door.gateway.host().clock.now();
        if self.roles.contains_key(&change.business) {
            let role = self.role(person, change.business).await?;
            self.roles.insert(change.business, role);
        }
        Ok(true)
    }

    async fn changed(&self, wire: &mut WebSocket, change: &Change, own: bool) -> Result<(), End> {
        let told = self.roles.get(&change.business).is_some_and(|role| own || change.is_for(*role));
        if !told {
            return Ok(());
        }
        let changed = Changed {
            business_id: change.business.to_string(),
            topic: change.topic.into(),
            id: change.id.clone(),
            cursor: self.cursor.seal(&self.door.live.cursor_key),
        };
        frame(wire, server_frame::Frame::Changed(changed)).await
    }

    /// What was missed may have been the end of the session or of a membership.
    async fn start_over(&mut self, wire: &mut WebSocket) -> Result<(), End> {
        let Some(person) = self.person else { return Ok(()) };
        self.words = self.door.live.hub.listen();
        self.settled_at = self.door.gateway.host().clock.now();
        self.door.admissions.admit_now(person, None).await?;
        let businesses: Vec<BusinessId> = self.roles.keys().copied().collect();
        let asked = businesses.into_iter().map(|business| {
            let role = self.role(person, business);
            async move { Ok::<_, End>((business, role.await?)) }
        });
        self.roles = stream::iter(asked).buffer_unordered(AT_ONCE).try_collect().await?;
        if self.roles.is_empty() {
            return Ok(());
        }
        self.cursor = self.door.live.hub.resume(None).cursor;
        frame(wire, server_frame::Frame::Reset(Reset {})).await?;
        self.ready(wire).await
    }

    async fn ready(&self, wire: &mut WebSocket) -> Result<(), End> {
        frame(
            wire,
            server_frame::Frame::Ready(Ready { cursor: self.cursor.seal(&self.door.live.cursor_key) }),
        )
        .await
    }

    async fn role(&self, person: Person, business: BusinessId) -> Result<Role, End> {
        let admission = self.door.admissions.admit_now(person, Some(business)).await?;
        admission.role().ok_or(End::NotMember)
    }

    /// The role in a business that the browser asks for, which is noted when there is none.
    async fn role_since(&self, person: Person, business: BusinessId) -> Result<(BusinessId, Role), End> {
        let Browser { admissions, record, .. } = &*self.door;
        let admission = admissions.admit_since(person, Some(business), self.settled_at).await?;
        match admission.role() {
            Some(role) => Ok((business, role)),
            None => {
                let refused = denied(Denied::OtherBusiness);
                record.note(person.user, PATH, Some(business), &refused, &self.client).await;
                Err(End::NotMember)
            }
        }
    }
}

fn pings() -> Interval {
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ping
}

async fn frame(wire: &mut WebSocket, frame: server_frame::Frame) -> Result<(), End> {
    let text = serde_json::to_string(&ServerFrame { frame: Some(frame) }).expect("frames are JSON");
    send(wire, Message::Text(text.into())).await
}

async fn send(wire: &mut WebSocket, message: Message) -> Result<(), End> {
    match timeout(TO_SEND, wire.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}
