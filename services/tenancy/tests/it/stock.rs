//! Movements of stock.

use caller::{BusinessId, Role};
use proptest::{prelude::*, test_runner::Config};
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        Count, GetItemRequest, Item, ItemDetails, ListStockMovementsRequest, PreviewStockTakeRequest,
        ReceiveStockRequest, RecordStockTakeRequest, RecordStockTakeResponse, StockMovement,
        StockMovementKind as Kind, TakeFromStockRequest, UndoStockMovementRequest, UndoStockTakeRequest,
        WasteStockRequest,
    },
};
use testkit::{SESSION, as_person};
use tonic::Status;
use uuid::Uuid;

use crate::{
    item::{choose_currency, create, described, for_sale, update},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

pub async fn receive(stage: &Stage, item: &str, quantity: i32) -> Result<StockMovement, Status> {
    receive_in(stage, WILLOW, item, quantity).await
}

/// Some arrive, each at a cost.
async fn receive_at(stage: &Stage, item: &str, cost: i32) -> Result<StockMovement, Status> {
    let request = ReceiveStockRequest { unit_cost_minor: Some(cost), ..received(WILLOW, item, 10) };
    let response = stage.stock().receive_stock(stage.manager_of(WILLOW, request)).await?;
    Ok(response.into_inner().movement.unwrap())
}

fn received(business: BusinessId, item: &str, quantity: i32) -> ReceiveStockRequest {
    ReceiveStockRequest {
        business_id: business.to_string(),
        item_id: item.to_owned(),
        quantity,
        unit_cost_minor: None,
        note: "Invoice 7".to_owned(),
    }
}

pub async fn receive_in(
    stage: &Stage,
    business: BusinessId,
    item: &str,
    quantity: i32,
) -> Result<StockMovement, Status> {
    let request = received(business, item, quantity);
    let response = stage.stock().receive_stock(stage.manager_of(business, request)).await?;
    Ok(response.into_inner().movement.unwrap())
}

async fn take(stage: &Stage, item: &str, kind: Kind, quantity: i32) -> Result<StockMovement, Status> {
    let request = TakeFromStockRequest {
        business_id: WILLOW.to_string(),
        item_id: item.to_owned(),
        kind: kind.into(),
        quantity,
        note: String::new(),
    };
    let response = stage.stock().take_from_stock(stage.employee_of(WILLOW, request)).await?;
    Ok(response.into_inner().movement.unwrap())
}

async fn waste(stage: &Stage, item: &str, quantity: i32) -> Result<StockMovement, Status> {
    let request = WasteStockRequest {
        business_id: WILLOW.to_string(),
        item_id: item.to_owned(),
        quantity,
        note: "Broken".to_owned(),
    };
    let response = stage.stock().waste_stock(stage.manager_of(WILLOW, request)).await?;
    Ok(response.into_inner().movement.unwrap())
}

fn undoing(item: &str, movement: &str) -> UndoStockMovementRequest {
    UndoStockMovementRequest {
        business_id: WILLOW.to_string(),
        item_id: item.to_owned(),
        movement_id: movement.to_owned(),
    }
}

async fn undo(stage: &Stage, item: &str, movement: &str) -> Result<StockMovement, Status> {
    let request = stage.manager_of(WILLOW, undoing(item, movement));
    Ok(stage.stock().undo_stock_movement(request).await?.into_inner().movement.unwrap())
}

async fn movements(stage: &Stage, item: &str) -> Vec<StockMovement> {
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = ListStockMovementsRequest {
            business_id: WILLOW.to_string(),
            item_id: item.to_owned(),
            page_size: 2,
            page_token: token,
        };
        let page = stage.stock().list_stock_movements(stage.employee_of(WILLOW, request)).await;
        let page = page.unwrap().into_inner();
        seen.extend(page.movements);
        token = page.next_page_token;
        if token.is_empty() {
            return seen;
        }
    }
}

async fn on_hand(stage: &Stage, item: &str) -> i64 {
    let request = GetItemRequest { business_id: WILLOW.to_string(), item_id: item.to_owned() };
    let response = stage.items().get_item(stage.employee_of(WILLOW, request)).await.unwrap();
    response.into_inner().item.unwrap().on_hand
}

fn count(item: &Item, counted: i32, seen_on_hand: i64) -> Count {
    Count { item_id: item.id.clone(), counted, seen_on_hand }
}

