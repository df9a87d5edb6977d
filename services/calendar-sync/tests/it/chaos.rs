//! Edits on both sides of a real CalDAV server, through a proxy that fails: in the end both sides agree.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use calendar_sync::domain::lease::LENGTH;
use caller::Role;
use jiff::SignedDuration;
use proto::frontdesk::{
    calendarsync::v1::{
        CaldavAccount, CheckConsistencyRequest, CheckConsistencyResponse, ConnectCaldavCalendarRequest,
        RepairDifferenceRequest, consistency_service_client::ConsistencyServiceClient,
    },
    scheduling::v1::AppointmentState,
};
use testkit::as_user;

use crate::{
    radicale::Account,
    salon::{MIA, SALON, Salon, at, visit},
    scheduling::Imported,
};

const EDITS: u32 = 500;
const SEED: u64 = 0x5EED_2026_1125;

/// What goes wrong with a request.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// Nothing is done, and 503 answered.
    Unavailable,
    /// It is done, and 503 answered.
    LostAnswer,
    /// 429.
    TooMany,
    /// The token is not known any more.
    Forgotten,
}

struct Proxy {
    target: String,
    faults: Mutex<Vec<Fault>>,
    client: reqwest::Client,
}

impl Proxy {
    fn next(&self, is_listing: bool) -> Option<Fault> {
        let mut faults = self.faults.lock().unwrap();
        match faults.last() {
            Some(Fault::Forgotten) if !is_listing => None,
            _ => faults.pop(),
        }
    }
}

async fn forward(State(proxy): State<Arc<Proxy>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 16 << 20).await.unwrap();
    let is_listing = body.windows(27).any(|window| window == b"<D:sync-token>http://radica");
    let fault = proxy.next(is_listing);
    match fault {
        Some(Fault::Unavailable) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(Fault::TooMany) => return StatusCode::TOO_MANY_REQUESTS.into_response(),
        Some(Fault::Forgotten) => {
            let error = r#"<error xmlns="DAV:"><valid-sync-token/></error>"#;
            return (StatusCode::FORBIDDEN, error).into_response();
        }
        Some(Fault::LostAnswer) | None => {}
    }
    let url = format!("{}{}", proxy.target.trim_end_matches('/'), parts.uri.path());
    let mut asked = proxy.client.request(parts.method, url).body(body);
    for (name, value) in parts.headers.iter().filter(|(name, _)| name.as_str() != "host") {
        asked = asked.header(name, value);
    }
    let answer = asked.send().await.unwrap();
    if matches!(fault, Some(Fault::LostAnswer)) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let mut response = Response::builder().status(answer.status());
    for name in ["etag", "location", "content-type"] {
        if let Some(value) = answer.headers().get(name) {
            response = response.header(name, value);
        }
    }
    response.body(Body::from(answer.bytes().await.unwrap())).unwrap()
}

async fn proxy(target: &str) -> (Arc<Proxy>, String) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let proxy = Arc::new(Proxy { target: target.to_owned(), faults: Mutex::default(), client });
    let router = Router::new().fallback(forward).with_state(proxy.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    (proxy, format!("http://{address}/"))
}

/// Numbers that are the same each time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: u32) -> u32 {
        // PCG's step; the upper bits are the better ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(most)).unwrap()
    }
}

/// What both sides should have in the end.
#[derive(Default)]
pub struct World {
    /// The hour of each appointment that is booked, and its version.
    pub booked: BTreeMap<u32, i64>,
    versions: BTreeMap<u32, i64>,
    /// The hour of each of Mia's own events.
    pub own: BTreeMap<u32, i64>,
}

impl World {
    /// Books, moves or cancels one of Mia's appointments.
    pub fn edit_booking(&mut self, salon: &Salon, random: &mut Random, hour: i64) {
        let n = random.below(60);
        let version = self.versions.entry(n).or_default();
        *version += 1;
        let mut wire = visit(u128::from(0x1_0000 + n), *version, &[(MIA, "Cut", hour, 30)]);
        if random.below(4) == 0 {
            wire.state = AppointmentState::Cancelled.into();
            self.booked.remove(&n);
        } else {
            self.booked.insert(n, hour);
        }
        salon.scheduling.publish(&salon.host, &SALON.to_string(), wire);
    }
}

