//! What people and services do with the product.

use caller::{BusinessId, BusinessScope, InstallationScope, Tenant};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use proto::{
    csv::line,
    error::{Reason, invalid, retry_later},
    frontdesk::telemetry::v1::{
        CountProductEventsRequest, CountProductEventsResponse, ExportProductEventsRequest,
        ExportProductEventsResponse, ListProductEventsRequest, ListProductEventsResponse, NotedEvent,
        ProductEvent as WireEvent, ProductEventCount, ProductEventFilter, ProductEventServiceHandler,
        ProductEventType, RecordProductEventsRequest, RecordProductEventsResponse,
    },
    page::{page, page_of, page_token},
    parse,
    time::{self, to_proto},
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::{
    domain::product_event::{KEPT_DAYS, Kind, ProductEvent, is_page_template},
    store::{Steps, Store, WantedEvents},
};

const MOST_NOTED: usize = 40;
/// Longer than a page keeps what it noted.
const LONGEST_AGO: SignedDuration = SignedDuration::from_mins(15);
/// Events of one person that are taken in within an hour, several times what a busy desk does: each is kept for months.
const MOST_IN_AN_HOUR: usize = 4_000;
const HOUR: SignedDuration = SignedDuration::from_hours(1);
const LONGEST_TAB: usize = 64;
const LONGEST_ACTOR: usize = 100;
const MOST_STEPS: i32 = 200;
/// Events on a page of an export.
const EXPORTED: u32 = 5_000;

/// Serves `ProductEventService`.
#[derive(Debug)]
pub struct ProductEvents {
    store: Store,
}

impl ProductEvents {
    /// The events in `store`.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl ProductEventServiceHandler for ProductEvents {
    async fn record_product_events(
        &self,
        scope: BusinessScope,
        request: RecordProductEventsRequest,
    ) -> Result<RecordProductEventsResponse, Status> {
        if !(1..=MOST_NOTED).contains(&request.events.len()) {
            return Err(invalid("events", &format!("must be 1 to {MOST_NOTED}")));
        }
        let tab = tab(&request.tab_id)?;
        let tx = self.store.begin(&scope);
        let noted = request.events.iter().enumerate();
        let events = noted.map(|(index, noted)| {
            let (kind, page, detail, ago) = parsed(index, noted)?;
            Ok(ProductEvent {
                id: tx.new_id(),
                kind,
                version: noted.schema_version,
                actor: scope.actor().to_string(),
                tab: tab.clone(),
                page,
                detail,
                at: tx.now() - ago,
            })
        });
        let events: Vec<ProductEvent> = events.collect::<Result<_, Status>>()?;
        let actor = scope.actor().to_string();
        let before = tx.product_events_of(&actor, tx.now() - HOUR, MOST_IN_AN_HOUR).await?;
        if before + events.len() > MOST_IN_AN_HOUR {
            let said = format!("more than {MOST_IN_AN_HOUR} events within an hour");
            return Err(retry_later(Reason::RateLimited, said, HOUR.unsigned_abs()));
        }
        tx.add_product_events(&events).await?;
        tx.commit().await?;
        Ok(RecordProductEventsResponse {})
    }

    async fn list_product_events(
        &self,
        scope: InstallationScope,
        request: ListProductEventsRequest,
    ) -> Result<ListProductEventsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let wanted = self.wanted(request.filter)?;
        let tx = self.store.begin_installation(&scope);
        let rows = tx.product_events(&wanted, page.after, page.limit()).await?;
        tx.commit().await?;
        let (events, next_page_token) = page.answer(rows, |(_, event)| (event.at, event.id.0), wire);
        Ok(ListProductEventsResponse { events, next_page_token })
    }

    async fn count_product_events(
        &self,
        scope: InstallationScope,
        request: CountProductEventsRequest,
    ) -> Result<CountProductEventsResponse, Status> {
        let filter = request.filter.unwrap_or_default();
        let from = time::required("filter.from", filter.from.as_ref())?;
        let to = time::required("filter.to", filter.to.as_ref())?;
        let longest = SignedDuration::from_hours(24 * KEPT_DAYS + 1);
        if to <= from || to.duration_since(from) > longest {
            return Err(invalid("filter.to", &format!("must lie after `from`, at most {KEPT_DAYS} days")));
        }
        if !(1..=MOST_STEPS).contains(&request.steps) {
            return Err(invalid("steps", &format!("must be 1 to {MOST_STEPS}")));
        }
        let zone = zone(&request.zone)?;
        if zone.to_datetime(to) <= zone.to_datetime(from) {
            return Err(invalid("filter.to", "must lie after `from` by the zone's clock"));
        }
        let wanted = self.wanted(Some(filter))?;
        let steps = Steps { from, to, count: request.steps, zone };
        let tx = self.store.begin_installation(&scope);
        let counts = tx.count_product_events(&wanted, &steps).await?;
        tx.commit().await?;
        let counts = counts.into_iter().map(|count| ProductEventCount {
            step: count.step,
            r#type: type_of(count.kind).into(),
            events: count.events,
        });
        Ok(CountProductEventsResponse { counts: counts.collect() })
    }

    async fn export_product_events(
        &self,
        scope: InstallationScope,
        request: ExportProductEventsRequest,
    ) -> Result<ExportProductEventsResponse, Status> {
        let page = page_of::<(Timestamp, Uuid)>(0, &request.page_token, EXPORTED, EXPORTED)?;
        let wanted = self.wanted(request.filter)?;
        let tx = self.store.begin_installation(&scope);
        let mut rows = tx.product_events(&wanted, page.after, page.limit()).await?;
        tx.commit().await?;
        let size = usize::try_from(page.size()).unwrap_or(usize::MAX);
        let is_last = rows.len() <= size;
        rows.truncate(size);
        let last = rows.last().filter(|_| !is_last);
        let next_page_token = last.map(|(_, event)| page_token(&(event.at, event.id.0))).unwrap_or_default();
        let heads = line(&["At", "Business", "Event", "Version", "Actor", "Tab", "Page", "Detail", "Id"]);
        let heads = if page.after.is_none() { heads } else { String::new() };
        Ok(ExportProductEventsResponse {
            csv: rows.iter().fold(heads, |csv, row| csv + &exported(row)),
            events: i32::try_from(rows.len()).unwrap_or(i32::MAX),
            next_page_token,
        })
    }
}

