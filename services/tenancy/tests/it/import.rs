//! Imports of tables.

use core::time::Duration;
use std::time::Instant;

use caller::{BusinessId, Role};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        CancelImportRequest, CheckImportRequest, ColumnMapping, CreateImportRequest, DateOrder,
        GetImportRequest, GetImportResponse, Import, ImportKind, ImportLine, ImportLineState as Line,
        ImportState as State, ListImportLinesRequest, ListImportsRequest, PreviewImportRequest,
        PreviewImportResponse, PutImportPartRequest, StartImportRequest,
    },
};
use testkit::as_user;
use tonic::{Request, Status};

use crate::{
    item::{choose_currency, create, described},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
    supplier::supplier,
};

/// The imports of a business, as an owner works with them.
pub struct Imports<'a> {
    pub stage: &'a Stage,
    pub business: BusinessId,
}

impl Imports<'_> {
    fn request<T>(&self, message: T) -> Request<T> {
        self.stage.owner_of(self.business, message)
    }

    pub async fn begin(&self, kind: ImportKind) -> String {
        let message = CreateImportRequest {
            business_id: self.business.to_string(),
            kind: kind.into(),
            file_name: "table.csv".to_owned(),
        };
        let created = self.stage.imports().create_import(self.request(message)).await.unwrap();
        created.into_inner().import.unwrap().id
    }

    pub async fn put(&self, id: &str, part: i32, text: &str) -> Result<(), Status> {
        let message = PutImportPartRequest {
            business_id: self.business.to_string(),
            import_id: id.to_owned(),
            part,
            text: text.to_owned(),
        };
        self.stage.imports().put_import_part(self.request(message)).await.map(drop)
    }

    pub async fn check(&self, id: &str, part_count: i32) -> Result<Import, Status> {
        let message = CheckImportRequest {
            business_id: self.business.to_string(),
            import_id: id.to_owned(),
            part_count,
            ..CheckImportRequest::default()
        };
        let checked = self.stage.imports().check_import(self.request(message)).await?;
        Ok(checked.into_inner().import.unwrap())
    }

    /// A table in one part, and what its columns would be read as.
    pub async fn previewed(
        &self,
        kind: ImportKind,
        text: &str,
        mapping: Option<ColumnMapping>,
    ) -> (String, Result<PreviewImportResponse, Status>) {
        let id = self.begin(kind).await;
        self.put(&id, 0, text).await.unwrap();
        let preview = self.preview(&id, mapping).await;
        (id, preview)
    }

    pub async fn preview(
        &self,
        id: &str,
        mapping: Option<ColumnMapping>,
    ) -> Result<PreviewImportResponse, Status> {
        let message = PreviewImportRequest {
            business_id: self.business.to_string(),
            import_id: id.to_owned(),
            part_count: 1,
            mapping,
        };
        Ok(self.stage.imports().preview_import(self.request(message)).await?.into_inner())
    }

    /// Has a table in one part checked as a person says.
    pub async fn check_as(
        &self,
        id: &str,
        mapping: Option<ColumnMapping>,
        order: DateOrder,
    ) -> Result<Import, Status> {
        let message = CheckImportRequest {
            business_id: self.business.to_string(),
            import_id: id.to_owned(),
            part_count: 1,
            mapping,
            date_order: order.into(),
        };
        Ok(self.stage.imports().check_import(self.request(message)).await?.into_inner().import.unwrap())
    }

    /// The import with what its table was read as.
    pub async fn whole(&self, id: &str) -> GetImportResponse {
        let message = GetImportRequest { business_id: self.business.to_string(), import_id: id.to_owned() };
        self.stage.imports().get_import(self.request(message)).await.unwrap().into_inner()
    }

    pub async fn start(&self, id: &str) -> Result<Import, Status> {
        let message = StartImportRequest { business_id: self.business.to_string(), import_id: id.to_owned() };
        let started = self.stage.imports().start_import(self.request(message)).await?;
        Ok(started.into_inner().import.unwrap())
    }

    pub async fn get(&self, id: &str) -> Import {
        self.whole(id).await.import.unwrap()
    }

    /// The import once `done` says so.
    pub async fn until(&self, id: &str, done: impl Fn(&Import) -> bool) -> Import {
        let started = Instant::now();
        loop {
            let import = self.get(id).await;
            if done(&import) {
                return import;
            }
            assert!(started.elapsed() < Duration::from_secs(120), "{import:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn until_state(&self, id: &str, state: State) -> Import {
        self.until(id, |import| import.state() == state).await
    }

    /// The id of a table in one part, which is to be checked.
    pub async fn begun(&self, kind: ImportKind, text: &str) -> String {
        let id = self.begin(kind).await;
        self.put(&id, 0, text).await.unwrap();
        self.check(&id, 1).await.unwrap();
        id
    }

    /// A table in one part, checked.
    pub async fn checked(&self, kind: ImportKind, text: &str) -> Import {
        let id = self.begun(kind, text).await;
        self.until_state(&id, State::Checked).await
    }

    pub async fn lines(&self, id: &str, state: Line) -> Vec<ImportLine> {
        let (mut seen, mut token) = (vec![], String::new());
        loop {
            let message = ListImportLinesRequest {
                business_id: self.business.to_string(),
                import_id: id.to_owned(),
                state: state.into(),
                page_size: 200,
                page_token: token,
            };
            let page = self.stage.imports().list_import_lines(self.request(message)).await.unwrap();
            let page = page.into_inner();
            seen.extend(page.lines);
            token = page.next_page_token;
            if token.is_empty() {
                return seen;
            }
        }
    }

    /// Lines that can't be imported, with the columns that are wrong.
    pub async fn bad(&self, id: &str, state: Line) -> Vec<(i32, String)> {
        let lines = self.lines(id, state).await;
        lines.into_iter().map(|line| (line.line, line.field)).collect()
    }
}

pub fn imports(stage: &Stage, business: BusinessId) -> Imports<'_> {
    Imports { stage, business }
}

