//! What calls add up to, for managers.

use std::collections::BTreeMap;

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::{
        scheduling::v1::Amount,
        telemetry::v1::{
            CallFigures, DayFigures, GetInsightsRequest, GetInsightsResponse, HourFigures,
            InsightServiceHandler, LookupLatency, MissedCount, OutcomeCount, PartFigures, ServiceDemand,
        },
    },
};
use tonic::{Status, async_trait};

use super::{call_filter, shown_call::outcome};
use crate::{
    app::{Insights, ReadInsights},
    domain::{
        ServiceId,
        counted::Part,
        insights::{Demand, Figures, Keyed, ListPrice},
        latency::{Latencies, percentile},
        span::Dates,
    },
    neighbours::Neighbours,
    store::Store,
};

/// Serves `InsightService`.
#[derive(Debug)]
pub struct InsightReads {
    store: Store,
    neighbours: Neighbours,
}

impl InsightReads {
    /// The figures in `store`, with what `neighbours` know of the business.
    #[must_use]
    pub fn new(store: Store, neighbours: Neighbours) -> Self {
        Self { store, neighbours }
    }
}

#[async_trait]
impl InsightServiceHandler for InsightReads {
    async fn get_insights(
        &self,
        scope: BusinessScope,
        request: GetInsightsRequest,
    ) -> Result<GetInsightsResponse, Status> {
        let dates = dates(&request)?;
        let (zone, prices) = tokio::join!(self.neighbours.zone(&scope), self.neighbours.prices(&scope));
        let zone = zone?;
        let prices = prices.inspect_err(|status| tracing::warn!(%status, "list prices are not known")).ok();
        let tx = self.store.begin(&scope);
        let read = ReadInsights { dates, zone: zone.clone() }.run(&tx).await?;
        tx.commit().await?;
        Ok(answer(&read, zone.iana_name().unwrap_or_default(), prices.as_ref()))
    }
}

fn dates(request: &GetInsightsRequest) -> Result<Dates, Status> {
    let first = call_filter::date("first_date", &request.first_date)?
        .ok_or_else(|| invalid("first_date", "is required"))?;
    let last = call_filter::date("last_date", &request.last_date)?
        .ok_or_else(|| invalid("last_date", "is required"))?;
    Dates::new(first, last).map_err(|error| invalid("last_date", &error.to_string()))
}

type Prices = BTreeMap<ServiceId, ListPrice>;

fn answer(read: &Insights, time_zone: &str, prices: Option<&Prices>) -> GetInsightsResponse {
    let hours = (0..).zip(&read.clock.hours);
    let days = read.clock.days.iter();
    let services = read.figures.keyed.most_asked();
    GetInsightsResponse {
        time_zone: time_zone.to_owned(),
        figures: Some(figures(&read.figures, prices)),
        previous: Some(figures(&read.previous, prices)),
        days: days.map(|(date, of)| DayFigures { date: date.to_string(), figures: Some(part(of)) }).collect(),
        hours: hours.map(|(hour, of)| HourFigures { hour, figures: Some(part(of)) }).collect(),
        services: services.iter().map(|(id, demand)| service(*id, demand, prices)).collect(),
        prices_unknown: prices.is_none(),
    }
}

fn figures(Figures { all, keyed }: &Figures, prices: Option<&Prices>) -> CallFigures {
    let Keyed { outcomes, missed, failed, value, team_booked, team_value, latencies, .. } = keyed;
    CallFigures {
        calls: all.calls,
        ended: all.ended,
        answered: all.answered,
        outcomes: outcomes
            .iter()
            .map(|(came_to, calls)| OutcomeCount { outcome: outcome(*came_to).into(), calls: *calls })
            .collect(),
        wanted_booking: all.wanted,
        booked: all.booked,
        missed: missed
            .iter()
            .map(|(reason, calls)| MissedCount { reason: call_filter::wire(*reason).into(), calls: *calls })
            .collect(),
        with_failed_tool: *failed,
        booked_value: amounts(value),
        lost_value: prices.map(|prices| amounts(&keyed.lost(prices))).unwrap_or_default(),
        latency: Some(latency(latencies)),
        booked_by_team: *team_booked,
        team_value: amounts(team_value),
    }
}

fn amounts(value: &BTreeMap<String, i64>) -> Vec<Amount> {
    value.iter().map(|(currency, minor)| Amount { minor: *minor, currency: currency.clone() }).collect()
}

fn latency(latencies: &Latencies) -> LookupLatency {
    LookupLatency {
        lookups: latencies.values().sum(),
        median_ms: percentile(latencies, 50),
        p95_ms: percentile(latencies, 95),
        p99_ms: percentile(latencies, 99),
    }
}

fn part(part: &Part) -> PartFigures {
    PartFigures {
        calls: part.calls,
        ended: part.ended,
        answered: part.answered,
        wanted_booking: part.wanted,
        booked: part.booked,
    }
}

fn service(id: ServiceId, demand: &Demand, prices: Option<&Prices>) -> ServiceDemand {
    let price = prices.and_then(|prices| prices.get(&id));
    ServiceDemand {
        service_id: id.to_string(),
        service_name: price.map(|price| price.name.clone()).unwrap_or_default(),
        asked: demand.asked,
        booked: demand.booked,
        missed: demand.missed,
        list_price: price.map(|price| Amount { minor: price.minor, currency: price.currency.clone() }),
    }
}
