//! As of when busy times of outside calendars are known, in every answer that depends on them.

use cache::Cache;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        events::v1::{Event, event::Payload},
        scheduling::{
            internal::v1::{ReportSourcesRequest, SourceReport},
            v1::{
                BusySource, BusySourceKind, ExplainAvailabilityRequest, Freshness, GetDayRequest,
                SearchAvailabilityRequest,
            },
        },
    },
    time::to_proto,
};
use scheduling::{measure::Measure, store::Store};
use sqlx::AssertSqlSafe;
use tonic::Status;
use uuid::Uuid;

use crate::{
    availability::request,
    events::events,
    salon::{ANA, BEN, CUT, MASSAGE, OTHER, Salon, WILLOW, anyone, by, field, local},
};

const ANAS: Uuid = Uuid::from_u128(0xca1);
const BENS: Uuid = Uuid::from_u128(0xca2);
const TUESDAY: &str = "2026-06-02";

/// A report of a calendar that was just read.
fn read(salon: &Salon, id: Uuid, employee: Uuid) -> SourceReport {
    SourceReport {
        source_id: id.to_string(),
        employee_id: employee.to_string(),
        kind: BusySourceKind::Google.into(),
        name: "Private".to_owned(),
        read_at: Some(to_proto(salon.time.now())),
        ..SourceReport::default()
    }
}

/// The same of one that has not answered since.
fn failing(salon: &Salon, report: SourceReport) -> SourceReport {
    SourceReport {
        failing_since: Some(to_proto(salon.time.now())),
        reason: "the calendar can't be read: it did not answer in time".to_owned(),
        ..report
    }
}

fn reporting(salon: &Salon, sources: Vec<SourceReport>) -> ReportSourcesRequest {
    ReportSourcesRequest {
        business_id: WILLOW.to_string(),
        reported_at: Some(to_proto(salon.time.now())),
        sources,
    }
}

impl Salon {
    async fn report_as(&self, request: ReportSourcesRequest) -> Result<(), Status> {
        self.busy().report_sources(self.service("calendar-sync", request)).await.map(drop)
    }

    async fn report(&self, sources: Vec<SourceReport>) {
        self.report_as(reporting(self, sources)).await.unwrap();
    }

    async fn sources_of_search(&self, request: SearchAvailabilityRequest) -> Vec<BusySource> {
        self.availability().search_availability(self.agent(request)).await.unwrap().into_inner().sources
    }

    async fn sources_of_day(&self) -> Vec<BusySource> {
        let request = GetDayRequest {
            business_id: WILLOW.to_string(),
            first_date: TUESDAY.to_owned(),
            ..GetDayRequest::default()
        };
        self.days().get_day(self.employee(request)).await.unwrap().into_inner().sources
    }
}

/// The sources that pages were told of so far.
async fn told(salon: &Salon) -> Vec<String> {
    let told = |event: Event| match event.payload {
        Some(Payload::BusySource(source)) => Some(source.source_id),
        _ => None,
    };
    events(salon).await.into_iter().filter_map(told).collect()
}

fn freshness(sources: &[BusySource]) -> Vec<(&str, Freshness)> {
    sources.iter().map(|source| (source.source_id.as_str(), source.freshness())).collect()
}

