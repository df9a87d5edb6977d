//! A job that prepares a service's database and ends.

use std::ffi::OsString;

use anyhow::Context;
use boot::{
    Host,
    config::{Pooler, Secret},
    environment::Environment,
    faults::Faults,
    host::JobHost,
    security::SecurityProfile,
    settings::Settings,
    stores::StoresConfig,
    telemetry::{self, ExportConfig},
};
use sea_orm_migration::MigratorTrait;
use tokio_util::sync::CancellationToken;

use crate::{
    Database, Planning,
    migrate::{migrate, require_current},
    process::{options, require_proven},
};

/// A job works on one thing after another.
const POOL: u32 = 2;
const FLAGS: [&str; 2] = ["--migrate", "--after-restore"];

/// What a job reads: nothing that only serving needs.
#[derive(Debug, Clone, clap::Parser)]
#[command(version, about = "Prepares the service's database and ends")]
pub struct JobConfig {
    /// Migrates and ends: the job that alone is given the owner's login.
    #[arg(long)]
    pub migrate: bool,
    /// Renews the log, publishes again what other services follow, empties the cache and ends: once after the
    /// database was restored, before the service starts on it.
    #[arg(long)]
    pub after_restore: bool,
    /// Database, as the role that owns the tables.
    #[arg(long, env = "MIGRATION_URL", hide_env_values = true)]
    pub migration_url: Option<Secret>,
    /// Database, as the role that owns nothing: what is done after a restore is the service's work.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<Secret>,
    /// The pooler between the service and the database, if any. Migrations always go to Postgres itself.
    #[arg(long, env = "DATABASE_POOLER", value_enum, default_value = "none")]
    pub database_pooler: Pooler,
    /// Redis for coordination: wakes those who follow what is published again.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: Option<Secret>,
    /// Redis for caches, to be emptied after a restore.
    #[arg(long, env = "CACHE_URL", hide_env_values = true)]
    pub cache_url: Option<Secret>,
    /// How Postgres and Redis are reached.
    #[command(flatten)]
    pub stores: StoresConfig,
    /// Where telemetry goes.
    #[command(flatten)]
    pub export: ExportConfig,
    /// Where the service runs.
    #[arg(long, env = "ENVIRONMENT", value_enum, default_value = "production")]
    pub environment: Environment,
    /// How strict the service's sign-in is; as the environment is, when it is not named.
    #[arg(long, env = "SECURITY_PROFILE", value_enum)]
    pub security_profile: Option<Environment>,
}

impl Settings for JobConfig {
    fn environment(&self) -> Environment {
        self.environment
    }

    fn check(&self, faults: &mut Faults) {
        for (setting, url, needed) in [
            ("MIGRATION_URL", &self.migration_url, self.migrate),
            ("DATABASE_URL", &self.database_url, self.after_restore),
        ] {
            match url {
                Some(url) => {
                    if let Some(options) = faults.judge(setting, options(url)) {
                        require_proven(setting, &options, &self.stores, faults);
                    }
                }
                None if needed => faults.add(setting, "missing"),
                None => {}
            }
        }
        self.host().check(faults);
        telemetry::check(&self.export, faults);
    }
}

impl JobConfig {
    /// Whether a command line asks for a job.
    #[must_use]
    pub fn is_meant(arguments: &[OsString]) -> bool {
        arguments.iter().any(|argument| FLAGS.iter().any(|flag| argument == flag))
    }

    /// How strict the service's sign-in is.
    ///
    /// # Errors
    /// A profile that production refuses.
    pub fn security(&self) -> anyhow::Result<SecurityProfile> {
        SecurityProfile::choose(self.environment, self.security_profile)
    }

    /// Brings the database up to date with the owner's login, or makes sure without it that it is.
    ///
    /// # Errors
    /// When Postgres stays away, a migration fails, or one is missing and can't be run here.
    pub async fn migrate<M: MigratorTrait>(&self) -> anyhow::Result<()> {
        match &self.migration_url {
            Some(owner) => migrate::<M>(owner.expose()).await,
            None => require_current::<M>(self.app()?, self.database_pooler).await,
        }
    }

    /// The restored database, and what it is worked on in, if the job is asked to. Needs a runtime.
    ///
    /// # Errors
    /// When Postgres can't be reached.
    pub async fn restored(
        &self,
        service: &'static str,
        planning: Planning,
        stop: CancellationToken,
    ) -> anyhow::Result<Option<(Database, Host)>> {
        if !self.after_restore {
            return Ok(None);
        }
        let host = self.host().open(service, stop)?;
        let (url, pooler) = (self.app()?.expose(), self.database_pooler);
        let database = Database::open(&host, url, POOL, pooler, planning).await.context("DATABASE_URL")?;
        Ok(Some((database, host)))
    }

    fn app(&self) -> anyhow::Result<&Secret> {
        self.database_url.as_ref().context("DATABASE_URL: missing")
    }

    fn host(&self) -> JobHost<'_> {
        JobHost {
            environment: self.environment,
            security_profile: self.security_profile,
            redis_url: self.redis_url.as_ref(),
            cache_url: self.cache_url.as_ref(),
            stores: &self.stores,
        }
    }
}
