//! What the database says to a superuser.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::Salon;

/// Pairs of blocking rows that at any instant took the same time of one employee or resource and
/// should not.
pub const OVERLAPS: &str = "SELECT count(*) FROM ledger a JOIN ledger b
    ON a.business_id = b.business_id AND a.subject_id = b.subject_id AND a.id < b.id
        AND a.during && b.during AND a.recorded && b.recorded
    WHERE a.blocking AND b.blocking AND NOT (a.kind IN ('BUSY', 'BLOCK') AND b.kind IN ('BUSY', 'BLOCK'))";

impl Salon {
    /// Deadlocks that Postgres has resolved in this database. Ends the service's
    /// connections: what they have counted is told when they go.
    pub async fn deadlocks(&self) -> i64 {
        let mut superuser = self.superuser().await;
        let ended: Vec<i32> = sqlx::query_scalar(
            "WITH own AS MATERIALIZED (SELECT pid FROM pg_stat_activity
                 WHERE datname = current_database() AND usename = 'scheduling_app')
             SELECT pid FROM own WHERE pg_terminate_backend(pid)",
        )
        .fetch_all(&mut superuser)
        .await
        .unwrap();
        assert!(!ended.is_empty());
        let left = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY($1)";
        while sqlx::query_scalar::<_, i64>(left).bind(&ended).fetch_one(&mut superuser).await.unwrap() > 0 {}
        self.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").await
    }

    /// What was done, and by what kind of actor.
    pub async fn trail(&self) -> Vec<(String, String)> {
        sqlx::query_as("SELECT action, split_part(actor, ':', 1) FROM audit ORDER BY xmin::text::bigint")
            .fetch_all(&mut self.superuser().await)
            .await
            .unwrap()
    }

    /// One number, asked as superuser.
    pub async fn count(&self, sql: &str) -> i64 {
        let mut connection = self.superuser().await;
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut connection).await.unwrap()
    }

    pub async fn superuser(&self) -> PgConnection {
        PgConnection::connect(&self.database.superuser_url).await.unwrap()
    }

    /// Pairs of blocking rows that at any instant took the same time of one employee and
    /// should not.
    pub async fn overlaps(&self) -> i64 {
        self.count(OVERLAPS).await
    }
}