impl ProductEvents {
    fn wanted(&self, filter: Option<ProductEventFilter>) -> Result<WantedEvents, Status> {
        let filter = filter.unwrap_or_default();
        let kinds = filter
            .types
            .iter()
            .map(|wire| kind(*wire).ok_or_else(|| invalid("filter.types", "has what is no type")));
        let kinds: Vec<Kind> = kinds.collect::<Result<_, _>>()?;
        if kinds.len() > Kind::ALL.len() {
            return Err(invalid("filter.types", "names one twice"));
        }
        let from = time::parse("filter.from", filter.from.as_ref())?;
        let to = time::parse("filter.to", filter.to.as_ref())?;
        let kept = self.store.now() - SignedDuration::from_hours(24 * KEPT_DAYS);
        Ok(WantedEvents {
            business: parse::optional_id("filter.business_id", &filter.business_id)?,
            kinds,
            actor: parse::optional_line("filter.actor", &filter.actor, LONGEST_ACTOR)?,
            // What is older may not be swept yet.
            from: from.map_or(kept, |from| from.max(kept)),
            to: to.unwrap_or(Timestamp::MAX),
        })
    }
}

fn zone(name: &str) -> Result<TimeZone, Status> {
    if name.is_empty() {
        return Ok(TimeZone::UTC);
    }
    let zone = TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some());
    zone.ok_or_else(|| invalid("zone", "is no time zone, as Europe/London"))
}

type Parsed = (Kind, String, String, SignedDuration);

fn parsed(index: usize, noted: &NotedEvent) -> Result<Parsed, Status> {
    let wrong = |field: &str, why: &str| invalid(&format!("events[{index}].{field}"), why);
    let kind = kind(noted.r#type).filter(|kind| kind.is_noted_by_pages());
    let kind = kind.ok_or_else(|| wrong("type", "is no event of a page"))?;
    if !(1..=kind.latest_version()).contains(&noted.schema_version) {
        return Err(wrong("schema_version", "is not known"));
    }
    if kind.has_page() && !is_page_template(&noted.page) {
        return Err(wrong("page", "is no template of a page"));
    }
    let details = kind.details();
    let is_known =
        if details.is_empty() { noted.detail.is_empty() } else { details.contains(&&*noted.detail) };
    if !is_known {
        return Err(wrong("detail", "is no word of this event"));
    }
    let ago = SignedDuration::from_millis(noted.age_ms.into());
    if !(SignedDuration::ZERO..=LONGEST_AGO).contains(&ago) {
        return Err(wrong("age_ms", "must lie between 0 and 15 minutes"));
    }
    Ok((kind, noted.page.clone(), noted.detail.clone(), ago))
}

fn tab(text: &str) -> Result<String, Status> {
    let fits =
        text.len() <= LONGEST_TAB && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if fits {
        Ok(text.to_owned())
    } else {
        Err(invalid("tab_id", "must be letters, digits and hyphens, at most 64"))
    }
}

fn kind(wire: i32) -> Option<Kind> {
    let wire = ProductEventType::try_from(wire).ok()?;
    Kind::ALL.into_iter().find(|kind| type_of(*kind) == wire)
}

fn type_of(kind: Kind) -> ProductEventType {
    match kind {
        Kind::PageOpened => ProductEventType::PageOpened,
        Kind::ListFiltered => ProductEventType::ListFiltered,
        Kind::FileExported => ProductEventType::FileExported,
        Kind::CallEnded => ProductEventType::CallEnded,
        Kind::CallBooked => ProductEventType::CallBooked,
    }
}

fn wire((business, event): (BusinessId, ProductEvent)) -> WireEvent {
    WireEvent {
        id: event.id.to_string(),
        business_id: business.to_string(),
        r#type: type_of(event.kind).into(),
        schema_version: event.version,
        actor: event.actor,
        tab_id: event.tab,
        page: event.page,
        detail: event.detail,
        occurred_at: Some(to_proto(event.at)),
    }
}

fn exported((business, event): &(BusinessId, ProductEvent)) -> String {
    line(&[
        &event.at.to_string(),
        &business.to_string(),
        event.kind.name(),
        &event.version.to_string(),
        &event.actor,
        &event.tab,
        &event.page,
        &event.detail,
        &event.id.to_string(),
    ])
}
