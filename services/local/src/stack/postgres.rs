//! A private PostgreSQL.

use core::time::Duration;
use std::{
    fs,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, bail, ensure};

use super::{account::Account, secrets};

const START_LIMIT_SECONDS: &str = "60";

/// A running private server; superuser `postgres` over loopback by password.
#[derive(Debug)]
pub struct Postgres {
    account: Account,
    bin: PathBuf,
    data: PathBuf,
    port: u16,
    password: String,
}

impl Postgres {
    /// Starts the server in `folder`, or takes on the one that runs there.
    ///
    /// # Errors
    /// When PostgreSQL is not installed, too old, or doesn't start; says where its log is.
    pub fn start(folder: &Path, port: u16, password: &str) -> anyhow::Result<Self> {
        let account = Account::choose()?;
        let bin = newest_installation()?;
        let data = account.folder(folder)?;
        let server = Self { account, bin, data, port, password: password.to_owned() };
        if !server.data.join("PG_VERSION").exists() {
            server.initialise()?;
        }
        if !server.is_running()? {
            server.launch()?;
        }
        Ok(server)
    }

    /// Stops the server, waiting for running transactions to be cut off.
    ///
    /// # Errors
    /// When it doesn't stop.
    pub fn stop(&self) -> anyhow::Result<()> {
        self.control(&["stop", "-m", "fast", "-w"])
    }

    fn initialise(&self) -> anyhow::Result<()> {
        let secret = self.data.with_extension("password");
        secrets::write(&secret, &self.password)?;
        if let Account::Unprivileged { uid, gid } = self.account {
            std::os::unix::fs::chown(&secret, Some(uid), Some(gid))?;
        }
        let output = self
            .account
            .command(&self.bin.join("initdb"))
            .args(["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8"])
            .arg(format!("--pwfile={}", secret.display()))
            .arg(&self.data)
            .current_dir(&self.data)
            .output()
            .context("running initdb")?;
        fs::remove_file(&secret)?;
        ensure!(output.status.success(), "initdb: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    fn is_running(&self) -> anyhow::Result<bool> {
        let status = self
            .account
            .command(&self.bin.join("pg_ctl"))
            .arg("-D")
            .arg(&self.data)
            .arg("status")
            .current_dir(&self.data)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("running pg_ctl")?;
        Ok(status.success())
    }

    fn launch(&self) -> anyhow::Result<()> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).with_context(|| {
            format!("PostgreSQL is to listen on port {}, which another process holds", self.port)
        })?;
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 \
             -c shared_buffers=64MB -c log_min_messages=warning",
            self.port
        );
        let log = self.data.join("server.log");
        self.control(&[
            "start",
            "-w",
            "-t",
            START_LIMIT_SECONDS,
            "-l",
            &log.to_string_lossy(),
            "-o",
            &options,
        ])
        .with_context(|| format!("PostgreSQL did not start; see {}", log.display()))
    }

    fn control(&self, arguments: &[&str]) -> anyhow::Result<()> {
        // The server inherits the streams of pg_ctl, so none of them may be a pipe that is read to its
        // end.
        let status = self
            .account
            .command(&self.bin.join("pg_ctl"))
            .arg("-D")
            .arg(&self.data)
            .args(arguments)
            .current_dir(&self.data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("running pg_ctl")?;
        ensure!(status.success(), "pg_ctl {} failed", arguments[0]);
        Ok(())
    }
}

const OLDEST: u32 = 15;

/// The folder of the newest PostgreSQL, at least version 15.
fn newest_installation() -> anyhow::Result<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/pgsql"]
        .iter()
        .filter_map(|root| fs::read_dir(root).ok())
        .flatten()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let version = path.file_name()?.to_str()?.trim_start_matches("postgresql@").parse().ok()?;
            let bin = path.join("bin");
            bin.join("initdb").exists().then_some((version, bin))
        })
        .collect();
    found.sort();
    match found.pop() {
        Some((version, bin)) if version >= OLDEST => Ok(bin),
        Some((version, _)) => bail!("PostgreSQL {version} is too old: {OLDEST} or newer is needed"),
        None => bail!("PostgreSQL is not installed: `apt-get install postgresql`"),
    }
}

/// How long a client may wait for a server that was just started.
pub const READY_WITHIN: Duration = Duration::from_secs(120);