fn own_event(hour: i64) -> String {
    let (day, hour) = (1 + hour / 24, hour % 24);
    format!("DTSTART:202606{day:02}T{hour:02}0000Z\r\nDTEND:202606{day:02}T{hour:02}3000Z\r\nSUMMARY:Own")
}

async fn edit(salon: &Salon, account: &Account, proxy: &Proxy, world: &mut World, random: &mut Random) {
    let hour = i64::from(72 + random.below(400));
    match random.below(12) {
        0..=3 => world.edit_booking(salon, random, hour),
        4..=6 => {
            let n = random.below(40);
            account.put(&format!("own-{n}"), &own_event(hour)).await;
            world.own.insert(n, hour);
        }
        7 => {
            let n = random.below(40);
            if world.own.remove(&n).is_some() {
                account.delete(&format!("own-{n}")).await;
            }
        }
        // Someone drags or deletes what was written for an appointment.
        8 => {
            let names: Vec<String> =
                account.names().await.into_iter().filter(|name| !name.starts_with("own-")).collect();
            if let Some(name) = names.get(random.below(60) as usize) {
                let Some(text) = account.get(name).await else { return };
                if random.below(2) == 0 {
                    account
                        .replace(name, &text.replace("0000Z", "1500Z").replace("SUMMARY:Cut", "SUMMARY:Hm"))
                        .await;
                } else {
                    account.try_delete(name).await;
                }
            }
        }
        9 | 10 => {
            let fault = [Fault::Unavailable, Fault::LostAnswer, Fault::TooMany, Fault::Forgotten];
            let fault = fault[random.below(4) as usize];
            let count = 1 + random.below(3) as usize;
            proxy.faults.lock().unwrap().extend(std::iter::repeat_n(fault, count));
        }
        // A worker dies between the server's answer and its commit.
        _ => salon.meddle(LOST_COMMIT).await,
    }
}

/// What was written is not known to have been.
pub const LOST_COMMIT: &str = "UPDATE calendar_write SET written = GREATEST(written - 1, 0), etag = NULL
    WHERE (business_id, calendar_id, event_id) IN
        (SELECT business_id, calendar_id, event_id FROM calendar_write ORDER BY event_id LIMIT 3)";

