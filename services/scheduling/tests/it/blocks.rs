//! Blocked time.

use caller::{Role, UserId};
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            Block, BlockTimeRequest, ExplainAvailabilityRequest, ListBlocksRequest, UnblockTimeRequest,
            obstacle::Kind,
        },
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    events::events,
    salon::{
        ANA, BEN, CUT, OTHER, Salon, WILLOW, anyone, by, fact, field, local, monday, reason, shown, with_key,
    },
};

const TUESDAY: &str = "2026-06-02";

pub fn request(employee: Uuid, from: Timestamp, to: Timestamp) -> BlockTimeRequest {
    BlockTimeRequest {
        business_id: WILLOW.to_string(),
        employee_id: employee.to_string(),
        title: "Lunch".to_owned(),
        starts_at: Some(to_proto(from)),
        ends_at: Some(to_proto(to)),
    }
}

/// Ana's Tuesday between these times.
fn lunch(from: &str, to: &str) -> BlockTimeRequest {
    request(ANA, local(TUESDAY, from), local(TUESDAY, to))
}

pub async fn block(salon: &Salon, request: BlockTimeRequest) -> Result<Block, Status> {
    let response = salon.blocks().block_time(salon.manager(request)).await?;
    Ok(response.into_inner().block.unwrap())
}

pub async fn unblock(salon: &Salon, id: &str) -> Result<(), Status> {
    let request = UnblockTimeRequest { business_id: WILLOW.to_string(), block_id: id.to_owned() };
    salon.blocks().unblock_time(salon.manager(request)).await.map(drop)
}

fn list() -> ListBlocksRequest {
    ListBlocksRequest { business_id: WILLOW.to_string(), ..ListBlocksRequest::default() }
}

async fn listed(salon: &Salon, request: ListBlocksRequest) -> Vec<String> {
    let response = salon.blocks().list_blocks(salon.employee(request)).await.unwrap().into_inner();
    assert_eq!(response.time_zone, "Europe/London");
    response.blocks.into_iter().map(|block| block.id).collect()
}

#[tokio::test]
async fn blocked_time_can_not_be_booked_until_it_is_given_back() {
    let salon = Salon::open().await;
    let lunch = block(&salon, lunch("12:00", "13:00")).await.unwrap();
    assert_eq!((lunch.title.as_str(), shown(lunch.ends_at.as_ref())), ("Lunch", "13:00".to_owned()));
    assert!(lunch.blocked_by.starts_with("user:") && lunch.blocked_at.is_some());
    for start in ["11:45", "12:30"] {
        let refused = salon.book(vec![by(CUT, ANA)], local(TUESDAY, start)).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::SlotTaken);
    }
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await.len(), 35 - 5);
    let other = salon.book(vec![anyone(CUT)], local(TUESDAY, "12:00")).await.unwrap();
    assert_eq!(other.items[0].employee_id, BEN.to_string());
    unblock(&salon, &lunch.id).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "12:30")).await.unwrap();
    assert_eq!(reason(&unblock(&salon, &lunch.id).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn a_block_never_lies_over_what_is_booked_or_held() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "12:00")).await.unwrap();
    let refused = async |request| reason(&block(&salon, request).await.unwrap_err());
    assert_eq!(refused(lunch("11:30", "12:05")).await, Reason::SlotTaken);
    salon.cancel(&booked.id).await.unwrap();
    salon.hold(vec![by(CUT, ANA)], local(TUESDAY, "12:00")).await.unwrap();
    assert_eq!(refused(lunch("11:30", "12:05")).await, Reason::SlotTaken);
    assert_eq!(salon.count("SELECT count(*) FROM block").await, 0);
    salon.time.advance(SignedDuration::from_mins(6));
    block(&salon, lunch("11:30", "12:05")).await.unwrap();
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn blocks_and_entries_of_calendars_lie_over_each_other() {
    let salon = Salon::open().await;
    let first = block(&salon, lunch("12:00", "13:00")).await.unwrap();
    block(&salon, lunch("12:30", "13:30")).await.unwrap();
    let facts = vec![fact("dentist", local(TUESDAY, "11:30"), local(TUESDAY, "12:15"))];
    assert_eq!(salon.import(facts).await.unwrap(), 0);
    unblock(&salon, &first.id).await.unwrap();
    for (start, free) in [("11:45", false), ("12:15", false), ("13:30", true)] {
        let booked = salon.book(vec![by(CUT, ANA)], local(TUESDAY, start)).await;
        assert_eq!(booked.is_ok(), free, "{start}");
    }
}

