//! Chairs, rooms and machines.

use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        ArchiveResourceRequest, CreateResourceRequest, ListResourcesRequest, RenameResourceRequest, Resource,
        RestoreResourceRequest, Service,
    },
};
use tonic::Status;
use uuid::Uuid;

use crate::salon::{ANA, BEN, CUT, Salon, WILLOW, anyone, by, field, local, reason, service};

pub const CHAIR: Uuid = Uuid::from_u128(0xc1);
const TUESDAY: &str = "2026-06-02";

impl Salon {
    pub async fn create_resource(&self, id: Uuid, name: &str, kind: &str) -> Result<Resource, Status> {
        let resource = Resource { id: id.to_string(), name: name.to_owned(), kind: kind.to_owned() };
        let request = CreateResourceRequest { business_id: WILLOW.to_string(), resource: Some(resource) };
        let request = self.service("local", request);
        Ok(self.resources().create_resource(request).await?.into_inner().resource.unwrap())
    }

    async fn archive_resource(&self, id: Uuid) -> Result<(), Status> {
        let request = ArchiveResourceRequest { business_id: WILLOW.to_string(), resource_id: id.to_string() };
        self.resources().archive_resource(self.manager(request)).await.map(drop)
    }

    async fn restore_resource(&self, id: Uuid) -> Result<Resource, Status> {
        let request = RestoreResourceRequest { business_id: WILLOW.to_string(), resource_id: id.to_string() };
        let answer = self.resources().restore_resource(self.manager(request)).await?;
        Ok(answer.into_inner().resource.unwrap())
    }

    async fn listed_resources(&self) -> Vec<String> {
        let request = ListResourcesRequest { business_id: WILLOW.to_string() };
        let listed = self.resources().list_resources(self.employee(request)).await.unwrap().into_inner();
        listed.resources.into_iter().map(|one| format!("{}/{}", one.kind, one.name)).collect()
    }

    /// Willow with one basin, which a wash needs.
    pub async fn with_a_basin() -> Self {
        Self::open().await.add_basin().await
    }

    pub async fn add_basin(self) -> Self {
        let salon = self;
        salon.create_resource(CHAIR, "Basin 1", "basin").await.unwrap();
        let wash = Service {
            resource_kinds: vec!["basin".to_owned()],
            buffer_after_minutes: 5,
            ..service(WASH, "Wash", &[20], &[ANA, BEN])
        };
        salon.create_service(wash).await.unwrap();
        salon
    }
}

pub const WASH: Uuid = Uuid::from_u128(0xa5);

#[tokio::test]
async fn resources_are_listed_by_kind_and_name_and_named_once() {
    let salon = Salon::open().await;
    for (number, name, kind) in [(1, "Window", "chair"), (2, "Room", "room"), (3, "Ärmel", "chair")] {
        salon.create_resource(Uuid::from_u128(number), name, kind).await.unwrap();
    }
    assert_eq!(salon.listed_resources().await, ["chair/Ärmel", "chair/Window", "room/Room"]);
    let twice = salon.create_resource(Uuid::from_u128(4), "WINDOW", "room").await.unwrap_err();
    assert_eq!(reason(&twice), Reason::AlreadyExists);
    let again = salon.create_resource(Uuid::from_u128(1), "Other", "room").await.unwrap();
    assert_eq!(again.name, "Window");
    let rename = RenameResourceRequest {
        business_id: WILLOW.to_string(),
        resource_id: Uuid::from_u128(2).to_string(),
        name: "Quiet room".to_owned(),
    };
    let renamed = salon.resources().rename_resource(salon.manager(rename)).await.unwrap().into_inner();
    assert_eq!(renamed.resource.unwrap().name, "Quiet room");
}

#[tokio::test]
async fn a_malformed_resource_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |name: &str, kind: &str| {
        field(&salon.create_resource(Uuid::from_u128(1), name, kind).await.unwrap_err())
    };
    assert_eq!(refused(" ", "chair").await, "resource.name");
    assert_eq!(refused("a\nb", "chair").await, "resource.name");
    assert_eq!(refused("Window", "").await, "resource.kind");
    assert_eq!(refused("Window", "Chair").await, "resource.kind");
    assert_eq!(refused("Window", &"x".repeat(41)).await, "resource.kind");
    let unknown =
        Service { resource_kinds: vec!["basin".to_owned()], ..service(WASH, "Wash", &[20], &[ANA]) };
    assert_eq!(field(&salon.create_service(unknown).await.unwrap_err()), "service.resource_kinds[0]");
}

