//! A transaction as the connection that entities run on.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement};

use super::Tx;

#[async_trait]
impl<E: From<DbErr>> ConnectionTrait for Tx<E> {
    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Postgres
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.measured(self.open().await?.execute_raw(statement).await)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.measured(self.open().await?.execute_unprepared(sql).await)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.measured(self.open().await?.query_one_raw(statement).await)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.measured(self.open().await?.query_all_raw(statement).await)
    }
}

impl<E> Tx<E> {
    /// What a statement came to; an error that is a collision is counted.
    pub(super) fn measured<T>(&self, done: Result<T, DbErr>) -> Result<T, DbErr> {
        done.map_err(|error| self.database.measure().failed(error))
    }
}