#[tokio::test]
async fn a_block_in_the_way_is_named_by_its_id() {
    let salon = Salon::open().await;
    let lunch = block(&salon, lunch("12:00", "13:00")).await.unwrap();
    let request = ExplainAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(CUT, ANA)],
        starts_at: Some(to_proto(local(TUESDAY, "12:15"))),
        ..ExplainAvailabilityRequest::default()
    };
    let explained =
        salon.availability().explain_availability(salon.agent(request)).await.unwrap().into_inner();
    let obstacles = &explained.items[0].candidates[0].obstacles;
    let named: Vec<_> = obstacles.iter().map(|one| (one.kind(), one.record_id.as_str())).collect();
    assert_eq!(named, [(Kind::Blocked, lunch.id.as_str())]);
    assert!(!explained.sentence.contains("Lunch") && explained.sentence.contains("is away until 1 pm"));
}

#[tokio::test]
async fn blocks_are_listed_by_start_a_page_at_a_time() {
    let salon = Salon::open().await;
    let mut ids = vec![];
    for (from, to) in [("09:00", "09:30"), ("12:00", "13:00"), ("15:00", "15:10")] {
        ids.push(block(&salon, lunch(from, to)).await.unwrap().id);
    }
    let bens = block(&salon, request(BEN, local(TUESDAY, "12:00"), local(TUESDAY, "12:30"))).await.unwrap();
    let of_ana = ListBlocksRequest { employee_id: ANA.to_string(), ..list() };
    assert_eq!(listed(&salon, of_ana).await, ids);
    let of_ben = ListBlocksRequest { employee_id: BEN.to_string(), ..list() };
    assert_eq!(listed(&salon, of_ben).await, std::slice::from_ref(&bens.id));
    let noon = ListBlocksRequest {
        from: Some(to_proto(local(TUESDAY, "09:30"))),
        to: Some(to_proto(local(TUESDAY, "15:00"))),
        ..list()
    };
    assert_eq!(listed(&salon, noon).await.len(), 2);
    let (mut seen, mut page_token) = (vec![], String::new());
    loop {
        let request = ListBlocksRequest { page_size: 1, page_token, ..list() };
        let page = salon.blocks().list_blocks(salon.employee(request)).await.unwrap().into_inner();
        seen.extend(page.blocks.into_iter().map(|block| block.id));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(seen.len(), 4);
    assert_eq!((&seen[0], &seen[3]), (&ids[0], &ids[2]));
    unblock(&salon, &bens.id).await.unwrap();
    assert_eq!(listed(&salon, list()).await, ids);
}

#[tokio::test]
async fn a_block_and_its_end_are_told_audited_and_have_one_effect() {
    let salon = Salon::open().await;
    let block = async || {
        let request = with_key(salon.employee(lunch("12:00", "13:00")), "k1");
        salon.blocks().block_time(request).await.unwrap().into_inner().block.unwrap()
    };
    let lunch = block().await;
    assert_eq!(lunch, block().await);
    for _ in 0..2 {
        let request = UnblockTimeRequest { business_id: WILLOW.to_string(), block_id: lunch.id.clone() };
        salon.blocks().unblock_time(with_key(salon.employee(request), "k2")).await.unwrap();
    }
    let told: Vec<_> = events(&salon)
        .await
        .into_iter()
        .filter_map(|event| match event.payload {
            Some(Payload::Block(block)) => Some((block.block_id, event.version)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [(lunch.id.clone(), 1), (lunch.id, 2)]);
    for action in ["BlockTime", "UnblockTime"] {
        assert_eq!(salon.trail().await.iter().filter(|(done, _)| done == action).count(), 1);
    }
}

#[tokio::test]
async fn a_malformed_block_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |request| field(&block(&salon, request).await.unwrap_err());
    let request = || lunch("12:00", "13:00");
    assert_eq!(refused(BlockTimeRequest { title: " ".to_owned(), ..request() }).await, "title");
    assert_eq!(refused(BlockTimeRequest { title: "a\nb".to_owned(), ..request() }).await, "title");
    assert_eq!(refused(BlockTimeRequest { title: "x".repeat(81), ..request() }).await, "title");
    assert_eq!(refused(BlockTimeRequest { employee_id: String::new(), ..request() }).await, "employee_id");
    assert_eq!(refused(BlockTimeRequest { starts_at: None, ..request() }).await, "starts_at");
    assert_eq!(refused(lunch("12:02", "13:00")).await, "starts_at");
    assert_eq!(refused(lunch("12:00", "13:02")).await, "ends_at");
    assert_eq!(refused(lunch("12:00", "12:00")).await, "ends_at");
    let long = BlockTimeRequest { ends_at: Some(to_proto(local("2026-06-03", "12:05"))), ..request() };
    assert_eq!(refused(long).await, "ends_at");
    let far = super::blocks::request(ANA, local("2027-06-02", "12:00"), local("2027-06-02", "13:00"));
    assert_eq!(reason(&block(&salon, far).await.unwrap_err()), Reason::TooFar);
    // What has happened may be entered.
    block(&salon, super::blocks::request(ANA, monday("08:00"), monday("08:30"))).await.unwrap();
}

fn signed<T>(salon: &Salon, user: UserId, role: Role, message: T) -> tonic::Request<T> {
    testkit::as_person(&salon.host, user, testkit::SESSION, Some(WILLOW), Some(role), message)
}

#[tokio::test]
async fn an_employee_blocks_their_own_time_alone_and_removes_what_they_blocked() {
    let salon = Salon::open().await;
    let bens = request(BEN, local(TUESDAY, "12:00"), local(TUESDAY, "13:00"));
    let refused = salon.blocks().block_time(salon.employee(bens.clone())).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    let own = salon.blocks().block_time(salon.employee(lunch("12:00", "13:00"))).await.unwrap();
    let own = own.into_inner().block.unwrap().id;
    let bens = block(&salon, bens).await.unwrap().id;
    let colleague = UserId(Uuid::from_u128(0xb0b));
    let of = |id: &str| UnblockTimeRequest { business_id: WILLOW.to_string(), block_id: id.to_owned() };
    let managers = signed(&salon, colleague, Role::Manager, lunch("15:00", "16:00"));
    let managers = salon.blocks().block_time(managers).await.unwrap().into_inner().block.unwrap().id;
    for (user, id) in [(testkit::USER, &bens), (testkit::USER, &managers), (colleague, &own)] {
        let request = signed(&salon, user, Role::Employee, of(id));
        assert_eq!(reason(&salon.blocks().unblock_time(request).await.unwrap_err()), Reason::RoleTooLow);
    }
    assert_eq!(listed(&salon, list()).await.len(), 3);
    salon.blocks().unblock_time(salon.employee(of(&own))).await.unwrap();
    salon.blocks().unblock_time(signed(&salon, colleague, Role::Manager, of(&managers))).await.unwrap();
    assert_eq!(listed(&salon, list()).await, [bens]);
}

#[tokio::test]
async fn blocks_are_the_business_of_those_who_work_there() {
    let salon = Salon::open().await;
    let lunch_id = block(&salon, lunch("12:00", "13:00")).await.unwrap().id;
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, lunch("15:00", "16:00"));
        assert_eq!(reason(&salon.blocks().block_time(request).await.unwrap_err()), expected);
        let request = as_user(&salon.host, role, business, list());
        assert_eq!(reason(&salon.blocks().list_blocks(request).await.unwrap_err()), expected);
    }
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    let foreign = UnblockTimeRequest { business_id: OTHER.to_string(), block_id: lunch_id.clone() };
    let foreign = as_user(&salon.host, Role::Owner, OTHER, foreign);
    assert_eq!(reason(&salon.blocks().unblock_time(foreign).await.unwrap_err()), Reason::NotFound);
    assert_eq!(listed(&salon, list()).await, [lunch_id]);
}