#[tokio::test]
async fn one_basin_washes_one_customer_at_a_time() {
    let salon = Salon::with_a_basin().await;
    let booked = salon.book(vec![by(WASH, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let resources: Vec<_> = booked.items[0].resources.iter().map(|one| one.resource_name.as_str()).collect();
    assert_eq!(resources, ["Basin 1"]);
    // Ben is free, the basin is not: also not for the five minutes in which it is cleaned.
    for (start, free) in
        [("09:40", false), ("09:35", true), ("10:15", false), ("10:20", false), ("10:25", true)]
    {
        let answer = salon.hold(vec![by(WASH, BEN)], local(TUESDAY, start)).await;
        match answer {
            Ok(hold) if free => salon.release(&hold.id).await.unwrap(),
            Err(refused) if !free => assert_eq!(reason(&refused), Reason::SlotTaken, "{start}"),
            other => panic!("{start}: {other:?}"),
        }
    }
    let offered = salon.offered_on_tuesday(vec![by(WASH, BEN)]).await;
    assert!(!offered.contains(&"10:00".to_owned()) && offered.contains(&"10:30".to_owned()));
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_basin_that_is_in_use_is_given_as_the_reason() {
    let salon = Salon::with_a_basin().await;
    let booked = salon.book(vec![by(WASH, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let explained = salon.explain(vec![by(WASH, BEN)], local(TUESDAY, "10:00")).await;
    let need = &explained.items[0].needs[0];
    assert_eq!((need.kind.as_str(), need.candidates[0].resource_name.as_str()), ("basin", "Basin 1"));
    assert_eq!(need.candidates[0].obstacles[0].record_id, booked.id);
    assert!(
        explained.sentence.starts_with("No basin is free at 10 am tomorrow, but 10:30 am"),
        "{}",
        explained.sentence
    );
}

#[tokio::test]
async fn a_resource_stays_while_something_needs_it() {
    let salon = Salon::with_a_basin().await;
    assert_eq!(reason(&salon.archive_resource(CHAIR).await.unwrap_err()), Reason::InUse);
    let second = Uuid::from_u128(0xc2);
    salon.create_resource(second, "Basin 2", "basin").await.unwrap();
    let first = salon.book(vec![by(WASH, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let used: Uuid = first.items[0].resources[0].resource_id.parse().unwrap();
    assert_eq!(reason(&salon.archive_resource(used).await.unwrap_err()), Reason::InUse);
    let other = if used == CHAIR { second } else { CHAIR };
    salon.archive_resource(other).await.unwrap();
    assert_eq!(salon.listed_resources().await.len(), 1);
    assert_eq!(reason(&salon.archive_resource(other).await.unwrap_err()), Reason::NotFound);
    salon.cancel(&first.id).await.unwrap();
    assert_eq!(reason(&salon.archive_resource(used).await.unwrap_err()), Reason::InUse);
}

#[tokio::test]
async fn a_resource_that_was_taken_away_comes_back_under_its_id_while_its_name_is_free() {
    let salon = Salon::with_a_basin().await;
    let second = Uuid::from_u128(0xc2);
    salon.create_resource(second, "Basin 2", "basin").await.unwrap();
    salon.archive_resource(second).await.unwrap();
    for _ in 0..2 {
        let restored = salon.restore_resource(second).await.unwrap();
        assert_eq!((restored.id, restored.name), (second.to_string(), "Basin 2".to_owned()));
    }
    // Both are of use: two customers are washed at once.
    for employee in [ANA, BEN] {
        salon.book(vec![by(WASH, employee)], local(TUESDAY, "10:00")).await.unwrap();
    }
    let third = Uuid::from_u128(0xc3);
    salon.create_resource(third, "Basin 3", "basin").await.unwrap();
    salon.archive_resource(third).await.unwrap();
    salon.create_resource(Uuid::from_u128(0xc4), "Basin 3", "basin").await.unwrap();
    assert_eq!(reason(&salon.restore_resource(third).await.unwrap_err()), Reason::AlreadyExists);
    let unknown = salon.restore_resource(Uuid::from_u128(404)).await.unwrap_err();
    assert_eq!(reason(&unknown), Reason::NotFound);
}

#[tokio::test]
async fn a_resource_that_several_restore_at_once_comes_back_for_all_of_them() {
    let salon = Salon::with_a_basin().await;
    let second = Uuid::from_u128(0xc2);
    salon.create_resource(second, "Basin 2", "basin").await.unwrap();
    for _ in 0..5 {
        salon.archive_resource(second).await.unwrap();
        let restored = futures::future::join_all((0..8).map(|_| salon.restore_resource(second))).await;
        for resource in restored {
            assert_eq!(resource.unwrap().name, "Basin 2");
        }
    }
}

#[tokio::test]
async fn a_cancelled_visit_gives_its_basin_back() {
    let salon = Salon::with_a_basin().await;
    let booked = salon.book(vec![by(WASH, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    salon.cancel(&booked.id).await.unwrap();
    salon.book(vec![by(WASH, BEN)], local(TUESDAY, "10:00")).await.unwrap();
}

#[tokio::test]
async fn a_hold_keeps_its_basin_and_hands_it_to_the_booking() {
    let salon = Salon::with_a_basin().await;
    let hold = salon.hold(vec![by(WASH, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    assert_eq!(hold.offer.unwrap().items[0].resources.len(), 1);
    let taken = salon.book(vec![by(WASH, BEN)], local(TUESDAY, "10:00")).await.unwrap_err();
    assert_eq!(reason(&taken), Reason::SlotTaken);
    let booked = salon.book_hold(&hold.id).await.unwrap();
    assert_eq!(booked.items[0].resources[0].resource_name, "Basin 1");
    assert_eq!(salon.count("SELECT count(*) FROM ledger WHERE is_open AND kind = 'BOOKING'").await, 2);
}

#[tokio::test]
async fn who_needs_no_basin_is_not_kept_from_the_employee() {
    let salon = Salon::with_a_basin().await;
    salon.book(vec![by(WASH, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    salon.book(vec![anyone(CUT)], local(TUESDAY, "10:00")).await.unwrap();
}
