//! Members who become employees, from auth's log.

use caller::BusinessId;
use proto::frontdesk::{
    events::v1::{Event, MembershipChanged, event::Payload},
    tenancy::v1::{
        CreateEmployeeRequest, Employee, ListEmployeesRequest, UnlinkEmployeeAccountRequest,
        UpdateEmployeeRequest,
    },
};
use testkit::event_log;
use uuid::Uuid;

use crate::{
    event::{followed, next},
    stage::{LINDE, Stage, WILLOW},
};

/// A stage that follows a log which a test writes.
struct Following {
    stage: Stage,
    log: event_log::Events,
}

impl Following {
    async fn open() -> Self {
        let stage = Stage::open().await;
        let log = event_log::Events::new(vec![]);
        let auth = event_log::service("auth", &log, &stage.host).await;
        let database = stage.database.connect(&stage.host).await;
        tokio::spawn(tenancy::follow(auth, database, &stage.host));
        Self { stage, log }
    }

    /// Writes that a person has a role from now on, and waits until the service has read it.
    async fn told(&self, business: BusinessId, user: u128, role: &str, name: &str) {
        self.told_as(business, user, (role, name), "").await;
    }

    /// The same of a person whose invitation was for an employee.
    async fn told_as(&self, business: BusinessId, user: u128, (role, name): (&str, &str), employee: &str) {
        let membership = MembershipChanged {
            user_id: account(user),
            role: role.to_owned(),
            name: name.to_owned(),
            employee_id: employee.to_owned(),
            ..Default::default()
        };
        self.read("", (business, user), membership).await;
    }

    /// The same of a person whose account was disabled.
    async fn told_disabled(&self, business: BusinessId, user: u128, role: &str) {
        let (user_id, role) = (account(user), role.to_owned());
        let membership = MembershipChanged { user_id, role, disabled: true, ..Default::default() };
        self.read("", (business, user), membership).await;
    }

    /// The same of a person who ends their own membership.
    async fn leaves(&self, business: BusinessId, user: u128) {
        let membership = MembershipChanged { user_id: account(user), ..Default::default() };
        self.read(&format!("user:{}", account(user)), (business, user), membership).await;
    }

