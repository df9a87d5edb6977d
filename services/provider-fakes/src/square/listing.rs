//! What is listed and searched, page by page: a cursor is good for the search that gave it alone.

use std::collections::BTreeMap;

use axum::{
    Json,
    extract::{Path, Query, State},
};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    LOCATION, Square,
    book::{TEAM, VARIATIONS},
    refused::{Refused, bad, unknown},
};

const LONGEST_RANGE: SignedDuration = SignedDuration::from_hours(31 * 24);
const SHORTEST_SEARCH: SignedDuration = SignedDuration::from_hours(24);
/// Free starts are on the quarter, from 9 to 17 UTC.
const OPENS: i64 = 9;
const CLOSES: i64 = 17;
const STEP: SignedDuration = SignedDuration::from_mins(15);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TeamSearch {
    query: TeamQuery,
    limit: Option<usize>,
    cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TeamQuery {
    filter: TeamFilter,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TeamFilter {
    location_ids: Vec<String>,
    status: Option<String>,
}

/// Where a page begins; a cursor that this search did not give is refused.
fn offset(cursor: Option<&str>, search: &str) -> Result<usize, Refused> {
    let Some(cursor) = cursor else { return Ok(0) };
    let given = cursor.split_once('@').filter(|(_, of)| *of == search);
    given.and_then(|(offset, _)| offset.parse().ok()).ok_or_else(|| bad("INVALID_CURSOR", "cursor"))
}

/// A page of records, and the cursor of the next.
fn page(records: Vec<Value>, name: &str, offset: usize, most: usize, search: &str) -> Json<Value> {
    let total = records.len();
    let shown: Vec<Value> = records.into_iter().skip(offset).take(most).collect();
    let mut answer = json!({});
    if !shown.is_empty() {
        answer[name] = Value::from(shown);
    }
    if offset + most < total {
        answer["cursor"] = Value::from(format!("{}@{search}", offset + most));
    }
    Json(answer)
}

pub(super) async fn team(Json(search): Json<TeamSearch>) -> Result<Json<Value>, Refused> {
    let TeamSearch { query: TeamQuery { filter }, limit, cursor } = search;
    if limit.is_some_and(|limit| limit == 0 || limit > 200) {
        return Err(bad("VALUE_TOO_HIGH", "limit"));
    }
    if filter.location_ids.iter().any(|id| id != LOCATION) {
        return Err(bad("INVALID_VALUE", "location_ids"));
    }
    let counts = |active: bool| filter.status.as_deref().is_none_or(|status| (status == "ACTIVE") == active);
    let member = |(id, given, family, active): &(&str, &str, &str, bool)| {
        let status = if *active { "ACTIVE" } else { "INACTIVE" };
        counts(*active)
            .then(|| json!({ "id": id, "given_name": given, "family_name": family, "status": status }))
    };
    let offset = offset(cursor.as_deref(), "team")?;
    // One on a page: who reads only the first has not read all.
    Ok(page(TEAM.iter().filter_map(member).collect(), "team_members", offset, 1, "team"))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ItemSearch {
    product_types: Vec<String>,
    #[serde(default)]
    enabled_location_ids: Vec<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

fn variation((_, id, name, version, minutes): &(&str, &str, &str, i64, i64)) -> Value {
    let data = json!({ "name": name, "service_duration": minutes * 60_000, "available_for_booking": true });
    json!({ "type": "ITEM_VARIATION", "id": id, "version": version, "item_variation_data": data })
}

pub(super) async fn items(Json(search): Json<ItemSearch>) -> Result<Json<Value>, Refused> {
    if search.product_types != ["APPOINTMENTS_SERVICE"] || search.limit.is_some_and(|limit| limit > 100) {
        return Err(bad("INVALID_VALUE", "product_types or limit"));
    }
    if search.enabled_location_ids.iter().any(|id| id != LOCATION) {
        return Err(bad("INVALID_VALUE", "enabled_location_ids"));
    }
    let mut by_item: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for entry in &VARIATIONS {
        by_item.entry(entry.0).or_default().push(variation(entry));
    }
    let item = |(name, variations): (&str, Vec<Value>)| json!({ "type": "ITEM", "id": format!("ITEM-{name}"), "item_data": { "name": name, "variations": variations } });
    let offset = offset(search.cursor.as_deref(), "items")?;
    Ok(page(by_item.into_iter().map(item).collect(), "items", offset, 1, "items"))
}

pub(super) async fn object(Path(id): Path<String>) -> Result<Json<Value>, Refused> {
    let found = VARIATIONS.iter().find(|(_, known, ..)| *known == id).ok_or_else(unknown)?;
    Ok(Json(json!({ "object": variation(found) })))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookingList {
    limit: Option<usize>,
    cursor: Option<String>,
    customer_id: Option<String>,
    team_member_id: Option<String>,
    location_id: Option<String>,
    start_at_min: Option<Timestamp>,
    start_at_max: Option<Timestamp>,
}

/// Those that start within at most 31 days, cancelled ones too.
pub(super) async fn bookings(
    State(square): State<Square>,
    Query(list): Query<BookingList>,
) -> Result<Json<Value>, Refused> {
    let now = square.clock.now();
    let from = list.start_at_min.unwrap_or(now);
    let until = list.start_at_max.unwrap_or(from + LONGEST_RANGE);
    if until < from || until.duration_since(from) > LONGEST_RANGE {
        return Err(bad("INVALID_TIME_RANGE", "start_at_max is at most 31 days after start_at_min"));
    }
    if list.limit.is_some_and(|limit| limit == 0 || limit > 10_000) {
        return Err(bad("VALUE_TOO_HIGH", "limit"));
    }
    let search = format!("{from}/{until}/{:?}/{:?}", list.team_member_id, list.location_id);
    let offset = offset(list.cursor.as_deref(), &search)?;
    let state = square.lock();
    let found = state.book.bookings.values().filter(|booking| {
        let of_member =
            |id: &String| booking.appointment_segments.iter().any(|segment| segment.team_member_id == *id);
        (from..=until).contains(&booking.start_at)
            && list.customer_id.is_none()
            && list.team_member_id.as_ref().is_none_or(of_member)
            && list.location_id.as_ref().is_none_or(|id| *id == booking.location_id)
    });
    let records = found.map(super::book::Booking::json).collect();
    let most = state.page.min(list.limit.unwrap_or(usize::MAX));
    Ok(page(records, "bookings", offset, most, &search))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    query: SearchQuery,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchQuery {
    filter: SearchFilter,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchFilter {
    start_at_range: Range,
    location_id: String,
    segment_filters: Vec<SegmentFilter>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    start_at: Timestamp,
    end_at: Timestamp,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentFilter {
    service_variation_id: String,
    team_member_id_filter: AnyOf,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyOf {
    any: Vec<String>,
}

/// Starts at which the service fits, of one team member.
pub(super) async fn availability(
    State(square): State<Square>,
    Json(search): Json<Search>,
) -> Result<Json<Value>, Refused> {
    let SearchFilter { start_at_range: Range { start_at, end_at }, location_id, segment_filters } =
        search.query.filter;
    if end_at.duration_since(start_at) < SHORTEST_SEARCH || location_id != LOCATION {
        return Err(bad("INVALID_TIME_RANGE", "start_at_range is at least 24 hours"));
    }
    let [SegmentFilter { service_variation_id, team_member_id_filter: AnyOf { any } }] =
        segment_filters.as_slice()
    else {
        return Err(bad("INVALID_VALUE", "segment_filters"));
    };
    let (Some((_, id, _, version, minutes)), [member]) =
        (VARIATIONS.iter().find(|(_, id, ..)| id == service_variation_id), any.as_slice())
    else {
        return Err(bad("INVALID_VALUE", "segment_filters"));
    };
    let state = square.lock();
    let is_taken = |from: Timestamp, until: Timestamp| {
        state.book.standing().into_iter().any(|booking| {
            let is_own = booking.appointment_segments.iter().any(|segment| segment.team_member_id == *member);
            is_own && booking.start_at < until && booking.ends() > from
        })
    };
    let mut found = vec![];
    let mut day = start_at.as_second().div_euclid(86_400) * 86_400;
    while day < end_at.as_second() {
        let at = |hour: i64| Timestamp::from_second(day + hour * 3_600).unwrap_or(end_at);
        let mut starts = at(OPENS);
        while starts + SignedDuration::from_mins(*minutes) <= at(CLOSES) {
            let ends = starts + SignedDuration::from_mins(*minutes);
            if (start_at..end_at).contains(&starts) && !is_taken(starts, ends) {
                let segment = json!({
                    "duration_minutes": minutes,
                    "team_member_id": member,
                    "service_variation_id": id,
                    "service_variation_version": version,
                });
                found.push(json!({
                    "start_at": starts,
                    "location_id": LOCATION,
                    "appointment_segments": [segment],
                }));
            }
            starts += STEP;
        }
        day += 86_400;
    }
    Ok(Json(json!({ "availabilities": found })))
}
