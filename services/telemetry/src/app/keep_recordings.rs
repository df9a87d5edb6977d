//! Copies recordings from the platforms that made them, and deletes them when they were kept long enough.

use core::{error::Error as _, num::NonZeroU32, time::Duration};

use boot::peer::Peer;
use bytes::Bytes;
use caller::{BusinessId, Worker};
use futures::future::join_all;
use jiff::SignedDuration;
use proto::error::{Reason, reason_of};
use proto::frontdesk::tenancy::internal::v1::{
    GetPublishedAgentRequest, OpenPlatformRecordingRequest, OpenPlatformRecordingResponse,
    published_agent_service_client::PublishedAgentServiceClient,
    voice_secret_service_client::VoiceSecretServiceClient,
};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::{
    SERVICE,
    domain::{
        UploadId,
        recording::{Audio, Kept, Next, Place, Recording, Source, Task},
    },
    error::Error,
    measure::{Ending, RecordingTasks, Work},
    recordings::{FetchError, Incoming, Platform, Shelf, ShelfError, Writing},
    store::{Store, Tx},
};

/// Recordings at once: each waits for its platform more than it works.
const AT_ONCE: usize = 4;
const POLL: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(5);
/// Of one copy from its first byte to its last: it ends before its lease does, and before what is left of an erased
/// person is looked for again.
const LONGEST_COPY: Duration = Duration::from_secs(8 * 60);

/// Keeps recordings.
#[derive(Debug, Clone)]
pub struct KeepRecordings {
    /// Knows which are due.
    pub store: Store,
    /// Knows whether a business records calls, and for how long.
    pub tenancy: Peer,
    /// Where they are kept.
    pub shelf: Shelf,
    /// Where they come from.
    pub platform: Platform,
    /// Counts what was done.
    pub tasks: RecordingTasks,
}

