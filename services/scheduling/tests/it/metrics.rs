//! What is measured.

use std::collections::BTreeSet;

use opentelemetry::global;
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, PeriodicReader, SdkMeterProvider};

use crate::salon::{ANA, CUT, Salon, by, fact, local};

#[tokio::test]
async fn searches_refused_overlaps_and_conflicts_are_counted() {
    let exporter = InMemoryMetricExporter::default();
    let provider =
        SdkMeterProvider::builder().with_reader(PeriodicReader::builder(exporter.clone()).build()).build();
    global::set_meter_provider(provider.clone());
    let salon = Salon::open().await;
    let at = |time| local("2026-06-02", time);
    salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap();
    salon.import(vec![fact("dentist", at("10:00"), at("11:00"))]).await.unwrap();
    salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
    provider.force_flush().unwrap();
    let exported = exporter.get_finished_metrics().unwrap();
    let names: BTreeSet<_> = exported
        .iter()
        .flat_map(|resource| resource.scope_metrics())
        .flat_map(|scope| scope.metrics())
        .map(|metric| metric.name().to_owned())
        .collect();
    for name in [
        "frontdesk.availability.days",
        "frontdesk.availability.duration",
        "frontdesk.database.collisions",
        "frontdesk.ledger.conflicts",
    ] {
        assert!(names.contains(name), "{name} is not among {names:?}");
    }
}