fn told(lines: &[(i32, &str)]) -> Vec<(i32, String)> {
    lines.iter().map(|(line, field)| (*line, (*field).to_owned())).collect()
}

const ITEMS: &str = "Name;SKU;Price;Supplier;On hand\n\
    Soap;S-1;4,50;Acme;12\n\
    Shampoo;S-2;twelve;;\n\
    Wax;S-1;3;;\n\
    =SUM(A1);S-4;;;\n\
    Gel;S-5;;Nobody;\n\
    Foam;s-9;;;\n\
    Mousse;S-7;9.99;acme;0\n";

#[tokio::test]
async fn items_are_checked_line_by_line_shown_and_imported() {
    let stage = Stage::open().await;
    choose_currency(&stage, WILLOW, "GBP").await;
    supplier(&stage, WILLOW, "Acme").await;
    let known = proto::frontdesk::tenancy::v1::ItemDetails { sku: "S-9".to_owned(), ..described("Old foam") };
    create(&stage, WILLOW, known).await.unwrap();
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Items, ITEMS).await;
    assert_eq!((checked.line_count, checked.checked_count, checked.bad_count), (7, 7, 5));
    let expected = told(&[(3, "price"), (4, "sku"), (5, "name"), (6, "supplier"), (7, "sku")]);
    assert_eq!(imports.bad(&checked.id, Line::Bad).await, expected);
    assert_eq!(stage.count("SELECT count(*) FROM item").await, 1, "a dry run imports nothing");

    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.failed_count), (2, 0));
    let stocked = "SELECT on_hand FROM item WHERE name = 'Soap' AND price_minor = 450";
    assert_eq!(stage.count(stocked).await, 12);
    assert_eq!(stage.count("SELECT count(*) FROM stock_movement WHERE created_by LIKE 'user:%'").await, 1);
    assert_eq!(stage.count("SELECT count(*) FROM import_key").await, 0, "keys are of the check alone");
    assert_eq!(imports.lines(&done.id, Line::Imported).await.len(), 2);
}

#[tokio::test]
async fn customers_are_imported_once_however_often_their_table_is() {
    let stage = Stage::open().await;
    let table = "First name,Last name,Mobile,Email,Tags\n\
        Mia,Berg,020 7946 0018,mia@example.com,VIP\n\
        Mia,Berg,+44 20 7946 0018,,\n\
        Tom,Jones,anonymous,,\n\
        Zo\u{202e}e,,,,\n\
        Ben,Ash,,ben@,\n\
        Ann,Lee,,,\n";
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Customers, table).await;
    let expected = told(&[(3, "phone"), (4, "phone"), (5, "name"), (6, "email")]);
    assert_eq!(imports.bad(&checked.id, Line::Bad).await, expected);
    imports.start(&checked.id).await.unwrap();
    imports.until_state(&checked.id, State::Done).await;
    let named = "SELECT count(*) FROM customer WHERE business_id = '01900000-0000-7000-8000-000000000001'";
    assert_eq!(stage.count(named).await, 2);
    assert_eq!(stage.count("SELECT count(*) FROM customer WHERE tags = '{VIP}'").await, 1);
    let theirs = format!(
        "SELECT count(DISTINCT record_id) FROM change_entry
            WHERE record_kind = 'customer' AND actor = 'user:{}'",
        testkit::USER
    );
    assert_eq!(stage.count(&theirs).await, 2, "what is imported is of the person who started it");
    let again = imports.checked(ImportKind::Customers, table).await;
    assert_eq!(again.bad_count, 6);
    assert_refused(imports.start(&again.id).await, Reason::WrongState);
}

