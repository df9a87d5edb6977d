//! Publishes everything that other services keep a projection of.

use caller::{BusinessId, InstallationScope, Worker};
use engine::{id::VisitId, span::Span};
use jiff::{SignedDuration, Timestamp};
use proto::frontdesk::{events::v1::event::Payload, scheduling::v1 as pb};
use uuid::Uuid;

use crate::{Error, store::Store};

const PAGE: u32 = 500;
const WORKER: &str = "publish-all";
/// What ended before that is in no calendar that a person still looks at; the log keeps no more either.
const BACK: SignedDuration = SignedDuration::from_hours(14 * 24);
/// Beyond every booking horizon.
const AHEAD: SignedDuration = SignedDuration::from_hours(800 * 24);

/// Publishes each appointment of the last fortnight and of the future as it is now, cancelled ones too; says how
/// many there are.
///
/// # Errors
/// When one can't be read; what was published before stays published, and does no harm twice.
pub async fn publish_all(store: &Store) -> Result<u64, Error> {
    let mut published = 0;
    for business in store.businesses(&InstallationScope::worker(WORKER)).await? {
        published += publish_business(store, business).await?;
    }
    Ok(published)
}

async fn publish_business(store: &Store, business: BusinessId) -> Result<u64, Error> {
    let mut published = 0;
    let mut after = (Timestamp::MIN, VisitId(Uuid::nil()));
    loop {
        let tx = store.begin(&Worker::new(WORKER, business));
        let starts = Span::new(tx.now() - BACK, tx.now() + AHEAD).ok_or(Error::Stored("span"))?;
        let page = tx.appointments(starts, (after.0.max(starts.starts_at()), after.1), PAGE).await?;
        for stored in &page {
            let payload = Payload::Appointment(pb::Appointment::from(stored));
            tx.publish_change(stored.appointment.id, stored.appointment.version, payload).await?;
        }
        tx.commit().await?;
        published += page.len() as u64;
        let Some(last) = page.last() else { return Ok(published) };
        after = (last.appointment.starts_at, last.appointment.id);
    }
}
