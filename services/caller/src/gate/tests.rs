use core::time::Duration;
use std::collections::BTreeMap;

use opentelemetry_sdk::metrics::{
    InMemoryMetricExporter, SdkMeterProvider,
    data::{AggregatedMetrics, MetricData, SumDataPoint},
};
use uuid::Uuid;

use super::*;
use crate::{DEADLINE_HEADER, Keyring, Rule, SessionId, Signer, UserId};

static BOOK: Method = Method {
    service: "scheduling",
    path: "/t/Book",
    rest: "",
    rule: Rule {
        audiences: &[Audience::User, Audience::Agent],
        least_role: Role::Employee,
        scope: ScopeKind::Business,
        services: &[],
        served_by: &[],
        sensitive: false,
        development_only: false,
        long_running: false,
        idempotency_key: true,
        immutable: false,
    },
};

fn gate_and_signer() -> (Gate, Signer) {
    let files = Keyring::generate(&[("bff", [1; 32]), ("scheduling", [2; 32])]).unwrap();
    let keyring = |i: usize| Arc::new(Keyring::parse(&files[i].1).unwrap());
    let gate = Gate::new(Verifier::new("scheduling", keyring(1)), Arc::new(|| Timestamp::UNIX_EPOCH));
    (gate, Signer::new(keyring(0)))
}

fn metadata(signer: &Signer, role: Option<Role>, business: u128) -> MetadataMap {
    let bearer = Bearer::User { user: UserId(Uuid::nil()), session: SessionId(Uuid::nil()), role };
    let passport = Passport { bearer, business: Some(BusinessId(Uuid::from_u128(business))) };
    let mut metadata = MetadataMap::new();
    let token = signer.sign("scheduling", &passport, Timestamp::UNIX_EPOCH);
    metadata.insert(PASSPORT_HEADER, token.parse().unwrap());
    metadata
}

fn id(business: u128) -> String {
    Uuid::from_u128(business).to_string()
}

#[test]
fn a_foreign_business_does_not_exist_and_a_low_role_is_refused() {
    let (gate, signer) = gate_and_signer();
    let member = metadata(&signer, Some(Role::Employee), 7);
    assert!(gate.business(&member, &BOOK, &id(7)).is_ok());
    assert_eq!(gate.business(&member, &BOOK, &id(8)).unwrap_err(), Denied::OtherBusiness);
    let guest = metadata(&signer, Some(Role::Guest), 7);
    assert_eq!(gate.business(&guest, &BOOK, &id(7)).unwrap_err(), Denied::RoleTooLow(Role::Employee));
    let stranger = metadata(&signer, None, 7);
    assert_eq!(gate.business(&stranger, &BOOK, &id(7)).unwrap_err(), Denied::OtherBusiness);
}

#[test]
fn the_nil_id_is_no_business_even_for_an_admin() {
    let (gate, signer) = gate_and_signer();
    let admin = metadata(&signer, Some(Role::Admin), 0);
    assert_eq!(gate.business(&admin, &BOOK, &id(0)).unwrap_err(), Denied::OtherBusiness);
}

#[test]
fn a_service_that_the_rule_does_not_name_is_refused() {
    let (gate, signer) = gate_and_signer();
    let mut metadata = MetadataMap::new();
    let token = signer.as_service(
        "scheduling",
        Some(BusinessId(Uuid::from_u128(7))),
        Priority::Normal,
        Timestamp::UNIX_EPOCH,
    );
    metadata.insert(PASSPORT_HEADER, token.parse().unwrap());
    assert_eq!(gate.business(&metadata, &BOOK, &id(7)).unwrap_err(), Denied::WrongCaller);
}

#[test]
fn the_deadline_is_what_the_caller_had_left() {
    let (gate, signer) = gate_and_signer();
    let mut member = metadata(&signer, Some(Role::Owner), 7);
    member.insert(DEADLINE_HEADER, "1500m".parse().unwrap());
    let left = gate.business(&member, &BOOK, &id(7)).unwrap().remaining().unwrap();
    assert!(left <= Duration::from_millis(1500) && left > Duration::from_millis(1000));
}

#[test]
fn a_malformed_idempotency_key_is_refused() {
    let (gate, signer) = gate_and_signer();
    let mut member = metadata(&signer, Some(Role::Owner), 7);
    member.insert(IDEMPOTENCY_HEADER, "two words".parse().unwrap());
    assert_eq!(gate.business(&member, &BOOK, &id(7)).unwrap_err(), Denied::IdempotencyKey);
}

#[test]
fn refused_passports_are_counted_by_what_is_wrong_with_them() {
    let exporter = InMemoryMetricExporter::default();
    let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
    global::set_meter_provider(provider.clone());
    let (gate, signer) = gate_and_signer();
    let reasons = || -> BTreeMap<String, u64> {
        provider.force_flush().unwrap();
        let exported = exporter.get_finished_metrics().unwrap().pop().unwrap();
        let metrics = exported.scope_metrics().flat_map(|scope| scope.metrics());
        let AggregatedMetrics::U64(MetricData::Sum(sum)) =
            metrics.into_iter().find(|metric| metric.name() == "frontdesk.passports.refused").unwrap().data()
        else {
            panic!("it is a counter");
        };
        let reason = |point: &SumDataPoint<u64>| point.attributes().next().unwrap().value.to_string();
        sum.data_points().map(|point| (reason(point), point.value())).collect()
    };
    let before = reasons();
    assert_eq!(before.len(), 6, "every reason has its series from the start: {before:?}");
    let now = Timestamp::UNIX_EPOCH;
    let service = signer.as_service("scheduling", None, Priority::Normal, now);
    let elsewhere = signer.as_service("tenancy", None, Priority::Normal, now);
    let of_another_hour = now + jiff::SignedDuration::from_hours(1);
    let of_another_hour = signer.as_service("scheduling", None, Priority::Normal, of_another_hour);
    for token in [None, Some("a.b.c"), Some(&service), Some(&elsewhere), Some(&of_another_hour)] {
        gate.admit(token, &BOOK).unwrap_err();
    }
    let after = reasons();
    for reason in [NO_PASSPORT, MALFORMED, OTHER_SERVICE, EXPIRED, WRONG_CALLER] {
        assert!(after[reason] > before[reason], "{reason}: {after:?}");
    }
}
