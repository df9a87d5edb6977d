//! What is measured.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use opentelemetry::global;
use opentelemetry_sdk::metrics::{
    InMemoryMetricExporter, PeriodicReader, SdkMeterProvider,
    data::{AggregatedMetrics, MetricData},
};

use crate::{
    moving,
    salon::{ANA, CUT, Salon, booking, by, fact, local},
    waitlist,
};

struct Meters {
    provider: SdkMeterProvider,
    exporter: InMemoryMetricExporter,
}

impl Meters {
    /// Measures the salons that are opened from now on, those of other tests among them.
    fn install() -> Self {
        let exporter = InMemoryMetricExporter::default();
        let reader = PeriodicReader::builder(exporter.clone()).build();
        let provider = SdkMeterProvider::builder().with_reader(reader).build();
        global::set_meter_provider(provider.clone());
        Self { provider, exporter }
    }

    fn names(&self) -> BTreeSet<String> {
        self.provider.force_flush().unwrap();
        let exported = self.exporter.get_finished_metrics().unwrap();
        let scopes = exported.iter().flat_map(|resource| resource.scope_metrics());
        scopes.flat_map(|scope| scope.metrics()).map(|metric| metric.name().to_owned()).collect()
    }

    /// Counters as of now, by name and attributes.
    fn counters(&self) -> BTreeMap<String, u64> {
        self.exporter.reset();
        self.provider.force_flush().unwrap();
        let exported = self.exporter.get_finished_metrics().unwrap();
        let mut counters = BTreeMap::new();
        let scopes = exported.iter().flat_map(|resource| resource.scope_metrics());
        for metric in scopes.flat_map(|scope| scope.metrics()) {
            let AggregatedMetrics::U64(MetricData::Sum(sum)) = metric.data() else { continue };
            for point in sum.data_points() {
                let mut attributes: Vec<_> =
                    point.attributes().map(|pair| format!("{}={}", pair.key, pair.value)).collect();
                attributes.sort();
                counters.insert(format!("{} {}", metric.name(), attributes.join(" ")), point.value());
            }
        }
        counters
    }
}

#[tokio::test]
async fn what_searches_and_changes_of_the_book_leave_is_counted() {
    let meters = Meters::install();
    let salon = Salon::open().await;
    let at = |time| local("2026-06-02", time);
    // Every series is there before anything happens, so that its first increase shows.
    let before = meters.counters();
    let expected = [
        ("frontdesk.appointments.changed change=booked channel=browser", 1),
        ("frontdesk.appointments.changed change=booked channel=agent", 2),
        ("frontdesk.appointments.changed change=moved channel=browser", 1),
        ("frontdesk.appointments.changed change=cancelled channel=agent", 1),
        ("frontdesk.appointments.changed change=cancelled channel=service", 0),
        ("frontdesk.holds.taken channel=agent", 2),
        ("frontdesk.holds.expired ", 1),
        ("frontdesk.waitlist.offers ", 1),
        ("frontdesk.demand.unmet ", 1),
    ];
    for (counter, _) in expected {
        assert!(before.contains_key(counter), "{counter} is not among {before:#?}");
    }

    let request = salon.employee(booking(vec![by(CUT, ANA)], at("10:00")));
    let by_browser = salon.book_as(request).await.unwrap();
    moving::send(&salon, moving::request(&by_browser.id, at("10:30"))).await.unwrap();
    let hold = salon.hold(vec![by(CUT, ANA)], at("12:00")).await.unwrap();
    salon.book_hold(&hold.id).await.unwrap();
    salon.hold(vec![by(CUT, ANA)], at("13:00")).await.unwrap();
    salon.time.advance(SignedDuration::from_mins(6));
    let by_agent = salon.book(vec![by(CUT, ANA)], at("13:00")).await.unwrap();
    waitlist::join(&salon, waitlist::request(vec![by(CUT, ANA)])).await.unwrap();
    salon.cancel(&by_agent.id).await.unwrap();
    salon.import(vec![fact("dentist", at("12:00"), at("13:00"))]).await.unwrap();
    salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
    let sunday = salon.search(vec![by(CUT, ANA)], "2026-06-07").await.unwrap();
    assert_eq!(sunday.offers, []);

    // Other tests may have counted more meanwhile.
    let after = meters.counters();
    for (counter, count) in expected {
        assert!(after[counter] >= before[counter] + count, "{counter}: {after:#?}");
    }
    let names = meters.names();
    for name in [
        "frontdesk.availability.days",
        "frontdesk.availability.duration",
        "frontdesk.database.collisions",
        "frontdesk.ledger.conflicts",
    ] {
        assert!(names.contains(name), "{name} is not among {names:?}");
    }
}