/// Why a copy was not made.
#[derive(Debug, thiserror::Error)]
enum CopyError {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("it is no audio that browsers play")]
    NoAudio,
    #[error("the settings of the agent can't be read")]
    Settings(Status),
    #[error("it can't be stored here")]
    Shelf(#[from] ShelfError),
    #[error("it could not be copied in time")]
    Late,
    #[error(transparent)]
    Store(#[from] Error),
}

impl CopyError {
    const fn is_final(&self) -> bool {
        matches!(self, Self::Fetch(FetchError::Final(_)) | Self::NoAudio)
    }
}

impl KeepRecordings {
    /// Works until it is asked to stop, and then ends what was begun.
    pub async fn run(self, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            match self.turn().await {
                Ok(0) => {}
                Ok(_) => continue,
                Err(error) => tracing::warn!(%error, "recordings that are due can't be read"),
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = tokio::time::sleep(boot::random::jitter(POLL)) => {}
            }
        }
    }

    /// Does some of what is due; says how many tasks there were.
    ///
    /// # Errors
    /// When what is due can't be read.
    pub async fn turn(&self) -> Result<usize, Error> {
        let tasks = self.store.claim_recordings(AT_ONCE).await?;
        let count = tasks.len();
        let done = join_all(tasks.into_iter().map(|(place, task)| self.take(place, task))).await;
        for error in done.into_iter().filter_map(Result::err) {
            // Its lease ends, and it is due again.
            warn(&error, "what was to be done about a recording was not");
        }
        Ok(count)
    }

    async fn take(&self, place: Place, task: Task) -> Result<(), CopyError> {
        let deleted = match task {
            Task::Copy { source, attempts } => return self.copy(place, &source, attempts).await,
            Task::Expire => self.expire(place).await,
            Task::Erase => self.erase(place).await,
        };
        self.tasks.count(Work::Delete, if deleted.is_ok() { Ending::Done } else { Ending::Failed });
        deleted
    }

    async fn expire(&self, place: Place) -> Result<(), CopyError> {
        self.shelf.delete(&place.key()).await?;
        let tx = self.begin(place);
        if tx.expire_recording(place.call).await? {
            tell_pages(&tx, place).await?;
        }
        Ok(tx.commit().await?)
    }

    async fn erase(&self, place: Place) -> Result<(), CopyError> {
        self.shelf.delete(&place.key()).await?;
        let tx = self.begin(place);
        tx.forget_erased_recording(place.call).await?;
        Ok(tx.commit().await?)
    }

    fn begin(&self, place: Place) -> Tx {
        self.store.begin(&Worker::new(SERVICE, place.business))
    }

    async fn copy(&self, place: Place, source: &Source, attempts: i32) -> Result<(), CopyError> {
        let copied = match self.days(place.business).await {
            Ok(None) => {
                // An attempt whose answer was lost may have left it.
                self.shelf.delete(&place.key()).await?;
                let tx = self.begin(place);
                if tx.forget_awaited_recording(place.call).await? {
                    tell_pages(&tx, place).await?;
                }
                return Ok(tx.commit().await?);
            }
            Ok(Some(days)) => self.fetch(place, source).await.map(|(audio, size)| (audio, size, days)),
            Err(status) => Err(CopyError::Settings(status)),
        };
        match copied {
            Ok((audio, size_bytes, days)) => {
                let delete_at = self.store.now() + SignedDuration::from_hours(24 * i64::from(days.get()));
                let kept = self.keep(place, source, &Kept { audio, size_bytes, delete_at }).await;
                self.tasks.count(Work::Copy, if kept.is_ok() { Ending::Done } else { Ending::Failed });
                kept
            }
            Err(error) => {
                warn(&error, "a recording was not copied");
                let next =
                    if error.is_final() { Next::GiveUp } else { Next::after(attempts, self.store.now()) };
                let gives_up = matches!(next, Next::GiveUp);
                self.tasks.count(Work::Copy, if gives_up { Ending::GivenUp } else { Ending::Failed });
                if gives_up {
                    // An attempt whose answer was lost may have left it; no other looks for it.
                    self.shelf.delete(&place.key()).await?;
                }
                let tx = self.begin(place);
                if tx.recording_failed(place.call, &error.to_string(), next).await? {
                    tell_pages(&tx, place).await?;
                }
                Ok(tx.commit().await?)
            }
        }
    }

    /// How long the business keeps recordings; `None` when it makes none.
    async fn days(&self, business: BusinessId) -> Result<Option<NonZeroU32>, Status> {
        let message = GetPublishedAgentRequest { business_id: business.to_string() };
        let request = self.tenancy.as_service(Some(business), message, PATIENCE);
        let mut client = PublishedAgentServiceClient::new(self.tenancy.channel());
        let agent = client.get_published_agent(request).await?.into_inner().agent;
        let settings = agent.and_then(|agent| agent.settings).unwrap_or_default();
        let days = u32::try_from(settings.recording_days).ok().and_then(NonZeroU32::new);
        Ok(days.filter(|_| settings.records_calls))
    }

    async fn fetch(&self, place: Place, source: &Source) -> Result<(Audio, u64), CopyError> {
        let mut unfinished = None;
        let copying = self.write(place, source, &mut unfinished);
        let copied = tokio::time::timeout(LONGEST_COPY, copying).await.unwrap_or(Err(CopyError::Late));
        if let Some(writing) = unfinished {
            writing.abandon().await;
        }
        copied
    }

    /// Writes a recording as it comes. `unfinished` has what was written until it is complete.
    async fn write(
        &self,
        place: Place,
        source: &Source,
        unfinished: &mut Option<Writing>,
    ) -> Result<(Audio, u64), CopyError> {
        let mut incoming = self.open(place, source).await?;
        let first = incoming.next().await?.unwrap_or_default();
        let audio = Audio::recognise(&first).ok_or(CopyError::NoAudio)?;
        let writing = unfinished.insert(self.shelf.write(&place.key()).await?);
        let mut size = 0;
        let mut piece = Some(first);
        while let Some(bytes) = piece {
            size += bytes.len() as u64;
            writing.add(bytes).await?;
            piece = incoming.next().await?;
        }
        if let Some(writing) = unfinished.take() {
            writing.finish().await?;
        }
        Ok((audio, size))
    }

    async fn open(&self, place: Place, source: &Source) -> Result<Pieces<'_>, CopyError> {
        match source {
            Source::Address(address) => Ok(Pieces::Fetched(self.platform.open(address, None).await?)),
            Source::Platform(id) => {
                let opened = self.opened(place, id).await?;
                let login = Some(opened.authorization.as_str());
                Ok(Pieces::Fetched(self.platform.open(&opened.url, login).await?))
            }
            Source::Upload(upload) => Ok(Pieces::Delivered { keep: self, place, upload: *upload, number: 0 }),
        }
    }

    /// Where the platform's API has a recording, and what opens it.
    async fn opened(&self, place: Place, id: &str) -> Result<OpenPlatformRecordingResponse, CopyError> {
        let tx = self.begin(place);
        let connection = tx.call_identity(place.call).await?.connection;
        tx.commit().await?;
        let message = OpenPlatformRecordingRequest {
            business_id: place.business.to_string(),
            voice_connection_id: connection.to_string(),
            recording_id: id.to_owned(),
        };
        let request = self.tenancy.as_service(Some(place.business), message, PATIENCE);
        let mut client = VoiceSecretServiceClient::new(self.tenancy.channel());
        match client.open_platform_recording(request).await {
            Ok(opened) => Ok(opened.into_inner()),
            // The connection is gone, or has no login any more.
            Err(status) if matches!(reason_of(&status), Some(Reason::NotFound | Reason::WrongState)) => {
                Err(FetchError::Final("the connection can't open it any more".to_owned()).into())
            }
            Err(status) => Err(CopyError::Settings(status)),
        }
    }

    /// Notes that it is kept. A copy that is not awaited any more is deleted, unless another replica kept its own: the
    /// two are one object.
    async fn keep(&self, place: Place, source: &Source, kept: &Kept) -> Result<(), CopyError> {
        let tx = self.begin(place);
        let awaited = tx.keep_recording(place.call, kept).await?;
        if let Source::Upload(upload) = source {
            tx.drop_recording_pieces(*upload).await?;
        }
        if awaited {
            tell_pages(&tx, place).await?;
        }
        let is_kept = awaited || matches!(tx.recording(place.call).await?, Some(Recording::Kept(_)));
        tx.commit().await?;
        if !is_kept {
            self.shelf.delete(&place.key()).await?;
        }
        Ok(())
    }
}

/// A recording that comes piece by piece.
enum Pieces<'a> {
    /// From the platform.
    Fetched(Incoming),
    /// From what the platform delivered.
    Delivered { keep: &'a KeepRecordings, place: Place, upload: UploadId, number: i32 },
}

impl Pieces<'_> {
    async fn next(&mut self) -> Result<Option<Bytes>, CopyError> {
        match self {
            Self::Fetched(incoming) => Ok(incoming.next().await?),
            Self::Delivered { keep, place, upload, number } => {
                let tx = keep.begin(*place);
                let piece = tx.recording_piece(*upload, *number).await?;
                tx.commit().await?;
                *number += 1;
                Ok(piece.map(Bytes::from))
            }
        }
    }
}

/// Logs the store's own error, which users must not see.
fn warn(error: &CopyError, what: &str) {
    tracing::warn!(%error, cause = error.source().map(tracing::field::display), "{what}");
}

/// Has the log tell the pages that show the call.
async fn tell_pages(tx: &Tx, place: Place) -> Result<(), Error> {
    let call = tx.call_by_id(place.call).await?;
    tx.save_call(&call, &call).await
}
