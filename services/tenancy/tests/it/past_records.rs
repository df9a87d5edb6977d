//! The records of a salon that worked before it came here.

use proto::{
    frontdesk::tenancy::{
        internal::v1::{
            AddPastCustomersRequest, AddPastFollowUpsRequest, AddPastMovementsRequest, PastCustomer,
            PastFollowUp, PastMovement, past_record_service_client::PastRecordServiceClient,
        },
        v1::{GetItemRequest, ListStockMovementsRequest, StockMovementKind},
    },
    time::to_proto,
};
use testkit::as_service;
use tonic::{Code, Request};
use uuid::Uuid;

use crate::{
    item::{create, described},
    stage::{Stage, WILLOW},
};

const ANA: &str = "01900000-0000-7000-8000-0000000000a1";

fn local<T>(stage: &Stage, message: T) -> Request<T> {
    as_service("local", &stage.host, Some(WILLOW), message)
}

fn client(stage: &Stage) -> PastRecordServiceClient<boot::peer::PeerChannel> {
    PastRecordServiceClient::new(stage.channel.clone())
}

fn movement(n: u128, kind: StockMovementKind, quantity: i32, day: &str) -> PastMovement {
    let at: jiff::Timestamp = format!("{day}T10:00:00Z").parse().unwrap();
    PastMovement {
        id: Uuid::from_u128(0xbeef_0000 + n).to_string(),
        kind: kind.into(),
        quantity,
        at: Some(to_proto(at)),
        by: format!("user:{}", Uuid::from_u128(1)),
        ..Default::default()
    }
}

#[tokio::test]
async fn past_movements_add_up_to_the_stock_and_are_added_once() {
    let stage = Stage::open().await;
    let item = create(&stage, WILLOW, described("Shampoo")).await.unwrap();
    let movements = vec![
        movement(1, StockMovementKind::Received, 12, "2026-02-01"),
        movement(2, StockMovementKind::Sold, 2, "2026-02-03"),
        movement(3, StockMovementKind::Counted, 9, "2026-02-05"),
        movement(4, StockMovementKind::Wasted, 1, "2026-02-06"),
    ];
    let request = |movements| AddPastMovementsRequest {
        business_id: WILLOW.to_string(),
        item_id: item.id.clone(),
        movements,
    };
    let backwards = movements.iter().rev().cloned().collect();
    let refused = client(&stage).add_past_movements(local(&stage, request(backwards))).await;
    assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
    for added in [4, 0] {
        let answer =
            client(&stage).add_past_movements(local(&stage, request(movements.clone()))).await.unwrap();
        assert_eq!(answer.into_inner().added, added);
    }
    let get = GetItemRequest { business_id: WILLOW.to_string(), item_id: item.id.clone() };
    let now = stage.items().get_item(stage.manager_of(WILLOW, get)).await.unwrap().into_inner().item.unwrap();
    assert_eq!(now.on_hand, 8);
    let list = ListStockMovementsRequest {
        business_id: WILLOW.to_string(),
        item_id: item.id.clone(),
        ..Default::default()
    };
    let listed =
        stage.stock().list_stock_movements(stage.manager_of(WILLOW, list)).await.unwrap().into_inner();
    let steps: Vec<_> = listed.movements.iter().map(|one| (one.quantity, one.on_hand)).collect();
    assert_eq!(steps, [(-1, 8), (-1, 9), (-2, 10), (12, 12)]);
}

#[tokio::test]
async fn past_customers_and_what_they_left_are_added_once_and_told_of() {
    let stage = Stage::open().await;
    let customers = vec![PastCustomer {
        id: ANA.to_owned(),
        name: "Ana".to_owned(),
        phone: "+447700900123".to_owned(),
        email: String::new(),
    }];
    let at: jiff::Timestamp = "2026-02-01T10:00:00Z".parse().unwrap();
    let follow_up = |n: u128, done: bool| PastFollowUp {
        id: Uuid::from_u128(0xbeef_0000 + n).to_string(),
        text: "Call back".to_owned(),
        customer_id: ANA.to_owned(),
        created_at: Some(to_proto(at)),
        created_by: "agent:1".to_owned(),
        done_at: done.then(|| to_proto(at + jiff::SignedDuration::from_hours(3))),
        done_by: if done { "user:1".to_owned() } else { String::new() },
        ..Default::default()
    };
    for (people, messages) in [(1, 2), (0, 0)] {
        let request =
            AddPastCustomersRequest { business_id: WILLOW.to_string(), customers: customers.clone() };
        let answer = client(&stage).add_past_customers(local(&stage, request)).await.unwrap().into_inner();
        assert_eq!(answer.added, people);
        let follow_ups = vec![follow_up(1, false), follow_up(2, true)];
        let request = AddPastFollowUpsRequest { business_id: WILLOW.to_string(), follow_ups };
        let answer = client(&stage).add_past_follow_ups(local(&stage, request)).await.unwrap().into_inner();
        assert_eq!(answer.added, messages);
    }
    let done = "SELECT count(*) FROM follow_up WHERE done_at = '2026-02-01T13:00:00Z' AND done_by = 'user:1'";
    assert_eq!(stage.count(done).await, 1);
    let noted = "SELECT count(*) FROM change_entry WHERE record_kind IN ('customer', 'follow_up')";
    assert_eq!(stage.count(noted).await, 0, "taken over, not changed");
}