async fn check(salon: &Salon) -> CheckConsistencyResponse {
    let message = CheckConsistencyRequest { business_id: SALON.to_string() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    ConsistencyServiceClient::new(salon.channel.clone())
        .check_consistency(request)
        .await
        .unwrap()
        .into_inner()
}

/// The leases of turns that are under way.
const LEASES: &str = "SELECT COALESCE(string_agg(DISTINCT held.lease::text, ' '), '')
    FROM sync_state s CROSS JOIN LATERAL (VALUES (s.lease), (s.writer)) held (lease)";

/// Turns that were seen under way, and since when.
#[derive(Default)]
struct Turns(HashMap<String, Instant>);

impl Turns {
    /// Whether none is under way. One that is there for longer than any turn lasts is not: what became of it was not
    /// kept, and it ends with its lease, by a clock that must go on for that.
    async fn are_over(&mut self, salon: &Salon) -> bool {
        let leases: String = salon.value(LEASES).await;
        self.0.retain(|lease, _| leases.contains(lease.as_str()));
        for lease in leases.split_whitespace() {
            self.0.entry(lease.to_owned()).or_insert_with(Instant::now);
        }
        let longest = Duration::try_from(LENGTH).unwrap();
        self.0.values().all(|since| since.elapsed() > longest)
    }
}

/// Waits until all that is planned is written; what waits after failures falls due.
async fn settle(salon: &Salon) {
    let unwritten = "SELECT count(*) FROM calendar_write WHERE written < wanted AND parked_at IS NULL";
    let mut turns = Turns::default();
    let settling = async {
        while salon.count(unwritten).await > 0 {
            salon.meddle("UPDATE calendar_write SET due_at = '2026-06-01' WHERE written < wanted").await;
            // So many writes use up what a system allows in a second, and some wait a minute for a key of their own. No
            // turn is under way, and one that begins now outlasts this step.
            if turns.are_over(salon).await {
                salon.time.advance(SignedDuration::from_secs(5));
            }
        }
    };
    if tokio::time::timeout(crate::scheduling::PATIENCE * 3, settling).await.is_err() {
        let left = salon.dump(&["sync_state", "provider_connection", "calendar_write"]).await;
        panic!("writes never end: {left}");
    }
}

/// Lets what is under way end, and all that waits after failures be tried.
pub async fn come_to_rest(salon: &Salon) {
    come_to_rest_at(salon, i64::try_from(salon.scheduling.published().len()).unwrap()).await;
}

/// As [`come_to_rest`], once the book is followed to this position of its log.
pub async fn come_to_rest_at(salon: &Salon, position: i64) {
    salon
        .until(async || {
            outbox::caught_up(&salon.app, calendar_sync::FOLLOWER, "scheduling", position).await.unwrap()
        })
        .await;
    // Turns that are under way end before the time of their leases does.
    until_turns_are_over(salon).await;
    salon.time.advance(SignedDuration::from_mins(20));
    settle(salon).await;
}

async fn until_turns_are_over(salon: &Salon) {
    let mut turns = Turns::default();
    salon.until(async || turns.are_over(salon).await).await;
}

/// Reads the calendar again, and waits until scheduling holds these events of Mia's own, by the hour at which each
/// begins, and nothing of ours.
pub async fn until_own_held(salon: &Salon, own: &BTreeMap<String, i64>) {
    // What the system allows at once may be used up by now.
    until_turns_are_over(salon).await;
    salon.let_pass(SignedDuration::from_mins(1)).await;
    salon.read_again().await;
    let midnight = at(0, 0).as_second();
    let hours = |imported: &Imported| -> BTreeMap<String, i64> {
        let hour = |seconds: i64| (seconds - midnight) / 3600;
        let facts = imported.busy.iter();
        facts.map(|((_, id), fact)| (id.clone(), hour(fact.starts_at.unwrap().seconds))).collect()
    };
    salon.scheduling.until(|imported| hours(imported) == *own).await;
}

/// Finds what people did to our events since they were written, repairs it line by line, and finds nothing then in a book
/// of so many appointments.
pub async fn repair(salon: &Salon, appointments: usize) {
    let found = check(salon).await;
    assert_eq!(found.check.as_ref().unwrap().unread_side_count, 0, "{:?}", found.sides);
    for difference in &found.differences {
        let message = RepairDifferenceRequest {
            business_id: SALON.to_string(),
            calendar_id: difference.calendar_id.clone(),
            event_id: difference.event_id.clone(),
            appointment_id: difference.appointment_id.clone(),
        };
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        ConsistencyServiceClient::new(salon.channel.clone()).repair_difference(request).await.unwrap();
    }
    settle(salon).await;
    let after = check(salon).await;
    assert_eq!(after.differences, []);
    assert_eq!(after.check.unwrap().appointment_count, i32::try_from(appointments).unwrap());
}

#[tokio::test]
async fn after_500_edits_with_faults_both_sides_agree_and_nothing_is_doubled_or_lost() {
    let (salon, account) = (Salon::open().await, Account::open().await);
    let (proxy, url) = proxy(&account.server).await;
    let message = ConnectCaldavCalendarRequest {
        business_id: SALON.to_string(),
        account: Some(CaldavAccount {
            server: url.clone(),
            username: account.username.clone(),
            password: account.password.clone(),
        }),
        url: format!("{url}{}/work/", account.username),
        employee_id: MIA.to_string(),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    salon.calendars().connect_caldav_calendar(request).await.unwrap();

    let (mut world, mut random) = (World::default(), Random(SEED));
    for n in 0..EDITS {
        edit(&salon, &account, &proxy, &mut world, &mut random).await;
        if n % 10 == 0 {
            salon.time.advance(SignedDuration::from_secs(2));
            salon.read_again().await;
        }
    }
    proxy.faults.lock().unwrap().clear();
    come_to_rest(&salon).await;
    repair(&salon, world.booked.len()).await;

    // Nothing doubled, nothing lost: an entry for each appointment and each own event.
    let names: BTreeSet<String> = account.names().await.into_iter().collect();
    assert_eq!(names.len(), world.booked.len() + world.own.len());
    assert!(world.own.keys().all(|n| names.contains(&format!("own-{n}"))));
    // And scheduling holds Mia's own events, where they are now.
    let expected: BTreeMap<String, i64> =
        world.own.iter().map(|(n, hour)| (format!("own-{n}.ics"), *hour)).collect();
    until_own_held(&salon, &expected).await;
}
