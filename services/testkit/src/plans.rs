//! How Postgres plans a statement, as the app role and under the policies.

use database::{Parameters, statement};
use sea_orm::{ConnectionTrait, DbBackend, Statement, Value, sea_query::ArrayType};
use serde_json::Value as Json;

/// A statement's plan.
#[derive(Debug)]
pub struct Plan {
    sql: String,
    nodes: Vec<Json>,
}

impl Plan {
    /// The plan for `values`.
    ///
    /// # Panics
    /// When Postgres refuses the statement.
    pub async fn for_values(connection: &impl ConnectionTrait, sql: &str, values: impl Parameters) -> Self {
        let explain = statement(&format!("EXPLAIN (FORMAT JSON) {sql}"), values);
        Self::explained(connection, sql, explain).await
    }

    /// The generic plan, which a connection keeps where it forces one; parameters have the types of `values`.
    /// The connection must force generic plans.
    ///
    /// # Panics
    /// When Postgres refuses the statement.
    pub async fn generic(connection: &impl ConnectionTrait, sql: &str, values: impl Parameters) -> Self {
        let Statement { sql, values, .. } = statement(sql, values);
        let types: Vec<_> = values.iter().flat_map(|values| &values.0).map(type_of).collect();
        Self::prepared(connection, &sql, &format!("({})", types.join(", ")), types.len()).await
    }

    /// [`Plan::generic`] of a statement whose named parameters have the types that Postgres infers.
    ///
    /// # Panics
    /// When Postgres refuses the statement.
    pub async fn generic_inferred(connection: &impl ConnectionTrait, sql: &'static str) -> Self {
        let Statement { sql, values, .. } = database::statement(sql, database::Named::nulls(sql));
        Self::prepared(connection, &sql, "", values.map_or(0, |values| values.0.len())).await
    }

    async fn prepared(connection: &impl ConnectionTrait, sql: &str, types: &str, parameters: usize) -> Self {
        let run =
            async |sql: String| connection.execute_unprepared(&sql).await.expect("a statement is prepared");
        run(format!("PREPARE hot {types} AS {sql}")).await;
        let values = match parameters {
            0 => String::new(),
            parameters => format!("({})", vec!["NULL"; parameters].join(", ")),
        };
        let explain = format!("EXPLAIN (FORMAT JSON) EXECUTE hot {values}");
        let plan =
            Self::explained(connection, sql, Statement::from_string(DbBackend::Postgres, explain)).await;
        run("DEALLOCATE hot".to_owned()).await;
        plan
    }

    async fn explained(connection: &impl ConnectionTrait, sql: &str, explain: Statement) -> Self {
        let row = connection.query_one_raw(explain).await.expect("the statement is planned");
        let explained =
            row.expect("a plan is one row").try_get::<Json>("", "QUERY PLAN").expect("it is JSON");
        let (mut nodes, mut open) = (Vec::new(), vec![explained[0]["Plan"].clone()]);
        while let Some(node) = open.pop() {
            open.extend(node["Plans"].as_array().cloned().unwrap_or_default());
            nodes.push(node);
        }
        Self { sql: sql.to_owned(), nodes }
    }

    /// Asserts that no whole table is read.
    ///
    /// # Panics
    /// When one is.
    #[track_caller]
    pub fn assert_no_table_scan(&self) -> &Self {
        self.assert_without("Seq Scan")
    }

    /// Asserts that rows come out in the index's order.
    ///
    /// # Panics
    /// When they are sorted.
    #[track_caller]
    pub fn assert_no_sort(&self) -> &Self {
        self.assert_without("Sort")
    }

    /// Asserts that no whole table is read, and that every use of `index` is entered by all of `columns`.
    ///
    /// # Panics
    /// When the index is not used, or is entered by fewer.
    #[track_caller]
    pub fn assert_uses(&self, index: &str, columns: &[&str]) -> &Self {
        self.assert_no_table_scan();
        let uses: Vec<&Json> = self.nodes.iter().filter(|node| node["Index Name"] == index).collect();
        assert!(!uses.is_empty(), "{index} is not used by {}: {:#?}", self.sql, self.nodes);
        for node in uses {
            let condition = node["Index Cond"].to_string();
            for column in columns {
                assert!(condition.contains(column), "{index} is not entered by {column}: {condition}");
            }
        }
        self
    }

    /// The indexes it uses.
    #[must_use]
    pub fn indexes(&self) -> Vec<&str> {
        self.nodes.iter().filter_map(|node| node["Index Name"].as_str()).collect()
    }

    #[track_caller]
    fn assert_without(&self, kind: &str) -> &Self {
        assert!(
            self.nodes.iter().all(|node| node["Node Type"] != kind),
            "{kind} in {}: {:#?}",
            self.sql,
            self.nodes
        );
        self
    }
}

/// The type that the driver gives the value.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::SmallInt(_) => "smallint",
        Value::Uuid(_) => "uuid",
        Value::String(_) => "text",
        Value::BigInt(_) => "bigint",
        Value::ChronoDate(_) => "date",
        Value::ChronoDateTimeUtc(_) => "timestamptz",
        Value::Array(ArrayType::Uuid, _) => "uuid[]",
        Value::Array(ArrayType::String, _) => "text[]",
        Value::Array(ArrayType::BigInt, _) => "bigint[]",
        Value::Array(ArrayType::Int, _) => "integer[]",
        Value::Array(ArrayType::SmallInt, _) => "smallint[]",
        Value::Array(ArrayType::ChronoDate, _) => "date[]",
        Value::Array(ArrayType::ChronoDateTimeUtc, _) => "timestamptz[]",
        other => panic!("{other:?} has no type here"),
    }
}
