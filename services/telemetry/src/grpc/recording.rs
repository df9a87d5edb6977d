//! Recordings of calls, as people hear them.

use caller::{BusinessScope, Tenant};
use contacts::Contacts;
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::telemetry::v1::{
        GetRecordingRequest, GetRecordingResponse, ReadRecordingRequest, ReadRecordingResponse,
        Recording as WireRecording, RecordingServiceHandler, RecordingState,
    },
    parse,
    time::to_proto,
};
use tonic::{Status, async_trait};

use crate::{
    app::find_reach,
    domain::{
        CallId,
        recording::{Place, Recording},
    },
    recordings::{Shelf, ShelfError},
    store::Store,
};

/// Longest piece.
const PIECE: u64 = 1 << 20;

/// Serves `RecordingService`.
#[derive(Debug)]
pub struct Recordings {
    store: Store,
    contacts: Contacts,
    shelf: Option<Shelf>,
}

impl Recordings {
    /// Recordings of the calls in `store`, kept on `shelf`, for people as far as `contacts` says.
    #[must_use]
    pub fn new(store: Store, contacts: Contacts, shelf: Option<Shelf>) -> Self {
        Self { store, contacts, shelf }
    }

    /// What there is of a call's recording, and whether the caller may not hear it.
    async fn find(&self, scope: &BusinessScope, call: CallId) -> Result<(Option<Recording>, bool), Status> {
        let tx = self.store.begin(scope);
        let listed = tx.listed(call).await?;
        let recording = tx.recording(call).await?;
        tx.release();
        let reach = find_reach(&self.contacts, scope, core::slice::from_ref(&listed)).await?;
        Ok((recording, !listed.shown(&reach).has_contact))
    }
}

#[async_trait]
impl RecordingServiceHandler for Recordings {
    async fn get_recording(
        &self,
        scope: BusinessScope,
        request: GetRecordingRequest,
    ) -> Result<GetRecordingResponse, Status> {
        let call = parse::id("call_id", &request.call_id)?;
        let (recording, hidden) = self.find(&scope, call).await?;
        // Without the store nothing can be heard, and none is offered.
        let recording = recording.filter(|_| self.shelf.is_some());
        Ok(GetRecordingResponse { recording: recording.map(|recording| wire(recording, hidden)) })
    }

    async fn read_recording(
        &self,
        scope: BusinessScope,
        request: ReadRecordingRequest,
    ) -> Result<ReadRecordingResponse, Status> {
        let call = parse::id("call_id", &request.call_id)?;
        let offset = u64::try_from(request.offset).map_err(|_| invalid("offset", "is negative"))?;
        let (recording, hidden) = self.find(&scope, call).await?;
        let (Some(Recording::Kept(kept)), Some(shelf)) = (recording, &self.shelf) else {
            return Err(refuse(Reason::NotFound, "there is no recording of this call"));
        };
        if hidden {
            return Err(refuse(Reason::RoleTooLow, "the customer's telephone number is hidden from you"));
        }
        let end = kept.size_bytes.min(offset.saturating_add(PIECE));
        if offset >= end {
            return Ok(ReadRecordingResponse::default());
        }
        let key = Place { business: scope.business(), call }.key();
        let content = shelf.read(&key, offset..end).await.map_err(|error| {
            tracing::error!(%error, "a recording can't be read");
            match error {
                ShelfError::Missing => {
                    refuse(Reason::NotFound, "the recording is gone from where it was kept")
                }
                ShelfError::NoFolder | ShelfError::Late | ShelfError::Failed(_) => {
                    refuse(Reason::Unavailable, "the recording can't be read now")
                }
            }
        })?;
        Ok(ReadRecordingResponse { content: content.to_vec() })
    }
}

fn wire(recording: Recording, hidden: bool) -> WireRecording {
    let of =
        |state: RecordingState| WireRecording { state: state.into(), hidden, ..WireRecording::default() };
    match recording {
        Recording::Awaited { failure } => {
            WireRecording { failure: failure.unwrap_or_default(), ..of(RecordingState::Awaited) }
        }
        Recording::Lost { failure } => WireRecording { failure, ..of(RecordingState::Lost) },
        Recording::Expired => of(RecordingState::Expired),
        Recording::Kept(kept) => WireRecording {
            size_bytes: i64::try_from(kept.size_bytes).unwrap_or(i64::MAX),
            content_type: kept.audio.content_type().to_owned(),
            delete_at: Some(to_proto(kept.delete_at)),
            ..of(RecordingState::Kept)
        },
    }
}