#[tokio::test]
async fn every_answer_says_as_of_when_the_calendars_it_depends_on_are_known() {
    let salon = Salon::open().await;
    salon.report(vec![read(&salon, ANAS, ANA), read(&salon, BENS, BEN)]).await;
    let at = to_proto(salon.time.now());
    let (anas, bens) = (ANAS.to_string(), BENS.to_string());
    let both = [(anas.as_str(), Freshness::Fresh), (bens.as_str(), Freshness::Fresh)];
    let found = salon.sources_of_search(request(vec![anyone(CUT)])).await;
    assert_eq!(freshness(&found), both);
    assert_eq!(
        (found[0].read_at, found[0].kind(), found[0].name.as_str()),
        (Some(at), BusySourceKind::Google, "Private")
    );
    assert_eq!(found[0].employee_id, ANA.to_string());
    assert_eq!(freshness(&salon.sources_of_day().await), both);
    // Ana does no massages: nothing of hers matters.
    assert_eq!(freshness(&salon.sources_of_search(request(vec![anyone(MASSAGE)])).await), both[1..]);
    let explained = salon.explain(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await;
    assert_eq!(freshness(&explained.sources), both[..1]);
    assert!(!explained.sentence.contains("calendar"));
}

#[tokio::test]
async fn a_calendar_that_stops_answering_is_said_to_be_unreachable_and_not_full() {
    let salon = Salon::open().await;
    let before = read(&salon, ANAS, ANA);
    salon.report(vec![before.clone()]).await;
    salon.time.advance(SignedDuration::from_secs(30));
    let since = to_proto(salon.time.now());
    salon.report(vec![failing(&salon, before.clone())]).await;
    // One attempt that failed is no news.
    assert_eq!(salon.sources_of_day().await[0].freshness(), Freshness::Fresh);
    salon.time.advance(SignedDuration::from_mins(5));
    let told = salon.sources_of_day().await.remove(0);
    assert_eq!(
        (told.freshness(), told.read_at, told.failing_since),
        (Freshness::Unreachable, before.read_at, Some(since))
    );
    assert_eq!(told.reason, "the calendar can't be read: it did not answer in time");
    assert_eq!(salon.sources_of_search(request(vec![anyone(CUT)])).await, core::slice::from_ref(&told));
    // What is known is still offered, and said to be in doubt.
    let explained = salon.explain(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await;
    assert!(explained.offer.is_some());
    assert!(
        explained.sentence.ends_with(" We can't see one calendar right now, so that may change."),
        "{}",
        explained.sentence
    );
    let german = ExplainAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(CUT, ANA)],
        starts_at: Some(to_proto(local(TUESDAY, "10:00"))),
        language: "de".to_owned(),
        ..ExplainAvailabilityRequest::default()
    };
    let german = salon.explain_as(german).await.unwrap().sentence;
    assert!(
        german.ends_with("Einen Kalender können wir gerade nicht einsehen, das kann sich also noch ändern.")
    );
    salon.report(vec![read(&salon, ANAS, ANA)]).await;
    assert_eq!(salon.sources_of_day().await[0].freshness(), Freshness::Fresh);
}

#[tokio::test]
async fn silence_of_what_reads_calendars_is_noticed_without_any_report() {
    let salon = Salon::open().await;
    let never = SourceReport { read_at: None, ..read(&salon, BENS, BEN) };
    salon.report(vec![read(&salon, ANAS, ANA), never]).await;
    salon.time.advance(SignedDuration::from_secs(301));
    let told: Vec<Freshness> = salon.sources_of_day().await.iter().map(BusySource::freshness).collect();
    assert_eq!(told, [Freshness::Stale, Freshness::Unread]);
}

#[tokio::test]
async fn pages_are_told_when_a_source_stops_being_current_and_when_it_is_again_and_not_between() {
    let salon = Salon::open().await;
    let store = Store::new(salon.pool.clone(), Cache::open(&salon.host), Measure::new());
    let both = || vec![read(&salon, ANAS, ANA), read(&salon, BENS, BEN)];
    for _ in 0..3 {
        salon.report(both()).await;
        salon.time.advance(SignedDuration::from_secs(60));
        store.publish_lapsed_sources().await.unwrap();
    }
    assert_eq!(told(&salon).await.len(), 1, "two at the same moment are one piece of news");

    let last = read(&salon, ANAS, ANA);
    salon.report(vec![failing(&salon, last.clone())]).await;
    salon.time.advance(SignedDuration::from_secs(301));
    salon.report(vec![read(&salon, BENS, BEN)]).await;
    assert_eq!(told(&salon).await.len(), 1, "one attempt that fails is none");
    store.publish_lapsed_sources().await.unwrap();
    assert_eq!(told(&salon).await[1..], [ANAS.to_string()]);
    salon.report(vec![failing(&salon, last)]).await;
    store.publish_lapsed_sources().await.unwrap();
    assert_eq!(told(&salon).await.len(), 2, "it is known");

    // Nothing is reported any more.
    salon.time.advance(SignedDuration::from_secs(301));
    store.publish_lapsed_sources().await.unwrap();
    assert_eq!(told(&salon).await[2..], [BENS.to_string()]);
    salon.report(vec![read(&salon, ANAS, ANA)]).await;
    salon.report(vec![SourceReport { gone: true, ..read(&salon, BENS, BEN) }]).await;
    assert_eq!(told(&salon).await[3..], [ANAS.to_string(), BENS.to_string()]);
}

