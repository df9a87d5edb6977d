//! The process of a service with a database: it serves, or it prepares the database and ends.

use std::{ffi::OsString, process::ExitCode, str::FromStr};

use anyhow::Context;
use boot::{
    config::{Secret, ServiceConfig},
    faults::Faults,
    settings::{self, Settings},
    stores::StoresConfig,
};
use clap::Parser;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::JobConfig;

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Settings of a service with a database.
pub trait ServiceSettings: Parser + Settings {
    /// What every service is told.
    fn service(&self) -> &ServiceConfig;
}

/// Adds what is wrong with the addresses of the database.
pub fn check(config: &ServiceConfig, faults: &mut Faults) {
    let app = faults.judge("DATABASE_URL", options(&config.database_url));
    let owner = config.migration_url.as_ref();
    let owner = owner.and_then(|owner| faults.judge("MIGRATION_URL", options(owner)));
    for (setting, options) in [("DATABASE_URL", &app), ("MIGRATION_URL", &owner)] {
        if let Some(options) = options {
            require_proven(setting, options, &config.stores, faults);
        }
    }
    if let (Some(app), Some(owner)) = (app, owner)
        && faults.in_production()
        && app.get_username() == owner.get_username()
    {
        faults.add("DATABASE_URL", "is MIGRATION_URL's login: production serves as a role that owns nothing");
    }
}

/// Refuses in production an address whose server is not proven to be the one that is meant.
pub(crate) fn require_proven(
    setting: &str,
    options: &PgConnectOptions,
    stores: &StoresConfig,
    faults: &mut Faults,
) {
    if options.get_socket().is_none() {
        let proven = matches!(options.get_ssl_mode(), PgSslMode::VerifyFull);
        stores.require_proven(setting, options.get_host(), proven, "sslmode=verify-full", faults);
    }
}

/// The error shows nothing of the URL, which holds a password.
pub(crate) fn options(url: &Secret) -> anyhow::Result<PgConnectOptions> {
    let url = url.expose();
    let known = SCHEMES.iter().any(|scheme| url.starts_with(scheme));
    let parsed = PgConnectOptions::from_str(url).ok().filter(|_| known);
    parsed.context("is no address such as postgres://user:password@host/database")
}

/// Runs a service's command line, the program's name first.
pub fn run<C, Serving, Preparing>(
    name: &'static str,
    arguments: impl IntoIterator<Item = OsString>,
    serve: impl FnOnce(C, TcpListener, CancellationToken) -> Serving,
    prepare: impl FnOnce(JobConfig, CancellationToken) -> Preparing,
) -> ExitCode
where
    C: ServiceSettings,
    Serving: Future<Output = anyhow::Result<()>>,
    Preparing: Future<Output = anyhow::Result<()>>,
{
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if JobConfig::is_meant(&arguments) {
        return run_job(name, arguments, prepare);
    }
    match settings::read::<C>(name, arguments) {
        Ok(config) => run_service(name, config, serve),
        Err(code) => code,
    }
}

/// Runs the command line of a job.
pub fn run_job<Preparing>(
    name: &'static str,
    arguments: Vec<OsString>,
    prepare: impl FnOnce(JobConfig, CancellationToken) -> Preparing,
) -> ExitCode
where
    Preparing: Future<Output = anyhow::Result<()>>,
{
    match settings::read::<JobConfig>(name, arguments) {
        Ok(config) => boot::run(name, &config.export.clone(), |stop| prepare(config, stop)),
        Err(code) => code,
    }
}

/// Binds the service's port and serves until it is told to stop.
pub fn run_service<C, Serving>(
    name: &'static str,
    config: C,
    serve: impl FnOnce(C, TcpListener, CancellationToken) -> Serving,
) -> ExitCode
where
    C: ServiceSettings,
    Serving: Future<Output = anyhow::Result<()>>,
{
    let export = config.service().export.clone();
    boot::run(name, &export, |leaving| async move {
        let listen = config.service().listen;
        let listener = TcpListener::bind(listen).await.with_context(|| format!("binding LISTEN {listen}"))?;
        serve(config, listener, leaving).await
    })
}

#[cfg(test)]
mod tests {
    use boot::environment::Environment;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        service: ServiceConfig,
    }

    fn faults(environment: Environment, app: &str, owner: Option<&str>) -> String {
        faults_with(&[], environment, app, owner)
    }

    fn faults_with(more: &[&str], environment: Environment, app: &str, owner: Option<&str>) -> String {
        let flags = ["service", "--listen=127.0.0.1:1", "--passport-keys=/keys.json"];
        let flags = flags.iter().chain(more).map(|&flag| flag.to_owned());
        let urls = [Some(format!("--database-url={app}")), owner.map(|url| format!("--migration-url={url}"))];
        let config = Only::parse_from(flags.chain(urls.into_iter().flatten())).service;
        let mut faults = Faults::of(environment);
        check(&config, &mut faults);
        faults.refuse().err().map(|error| error.to_string()).unwrap_or_default()
    }

    const APP: &str = "postgres://app:hunter2@db/auth?sslmode=verify-full";
    const OWNER: &str = "postgres://owner:hunter2@db/auth?sslmode=verify-full";

    #[test]
    fn an_address_that_is_none_is_refused_without_its_password() {
        for environment in [Environment::Production, Environment::Test] {
            for wrong in
                ["app:hunter2@db", "mysql://app:hunter2@db/auth", "postgres://app:hunter2@db:port/a", ""]
            {
                let said = faults(environment, wrong, Some(wrong));
                assert!(said.contains("DATABASE_URL") && said.contains("MIGRATION_URL"), "{said}");
                assert!(!said.contains("hunter2"), "{said}");
            }
            assert_eq!(faults(environment, APP, Some(OWNER)), "");
            assert_eq!(faults(environment, APP, None), "");
        }
    }

    #[test]
    fn production_reaches_a_database_on_another_host_over_tls_that_proves_it() {
        for mode in ["", "?sslmode=disable", "?sslmode=prefer", "?sslmode=require", "?sslmode=verify-ca"] {
            let (app, owner) = (
                format!("postgres://app:hunter2@db/auth{mode}"),
                format!("postgres://owner:hunter2@db/auth{mode}"),
            );
            let said = faults(Environment::Production, &app, Some(&owner));
            assert!(said.contains("DATABASE_URL: production needs sslmode=verify-full"), "{said}");
            assert!(
                said.contains("MIGRATION_URL: production needs") && said.contains("STORES_MESH=1"),
                "{said}"
            );
            assert!(!said.contains("hunter2"), "{said}");
            assert_eq!(faults(Environment::Development, &app, Some(&owner)), "");
            assert_eq!(faults_with(&["--stores-mesh"], Environment::Production, &app, Some(&owner)), "");
        }
        for here in
            ["app:hunter2@127.0.0.1:5433/auth", "app@localhost/auth", "app@x/auth?host=/run/postgresql"]
        {
            assert_eq!(faults(Environment::Production, &format!("postgres://{here}"), None), "", "{here}");
        }
    }

    #[test]
    fn production_serves_by_no_owners_login() {
        let said = faults(Environment::Production, OWNER, Some(OWNER));
        assert!(said.contains("DATABASE_URL: is MIGRATION_URL's"), "{said}");
        assert_eq!(faults(Environment::Development, OWNER, Some(OWNER)), "");
    }
}