async fn stock_take(stage: &Stage, counts: Vec<Count>) -> Result<RecordStockTakeResponse, Status> {
    let request = RecordStockTakeRequest { business_id: WILLOW.to_string(), counts, note: "June".to_owned() };
    let response = stage.stock().record_stock_take(stage.manager_of(WILLOW, request)).await?;
    Ok(response.into_inner())
}

async fn undo_take(stage: &Stage, take: &RecordStockTakeResponse) -> Result<Vec<StockMovement>, Status> {
    let stock_take_id = take.stock_take_id.clone();
    let request = UndoStockTakeRequest { business_id: WILLOW.to_string(), stock_take_id };
    Ok(stage.stock().undo_stock_take(stage.manager_of(WILLOW, request)).await?.into_inner().movements)
}

#[tokio::test]
async fn stock_is_what_its_movements_add_up_to_the_latest_first() {
    let stage = Stage::open().await;
    let item = for_sale(&stage, "Shampoo").await.id;
    receive_at(&stage, &item, 250).await.unwrap();
    take(&stage, &item, Kind::Sold, 2).await.unwrap();
    take(&stage, &item, Kind::Used, 1).await.unwrap();
    waste(&stage, &item, 1).await.unwrap();
    let seen = movements(&stage, &item).await;
    let told: Vec<_> = seen.iter().map(|one| (one.kind(), one.quantity, one.on_hand)).collect();
    let expected =
        [(Kind::Wasted, -1, 6), (Kind::Used, -1, 7), (Kind::Sold, -2, 8), (Kind::Received, 10, 10)];
    assert_eq!(told, expected);
    let received = seen.last().unwrap();
    assert_eq!((received.unit_cost_minor, received.note.as_str()), (Some(250), "Invoice 7"));
    assert!(received.created_by.starts_with("user:"), "{}", received.created_by);
    assert_eq!(on_hand(&stage, &item).await, 6);
    // More may be sold than was known to be there.
    take(&stage, &item, Kind::Sold, 8).await.unwrap();
    assert_eq!(on_hand(&stage, &item).await, -2);
}

#[tokio::test]
async fn a_movement_is_undone_once_by_another_one() {
    let stage = Stage::open().await;
    let item = create(&stage, WILLOW, described("Shampoo")).await.unwrap().id;
    let received = receive(&stage, &item, 10).await.unwrap();
    let back = undo(&stage, &item, &received.id).await.unwrap();
    assert_eq!((back.kind(), back.quantity, back.undoes.clone()), (Kind::Received, -10, received.id.clone()));
    assert_eq!(on_hand(&stage, &item).await, 0);
    assert_refused(undo(&stage, &item, &received.id).await, Reason::WrongState);
    assert_refused(undo(&stage, &item, &back.id).await, Reason::WrongState);
    assert_refused(undo(&stage, &item, &Uuid::from_u128(9).to_string()).await, Reason::NotFound);
    assert!(movements(&stage, &item).await.iter().all(|one| !one.may_undo));
    let undone: Vec<_> = movements(&stage, &item).await.iter().map(|one| one.undone).collect();
    assert_eq!(undone, [false, true]);
}

#[tokio::test]
async fn employees_record_and_undo_their_own_sales_and_uses_alone() {
    let stage = Stage::open().await;
    let item = for_sale(&stage, "Shampoo").await.id;
    let received = receive(&stage, &item, 10).await.unwrap();
    let sold = take(&stage, &item, Kind::Sold, 1).await.unwrap();
    let request = stage.employee_of(WILLOW, undoing(&item, &received.id));
    assert_refused(stage.stock().undo_stock_movement(request).await, Reason::RoleTooLow);
    let other = caller::UserId(Uuid::from_u128(0xbeef));
    let request =
        as_person(&stage.host, other, SESSION, Some(WILLOW), Some(Role::Employee), undoing(&item, &sold.id));
    assert_refused(stage.stock().undo_stock_movement(request).await, Reason::RoleTooLow);
    let own = stage.employee_of(WILLOW, undoing(&item, &sold.id));
    stage.stock().undo_stock_movement(own).await.unwrap();
    let request = ReceiveStockRequest {
        business_id: WILLOW.to_string(),
        item_id: item.clone(),
        quantity: 1,
        ..Default::default()
    };
    assert_refused(stage.stock().receive_stock(stage.employee_of(WILLOW, request)).await, Reason::RoleTooLow);
}

