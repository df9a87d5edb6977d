//! A database per test, copied from a template that was migrated once.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
    time::UNIX_EPOCH,
};

use anyhow::{Context, Result};
use boot::{
    Host,
    config::{Pooler, Secret, ServiceConfig},
    drain::DrainConfig,
    environment::Environment,
    stores::StoresConfig,
    telemetry::ExportConfig,
    transport::TransportConfig,
};
use database::{Database, Passwords, Planning, bootstrap_database, bootstrap_roles, migrate};
use sea_orm_migration::MigratorTrait;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::sync::Mutex;

use crate::{
    CrashablePostgres, Postgres,
    host::keyring_file,
    pgbouncer::{PgBouncer, pgbouncer},
    postgres,
};

/// Connections of a test's pool.
const POOL: u32 = 5;
/// Fewer than a pool has, so that clients take turns on them.
const POOLED: u16 = 3;
/// Set to `transaction`, it puts PgBouncer before every service under test.
const TEST_POOLER: &str = "TEST_POOLER";

/// A migrated database of a test's own, dropped with it.
#[derive(Debug)]
pub struct TestDatabase {
    /// The service it is one of.
    pub service: &'static str,
    /// As the role that owns nothing.
    pub app_url: String,
    /// As the role that owns the tables.
    pub migration_url: String,
    /// As superuser, whom row-level security doesn't bind.
    pub superuser_url: String,
    name: String,
    server: &'static Postgres,
    pooler: Option<PgBouncer>,
}

impl TestDatabase {
    /// Puts PgBouncer before it, in transaction mode, with so many connections: what connects to it from now on
    /// goes through.
    ///
    /// # Panics
    /// When PgBouncer is not installed or doesn't start.
    #[must_use]
    pub async fn behind_pgbouncer(mut self, connections: u16) -> Self {
        let pooler = pgbouncer(self.server, &self.app_role(), connections).await;
        self.pooler = Some(pooler.expect("a private pgbouncer starts"));
        self
    }

    fn app_role(&self) -> String {
        format!("{}_app", self.service.replace('-', "_"))
    }

    /// What a service connects to, and what stands there.
    #[must_use]
    pub fn reached(&self) -> (String, Pooler) {
        match &self.pooler {
            None => (self.app_url.clone(), Pooler::None),
            Some(pooler) => (pooler.url(&self.app_role(), &self.name), Pooler::Transaction),
        }
    }

    /// A pool of five as the app role.
    ///
    /// # Panics
    /// When it can't connect.
    pub async fn connect(&self, host: &Host) -> Database {
        self.connect_with(host, POOL, Planning::AsPostgresChooses).await
    }

    /// A pool of a size of one's own, whose statements are planned so.
    ///
    /// # Panics
    /// When it can't connect.
    pub async fn connect_with(&self, host: &Host, pool: u32, planning: Planning) -> Database {
        let (url, pooler) = self.reached();
        Database::open(host, &url, pool, pooler, planning).await.expect("the app role connects")
    }

    /// The configuration of a whole service on this database, on a free port.
    ///
    /// # Panics
    /// When the keyring can't be written.
    #[must_use]
    pub fn config(&self) -> ServiceConfig {
        let (url, database_pooler) = self.reached();
        ServiceConfig {
            listen: ([127, 0, 0, 1], 0).into(),
            health_listen: None,
            transport: TransportConfig::default(),
            drain: DrainConfig::default(),
            database_url: Secret::new(url),
            migration_url: Some(Secret::new(&self.migration_url)),
            database_pool: POOL,
            database_pooler,
            redis_url: None,
            cache_url: None,
            stores: StoresConfig::default(),
            export: ExportConfig::default(),
            passport_keys: keyring_file(self.service),
            environment: Environment::Test,
            security_profile: None,
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE IF EXISTS \"{}\" WITH (FORCE)", self.name);
        let url = self.server.superuser_url();
        // On a thread of its own: the test's runtime may be the one that is ending.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(execute(&url, sql))
        });
        // What is left is dropped by the next run.
        if let Ok(Err(error)) = dropped.join() {
            eprintln!("{} was not dropped: {error:#}", self.name);
        }
    }
}

impl CrashablePostgres {
    /// Makes a database of `service`, migrated by `M`, called as the service is.
    ///
    /// # Panics
    /// When it can't be made.
    pub async fn database<M: MigratorTrait>(&self, service: &'static str) {
        make::<M>(&self.server(), service, service).await.expect("a database is made");
    }
}

/// A database of `service`, migrated by `M`.
///
/// # Panics
/// When it can't be made.
pub async fn database<M: MigratorTrait>(service: &'static str) -> TestDatabase {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let server = postgres().await;
    let role = service.replace('-', "_");
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("test_{}_{count}_{role}", std::process::id());
    copy_template::<M>(server, service, &name).await.expect("a template is made and copied");
    let database = TestDatabase {
        service,
        app_url: server.url(&format!("{role}_app"), &name),
        migration_url: server.url(&format!("{role}_owner"), &name),
        superuser_url: server.url("postgres", &name),
        name,
        server,
        pooler: None,
    };
    match std::env::var(TEST_POOLER).as_deref() {
        Ok("transaction") => database.behind_pgbouncer(POOLED).await,
        _ => database,
    }
}