#[tokio::test]
async fn a_source_that_the_release_before_renews_or_disconnects_is_not_told_as_lapsed() {
    let salon = Salon::open().await;
    let store = Store::new(salon.pool.clone(), Cache::open(&salon.host), Measure::new());
    salon.report(vec![read(&salon, ANAS, ANA), read(&salon, BENS, BEN)]).await;
    let before = told(&salon).await.len();
    let wait = SignedDuration::from_secs(301);
    let read_at = salon.time.now() + wait;
    let by_the_release_before =
        format!("UPDATE busy_source SET read_at = '{read_at}', is_gone = (id = '{BENS}')");
    sqlx::raw_sql(AssertSqlSafe(by_the_release_before)).execute(&mut salon.superuser().await).await.unwrap();
    salon.time.advance(wait);
    for _ in 0..2 {
        store.publish_lapsed_sources().await.unwrap();
        assert_eq!(told(&salon).await[before..], [BENS.to_string()], "one is gone, the other is current");
    }
    let renewed =
        format!("SELECT count(*) FROM busy_source WHERE told = 'FRESH' AND fresh_until > '{read_at}'");
    assert_eq!(salon.count(&renewed).await, 1);
}

#[tokio::test]
async fn the_first_word_of_a_source_is_told_and_then_that_it_never_could_be_read() {
    let salon = Salon::open().await;
    let never = SourceReport { read_at: None, ..read(&salon, ANAS, ANA) };
    salon.report(vec![never.clone()]).await;
    salon.report(vec![never.clone()]).await;
    assert_eq!(told(&salon).await.len(), 1);
    salon.report(vec![failing(&salon, never.clone())]).await;
    salon.report(vec![failing(&salon, never)]).await;
    assert_eq!(told(&salon).await.len(), 2);
}

#[tokio::test]
async fn a_late_report_changes_nothing_and_brings_nothing_back() {
    let salon = Salon::open().await;
    let late = reporting(&salon, vec![failing(&salon, read(&salon, ANAS, ANA))]);
    salon.time.advance(SignedDuration::from_secs(1));
    let now = read(&salon, ANAS, ANA);
    salon.report(vec![now.clone()]).await;
    salon.report_as(late.clone()).await.unwrap();
    assert_eq!(salon.sources_of_day().await[0].read_at, now.read_at);
    salon.report(vec![SourceReport { gone: true, ..now }]).await;
    salon.report_as(late).await.unwrap();
    assert_eq!(salon.sources_of_day().await, []);
}

#[tokio::test]
async fn an_answer_as_of_the_past_claims_no_freshness() {
    let salon = Salon::open().await;
    salon.report(vec![read(&salon, ANAS, ANA)]).await;
    salon.time.advance(SignedDuration::from_secs(60));
    let past =
        SearchAvailabilityRequest { as_of: Some(to_proto(salon.time.now())), ..request(vec![anyone(CUT)]) };
    assert_eq!(salon.sources_of_search(past).await, []);
}

#[tokio::test]
async fn a_report_names_what_is_wrong_with_it() {
    let salon = Salon::open().await;
    let good = || read(&salon, ANAS, ANA);
    let wrong = [
        ("sources", vec![]),
        ("sources", vec![good(); 201]),
        ("sources.source_id", vec![good(), good()]),
        ("sources.source_id", vec![SourceReport { source_id: "primary".to_owned(), ..good() }]),
        ("sources.employee_id", vec![SourceReport { employee_id: String::new(), ..good() }]),
        ("sources.read_every_seconds", vec![SourceReport { read_every_seconds: 3601, ..good() }]),
        ("sources.kind", vec![SourceReport { kind: 0, ..good() }]),
        ("sources.reason", vec![SourceReport { reason: "down".to_owned(), ..good() }]),
        ("sources.reason", vec![SourceReport { failing_since: good().read_at, ..good() }]),
    ];
    for (named, sources) in wrong {
        let refused = salon.report_as(reporting(&salon, sources)).await.unwrap_err();
        assert_eq!(field(&refused), named);
    }
    let untimed = ReportSourcesRequest { reported_at: None, ..reporting(&salon, vec![good()]) };
    assert_eq!(field(&salon.report_as(untimed).await.unwrap_err()), "reported_at");
    let elsewhere =
        ReportSourcesRequest { business_id: OTHER.to_string(), ..reporting(&salon, vec![good()]) };
    let refused = salon.report_as(elsewhere).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
    let by_person = reporting(&salon, vec![good()]);
    let refused = salon.busy().report_sources(salon.employee(by_person)).await.unwrap_err();
    assert!(reason_of(&refused).is_some());
    assert_eq!(salon.sources_of_day().await, []);
}