#[tokio::test]
async fn a_delivery_at_a_cost_needs_an_item_that_has_a_currency() {
    let stage = Stage::open().await;
    let soap = create(&stage, WILLOW, described("Soap")).await.unwrap();
    choose_currency(&stage, WILLOW, "GBP").await;
    // It was written before, and is in no currency.
    assert_field_refused(receive_at(&stage, &soap.id, 250).await, "unit_cost_minor");
    assert_eq!(receive(&stage, &soap.id, 10).await.unwrap().unit_cost_minor, None);
    let costly = ItemDetails { cost_minor: Some(240), ..described("Soap") };
    update(&stage, &soap, costly, soap.version).await.unwrap();
    assert_eq!(receive_at(&stage, &soap.id, 250).await.unwrap().unit_cost_minor, Some(250));
    assert_eq!(on_hand(&stage, &soap.id).await, 20, "what was refused did not arrive");
}

#[tokio::test]
async fn an_item_without_a_price_is_used_but_not_sold() {
    let stage = Stage::open().await;
    let foils = create(&stage, WILLOW, described("Foils")).await.unwrap();
    receive(&stage, &foils.id, 10).await.unwrap();
    let refused = take(&stage, &foils.id, Kind::Sold, 1).await.unwrap_err();
    assert!(refused.message().contains("it is not for sale"), "{refused}");
    assert_field_refused(Err::<(), _>(refused), "kind");
    take(&stage, &foils.id, Kind::Used, 1).await.unwrap();
    assert_eq!(on_hand(&stage, &foils.id).await, 9);
    let unknown = Uuid::from_u128(9).to_string();
    assert_refused(take(&stage, &unknown, Kind::Sold, 1).await, Reason::NotFound);
}

#[tokio::test]
async fn a_sale_is_undone_though_the_item_has_no_price_any_more() {
    let stage = Stage::open().await;
    let soap = for_sale(&stage, "Soap").await;
    let sold = take(&stage, &soap.id, Kind::Sold, 2).await.unwrap();
    update(&stage, &soap, described("Soap"), 0).await.unwrap();
    assert_field_refused(take(&stage, &soap.id, Kind::Sold, 1).await, "kind");
    undo(&stage, &soap.id, &sold.id).await.unwrap();
    assert_eq!(on_hand(&stage, &soap.id).await, 0);
}

#[tokio::test]
async fn a_stock_take_shows_the_differences_and_records_them_together() {
    let stage = Stage::open().await;
    let soap = for_sale(&stage, "Soap").await;
    let wax = create(&stage, WILLOW, described("Wax")).await.unwrap();
    receive(&stage, &soap.id, 10).await.unwrap();
    let counts = vec![count(&wax, 4, 0), count(&soap, 7, 10)];
    let request = PreviewStockTakeRequest { business_id: WILLOW.to_string(), counts: counts.clone() };
    let shown = stage.stock().preview_stock_take(stage.manager_of(WILLOW, request)).await.unwrap();
    let shown: Vec<_> = shown
        .into_inner()
        .differences
        .into_iter()
        .map(|one| (one.item_name, one.on_hand, one.difference))
        .collect();
    assert_eq!(shown, [("Wax".to_owned(), 0, 4), ("Soap".to_owned(), 10, -3)]);
    assert_eq!(on_hand(&stage, &soap.id).await, 10);

    // Sold after the count was seen: nothing of it is recorded.
    take(&stage, &soap.id, Kind::Sold, 1).await.unwrap();
    assert_refused(stock_take(&stage, counts).await, Reason::Stale);
    assert_eq!((on_hand(&stage, &wax.id).await, on_hand(&stage, &soap.id).await), (0, 9));

    let recorded = stock_take(&stage, vec![count(&wax, 4, 0), count(&soap, 9, 9)]).await.unwrap();
    let told: Vec<_> = recorded.movements.iter().map(|one| (one.kind(), one.quantity, one.on_hand)).collect();
    assert_eq!(told, [(Kind::Counted, 4, 4), (Kind::Counted, 0, 9)]);
    assert!(recorded.movements.iter().all(|one| one.stock_take_id == recorded.stock_take_id));
}

