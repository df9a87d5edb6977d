//! Rules between services of one visit.

use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        CreateDependencyRequest, DeleteDependencyRequest, Dependency, DependencyRule, ListDependenciesRequest,
    },
};
use tonic::Status;
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::salon::{ANA, BEN, COLOUR, CUT, MASSAGE, Salon, WILLOW, anyone, by, field, local, reason, shown};

const TUESDAY: &str = "2026-06-02";

pub fn rule(number: u128, first: Uuid, then: Uuid, rule: DependencyRule) -> Dependency {
    Dependency {
        id: Uuid::from_u128(number).to_string(),
        first_service_id: first.to_string(),
        then_service_id: then.to_string(),
        rule: rule.into(),
        ..Dependency::default()
    }
}

fn order(number: u128, first: Uuid, then: Uuid) -> Dependency {
    rule(number, first, then, DependencyRule::Order)
}

impl Salon {
    pub async fn depend(&self, dependency: Dependency) -> Result<Dependency, Status> {
        let request =
            CreateDependencyRequest { business_id: WILLOW.to_string(), dependency: Some(dependency) };
        let created =
            self.dependencies().create_dependency(self.service("local", request)).await?.into_inner();
        Ok(created.dependency.unwrap())
    }

    async fn listed_dependencies(&self) -> Vec<Dependency> {
        let request = ListDependenciesRequest { business_id: WILLOW.to_string() };
        let listed = self.dependencies().list_dependencies(self.employee(request)).await.unwrap();
        listed.into_inner().dependencies
    }
}

fn ids(status: &Status) -> Vec<String> {
    let info = status.get_details_error_info().unwrap();
    let mut ids: Vec<_> = info.metadata["ids"].split(',').map(str::to_owned).collect();
    ids.sort_unstable();
    ids
}

fn id(number: u128) -> String {
    Uuid::from_u128(number).to_string()
}

#[tokio::test]
async fn a_rule_is_kept_as_it_was_given() {
    let salon = Salon::open().await;
    let given = Dependency { least_gap_minutes: 10, most_gap_minutes: Some(60), ..order(1, COLOUR, CUT) };
    assert_eq!(salon.depend(given.clone()).await.unwrap(), given);
    assert_eq!(salon.depend(given.clone()).await.unwrap(), given);
    assert_eq!(salon.listed_dependencies().await, [given]);
    let delete = DeleteDependencyRequest { business_id: WILLOW.to_string(), dependency_id: id(1) };
    salon.dependencies().delete_dependency(salon.manager(delete.clone())).await.unwrap();
    assert_eq!(salon.listed_dependencies().await, []);
    let gone = salon.dependencies().delete_dependency(salon.manager(delete)).await.unwrap_err();
    assert_eq!(reason(&gone), Reason::NotFound);
}