async fn copy_template<M: MigratorTrait>(server: &Postgres, service: &'static str, name: &str) -> Result<()> {
    let owner = format!("{}_owner", service.replace('-', "_"));
    loop {
        let template = template::<M>(server, service).await?;
        let sql = format!("CREATE DATABASE \"{name}\" OWNER \"{owner}\" TEMPLATE \"{template}\"");
        match execute(&server.superuser_url(), sql).await {
            // Tests of another build have dropped it as stale.
            Err(error) if does_not_exist(&error) => MADE.lock().await.as_mut().map(HashMap::clear),
            outcome => return outcome,
        };
    }
}

fn does_not_exist(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<sqlx::Error>().and_then(sqlx::Error::as_database_error);
    error.and_then(|error| error.code()).as_deref() == Some("3D000")
}

/// Names of the templates that this process has made or found, by family.
static MADE: Mutex<Option<HashMap<String, String>>> = Mutex::const_new(None);

/// Name of the service's template, made on first use in the process.
async fn template<M: MigratorTrait>(server: &Postgres, service: &'static str) -> Result<String> {
    let mut made = MADE.lock().await;
    let made = match &mut *made {
        Some(made) => made,
        none => {
            drop_orphans(server).await?;
            none.insert(HashMap::new())
        }
    };
    let family = family::<M>(service)?;
    if let Some(name) = made.get(&family) {
        return Ok(name.clone());
    }
    let name = make_template::<M>(server, service, &family).await?;
    made.insert(family, name.clone());
    Ok(name)
}

/// What templates of one service and one crate's tests have in common.
fn family<M>(service: &str) -> Result<String> {
    // All test binaries have the same name, and a hash in it that changes with the dependencies.
    let tests = match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => package.into(),
        None => std::env::current_exe()?,
    };
    let mut hasher = DefaultHasher::new();
    (tests, core::any::type_name::<M>()).hash(&mut hasher);
    Ok(format!("template_{}_{:08x}_", service.replace('-', "_"), hasher.finish() as u32))
}

async fn make_template<M: MigratorTrait>(
    server: &Postgres,
    service: &'static str,
    family: &str,
) -> Result<String> {
    let built = std::env::current_exe()?.metadata()?.modified()?.duration_since(UNIX_EPOCH)?;
    let name = format!("{family}{:x}", built.as_nanos());
    let superuser = server.superuser_url();
    let mut connection = PgConnection::connect(&superuser).await?;
    // Several processes of one binary take turns; ends with the session.
    sqlx::query("SELECT pg_advisory_lock(hashtext($1))").bind(family).execute(&mut connection).await?;
    let existing = databases(&mut connection, family).await?;
    if existing.contains(&name) {
        return Ok(name);
    }
    for stale in existing {
        drop_database(&mut connection, &stale).await?;
    }
    let unfinished = format!("{family}unfinished");
    make::<M>(server, service, &unfinished).await?;
    let sql = format!("ALTER DATABASE \"{unfinished}\" RENAME TO \"{name}\"");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
    connection.close().await?;
    Ok(name)
}

/// Makes a migrated database, and the roles that use it.
async fn make<M: MigratorTrait>(server: &Postgres, service: &'static str, name: &str) -> Result<()> {
    let passwords = Passwords { app: Secret::new("test"), owner: Secret::new("test") };
    let superuser = server.superuser_url();
    bootstrap_roles(&superuser, service, &passwords).await?;
    bootstrap_database(&superuser, service, name).await?;
    let owner = format!("{}_owner", service.replace('-', "_"));
    migrate::<M>(&server.url(&owner, name)).await
}

/// Drops databases of test processes that are gone. One with this process's id is gone too, since ids come back and
/// this process has made no database yet.
async fn drop_orphans(server: &Postgres) -> Result<()> {
    let mut connection = PgConnection::connect(&server.superuser_url()).await?;
    for name in databases(&mut connection, "test_").await? {
        let process = name.split('_').nth(1).context("a test's database names its process")?;
        let own = process == std::process::id().to_string();
        if own || !Path::new("/proc").join(process).exists() {
            drop_database(&mut connection, &name).await?;
        }
    }
    connection.close().await?;
    Ok(())
}

async fn databases(connection: &mut PgConnection, prefix: &str) -> Result<Vec<String>> {
    let sql = "SELECT datname FROM pg_database WHERE starts_with(datname, $1)";
    Ok(sqlx::query_scalar(sql).bind(prefix).fetch_all(connection).await?)
}

async fn drop_database(connection: &mut PgConnection, name: &str) -> Result<()> {
    let sql = format!("DROP DATABASE IF EXISTS \"{name}\" WITH (FORCE)");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(())
}

async fn execute(url: &str, sql: String) -> Result<()> {
    let mut connection = PgConnection::connect(url).await?;
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}
