//! Imports of employees: each is added, gets a calendar and is invited, once.

use core::time::Duration;

use caller::{Role, UserId};
use jiff::SignedDuration;
use proto::frontdesk::{
    auth::internal::v1::FoundMember,
    tenancy::v1::{
        CancelImportRequest, CreateEmployeeRequest, ImportKind, ImportLineState as Line,
        ImportState as State, StartImportRequest, UpdateEmployeeRequest,
    },
};
use testkit::{SESSION, as_person};
use uuid::Uuid;

use crate::{
    employee::{update, updated},
    import::imports,
    stage::{Stage, WILLOW},
};

const TABLE: &str =
    "Ana\tana@example.com\tmanager\twebcal://example.com/ana?key=x\nBen\nCleo\tcleo@example.com\n";

#[tokio::test]
async fn a_pasted_list_adds_employees_connects_calendars_and_invites() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Employees, TABLE).await;
    assert_eq!((checked.line_count, checked.bad_count), (3, 0));
    assert!(stage.onboarding.invited().is_empty(), "a check invites no one");
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.failed_count), (3, 0));
    let lines = imports.lines(&done.id, Line::Imported).await;
    let [ana, _, cleo] = [0, 1, 2].map(|at| lines[at].record_id.clone());
    let invited = stage.onboarding.invited();
    let expected = [("ana@example.com", "MANAGER", &ana), ("cleo@example.com", "EMPLOYEE", &cleo)];
    assert_eq!(invited, expected.map(|(email, role, id)| (email.to_owned(), role.to_owned(), id.clone())));
    let calendar = "webcal://example.com/ana?key=x".to_owned();
    assert_eq!(stage.onboarding.connected(), [(calendar, ana, testkit::USER.to_string())]);
    assert_eq!(lines[0].cells[3], "webcal://example.com/…", "the secret of an address is not kept");
    assert_eq!(stage.count("SELECT count(*) FROM employee").await, 3);
}

#[tokio::test]
async fn who_can_not_be_added_or_invited_is_said_before_anything_is_done() {
    let stage = Stage::open().await;
    stage.employee(WILLOW, "Ben").await;
    stage.onboarding.is_member("ana@example.com", member(1, "Ana Ash", "GUEST"));
    let imports = imports(&stage, WILLOW);
    let table = "name,email,role\nAna,ana@example.com,\nben,,\nCleo,cleo@,\nDan,d@example.com,boss\n\
        Eve,e@example.com,\neve,,\nFay,E@example.com,\n";
    let checked = imports.checked(ImportKind::Employees, table).await;
    let bad = imports.bad(&checked.id, Line::Bad).await;
    let expected = [(2, "email"), (3, "name"), (4, "email"), (5, "role"), (7, "name"), (8, "email")];
    assert_eq!(bad, expected.map(|(line, field)| (line, field.to_owned())));
}

#[tokio::test]
async fn a_check_finds_the_names_that_would_be_refused_whatever_their_accents() {
    let stage = Stage::open().await;
    stage.employee(WILLOW, "Zoë").await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Employees, "name\nZoe\nRené-Luc\nRENE LUC\nIda").await;
    let bad = imports.lines(&checked.id, Line::Bad).await;
    let told: Vec<_> = bad.iter().map(|line| (line.line, line.fault.as_str())).collect();
    assert_eq!(told, [(2, "is that of an employee already"), (4, "is that of line 3 as well")]);
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.failed_count), (2, 0), "what the check passed is added");
}

#[tokio::test]
async fn the_name_of_a_former_employee_is_free() {
    let stage = Stage::open().await;
    let ana = stage.employee(WILLOW, "Ana").await;
    let left = UpdateEmployeeRequest { last_day: "2026-05-31".to_owned(), ..update(&ana.id) };
    updated(&stage, left).await.unwrap();
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Employees, "name\nAna").await;
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.bad_count, done.failed_count), (1, 0, 0));
}

fn member(user: u128, name: &str, role: &str) -> FoundMember {
    FoundMember {
        user_id: Uuid::from_u128(user).to_string(),
        name: name.to_owned(),
        role: role.to_owned(),
        disabled: false,
    }
}

#[tokio::test]
async fn a_members_address_links_their_account_and_sends_no_invitation() {
    let stage = Stage::open().await;
    stage.onboarding.is_member("ana@example.com", member(1, "Anastasia Ash", "MANAGER"));
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Employees, TABLE).await;
    assert_eq!(checked.bad_count, 0);
    let links = async |state| {
        let lines = imports.lines(&checked.id, state).await;
        lines.into_iter().map(|line| line.linked_to).collect::<Vec<_>>()
    };
    assert_eq!(links(Line::Good).await, ["Anastasia Ash", "", ""]);
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.failed_count), (3, 0));
    assert_eq!(links(Line::Imported).await, ["Anastasia Ash", "", ""]);
    let invited: Vec<_> = stage.onboarding.invited().into_iter().map(|(email, ..)| email).collect();
    assert_eq!(invited, ["cleo@example.com"]);
    let linked = format!(
        "SELECT count(*) FROM employee WHERE name = 'Ana' AND version = 2 AND user_id = '{}'",
        Uuid::from_u128(1)
    );
    assert_eq!(stage.count(&linked).await, 1);
    assert_eq!(stage.onboarding.connected().len(), 1, "the calendar is connected all the same");
}