#[tokio::test]
async fn services_come_in_the_order_of_their_rule_however_they_are_asked_for() {
    let salon = Salon::open().await;
    salon.depend(Dependency { least_gap_minutes: 15, ..order(1, COLOUR, CUT) }).await.unwrap();
    let booked = salon.book(vec![by(CUT, ANA), by(COLOUR, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let items: Vec<_> = booked
        .items
        .iter()
        .map(|item| {
            (item.service_name.as_str(), shown(item.starts_at.as_ref()), shown(item.ends_at.as_ref()))
        })
        .collect();
    let expected = [("Colour", "10:00", "11:15"), ("Cut", "11:30", "12:00")];
    assert_eq!(items, expected.map(|(name, from, to)| (name, from.to_owned(), to.to_owned())));
}

#[tokio::test]
async fn without_a_rule_another_order_is_offered_where_the_one_asked_for_does_not_fit() {
    let salon = Salon::open().await;
    // Ben massages only after 10:30; Ana, who cuts, is there all the time.
    salon.book(vec![by(MASSAGE, BEN)], local(TUESDAY, "09:45")).await.unwrap();
    let booked = salon.book(vec![by(MASSAGE, BEN), by(CUT, ANA)], local(TUESDAY, "10:05")).await.unwrap();
    let names: Vec<_> = booked.items.iter().map(|item| item.service_name.as_str()).collect();
    assert_eq!(names, ["Cut", "Massage"]);
}

#[tokio::test]
async fn employees_are_bound_to_one_service_or_kept_from_it() {
    let salon = Salon::open().await;
    salon.depend(rule(1, CUT, COLOUR, DependencyRule::DifferentEmployee)).await.unwrap();
    let booked = salon.book(vec![anyone(CUT), anyone(COLOUR)], local(TUESDAY, "10:00")).await.unwrap();
    assert_ne!(booked.items[0].employee_id, booked.items[1].employee_id);
    let one = salon.book(vec![by(CUT, ANA), by(COLOUR, ANA)], local(TUESDAY, "14:00")).await.unwrap_err();
    assert_eq!(reason(&one), Reason::NotWorking);
}

#[tokio::test]
async fn services_that_may_overlap_are_done_by_two_at_once() {
    let salon = Salon::open().await;
    salon.depend(rule(1, CUT, MASSAGE, DependencyRule::Parallel)).await.unwrap();
    let booked = salon.book(vec![by(CUT, ANA), by(MASSAGE, BEN)], local(TUESDAY, "10:00")).await.unwrap();
    assert_eq!(shown(booked.ends_at.as_ref()), "10:45");
    assert!(booked.items.iter().all(|item| shown(item.starts_at.as_ref()) == "10:00"));
    // One employee does them one after the other all the same.
    let alone = salon.book(vec![by(CUT, BEN), by(MASSAGE, BEN)], local(TUESDAY, "13:00")).await.unwrap();
    assert_eq!(shown(alone.ends_at.as_ref()), "14:15");
    assert_eq!(salon.overlaps().await, 0);
}

#[tokio::test]
async fn a_contradiction_is_refused_with_the_fewest_rules_that_make_it() {
    let salon = Salon::open().await;
    salon.depend(order(1, CUT, COLOUR)).await.unwrap();
    salon.depend(order(2, COLOUR, MASSAGE)).await.unwrap();
    salon.depend(rule(3, CUT, MASSAGE, DependencyRule::SameEmployee)).await.unwrap();
    let circle = salon.depend(order(4, MASSAGE, CUT)).await.unwrap_err();
    assert_eq!((reason(&circle), ids(&circle)), (Reason::Contradiction, vec![id(1), id(2), id(4)]));
    let back = salon.depend(order(5, COLOUR, CUT)).await.unwrap_err();
    assert_eq!(ids(&back), [id(1), id(5)]);
    let both = salon.depend(rule(6, MASSAGE, CUT, DependencyRule::DifferentEmployee)).await.unwrap_err();
    assert_eq!(ids(&both), [id(3), id(6)]);
    // An hour and a quarter of colour lies between.
    let soon = Dependency { most_gap_minutes: Some(60), ..order(7, CUT, MASSAGE) };
    assert_eq!(ids(&salon.depend(soon).await.unwrap_err()), [id(1), id(2), id(7)]);
    assert_eq!(salon.listed_dependencies().await.len(), 3);
    assert_eq!(salon.count("SELECT count(*) FROM audit WHERE action = 'CreateDependency'").await, 3);
}

#[tokio::test]
async fn a_malformed_rule_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |change: &dyn Fn(&mut Dependency)| {
        let mut dependency = order(1, CUT, COLOUR);
        change(&mut dependency);
        field(&salon.depend(dependency).await.unwrap_err())
    };
    let unknown = Uuid::from_u128(0xdead).to_string();
    assert_eq!(refused(&|one| one.id = "1".into()).await, "dependency.id");
    assert_eq!(refused(&|one| one.first_service_id = unknown.clone()).await, "dependency.first_service_id");
    assert_eq!(refused(&|one| one.then_service_id = unknown.clone()).await, "dependency.then_service_id");
    assert_eq!(refused(&|one| one.then_service_id = CUT.to_string()).await, "dependency.then_service_id");
    assert_eq!(refused(&|one| one.rule = 0).await, "dependency.rule");
    assert_eq!(refused(&|one| one.least_gap_minutes = 7).await, "dependency.least_gap_minutes");
    assert_eq!(refused(&|one| one.least_gap_minutes = 1445).await, "dependency.least_gap_minutes");
    assert_eq!(refused(&|one| one.most_gap_minutes = Some(-5)).await, "dependency.most_gap_minutes");
    let narrow = |one: &mut Dependency| (one.least_gap_minutes, one.most_gap_minutes) = (30, Some(25));
    assert_eq!(refused(&narrow).await, "dependency.most_gap_minutes");
    let parallel = |one: &mut Dependency| {
        one.rule = DependencyRule::Parallel.into();
        one.most_gap_minutes = Some(5);
    };
    assert_eq!(refused(&parallel).await, "dependency.most_gap_minutes");
    salon.depend(order(1, CUT, COLOUR)).await.unwrap();
    let same = salon.depend(order(2, CUT, COLOUR)).await.unwrap_err();
    assert_eq!(reason(&same), Reason::AlreadyExists);
}

#[tokio::test]
async fn an_archived_service_takes_its_rules_along() {
    let salon = Salon::open().await;
    salon.depend(order(1, CUT, COLOUR)).await.unwrap();
    salon.archive_service(CUT).await.unwrap();
    assert_eq!(salon.listed_dependencies().await, []);
    let unknown = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap_err();
    assert_eq!(reason(&unknown), Reason::NotFound);
}