    /// Writes it as an actor's, and waits until the service has read it.
    async fn read(&self, actor: &str, (business, user): (BusinessId, u128), membership: MembershipChanged) {
        let mut position = 0;
        self.log.send_modify(|log| {
            position = log.len() as i64 + 1;
            let user = Uuid::from_u128(user);
            let payload = Payload::Membership(membership);
            let event = event_log::event(position, business, user, position, payload);
            log.push(Event { actor: actor.to_owned(), ..event });
        });
        let database = self.stage.database.connect(&self.stage.host).await;
        let reading = async {
            while !outbox::caught_up(&database, tenancy::NAME, "auth", position).await.unwrap() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(core::time::Duration::from_secs(20), reading).await.expect("it is read");
    }

    async fn team(&self, business: BusinessId) -> Vec<Employee> {
        let message = ListEmployeesRequest { business_id: business.to_string(), ..Default::default() };
        let request = self.stage.employee_of(business, message);
        self.stage.employees().list_employees(request).await.unwrap().into_inner().employees
    }
}

fn account(user: u128) -> String {
    Uuid::from_u128(user).to_string()
}

#[tokio::test]
async fn a_new_member_who_serves_customers_becomes_an_employee_once() {
    let following = Following::open().await;
    following.told(WILLOW, 1, "EMPLOYEE", "Ana Ash").await;
    following.told(WILLOW, 2, "OWNER", "Olive Owner").await;
    following.told(WILLOW, 3, "GUEST", "Gus Guest").await;
    let team = following.team(WILLOW).await;
    let named: Vec<_> = team.iter().map(|one| (one.name.as_str(), one.user_id.clone())).collect();
    assert_eq!(named, [("Ana Ash", account(1))]);
    assert!(following.team(LINDE).await.is_empty());
    // Removed, and invited again: they are the employee they were.
    following.told(WILLOW, 1, "", "").await;
    following.told(WILLOW, 1, "EMPLOYEE", "Ana Birch").await;
    assert_eq!(following.team(WILLOW).await, team);
    let announced = following.stage.count("SELECT count(*) FROM outbox").await;
    let said =
        "two businesses, one employee, twice that she is below an owner, that she left, and of a guest";
    assert_eq!(announced, 7, "{said}");
}

#[tokio::test]
async fn an_employee_of_the_persons_name_without_an_account_is_that_person() {
    let following = Following::open().await;
    let zoe = following.stage.employee(WILLOW, "Zoë Ash").await;
    following.told(WILLOW, 1, "EMPLOYEE", "zoe ash").await;
    let linked = Employee { user_id: account(1), version: 2, ..zoe };
    assert_eq!(following.team(WILLOW).await, core::slice::from_ref(&linked));
    // The name is another person's by now.
    following.told(WILLOW, 2, "EMPLOYEE", "Zoë Ash").await;
    let team = following.team(WILLOW).await;
    assert_eq!(team.len(), 2);
    assert!(team.contains(&linked));
}

#[tokio::test]
async fn an_employee_is_met_by_name_until_their_last_day_is_over() {
    let following = Following::open().await;
    let leaves = async |name: &str, last_day: &str| {
        let Employee { id, .. } = following.stage.employee(WILLOW, name).await;
        let message = UpdateEmployeeRequest {
            business_id: WILLOW.to_string(),
            employee_id: id.clone(),
            name: name.to_owned(),
            last_day: last_day.to_owned(),
            ..Default::default()
        };
        let request = following.stage.owner_of(WILLOW, message);
        following.stage.employees().update_employee(request).await.unwrap();
        id
    };
    // It is the first of June.
    let stays = leaves("Ana", "2026-06-01").await;
    let left = leaves("Ben", "2026-05-31").await;
    following.told(WILLOW, 1, "EMPLOYEE", "Ana").await;
    following.told(WILLOW, 2, "EMPLOYEE", "Ben").await;
    let team = following.team(WILLOW).await;
    let named: Vec<_> = team.iter().map(|one| (one.name.as_str(), one.user_id.clone())).collect();
    assert_eq!(named, [("Ana", account(1)), ("Ben", account(2))]);
    assert!(team[0].id == stays && team[1].id != left);
}

#[tokio::test]
async fn an_account_that_was_taken_from_an_employee_is_not_theirs_again_by_name() {
    let following = Following::open().await;
    let unlink = async |id: &str| {
        let message = UnlinkEmployeeAccountRequest {
            business_id: WILLOW.to_string(),
            employee_id: id.to_owned(),
            ..Default::default()
        };
        let request = following.stage.owner_of(WILLOW, message);
        following.stage.employees().unlink_employee_account(request).await.unwrap();
    };
    let of = async |id: &str| {
        let team = following.team(WILLOW).await;
        team.into_iter().find(|one| one.id == id).unwrap().user_id
    };
    let ana = following.stage.employee(WILLOW, "Ana").await.id;
    for wrong in [1, 2] {
        following.told(WILLOW, wrong, "EMPLOYEE", "Ana").await;
        assert_eq!(of(&ana).await, account(wrong));
        unlink(&ana).await;
    }
    // Of both, also of the one that was taken before the other.
    for wrong in [1, 2] {
        following.told(WILLOW, wrong, "MANAGER", "Ana").await;
        following.told(WILLOW, wrong, "EMPLOYEE", "Ana").await;
        assert_eq!(of(&ana).await, "");
    }
    let team = following.team(WILLOW).await;
    assert_eq!(team.len(), 3, "each became an employee of their own");
    following.told(WILLOW, 3, "EMPLOYEE", "Ana").await;
    assert_eq!(of(&ana).await, account(3), "another account is met by name");

    // An invitation for the employee says that the account is theirs after all.
    unlink(&ana).await;
    following.told_as(WILLOW, 3, ("EMPLOYEE", "Ana"), &ana).await;
    assert_eq!(of(&ana).await, account(3));
    let noted = "SELECT count(*) FROM change_entry WHERE concat(before, after) LIKE '%unlinked%'";
    assert_eq!(following.stage.count(noted).await, 0, "what is kept for this is no change of the record");
}

#[tokio::test]
async fn two_employees_of_one_name_are_not_guessed_between() {
    let following = Following::open().await;
    following.stage.employee(WILLOW, "Ana").await;
    following.stage.namesake_of_ana(WILLOW).await;
    following.told(WILLOW, 1, "EMPLOYEE", "Ana").await;
    let team = following.team(WILLOW).await;
    let accounts = team.iter().filter(|one| one.user_id == account(1)).count();
    assert_eq!((team.len(), accounts), (3, 1));
    assert_eq!(team.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["Ana", "Ana", "Ana 2"]);
}

#[tokio::test]
async fn a_person_who_joins_under_a_name_of_the_team_gets_a_number_and_is_not_refused() {
    let following = Following::open().await;
    let (mut team, joins) = (vec![], ["Zoë Ash", "zoe ash", "Zoe Ash", "Ida"]);
    for (user, name) in (1..).zip(joins) {
        following.told(WILLOW, user, "EMPLOYEE", name).await;
        team = following.team(WILLOW).await;
    }
    let mut named: Vec<_> = team.iter().map(|one| (one.user_id.clone(), one.name.as_str())).collect();
    named.sort();
    let expected = ["Zoë Ash", "zoe ash 2", "Zoe Ash 3", "Ida"];
    assert_eq!(named, (1..).map(account).zip(expected).collect::<Vec<_>>());
}

#[tokio::test]
async fn what_can_not_be_done_stops_nothing_behind_it() {
    let following = Following::open().await;
    let taken = CreateEmployeeRequest {
        business_id: WILLOW.to_string(),
        name: "Ben".to_owned(),
        user_id: account(1),
        ..Default::default()
    };
    following.stage.employees().create_employee(following.stage.owner_of(WILLOW, taken)).await.unwrap();
    following.told(WILLOW, 1, "EMPLOYEE", "Benjamin").await;
    following.told(BusinessId(Uuid::from_u128(9)), 2, "EMPLOYEE", "Nora").await;
    following.told(LINDE, 3, "EMPLOYEE", "Mia").await;
    let names = |team: Vec<Employee>| team.into_iter().map(|one| one.name).collect::<Vec<_>>();
    assert_eq!(names(following.team(WILLOW).await), ["Ben"]);
    assert_eq!(names(following.team(LINDE).await), ["Mia"]);
}

#[tokio::test]
async fn an_invitation_for_an_employee_links_that_one_whatever_the_person_is_called() {
    let following = Following::open().await;
    let ana = following.stage.employee(WILLOW, "Ana").await;
    let ben = following.stage.employee(WILLOW, "Ben").await;
    let theirs = following.stage.employee(LINDE, "Mia").await;
    following.told_as(WILLOW, 1, ("EMPLOYEE", "Anastasia Ash"), &ana.id).await;
    following.told_as(WILLOW, 2, ("OWNER", "Benjamin"), &ben.id).await;
    // Of another business, and one who has an account: the person is someone new.
    following.told_as(WILLOW, 3, ("EMPLOYEE", "Cleo"), &theirs.id).await;
    following.told_as(WILLOW, 4, ("EMPLOYEE", "Dora"), &ana.id).await;
    following.told_as(WILLOW, 5, ("MANAGER", "Ed"), &ana.id).await;
    let team = following.team(WILLOW).await;
    let named: Vec<_> = team.iter().map(|one| (one.name.as_str(), one.user_id.clone())).collect();
    assert_eq!(named, [("Ana", account(1)), ("Ben", account(2)), ("Cleo", account(3)), ("Dora", account(4))]);
    assert_eq!(following.team(LINDE).await, [theirs]);
}

#[tokio::test]
async fn a_guest_is_no_employee_even_where_their_invitation_named_one() {
    let following = Following::open().await;
    let ana = following.stage.employee(WILLOW, "Ana").await;
    following.told_as(WILLOW, 1, ("GUEST", "Ana"), &ana.id).await;
    assert_eq!(following.team(WILLOW).await, core::slice::from_ref(&ana));
    following.told(WILLOW, 1, "EMPLOYEE", "Ana").await;
    assert_eq!(following.team(WILLOW).await[0].user_id, account(1), "with a role that serves, they are met");
}

#[tokio::test]
async fn followers_hear_of_each_account_that_left_was_disabled_became_a_guest_or_is_below_owner() {
    let following = Following::open().await;
    following.told(WILLOW, 1, "EMPLOYEE", "Ana Ash").await;
    following.told(WILLOW, 2, "OWNER", "Olive Owner").await;
    following.told(WILLOW, 2, "MANAGER", "Olive Owner").await;
    following.told(WILLOW, 2, "", "").await;
    following.told(WILLOW, 1, "GUEST", "Ana Ash").await;
    following.told(WILLOW, 3, "OWNER", "Otto Owner").await;
    following.told_disabled(WILLOW, 3, "OWNER").await;
    following.told_disabled(WILLOW, 4, "EMPLOYEE").await;
    following.leaves(WILLOW, 1).await;
    let mut log = followed(&following.stage).await;
    let (mut left, mut below) = (vec![], vec![]);
    for _ in 0..following.stage.count("SELECT count(*) FROM outbox").await {
        let event = next(&mut log).await;
        match event.payload {
            Some(Payload::AccountLeft(account)) => {
                left.push((event.business_id, event.version, account.user_id, account.by_themselves));
            }
            Some(Payload::AccountBelowOwner(account)) => {
                below.push((event.business_id, event.version, account.user_id));
            }
            _ => {}
        }
    }
    let of = |version, user| (WILLOW.to_string(), version, account(user));
    let has_left = |version, user, by_themselves| (WILLOW.to_string(), version, account(user), by_themselves);
    let themselves = has_left(9, 1, true);
    assert_eq!(
        left,
        [
            has_left(4, 2, false),
            has_left(5, 1, false),
            has_left(7, 3, false),
            has_left(8, 4, false),
            themselves
        ]
    );
    assert_eq!(below, [of(1, 1), of(3, 2)], "an owner gives up no right");
}
