//! A transaction as the connection that entities run on.

use async_trait::async_trait;
use caller::BusinessId;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement, Value};

use super::{Sees, Tx};

#[async_trait]
impl<E: From<DbErr>> ConnectionTrait for Tx<E> {
    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Postgres
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.check_business(&statement);
        self.measured(self.open().await?.execute_raw(statement).await)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.measured(self.open().await?.execute_unprepared(sql).await)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.check_business(&statement);
        self.measured(self.open().await?.query_one_raw(statement).await)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.check_business(&statement);
        self.measured(self.open().await?.query_all_raw(statement).await)
    }
}

impl<E> Tx<E> {
    /// Every statement of a business's transaction names the business as well: the policy alone would hold it to the
    /// business's rows, but not to one node of a database that is distributed by business.
    ///
    /// # Panics
    /// In debug builds, so in every test, when it doesn't.
    #[track_caller]
    fn check_business(&self, statement: &Statement) {
        if cfg!(debug_assertions)
            && let Sees::Business(BusinessId(business)) = self.sees
        {
            let values = statement.values.iter().flat_map(|values| &values.0);
            let named = values.filter(|value| **value == Value::Uuid(Some(business))).count();
            assert!(named > 0, "a statement of a business does not name it: {}", statement.sql);
        }
    }

    /// What a statement came to; an error that is a collision is counted.
    pub(super) fn measured<T>(&self, done: Result<T, DbErr>) -> Result<T, DbErr> {
        done.map_err(|error| self.database.measure().failed(error))
    }
}
