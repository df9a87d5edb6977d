//! What a test waits for, and what it sees and changes in the database.

use calendar_sync::FOLLOWER;
use caller::Worker;
use jiff::SignedDuration;
use proto::frontdesk::scheduling::v1::Appointment;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement, TryGetable};

use crate::{
    salon::{SALON, Salon},
    scheduling::PATIENCE,
};

const LOCK_NOT_AVAILABLE: &str = "55P03";

impl Salon {
    /// Publishes an appointment and waits until it is planned and written.
    pub async fn publish(&self, appointment: Appointment) {
        self.publish_and_follow(appointment).await;
        self.until_written().await;
    }

    /// Publishes an appointment and waits until it is to be written.
    pub async fn publish_and_follow(&self, appointment: Appointment) {
        let position = self.scheduling.publish(&self.host, &SALON.to_string(), appointment);
        self.until(async || outbox::caught_up(&self.app, FOLLOWER, "scheduling", position).await.unwrap())
            .await;
    }

    /// Publishes an appointment and lets what fails fall due again until it is written.
    pub async fn publish_and_wait_out(&self, appointment: Appointment) {
        self.publish_and_follow(appointment).await;
        self.wait_out().await;
    }

    /// Lets what fails fall due again until nothing is left to write.
    pub async fn wait_out(&self) {
        let unwritten = "SELECT count(*) FROM calendar_write WHERE written < wanted";
        self.until(async || {
            self.meddle("UPDATE calendar_write SET due_at = '2026-06-01' WHERE written < wanted").await;
            self.count(unwritten).await == 0
        })
        .await;
    }

    /// Waits until nothing is left to write. What met a reading at its connection and was handed back is due after a second of
    /// a clock that stands: it falls due by hand.
    pub async fn until_written(&self) {
        let handed_back = format!(
            "UPDATE calendar_write SET due_at = '{now}' WHERE written < wanted AND lease IS NULL AND failures = 0
                AND due_at > '{now}' AND due_at <= timestamptz '{now}' + interval '1 second'",
            now = self.time.now()
        );
        self.until(async || {
            let unwritten = "SELECT count(*) FROM calendar_write WHERE written < wanted";
            self.count(unwritten).await == 0 || {
                self.meddle(&handed_back).await;
                false
            }
        })
        .await;
    }

    /// Waits for something that only the database knows.
    pub async fn until(&self, mut wanted: impl AsyncFnMut() -> bool) {
        let waiting = async {
            while !wanted().await {
                tokio::task::yield_now().await;
            }
        };
        if tokio::time::timeout(PATIENCE, waiting).await.is_err() {
            panic!("it never came: {}", self.dump(&["sync_state", "calendar_write"]).await);
        }
    }

    /// A number the salon's own transaction sees.
    pub async fn count(&self, sql: &str) -> i64 {
        self.value(sql).await
    }

    /// What the salon's own transaction sees.
    pub async fn value<V: TryGetable>(&self, sql: &str) -> V {
        let tx = self.app.begin(&Worker::new("test", SALON)).await.unwrap();
        let row = tx.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }

    /// Changes the database behind the service's back. It gives way before Postgres looks for a deadlock, which might
    /// end a worker's transaction and leave its lease to run out.
    pub async fn meddle(&self, sql: &str) {
        // Tests change things in loops: a connection for each change would be half of what the machine does.
        let superuser = self.meddling.get_or_init(|| self.superuser()).await;
        let impatient = format!("SET LOCAL lock_timeout = '200ms'; {sql}");
        loop {
            match superuser.execute_unprepared(&impatient).await {
                Ok(_) => return,
                Err(error) if database::sqlstate(&error).as_deref() == Some(LOCK_NOT_AVAILABLE) => {}
                Err(error) => panic!("{sql}: {error}"),
            }
        }
    }

    pub async fn superuser(&self) -> DatabaseConnection {
        sea_orm::Database::connect(&self.database.superuser_url).await.unwrap()
    }

    /// Makes every calendar due now, and no sooner: a claim that began before the clock moved would take a turn that is over
    /// already.
    pub async fn read_again(&self) {
        self.meddle(&format!("UPDATE sync_state SET due_at = '{}'", self.time.now())).await;
    }

    /// Waits until no calendar is being read, or due.
    pub async fn until_at_rest(&self) {
        let begun = format!(
            "SELECT count(*) FROM sync_state WHERE lease IS NOT NULL OR due_at <= '{}'",
            self.time.now()
        );
        self.until(async || self.count(&begun).await == 0).await;
    }

    /// Lets time go by between two turns: one that is under way when the clock moves runs out of its time.
    pub async fn let_pass(&self, time: SignedDuration) {
        self.until_at_rest().await;
        self.time.advance(time);
    }

    /// All rows of some tables, as text.
    pub async fn dump(&self, tables: &[&str]) -> String {
        let superuser = self.superuser().await;
        let mut dump = String::new();
        for table in tables {
            let sql = format!("SELECT COALESCE(string_agg(t::text, ' '), '') FROM {table} t");
            let row =
                superuser.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
            dump += &row.unwrap().try_get_by_index::<String>(0).unwrap();
        }
        dump
    }
}
