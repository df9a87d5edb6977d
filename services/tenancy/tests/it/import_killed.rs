//! An import of 20,000 lines whose worker is killed.

use std::{fmt::Write, sync::Arc};

use boot::clock::{Clock, TestClock};
use jiff::SignedDuration;
use proto::frontdesk::tenancy::v1::{ImportKind, ImportLineState as Line, ImportState as State};
use tenancy::{NAME, migration::Migrator};
use testkit::{START, TestDatabase};
use tokio::runtime::Runtime;

use crate::{
    import::{Imports, imports},
    stage::{Stage, WILLOW},
};

const LINES: i32 = 20_000;
/// One line in a hundred has an invalid telephone number.
const BAD: i32 = 100;

fn table() -> String {
    let mut text = "name,phone,email\n".to_owned();
    for n in 1..=LINES {
        let phone = if n % BAD == 0 { "anonymous".to_owned() } else { format!("+4420{:08}", 79_460_000 + n) };
        writeln!(text, "Customer {n},{phone},c{n}@example.com").unwrap();
    }
    text
}

async fn send(imports: &Imports<'_>) -> String {
    let id = imports.begin(ImportKind::Customers).await;
    let text = table();
    let parts: Vec<_> = text.as_bytes().chunks(400_000).collect();
    for (part, bytes) in parts.iter().enumerate() {
        let text = core::str::from_utf8(bytes).unwrap();
        imports.put(&id, i32::try_from(part).unwrap(), text).await.unwrap();
    }
    imports.check(&id, i32::try_from(parts.len()).unwrap()).await.unwrap();
    id
}

/// Runs the service until `scene` is over, and then ends all its tasks wherever they are: as after a kill, Postgres
/// rolls back what was not committed.
fn killed_after<T>(
    database: &Arc<TestDatabase>,
    time: &(Clock, TestClock),
    scene: impl AsyncFnOnce(Stage) -> T,
) -> T {
    let process = Runtime::new().unwrap();
    let outcome = process.block_on(async {
        let (clock, time) = time.clone();
        scene(Stage::beside(database.clone(), testkit::host_on(NAME, clock), time).await).await
    });
    process.shutdown_background();
    outcome
}

#[test]
fn twenty_thousand_lines_survive_killed_workers_without_a_doubled_or_a_lost_one() {
    let runtime = Runtime::new().unwrap();
    let database = Arc::new(runtime.block_on(testkit::database::<Migrator>(NAME)));
    let time = Clock::test(START.parse().unwrap());
    let id = killed_after(&database, &time, async |stage| {
        stage.business(WILLOW, "Willow & Co", "020 7946 0018", "Europe/London").await;
        let imports = imports(&stage, WILLOW);
        let id = send(&imports).await;
        let checked = imports.until_state(&id, State::Checked).await;
        assert_eq!((checked.line_count, checked.bad_count), (LINES, LINES / BAD));
        let expected: Vec<_> = (1..=LINES / BAD).map(|n| (n * BAD + 1, "phone".to_owned())).collect();
        assert_eq!(imports.bad(&id, Line::Bad).await, expected, "exactly those lines are reported");
        imports.start(&id).await.unwrap();
        imports.until(&id, |import| import.imported_count >= LINES / 10).await;
        id
    });
    for part in [LINES / 4, LINES / 2] {
        time.1.advance(SignedDuration::from_secs(31));
        killed_after(&database, &time, async |stage| {
            let imports = imports(&stage, WILLOW);
            let import = imports.until(&id, |import| import.imported_count >= part).await;
            assert_eq!(import.state(), State::Importing, "the kill falls into the import");
        });
    }
    time.1.advance(SignedDuration::from_secs(31));
    killed_after(&database, &time, async |stage| {
        let done = imports(&stage, WILLOW).until_state(&id, State::Done).await;
        let good = LINES - LINES / BAD;
        assert_eq!((done.imported_count, done.bad_count, done.failed_count), (good, LINES / BAD, 0));
        assert_eq!(stage.count("SELECT count(*) FROM customer").await, i64::from(good));
        assert_eq!(stage.count("SELECT count(DISTINCT email) FROM customer").await, i64::from(good));
        let told =
            "SELECT count(DISTINCT aggregate_id) FROM outbox o JOIN customer c ON c.id = o.aggregate_id";
        assert_eq!(stage.count(told).await, i64::from(good), "each is told to other services");
    });
}
