//! Whose account an employee signs in with.

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::{
        auth::internal::v1::FoundMember,
        tenancy::v1::{CreateEmployeeRequest, Employee, UnlinkEmployeeAccountRequest, UpdateEmployeeRequest},
    },
};
use testkit::{USER, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    employee::{ACCOUNT, ANA, ana, update, updated},
    stage::{Stage, WILLOW, assert_field_refused, assert_refused},
};

#[tokio::test]
async fn an_owner_makes_an_account_that_of_an_employee_who_has_none() {
    let stage = Stage::open().await;
    let olivia = stage.employee(WILLOW, "Olivia").await;
    let link = |id: &str, account: Uuid| UpdateEmployeeRequest { user_id: account.to_string(), ..update(id) };
    let named = UpdateEmployeeRequest { name: "Olivia".to_owned(), ..link(&olivia.id, ACCOUNT) };
    let linked = updated(&stage, named).await.unwrap();
    assert_eq!((linked.user_id, linked.version), (ACCOUNT.to_string(), 2));
    let renamed = updated(&stage, update(&olivia.id)).await.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.user_id), ("Ana", ACCOUNT.to_string()));
    let entry = "SELECT count(*) FROM change_entry WHERE action = 'UpdateEmployee'
        AND coalesce(before ->> 'user_id', '') = '' AND after ->> 'user_id' = ";
    assert_eq!(stage.count(&format!("{entry} '{ACCOUNT}'")).await, 1);

    // It is of one employee of the business, and an employee has one.
    let mia = stage.employee(WILLOW, "Mia").await;
    let taken = UpdateEmployeeRequest { name: "Mia".to_owned(), ..link(&mia.id, ACCOUNT) };
    assert_refused(updated(&stage, taken).await, Reason::AlreadyExists);
    assert_refused(updated(&stage, link(&olivia.id, ANA)).await, Reason::AlreadyExists);
    let malformed = UpdateEmployeeRequest { user_id: "mia".to_owned(), ..update(&mia.id) };
    assert_field_refused(updated(&stage, malformed).await, "user_id");
    let manager = as_user(&stage.host, Role::Manager, WILLOW, link(&mia.id, ANA));
    assert_refused(stage.employees().update_employee(manager).await, Reason::RoleTooLow);
    let kept = "SELECT count(*) FROM employee WHERE user_id IS NOT NULL";
    assert_eq!(stage.count(kept).await, 1, "what was refused changed nothing");
}

#[tokio::test]
async fn an_account_that_is_no_member_is_not_linked() {
    let stage = Stage::open().await;
    let olivia = stage.employee(WILLOW, "Olivia").await;
    stage.onboarding.is_stranger(ACCOUNT);
    let link = UpdateEmployeeRequest { user_id: ACCOUNT.to_string(), ..update(&olivia.id) };
    assert_field_refused(updated(&stage, link.clone()).await, "user_id");
    let unnamed = CreateEmployeeRequest { employee_id: String::new(), ..ana() };
    let added = stage.employees().create_employee(stage.owner_of(WILLOW, unnamed)).await;
    assert_field_refused(added, "user_id");
    assert_eq!(stage.count("SELECT count(*) FROM employee WHERE user_id IS NOT NULL").await, 0);
    // While auth is away no account is linked, and an employee is renamed all the same.
    stage.onboarding.leave(true);
    assert_refused(updated(&stage, link).await, Reason::Unavailable);
    assert_eq!(updated(&stage, update(&olivia.id)).await.unwrap().name, "Ana");
}

