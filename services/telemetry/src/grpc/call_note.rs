//! Notes about calls, as they travel.

use proto::{frontdesk::telemetry::v1::CallNote as WireNote, time::to_proto};

use crate::domain::call_note::CallNote;

/// A note as it travels.
pub(super) fn wire(note: &CallNote) -> WireNote {
    WireNote {
        id: note.id.to_string(),
        text: note.text.clone(),
        created_by: note.created_by.clone(),
        created_at: Some(to_proto(note.created_at)),
    }
}
