//! What is kept in memory, each entry with the version it is true for.
//!
//! Nothing here is believed without asking the database for the version first, so a
//! replica that has not heard of a change can't answer from before it.

use std::sync::Arc;

use caller::BusinessId;
use engine::{plan::DayPlan, schedule::Schedule};
use jiff::civil::Date;
use moka::future::Cache as Moka;

use super::alias::Catalogue;

const MAX_BUSINESSES: u64 = 10_000;
/// One of 200 services with 20 aliases each takes some megabytes.
const MAX_CATALOGUES: u64 = 500;
const MAX_DAY_BYTES: u64 = 64 << 20;

/// A day's plan and what it was made from.
#[derive(Debug)]
pub(crate) struct CachedDay {
    pub version: i64,
    pub schedule_version: i64,
    pub plan: DayPlan,
}

/// Schedules and days of businesses that were looked at.
#[derive(Debug)]
pub(crate) struct Cache {
    schedules: Moka<BusinessId, Arc<Schedule>>,
    catalogues: Moka<BusinessId, Arc<Catalogue>>,
    days: Moka<(BusinessId, Date), Arc<CachedDay>>,
}

impl Default for Cache {
    fn default() -> Self {
        let weigh = |_: &(BusinessId, Date), day: &Arc<CachedDay>| day.plan.weight();
        Self {
            schedules: Moka::new(MAX_BUSINESSES),
            catalogues: Moka::new(MAX_CATALOGUES),
            days: Moka::builder().weigher(weigh).max_capacity(MAX_DAY_BYTES).build(),
        }
    }
}

impl Cache {
    pub(crate) async fn schedule(&self, business: BusinessId) -> Option<Arc<Schedule>> {
        self.schedules.get(&business).await
    }

    pub(crate) async fn keep_schedule(&self, business: BusinessId, schedule: Arc<Schedule>) {
        self.schedules.insert(business, schedule).await;
    }

    /// What was made of the services at this version of the schedule.
    pub(crate) async fn catalogue(&self, business: BusinessId, version: i64) -> Option<Arc<Catalogue>> {
        self.catalogues.get(&business).await.filter(|catalogue| catalogue.schedule.version == version)
    }

    pub(crate) async fn keep_catalogue(&self, business: BusinessId, catalogue: Arc<Catalogue>) {
        self.catalogues.insert(business, catalogue).await;
    }

    /// The day as it was with this schedule, at whatever version of its own.
    pub(crate) async fn day(
        &self,
        business: BusinessId,
        date: Date,
        schedule_version: i64,
    ) -> Option<Arc<CachedDay>> {
        let day = self.days.get(&(business, date)).await?;
        (day.schedule_version == schedule_version).then_some(day)
    }

    pub(crate) async fn keep_day(&self, business: BusinessId, day: Arc<CachedDay>) {
        self.days.insert((business, day.plan.day.date()), day).await;
    }
}
