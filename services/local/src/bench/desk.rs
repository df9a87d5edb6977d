//! What a front desk asks for all day.

use std::{collections::BTreeMap, sync::Mutex};

use anyhow::Context;
use jiff::ToSpan;
use reqwest::Method;
use serde_json::{Value, json};

use super::{BenchArgs, Search};
use crate::{demo::id, stack::Secrets, visitor::below};

/// An hour at which the salon has no bookings of its own.
const FREE_HOUR: i8 = 15;
const DAYS: u32 = 28;
const EMPLOYEES: u32 = 10;

/// One salon's, and what it was answered.
pub(super) struct Desk {
    search: Search,
    /// How often each status was answered.
    pub(super) outcomes: Mutex<BTreeMap<u16, u32>>,
}

impl Desk {
    pub(super) async fn open(args: &BenchArgs, secrets: &Secrets) -> anyhow::Result<Self> {
        Ok(Self { search: Search::open(args, secrets).await?, outcomes: Mutex::default() })
    }

    /// The `n`th request of the mix: six searches, two days, a list, and a booking that is cancelled again.
    pub(super) async fn request(&self, n: u32) -> anyhow::Result<()> {
        let path = |rest: &str| below(&self.search.salon.business, rest);
        match n % 10 {
            0..=5 => self.send(Method::POST, &self.search.path, Some(&self.search.of(None)), None).await,
            6 | 7 => {
                self.send(Method::GET, &path(&format!("days?firstDate={}", self.date(n)?)), None, None).await
            }
            8 => self.send(Method::GET, &path("services"), None, None).await,
            _ => return self.book(n / 10).await,
        }
        .map(drop)
    }

    async fn book(&self, n: u32) -> anyhow::Result<()> {
        let appointments = below(&self.search.salon.business, "appointments");
        let at =
            self.date(n / EMPLOYEES)?.at(FREE_HOUR, 0, 0, 0).to_zoned(self.search.salon.zone().clone())?;
        let employee = id("bench-employee", (n % EMPLOYEES) as usize);
        let body = json!({
            "items": [{"serviceId": self.search.salon.service, "employeeId": employee}],
            "startsAt": at.timestamp().to_string(),
        });
        let booked = self.send(Method::POST, &appointments, Some(&body), Some(&format!("soak-{n}"))).await?;
        // One that is still booked from a moment ago is refused, and there is nothing to cancel.
        let Some(id) = booked["appointment"]["id"].as_str() else { return Ok(()) };
        let cancel = format!("{appointments}/{id}:cancel");
        self.send(Method::POST, &cancel, Some(&json!({})), None).await.map(drop)
    }

    fn date(&self, n: u32) -> anyhow::Result<jiff::civil::Date> {
        let salon = &self.search.salon;
        let first = salon.from.to_zoned(salon.zone().clone()).date();
        Ok(first.checked_add(i64::from(n % DAYS).days())?)
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> anyhow::Result<Value> {
        let answer = self.search.admin.send(method, path, body, key).await.context("no answer")?;
        *self.outcomes.lock().expect("no holder panics").entry(answer.status().as_u16()).or_default() += 1;
        Ok(answer.json().await.unwrap_or_default())
    }
}