#[tokio::test]
async fn a_stock_take_is_undone_once_as_a_whole_and_later_sales_stay() {
    let stage = Stage::open().await;
    let soap = for_sale(&stage, "Soap").await;
    let [wax, gel] = ["Wax", "Gel"].map(described);
    let wax = create(&stage, WILLOW, wax).await.unwrap();
    let gel = create(&stage, WILLOW, gel).await.unwrap();
    receive(&stage, &soap.id, 10).await.unwrap();
    let counts = vec![count(&wax, 4, 0), count(&soap, 7, 10), count(&gel, 2, 0)];
    let take = stock_take(&stage, counts).await.unwrap();
    take_and_undo_one(&stage, &soap, &gel, &take).await;

    let back = undo_take(&stage, &take).await.unwrap();
    let mut told: Vec<_> = back.iter().map(|one| (one.kind(), one.quantity, one.on_hand)).collect();
    told.sort_by_key(|(_, quantity, _)| *quantity);
    assert_eq!(told, [(Kind::Counted, -4, 0), (Kind::Counted, 3, 9)]);
    assert!(back.iter().all(|one| !one.undoes.is_empty() && one.stock_take_id.is_empty()));
    assert_refused(undo_take(&stage, &take).await, Reason::WrongState);
    assert_eq!((on_hand(&stage, &soap.id).await, on_hand(&stage, &gel.id).await), (9, 0));
    assert_sums(&stage).await;
    let noted = "SELECT count(*) FROM change_entry
        WHERE action = 'UndoStockTake' AND record_kind = 'stock_movement' AND after ->> 'undoes' IS NOT NULL";
    assert_eq!(stage.count(noted).await, 2);
    let unknown =
        RecordStockTakeResponse { stock_take_id: Uuid::from_u128(9).to_string(), ..Default::default() };
    assert_refused(undo_take(&stage, &unknown).await, Reason::NotFound);
    let stock_take_id = take.stock_take_id;
    let request = UndoStockTakeRequest { business_id: WILLOW.to_string(), stock_take_id };
    assert_refused(
        stage.stock().undo_stock_take(stage.employee_of(WILLOW, request)).await,
        Reason::RoleTooLow,
    );
}

/// One is sold after the count, and the count of one item is undone by itself.
async fn take_and_undo_one(stage: &Stage, sold: &Item, undone: &Item, counted: &RecordStockTakeResponse) {
    take(stage, &sold.id, Kind::Sold, 1).await.unwrap();
    let one = counted.movements.iter().find(|one| one.item_id == undone.id).unwrap();
    undo(stage, &undone.id, &one.id).await.unwrap();
}

#[tokio::test]
async fn a_stock_take_stays_where_an_item_was_counted_again_until_that_count_is_undone() {
    let stage = Stage::open().await;
    let soap = create(&stage, WILLOW, described("Soap")).await.unwrap();
    let wax = create(&stage, WILLOW, described("Wax")).await.unwrap();
    let received = receive(&stage, &soap.id, 10).await.unwrap();
    let first = stock_take(&stage, vec![count(&wax, 4, 0), count(&soap, 7, 10)]).await.unwrap();
    let second = stock_take(&stage, vec![count(&soap, 6, 7)]).await.unwrap();
    let refused = undo_take(&stage, &first).await.unwrap_err();
    assert_eq!(refused.message(), "Soap was counted again since: undo that count first");
    assert_refused(Err::<(), _>(refused), Reason::WrongState);
    assert_refused(undo(&stage, &soap.id, &received.id).await, Reason::WrongState);
    assert_eq!((on_hand(&stage, &wax.id).await, on_hand(&stage, &soap.id).await), (4, 6));
    undo_take(&stage, &second).await.unwrap();
    undo_take(&stage, &first).await.unwrap();
    undo(&stage, &soap.id, &received.id).await.unwrap();
    assert_eq!((on_hand(&stage, &wax.id).await, on_hand(&stage, &soap.id).await), (0, 0));
}

#[tokio::test]
async fn a_stock_take_of_the_day_before_yesterday_stays() {
    let stage = Stage::open().await;
    let soap = create(&stage, WILLOW, described("Soap")).await.unwrap();
    let counted = stock_take(&stage, vec![count(&soap, 7, 0)]).await.unwrap();
    let [count] = &counted.movements[..] else { panic!("{counted:?}") };
    assert!(count.may_undo);
    stage.time.advance(jiff::SignedDuration::from_hours(25));
    assert_refused(undo_take(&stage, &counted).await, Reason::WrongState);
    assert_refused(undo(&stage, &soap.id, &count.id).await, Reason::WrongState);
}