#[tokio::test]
async fn an_account_that_is_another_employees_already_is_not_linked() {
    let stage = Stage::open().await;
    let ana = CreateEmployeeRequest {
        business_id: WILLOW.to_string(),
        name: "Ana".to_owned(),
        user_id: Uuid::from_u128(1).to_string(),
        ..Default::default()
    };
    stage.onboarding.is_member("ana@example.com", member(1, "Ana Ash", "EMPLOYEE"));
    stage.onboarding.is_member("ben@example.com", member(2, "Ben Birch", "EMPLOYEE"));
    stage.employees().create_employee(stage.owner_of(WILLOW, ana.clone())).await.unwrap();
    let imports = imports(&stage, WILLOW);
    let table = "name,email\nAnastasia,ana@example.com\nBenjamin,ben@example.com";
    let checked = imports.checked(ImportKind::Employees, table).await;
    let bad = imports.lines(&checked.id, Line::Bad).await;
    assert_eq!((bad.len(), bad[0].field.as_str(), bad[0].linked_to.as_str()), (1, "email", ""));
    assert_eq!(bad[0].fault, "belongs to Ana, who is an employee already");

    // Somebody else links the account after the check: the employee is added without it.
    let ben =
        CreateEmployeeRequest { name: "Ben".to_owned(), user_id: Uuid::from_u128(2).to_string(), ..ana };
    stage.employees().create_employee(stage.owner_of(WILLOW, ben)).await.unwrap();
    imports.start(&checked.id).await.unwrap();
    imports.until_state(&checked.id, State::Done).await;
    let lines = imports.lines(&checked.id, Line::Imported).await;
    assert_eq!((lines[0].field.as_str(), lines[0].linked_to.as_str()), ("email", ""));
    assert_eq!(lines[0].fault, "belongs to Ben, who is an employee already");
}

#[tokio::test]
async fn a_line_that_fails_says_no_more_that_it_will_be_linked() {
    let stage = Stage::open().await;
    stage.onboarding.is_member("ana@example.com", member(1, "Ana Ash", "EMPLOYEE"));
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Employees, "name,email\nAna,ana@example.com").await;
    assert_eq!(imports.lines(&checked.id, Line::Good).await[0].linked_to, "Ana Ash");
    // Somebody else adds the employee after the check.
    stage.employee(WILLOW, "Ana").await;
    imports.start(&checked.id).await.unwrap();
    imports.until_state(&checked.id, State::Done).await;
    let lines = imports.lines(&checked.id, Line::Failed).await;
    assert_eq!((lines[0].field.as_str(), lines[0].linked_to.as_str()), ("name", ""));
}

#[tokio::test]
async fn a_line_whose_calendar_can_not_be_connected_is_bad_before_anything_is_done() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let table = "name,calendar\nAna,unknown\nBen,https://example.com/b\nCleo,https://example.com/b\nDan,\n";
    let checked = imports.checked(ImportKind::Employees, table).await;
    let bad = imports.bad(&checked.id, Line::Bad).await;
    assert_eq!(bad, [(2, "calendar".to_owned()), (4, "calendar".to_owned())]);
    let lines = imports.lines(&checked.id, Line::Bad).await;
    assert_eq!(
        (lines[0].fault.as_str(), lines[1].fault.as_str()),
        ("is unknown", "is that of line 3 as well")
    );
    let addresses = "SELECT count(*) FROM import_line WHERE cells::text LIKE '%com/b%'";
    assert_eq!(stage.count(addresses).await, 2);
    // Of a cancelled table the lines that were left out can still be taken away whole, for a day.
    cancel(&stage, &checked.id).await;
    assert_eq!(stage.count(addresses).await, 1);
    assert_eq!(imports.lines(&checked.id, Line::Bad).await[1].cells[3], "https://example.com/b");
    stage.time.advance(SignedDuration::from_hours(25));
    until_none(&stage, addresses).await;
    assert_eq!(imports.lines(&checked.id, Line::Bad).await[1].cells[3], "https://example.com/…");
    assert_eq!(stage.onboarding.connected(), []);
}

async fn cancel(stage: &Stage, id: &str) {
    let message = CancelImportRequest { business_id: WILLOW.to_string(), import_id: id.to_owned() };
    stage.imports().cancel_import(stage.owner_of(WILLOW, message)).await.unwrap();
}

/// Waits until a count is none.
async fn until_none(stage: &Stage, count: &str) {
    let counting = async {
        while stage.count(count).await > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), counting).await.expect("none is left");
}

