//! At which server a calendar is, of whose turns no more than a part are taken at once.

use database::named;

use super::Tx;
use crate::{
    domain::{CalendarId, slots::GOOGLE},
    error::Error,
};

const CHANGE: &str = "UPDATE sync_state SET server = :server
    WHERE business_id = :business_id AND calendar_id = :calendar_id";
/// As the migration that added the column found it for the calendars of its time.
const LEARN: &str = "UPDATE sync_state s SET server = COALESCE(
        (SELECT substring(k.collection FROM '^[a-z]+://([^/]*)') FROM caldav_calendar k
            WHERE k.business_id = s.business_id AND k.id = s.calendar_id),
        (SELECT i.host FROM ics_calendar i WHERE i.business_id = s.business_id AND i.id = s.calendar_id),
        (SELECT :google::text FROM google_calendar g
            WHERE g.business_id = s.business_id AND g.id = s.calendar_id),
        (SELECT rtrim(o.kind || ' ' || o.profile) FROM provider_calendar p
            JOIN provider_connection o ON o.business_id = p.business_id AND o.id = p.connection_id
            WHERE p.business_id = s.business_id AND p.id = s.calendar_id), '')
    WHERE s.business_id = :business_id AND s.calendar_id = :calendar_id AND s.server = ''";

impl Tx {
    /// Keeps that a calendar is at another server now.
    pub async fn change_server(&self, calendar: CalendarId, server: &str) -> Result<(), Error> {
        self.execute(CHANGE, self.calendar_key(calendar).and(named! { server })).await.map(drop)
    }

    /// Finds out at which server a calendar is that the release before connected during a rollout.
    pub async fn learn_server(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(LEARN, self.calendar_key(calendar).and(named! { google: GOOGLE })).await.map(drop)
    }
}
