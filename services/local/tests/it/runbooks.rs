//! What runbooks have people ask of a database is answered: its tables and columns are those of the schema.

use std::fs;

use sqlx::AssertSqlSafe;

use crate::{
    restore::backup::{DATABASES, Server},
    stack::Stack,
};

const RUNBOOKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../k8s/runbooks");

/// A statement as a page has it.
struct Statement {
    page: String,
    /// The database that the page names; one that it describes may be any.
    database: Option<&'static str>,
    text: String,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_statement_of_the_runbooks_is_answered() {
    let statements = statements();
    assert!(statements.len() > 8, "only {} statements were found", statements.len());
    assert!(statements.iter().any(|statement| statement.database == Some("auth")));
    let stack = Stack::start(&["--no-demo"]).await;
    let server = Server::of(&stack);
    for Statement { page, database, text } in statements {
        let mut refusals = Vec::new();
        let databases = database.map_or_else(|| DATABASES.to_vec(), |named| vec![named]);
        let asked = databases.len();
        for database in databases {
            let mut superuser = server.connect(database).await;
            if let Err(error) = sqlx::raw_sql(AssertSqlSafe(text.clone())).execute(&mut superuser).await {
                refusals.push(format!("{database}: {error}"));
            }
        }
        assert!(refusals.len() < asked, "{page}: {text}: {refusals:#?}");
    }
}

/// Whole statements between backticks, which end with a semicolon.
fn statements() -> Vec<Statement> {
    let mut found = Vec::new();
    for entry in fs::read_dir(RUNBOOKS).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let pieces: Vec<String> = page.split('`').map(one_line).collect();
        for pair in pieces.windows(2) {
            let (before, text) = (&pair[0], &pair[1]);
            if (text.starts_with("SELECT ") || text.starts_with("VACUUM ")) && text.ends_with(';') {
                let page = path.display().to_string();
                found.push(Statement { page, database: named_by(before), text: text.clone() });
            }
        }
    }
    found
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The database of `In auth's database:`.
fn named_by(before: &str) -> Option<&'static str> {
    let named = |database: &&str| before.ends_with(&format!("{}'s database:", database.replace('_', "-")));
    DATABASES.into_iter().find(named)
}