#[tokio::test]
async fn what_is_no_movement_is_refused() {
    let stage = Stage::open().await;
    let soap = create(&stage, WILLOW, described("Soap")).await.unwrap();
    for quantity in [0, -1, 1_000_001] {
        assert_field_refused(receive(&stage, &soap.id, quantity).await, "quantity");
    }
    assert_field_refused(take(&stage, &soap.id, Kind::Received, 1).await, "kind");
    let theirs = create(&stage, LINDE, described("Seife")).await.unwrap();
    assert_refused(receive(&stage, &theirs.id, 1).await, Reason::NotFound);
    assert_field_refused(stock_take(&stage, vec![]).await, "counts");
    assert_field_refused(stock_take(&stage, vec![count(&soap, 1, 0), count(&soap, 2, 0)]).await, "counts");
    assert_field_refused(stock_take(&stage, vec![count(&theirs, 1, 0)]).await, "counts.item_id");
    assert_field_refused(stock_take(&stage, vec![count(&soap, -1, 0)]).await, "counts[0].counted");
}

#[tokio::test]
async fn what_many_take_at_once_is_taken_once_each() {
    let stage = Stage::open().await;
    let soap = for_sale(&stage, "Soap").await.id;
    receive(&stage, &soap, 100).await.unwrap();
    let sales = (0..20).map(|_| take(&stage, &soap, Kind::Sold, 1));
    for sale in futures::future::join_all(sales).await {
        sale.unwrap();
    }
    assert_eq!(on_hand(&stage, &soap).await, 80);
    assert_sums(&stage).await;
}

/// Each item has what its movements add up to, and each movement what those up to it do.
async fn assert_sums(stage: &Stage) {
    let wrong = "SELECT count(*) FROM item i WHERE on_hand <> (SELECT COALESCE(sum(quantity), 0)
        FROM stock_movement m WHERE m.business_id = i.business_id AND m.item_id = i.id)";
    assert_eq!(stage.count(wrong).await, 0, "items");
    let wrong = "SELECT count(*) FROM (SELECT on_hand, sum(quantity) OVER (
        PARTITION BY business_id, item_id ORDER BY number) AS sum FROM stock_movement) m WHERE on_hand <> sum";
    assert_eq!(stage.count(wrong).await, 0, "movements");
}

#[derive(Debug, Clone, Copy)]
enum Deed {
    Receive(i32),
    Sell(i32),
    Waste(i32),
    Count(i32),
    UndoNth(usize),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        (1..50_i32).prop_map(Deed::Receive),
        (1..50_i32).prop_map(Deed::Sell),
        (1..50_i32).prop_map(Deed::Waste),
        (0..50_i32).prop_map(Deed::Count),
        (0..9_usize).prop_map(Deed::UndoNth),
    ]
}

async fn do_all(stage: &Stage, deeds: &[Deed]) {
    let item = for_sale(stage, "Soap").await;
    let mut model = 0_i64;
    for deed in deeds {
        match *deed {
            Deed::Receive(n) => drop(receive(stage, &item.id, n).await.unwrap()),
            Deed::Sell(n) => drop(take(stage, &item.id, Kind::Sold, n).await.unwrap()),
            Deed::Waste(n) => drop(waste(stage, &item.id, n).await.unwrap()),
            Deed::Count(n) => drop(stock_take(stage, vec![count(&item, n, model)]).await.unwrap()),
            Deed::UndoNth(n) => {
                let seen = movements(stage, &item.id).await;
                let Some(meant) = seen.get(n) else { continue };
                let undone = undo(stage, &item.id, &meant.id).await;
                let is_count = |one: &&StockMovement| one.kind() == Kind::Counted && one.undoes.is_empty();
                let counted_since = seen[..n].iter().filter(is_count).any(|later| !later.undone);
                let stands = !meant.undone && meant.undoes.is_empty();
                assert_eq!(undone.is_ok(), stands && !counted_since, "{meant:?}");
                if let Ok(back) = undone {
                    model += back.quantity;
                }
            }
        }
        match *deed {
            Deed::Receive(n) => model += i64::from(n),
            Deed::Sell(n) | Deed::Waste(n) => model -= i64::from(n),
            Deed::Count(n) => model = i64::from(n),
            Deed::UndoNth(_) => {}
        }
        assert_eq!(on_hand(stage, &item.id).await, model, "after {deed:?} of {deeds:?}");
    }
}

#[test]
fn whatever_is_done_stock_is_what_was_done() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let stage = runtime.block_on(Stage::open());
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    proptest!(config, |(deeds in prop::collection::vec(deed(), 1..12))| {
        runtime.block_on(do_all(&stage, &deeds));
    });
    runtime.block_on(assert_sums(&stage));
}