#[tokio::test]
async fn a_customer_is_known_in_whatever_case_and_with_whatever_accents() {
    let stage = Stage::open().await;
    stage.customer(WILLOW, "Zoë Lind", "+442079460018").await;
    let imports = imports(&stage, WILLOW);
    let table =
        "name,phone\nzoe lind,020 7946 0018\nZoe Lind,020 7946 0019\nIda,020 7946 0020\nÍDA,020 7946 0020";
    let checked = imports.checked(ImportKind::Customers, table).await;
    // Another number is another person's.
    assert_eq!(imports.bad(&checked.id, Line::Bad).await, told(&[(2, "phone"), (5, "phone")]));
}

#[tokio::test]
async fn a_line_that_was_taken_meanwhile_fails_and_the_others_are_imported() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Items, "name,sku\nSoap,S-1\nWax,S-2").await;
    assert_eq!(checked.bad_count, 0);
    let taken = proto::frontdesk::tenancy::v1::ItemDetails { sku: "S-1".to_owned(), ..described("Other") };
    create(&stage, WILLOW, taken).await.unwrap();
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.failed_count), (1, 1));
    assert_eq!(imports.bad(&done.id, Line::Failed).await, told(&[(2, "sku")]));
}

#[tokio::test]
async fn a_table_comes_in_parts_that_end_anywhere() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let id = imports.begin(ImportKind::Customers).await;
    for (part, text) in ["na", "me\n\"Mi", "a\"\nTom\u{0}\n"].into_iter().enumerate() {
        imports.put(&id, i32::try_from(part).unwrap(), text).await.unwrap();
    }
    assert_field_refused(imports.check(&id, 4).await, "part_count");
    imports.check(&id, 3).await.unwrap();
    let checked = imports.until_state(&id, State::Checked).await;
    assert_eq!((checked.line_count, checked.bad_count), (2, 1));
    assert_refused(imports.put(&id, 0, "").await, Reason::WrongState);
    assert_refused(imports.check(&id, 3).await, Reason::WrongState);
}

#[tokio::test]
async fn what_is_no_table_is_refused_and_can_be_sent_again() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let id = imports.begin(ImportKind::Items).await;
    for text in ["", "name\n", "Soap,3\n", "name,product\nSoap,Soap"] {
        imports.put(&id, 0, text).await.unwrap();
        assert_field_refused(imports.check(&id, 1).await, "text");
    }
    imports.put(&id, 0, "name\nSoap").await.unwrap();
    imports.check(&id, 1).await.unwrap();
    assert_field_refused(imports.put(&id, 32, "").await, "part");
    assert_field_refused(imports.put(&id, 0, &"x".repeat(524_289)).await, "text");
}

#[tokio::test]
async fn a_cancelled_import_goes_no_further() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Customers, "name\nMia").await;
    let message = CancelImportRequest { business_id: WILLOW.to_string(), import_id: checked.id.clone() };
    stage.imports().cancel_import(stage.owner_of(WILLOW, message)).await.unwrap();
    assert_refused(imports.start(&checked.id).await, Reason::WrongState);
    assert_eq!(imports.get(&checked.id).await.state(), State::Cancelled);
}

#[tokio::test]
async fn text_that_was_never_checked_goes_with_its_import() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let id = imports.begin(ImportKind::Customers).await;
    imports.put(&id, 0, "name\nMia").await.unwrap();
    let message = CancelImportRequest { business_id: WILLOW.to_string(), import_id: id.clone() };
    stage.imports().cancel_import(stage.owner_of(WILLOW, message)).await.unwrap();
    assert_eq!(stage.count("SELECT count(*) FROM import_part").await, 0);
    assert_eq!(imports.get(&id).await.state(), State::Cancelled);
}

