//! Notes about calls, as they travel.

use proto::{frontdesk::telemetry::v1::CallNote as WireNote, parse, time::to_proto};
use tonic::Status;

use crate::{domain::call_note::CallNote, store::NoteKey};

/// The note that a request names.
pub(super) fn key(call_id: &str, note_id: &str) -> Result<NoteKey, Status> {
    Ok(NoteKey { call: parse::id("call_id", call_id)?, note: parse::id("note_id", note_id)? })
}

/// A note as it travels.
pub(super) fn wire(note: &CallNote) -> WireNote {
    WireNote {
        id: note.id.to_string(),
        text: note.text.clone(),
        created_by: note.created_by.clone(),
        created_at: Some(to_proto(note.created_at)),
    }
}