#[tokio::test]
async fn lines_that_were_left_out_can_be_imported_again_as_they_were_sent_for_a_day() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let table = "name,email,calendar\nAna,ana@,https://example.com/a\nBen,,https://example.com/b\nCleo,,https://example.com/c";
    let checked = imports.checked(ImportKind::Employees, table).await;
    // A colleague adds one of them after the check.
    stage.employee(WILLOW, "Ben").await;
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.bad_count, done.failed_count), (1, 1, 1));
    let calendar = async |state| imports.lines(&checked.id, state).await[0].cells[3].clone();
    assert_eq!(calendar(Line::Bad).await, "https://example.com/a");
    assert_eq!(calendar(Line::Failed).await, "https://example.com/b");
    assert_eq!(
        calendar(Line::Imported).await,
        "https://example.com/…",
        "it is connected, and needed no more"
    );

    // Cancelling what is over keeps nothing for longer.
    cancel(&stage, &checked.id).await;
    stage.time.advance(SignedDuration::from_hours(25));
    until_none(&stage, "SELECT count(*) FROM import_line WHERE cells::text ~ 'com/[abc]'").await;
    assert_eq!(imports.get(&checked.id).await.state(), State::Done);
    assert_eq!(calendar(Line::Failed).await, "https://example.com/…");
}

#[tokio::test]
async fn a_long_list_is_checked_in_several_steps() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let mut table = "name,email\n".to_owned();
    for n in 0..120 {
        table += &format!("Person {n},p{n}@example.com\n");
    }
    table += "Last,p3@example.com\n";
    let checked = imports.checked(ImportKind::Employees, &table).await;
    assert_eq!((checked.line_count, checked.checked_count, checked.bad_count), (121, 121, 1));
    let lines = imports.lines(&checked.id, Line::Bad).await;
    assert_eq!((lines[0].line, lines[0].fault.as_str()), (122, "is that of line 5 as well"));
}

#[tokio::test]
async fn while_calendars_can_not_be_checked_an_import_waits_and_says_so() {
    let stage = Stage::open().await;
    stage.onboarding.leave(true);
    let imports = imports(&stage, WILLOW);
    let begun = imports.begun(ImportKind::Employees, TABLE).await;
    let waiting = imports.until(&begun, |import| !import.waiting_for.is_empty()).await;
    assert_eq!((waiting.state(), waiting.waiting_for.as_str()), (State::Checking, "calendar-sync"));
    stage.onboarding.leave(false);
    stage.time.advance(jiff::SignedDuration::from_secs(6));
    let checked = imports.until_state(&begun, State::Checked).await;
    assert_eq!(checked.bad_count, 0);
}

#[tokio::test]
async fn while_another_service_is_away_an_import_waits_says_so_and_goes_on() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Employees, TABLE).await;
    stage.onboarding.leave(true);
    imports.start(&checked.id).await.unwrap();
    let waiting = imports.until(&checked.id, |import| !import.waiting_for.is_empty()).await;
    assert_eq!((waiting.state(), waiting.waiting_for.as_str()), (State::Importing, "calendar-sync"));
    // The first employee is added, and not yet done.
    assert_eq!(stage.count("SELECT count(*) FROM employee").await, 1);
    assert_eq!(waiting.imported_count, 0);
    stage.onboarding.leave(false);
    stage.time.advance(jiff::SignedDuration::from_secs(6));
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.waiting_for.as_str()), (3, ""));
    assert_eq!(stage.count("SELECT count(*) FROM employee").await, 3);
    assert_eq!(stage.onboarding.invited().len(), 2);
}

#[tokio::test]
async fn what_is_refused_after_the_check_stands_beside_the_employee() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Employees, "name,calendar\nAna,broken\nBen,").await;
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!(done.imported_count, 2);
    let lines = imports.lines(&done.id, Line::Imported).await;
    assert_eq!((lines[0].field.as_str(), lines[1].field.as_str()), ("calendar", ""));
    assert_eq!(lines[0].fault, "is refused");
}

#[tokio::test]
async fn people_are_invited_in_the_name_of_who_started_the_import_and_not_once_that_person_may_not() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let starter = UserId(Uuid::from_u128(77));
    let start = async |id: &str| {
        let message = StartImportRequest { business_id: WILLOW.to_string(), import_id: id.to_owned() };
        let request = as_person(&stage.host, starter, SESSION, Some(WILLOW), Some(Role::Owner), message);
        stage.imports().start_import(request).await.unwrap();
        imports.until_state(id, State::Done).await
    };
    let checked = imports.checked(ImportKind::Employees, "name,email\nAna,ana@example.com").await;
    start(&checked.id).await;
    assert_eq!(stage.onboarding.inviters(), [starter.to_string()]);

    let checked = imports.checked(ImportKind::Employees, "name,email\nBen,ben@example.com").await;
    stage.onboarding.remove_inviter();
    let done = start(&checked.id).await;
    let lines = imports.lines(&done.id, Line::Imported).await;
    assert_eq!(lines[0].field, "email");
    assert!(lines[0].fault.contains("is not an owner any more"), "{}", lines[0].fault);
    assert_eq!(stage.onboarding.inviters().len(), 1);
}