#[tokio::test]
async fn a_business_begins_fifty_imports_a_day_and_leaves_others_theirs() {
    let stage = Stage::open().await;
    let willow = imports(&stage, WILLOW);
    for _ in 0..50 {
        willow.begin(ImportKind::Items).await;
    }
    let message = CreateImportRequest {
        business_id: WILLOW.to_string(),
        kind: ImportKind::Customers.into(),
        file_name: "table.csv".to_owned(),
    };
    let refused = stage.imports().create_import(stage.owner_of(WILLOW, message)).await.map(drop);
    assert_refused(refused, Reason::RateLimited);
    imports(&stage, LINDE).begin(ImportKind::Items).await;
    stage.time.advance(SignedDuration::from_hours(25));
    willow.begin(ImportKind::Items).await;
}

#[tokio::test]
async fn a_table_with_which_no_one_goes_on_for_a_day_is_deleted() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Customers, "name\nMia").await;
    let started = imports.checked(ImportKind::Customers, "name\nTom").await;
    imports.start(&started.id).await.unwrap();
    imports.until_state(&started.id, State::Done).await;
    stage.time.advance(SignedDuration::from_hours(23));
    let sent = imports.begin(ImportKind::Customers).await;
    imports.put(&sent, 0, "name\nZoe").await.unwrap();
    stage.time.advance(SignedDuration::from_hours(2));
    let expired = imports.until_state(&checked.id, State::Expired).await;
    assert!(expired.finished_at.is_some());
    assert_refused(imports.start(&checked.id).await, Reason::WrongState);
    assert_eq!(stage.count("SELECT count(*) FROM import_line").await, 1, "that of the finished one");
    assert_eq!(imports.get(&sent).await.state(), State::Receiving, "it has 22 hours left");
    stage.time.advance(SignedDuration::from_hours(23));
    imports.until_state(&sent, State::Expired).await;
    assert_eq!(stage.count("SELECT count(*) FROM import_part").await, 0);
}

#[tokio::test]
async fn imports_are_a_managers_of_the_salon_and_those_of_employees_an_owners() {
    let stage = Stage::open().await;
    let theirs = imports(&stage, LINDE).begin(ImportKind::Items).await;
    let get = GetImportRequest { business_id: WILLOW.to_string(), import_id: theirs };
    assert_refused(stage.imports().get_import(stage.owner_of(WILLOW, get)).await, Reason::NotFound);
    let begin = |kind: ImportKind| CreateImportRequest {
        business_id: WILLOW.to_string(),
        kind: kind.into(),
        file_name: String::new(),
    };
    let employee = stage.employee_of(WILLOW, begin(ImportKind::Items));
    assert_refused(stage.imports().create_import(employee).await, Reason::RoleTooLow);
    let manager = stage.manager_of(WILLOW, begin(ImportKind::Employees));
    assert_refused(stage.imports().create_import(manager).await, Reason::RoleTooLow);
    let mine = imports(&stage, WILLOW).begin(ImportKind::Employees).await;
    let get = GetImportRequest { business_id: WILLOW.to_string(), import_id: mine };
    let manager = as_user(&stage.host, Role::Manager, WILLOW, get);
    assert_refused(stage.imports().get_import(manager).await, Reason::RoleTooLow);
    let list = ListImportsRequest {
        business_id: WILLOW.to_string(),
        kind: ImportKind::Employees.into(),
        ..Default::default()
    };
    let listed = stage.imports().list_imports(stage.owner_of(WILLOW, list)).await.unwrap();
    assert_eq!(listed.into_inner().imports.len(), 1);
    let unknown = stage.owner_of(WILLOW, begin(ImportKind::Unspecified));
    assert_field_refused(stage.imports().create_import(unknown).await, "kind");
}

#[tokio::test]
async fn a_batch_that_fails_is_shown_and_tried_again_at_once_when_a_person_asks() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Customers, "name\nMia\nTom").await;
    let full = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION refuse()";
    sqlx::raw_sql(full).execute(&mut stage.superuser().await).await.unwrap();
    imports.start(&checked.id).await.unwrap();
    let failing = imports.until(&checked.id, |import| import.waiting_for == "next-try").await;
    assert_eq!((failing.state(), failing.imported_count), (State::Importing, 0));
    sqlx::raw_sql("DROP TRIGGER refuse ON customer").execute(&mut stage.superuser().await).await.unwrap();
    // Half a minute later it would be tried by itself: the test's clock stands still.
    imports.start(&checked.id).await.unwrap();
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.failed_count, done.waiting_for.as_str()), (2, 0, ""));
}
