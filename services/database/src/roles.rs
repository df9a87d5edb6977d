//! Roles of a service's database.
//!
//! `<service>_owner` migrates and owns, `<service>_app` serves, and
//! `<service>_installation` is what the app becomes to see every business. The app
//! inherits nothing from it: membership alone must not pass the policies.

use anyhow::Context;
use boot::config::Secret;
use sqlx::{AssertSqlSafe, Connection, PgConnection, postgres::PgConnectOptions};

/// Passwords of the two roles that log in.
#[derive(Debug, Clone)]
pub struct Passwords {
    /// Of `<service>_app`.
    pub app: Secret,
    /// Of `<service>_owner`.
    pub owner: Secret,
}

/// Name of one of a service's roles, and with `""` of its database.
pub(crate) fn name(service: &str, part: &str) -> String {
    let service = service.replace('-', "_");
    if part.is_empty() { service } else { format!("{service}_{part}") }
}

fn literal(text: &str) -> String {
    // With standard_conforming_strings, the quote is the only special character.
    format!("'{}'", text.replace('\'', "''"))
}

/// Creates a service's roles or brings them up to date. For a superuser.
#[must_use]
pub fn role_sql(service: &str, passwords: &Passwords) -> String {
    let [owner, app, installation] = ["owner", "app", "installation"].map(|part| name(service, part));
    let create = |role: &str| {
        format!(
            "DO $$ BEGIN CREATE ROLE \"{role}\" NOINHERIT; EXCEPTION WHEN duplicate_object THEN NULL; END $$;\n"
        )
    };
    let plain = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT";
    format!(
        "{}{}{}\
         ALTER ROLE \"{owner}\" LOGIN {plain} PASSWORD {};\n\
         ALTER ROLE \"{app}\" LOGIN {plain} PASSWORD {};\n\
         ALTER ROLE \"{installation}\" NOLOGIN {plain};\n\
         GRANT \"{installation}\" TO \"{app}\";\n",
        create(&owner),
        create(&app),
        create(&installation),
        literal(passwords.owner.expose()),
        literal(passwords.app.expose()),
    )
}

/// Creates `database` for a service, owned by its owner. Can't run in a transaction.
#[must_use]
pub fn database_sql(service: &str, database: &str) -> String {
    let owner = name(service, "owner");
    format!("CREATE DATABASE \"{database}\" OWNER \"{owner}\" ENCODING 'UTF8' TEMPLATE template0")
}

/// Extensions and grants, run inside the database by a superuser; may be repeated.
#[must_use]
pub fn schema_sql(service: &str, database: &str) -> String {
    let [owner, app, installation] = ["owner", "app", "installation"].map(|part| name(service, part));
    format!(
        "CREATE EXTENSION IF NOT EXISTS btree_gist;\n\
         CREATE EXTENSION IF NOT EXISTS pg_trgm;\n\
         REVOKE ALL ON DATABASE \"{database}\" FROM PUBLIC;\n\
         GRANT CONNECT ON DATABASE \"{database}\" TO \"{owner}\", \"{app}\";\n\
         REVOKE ALL ON SCHEMA public FROM PUBLIC;\n\
         GRANT USAGE, CREATE ON SCHEMA public TO \"{owner}\";\n\
         GRANT USAGE ON SCHEMA public TO \"{app}\", \"{installation}\";\n\
         ALTER DEFAULT PRIVILEGES FOR ROLE \"{owner}\" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;\n\
         ALTER DEFAULT PRIVILEGES FOR ROLE \"{owner}\" IN SCHEMA public \
         GRANT EXECUTE ON FUNCTIONS TO \"{app}\", \"{installation}\";\n\
         ALTER DEFAULT PRIVILEGES FOR ROLE \"{owner}\" IN SCHEMA public \
         GRANT USAGE, SELECT ON SEQUENCES TO \"{app}\", \"{installation}\";\n"
    )
}

/// Lets the app see which migrations `owner` has run.
pub(crate) fn migrations_sql(owner: &str) -> String {
    let app = owner.strip_suffix("_owner").map(|service| name(service, "app"));
    app.map_or_else(String::new, |app| format!("GRANT SELECT ON seaql_migrations TO \"{app}\""))
}

/// Creates what a service needs of a Postgres server: roles, its database, extensions, grants.
/// May be repeated, from several processes at once.
///
/// # Errors
/// When the server can't be reached or `superuser_url` is no superuser's.
pub async fn bootstrap(superuser_url: &str, service: &str, passwords: &Passwords) -> anyhow::Result<()> {
    bootstrap_roles(superuser_url, service, passwords).await?;
    bootstrap_database(superuser_url, service, &name(service, "")).await
}

/// The roles of [`bootstrap`].
///
/// # Errors
/// When the server can't be reached or `superuser_url` is no superuser's.
pub async fn bootstrap_roles(
    superuser_url: &str,
    service: &str,
    passwords: &Passwords,
) -> anyhow::Result<()> {
    let mut server = locked(superuser_url).await?;
    let sql = AssertSqlSafe(role_sql(service, passwords));
    sqlx::raw_sql(sql).execute(&mut server).await.with_context(|| format!("creating roles of {service}"))?;
    server.close().await?;
    Ok(())
}

/// The database of [`bootstrap`], by a name of one's own.
///
/// # Errors
/// When the server can't be reached or `superuser_url` is no superuser's.
pub async fn bootstrap_database(superuser_url: &str, service: &str, database: &str) -> anyhow::Result<()> {
    let mut server = locked(superuser_url).await?;
    let exists: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
        .bind(database)
        .fetch_one(&mut server)
        .await?;
    if !exists {
        let sql = AssertSqlSafe(database_sql(service, database));
        sqlx::raw_sql(sql).execute(&mut server).await.with_context(|| format!("creating {database}"))?;
    }
    let options: PgConnectOptions = superuser_url.parse()?;
    let mut inside = PgConnection::connect_with(&options.database(database)).await?;
    let sql = AssertSqlSafe(schema_sql(service, database));
    sqlx::raw_sql(sql).execute(&mut inside).await.with_context(|| format!("granting in {database}"))?;
    inside.close().await?;
    server.close().await?;
    Ok(())
}

/// A connection under a lock that ends with it: roles changed by two at once fail.
async fn locked(superuser_url: &str) -> anyhow::Result<PgConnection> {
    let mut server = PgConnection::connect(superuser_url).await.context("connecting as superuser")?;
    sqlx::query("SELECT pg_advisory_lock(hashtext('frontdesk.bootstrap'))").execute(&mut server).await?;
    Ok(server)
}
