//! Entries of calendars that can't be read.

use database::named;
use sea_orm::JsonValue;
use serde_json::json;

use super::{Read, Tx};
use crate::{
    domain::{CalendarId, busy::Extent},
    error::Error,
};

/// What was read again, or is no longer there.
const FORGET: &str =
    "DELETE FROM unread_entry WHERE business_id = :business_id AND calendar_id = :calendar_id
    AND object_id IN (SELECT jsonb_array_elements_text(:objects))
    AND object_id NOT IN (SELECT jsonb_array_elements_text(:unread))";
const FORGET_ALL: &str = "DELETE FROM unread_entry WHERE business_id = :business_id
    AND calendar_id = :calendar_id AND object_id NOT IN (SELECT jsonb_array_elements_text(:unread))";
const KEEP: &str = "
    INSERT INTO unread_entry (business_id, calendar_id, object_id, reason, since)
    SELECT :business_id, :calendar_id, r.object_id, r.reason, :now
    FROM jsonb_to_recordset(:entries) AS r(object_id text, reason text)
    ON CONFLICT (business_id, calendar_id, object_id) DO UPDATE SET reason = excluded.reason";

impl Tx {
    /// Keeps which entries of a calendar can't be read.
    pub(super) async fn save_unread_entries(&self, calendar: CalendarId, read: &Read) -> Result<(), Error> {
        let unread: JsonValue = read.aside.iter().map(|aside| aside.id.0.as_str()).collect();
        let values = self.calendar_key(calendar).and(named! { unread });
        match read.extent {
            Extent::Whole => self.execute(FORGET_ALL, values).await?,
            Extent::Changes if read.objects.is_empty() => 0,
            Extent::Changes => {
                let objects: JsonValue = read.objects.iter().map(|id| id.0.as_str()).collect();
                self.execute(FORGET, values.and(named! { objects })).await?
            }
        };
        if read.aside.is_empty() {
            return Ok(());
        }
        let entry =
            |aside: &crate::domain::busy::Aside| json!({ "object_id": aside.id.0, "reason": aside.reason });
        let entries: JsonValue = read.aside.iter().map(entry).collect();
        let values = self.calendar_key(calendar).and(named! { entries, now: self.at() });
        self.execute(KEEP, values).await.map(drop)
    }
}
