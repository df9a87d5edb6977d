//! What a served service measures of its calls.

use std::collections::BTreeMap;

use boot::grpc::Limits;
use opentelemetry::global;
use opentelemetry_sdk::metrics::{
    InMemoryMetricExporter, SdkMeterProvider,
    data::{AggregatedMetrics, MetricData},
};
use testkit::echo::{Held, SAY, call};

struct Meters {
    provider: SdkMeterProvider,
    exporter: InMemoryMetricExporter,
}

impl Meters {
    fn install() -> Self {
        let exporter = InMemoryMetricExporter::default();
        let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
        global::set_meter_provider(provider.clone());
        Self { provider, exporter }
    }

    /// Sums as of now, by name.
    fn sums(&self) -> BTreeMap<String, i64> {
        self.provider.force_flush().unwrap();
        let exported = self.exporter.get_finished_metrics().unwrap().pop().unwrap();
        let mut sums = BTreeMap::new();
        for metric in exported.scope_metrics().flat_map(|scope| scope.metrics()) {
            let sum = match metric.data() {
                AggregatedMetrics::U64(MetricData::Sum(sum)) => {
                    sum.data_points().map(|point| i64::try_from(point.value()).unwrap()).sum()
                }
                AggregatedMetrics::I64(MetricData::Sum(sum)) => {
                    sum.data_points().map(|point| point.value()).sum()
                }
                _ => continue,
            };
            sums.insert(metric.name().to_owned(), sum);
        }
        sums
    }
}

#[tokio::test]
async fn calls_in_flight_and_calls_shed_are_counted() {
    let meters = Meters::install();
    let (host, _) = testkit::host("scheduling");
    let held = Held::default();
    let limits = Limits { in_flight: 1, ..Limits::default() };
    let address = testkit::serve_within(held.routes(), &host, limits).await;
    let peer = testkit::peer("scheduling", address, &host);
    let first = tokio::spawn({
        let peer = peer.clone();
        async move { call(&peer, SAY).await }
    });
    held.entered.notified().await;
    let before = meters.sums();
    call(&peer, SAY).await.unwrap_err();
    let during = meters.sums();
    // Other tests have calls of their own.
    assert!(during["rpc.server.active_requests"] >= 1, "{during:?}");
    assert!(during["frontdesk.admission.shed"] > before["frontdesk.admission.shed"], "{during:?}");
    held.release.notify_one();
    assert_eq!(first.await.unwrap().unwrap(), "done");
}