#[tokio::test]
async fn an_account_that_is_disabled_or_a_guests_is_not_linked() {
    let stage = Stage::open().await;
    let olivia = stage.employee(WILLOW, "Olivia").await;
    for (account, role, disabled) in [(ACCOUNT, "GUEST", false), (USER.0, "EMPLOYEE", true)] {
        let member = FoundMember {
            user_id: account.to_string(),
            name: "Olivia".to_owned(),
            role: role.to_owned(),
            disabled,
        };
        stage.onboarding.is_member("", member);
        let link = UpdateEmployeeRequest { user_id: account.to_string(), ..update(&olivia.id) };
        assert_field_refused(updated(&stage, link).await, "user_id");
        let new = CreateEmployeeRequest { employee_id: String::new(), user_id: account.to_string(), ..ana() };
        let added = stage.employees().create_employee(stage.owner_of(WILLOW, new)).await;
        assert_field_refused(added, "user_id");
    }
    assert_eq!(stage.count("SELECT count(*) FROM employee WHERE user_id IS NOT NULL").await, 0);
    // A service that seeds is not asked.
    stage.employees().create_employee(stage.seeding(WILLOW, ana())).await.unwrap();
}

#[tokio::test]
async fn an_employee_whose_account_was_linked_before_is_changed_whatever_became_of_it() {
    let stage = Stage::open().await;
    stage.employees().create_employee(stage.seeding(WILLOW, ana())).await.unwrap();
    let same = UpdateEmployeeRequest {
        name: "Ana Ash".to_owned(),
        user_id: ACCOUNT.to_string(),
        ..update(&ANA.to_string())
    };
    stage.onboarding.is_stranger(ACCOUNT);
    let renamed = updated(&stage, same.clone()).await.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.user_id), ("Ana Ash", ACCOUNT.to_string()));
    stage.onboarding.leave(true);
    let renamed = updated(&stage, UpdateEmployeeRequest { name: "Ana Birch".to_owned(), ..same }).await;
    assert_eq!(renamed.unwrap().name, "Ana Birch");
}

#[tokio::test]
async fn an_owner_takes_a_wrong_account_from_an_employee_and_links_another() {
    let stage = Stage::open().await;
    stage.employees().create_employee(stage.seeding(WILLOW, ana())).await.unwrap();
    let unlink = UnlinkEmployeeAccountRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        version: 1,
    };
    let manager = as_user(&stage.host, Role::Manager, WILLOW, unlink.clone());
    assert_refused(stage.employees().unlink_employee_account(manager).await, Reason::RoleTooLow);
    let stale = UnlinkEmployeeAccountRequest { version: 7, ..unlink.clone() };
    assert_refused(unlinked(&stage, stale).await, Reason::Stale);

    let free = unlinked(&stage, unlink.clone()).await.unwrap();
    assert_eq!((free.name.as_str(), free.user_id.as_str(), free.version), ("Ana", "", 2));
    let again = UnlinkEmployeeAccountRequest { version: 0, ..unlink.clone() };
    assert_eq!(unlinked(&stage, again).await.unwrap(), free, "there is no account to take");
    let published = format!("SELECT count(*) FROM outbox WHERE aggregate_id = '{ANA}'");
    assert_eq!(stage.count(&published).await, 2);
    let entry = format!(
        "SELECT count(*) FROM change_entry WHERE action = 'UnlinkEmployeeAccount'
            AND before ->> 'user_id' = '{ACCOUNT}' AND coalesce(after ->> 'user_id', '') = ''"
    );
    assert_eq!(stage.count(&entry).await, 1);

    // The account may be another employee's, and the employee may have another one.
    let mia = stage.employee(WILLOW, "Mia").await;
    for (Employee { id, name, .. }, account) in [(mia, ACCOUNT), (free, USER.0)] {
        let link = UpdateEmployeeRequest { name, user_id: account.to_string(), ..update(&id) };
        assert_eq!(updated(&stage, link).await.unwrap().user_id, account.to_string());
    }
    let missing = UnlinkEmployeeAccountRequest { employee_id: ACCOUNT.to_string(), ..unlink.clone() };
    assert_refused(unlinked(&stage, missing).await, Reason::NotFound);
    let malformed = UnlinkEmployeeAccountRequest { employee_id: "ana".to_owned(), ..unlink };
    assert_field_refused(unlinked(&stage, malformed).await, "employee_id");
}

async fn unlinked(stage: &Stage, message: UnlinkEmployeeAccountRequest) -> Result<Employee, Status> {
    let answer = stage.employees().unlink_employee_account(stage.owner_of(WILLOW, message)).await?;
    Ok(answer.into_inner().employee.unwrap())
}
