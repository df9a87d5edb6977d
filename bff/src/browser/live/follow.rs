//! Reading a log from now on, for as long as the door is open.

use core::time::Duration;
use std::sync::Arc;

use boot::peer::Peer;
use futures::StreamExt;
use proto::frontdesk::events::v1::{
    FollowRequest, FollowResponse, event_log_service_client::EventLogServiceClient,
    follow_request::From as Begin,
};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::{change::News, cursor::Log, hub::Hub};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// A stream is asked for anew after this long, under a new passport.
const STREAM: Duration = Duration::from_secs(600);

/// Reads the log of `source` into `hub` until `shutdown`.
pub async fn follow(hub: Arc<Hub>, log: Log, source: Peer, shutdown: CancellationToken) {
    let reading = async {
        let mut pause = FIRST_PAUSE;
        loop {
            let mut opened = false;
            let end = tokio::time::timeout(STREAM, read(&hub, log, &source, &mut opened)).await;
            if let Ok(Err(error)) = end {
                tracing::warn!(source = source.service(), %error, "the log can't be followed");
            }
            // A stream that was open and quiet is no failure: sessions that end meanwhile must be
            // heard of at once.
            pause = if opened { FIRST_PAUSE } else { (pause * 2).min(LONGEST_PAUSE) };
            tokio::time::sleep(boot::random::jitter(pause)).await;
        }
    };
    tokio::select! {
        () = reading => {}
        () = shutdown.cancelled() => {}
    }
}

async fn read(hub: &Hub, log: Log, source: &Peer, opened: &mut bool) -> Result<(), Status> {
    let known = hub.head(log);
    let from = known.map_or(Begin::Now(true), Begin::After);
    let request = FollowRequest { follower: "browser-door".to_owned(), from: Some(from), log: String::new() };
    let request = source.as_service(None, request, STREAM);
    let mut responses = EventLogServiceClient::new(source.channel()).follow(request).await?.into_inner();
    *opened = true;
    let mut first = known.is_none();
    while let Some(response) = responses.next().await {
        let FollowResponse { event, position, reset, .. } = response?;
        if first || reset {
            hub.restart(log, position);
        }
        first = false;
        hub.news(log, position, event.and_then(News::of));
    }
    Ok(())
}
