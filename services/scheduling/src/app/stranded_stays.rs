//! Employees' parts of visits that they can't be there for, or could not while these went by.

use std::collections::BTreeMap;

use engine::{id::EmployeeId, schedule::Schedule, stranding::Idle};
use jiff::SignedDuration;

use crate::{
    Error,
    store::{Coming, ScheduleBefore, Tx},
};

/// For how long a visit that went by is asked about: what became of it?
pub(super) const ASKED_ABOUT: SignedDuration = SignedDuration::from_hours(7 * 24);

impl Tx {
    /// The stranded parts by start, of one employee or of all, each with why: those to come, and those that went by
    /// in the last days while their customers were still expected. What has only since been moved out of working time
    /// took place as it was booked, as far as anyone knows.
    pub(crate) async fn stranded_stays(
        &self,
        schedule: &Schedule,
        employee: Option<EmployeeId>,
    ) -> Result<Vec<(Coming, Idle)>, Error> {
        let now = self.now();
        let stays = self.stays_after(schedule, employee, now - ASKED_ABOUT).await?.into_iter();
        let mut stranded: Vec<_> =
            stays.filter_map(|coming| Some((schedule.stranding(&coming.stay)?, coming))).collect();
        let went_by = |coming: &Coming| coming.ends_at <= now;
        let ends: Vec<_> =
            stranded.iter().filter(|(_, one)| went_by(one)).map(|(_, one)| one.ends_at).collect();
        let before =
            if ends.is_empty() { BTreeMap::new() } else { self.schedules_before(ends, schedule).await? };
        let was_stranded = |coming: &Coming| was_stranded(coming, before.get(&coming.ends_at), schedule);
        stranded.retain(|(_, coming)| !went_by(coming) || was_stranded(coming));
        Ok(stranded.into_iter().map(|(idle, coming)| (coming, idle)).collect())
    }
}

/// Whether a part was stranded when it ended. There was no schedule before the first one.
fn was_stranded(coming: &Coming, before: Option<&ScheduleBefore>, current: &Schedule) -> bool {
    match before {
        Some(ScheduleBefore::Current) => current.strands(&coming.stay),
        Some(ScheduleBefore::Earlier(schedule)) => schedule.strands(&coming.stay),
        // Rather asked about once too often.
        Some(ScheduleBefore::Unreadable) => true,
        None => false,
    }
}
