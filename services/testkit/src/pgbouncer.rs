//! A PgBouncer of a test's own, in transaction mode, before the test's database.

use std::{
    fmt::Write,
    fs,
    io::{self, BufRead, BufReader},
    os::unix::{fs::chown, process::CommandExt},
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::{
    Postgres,
    postgres::{root, unprivileged_user},
};

const PORT: u16 = 6432;
/// Debian's place, which is not in every user's `PATH`.
const PACKAGED: &str = "/usr/sbin/pgbouncer";
/// Runs the pooler until standard input ends, which it does even when the test is killed.
const KEEPER: &str = r#""$@" & exec 2>&-; read -r _; kill $!; wait"#;

/// A pooler that hands its connections to the server from client to client between transactions; stopped when dropped.
#[derive(Debug)]
pub(crate) struct PgBouncer {
    keeper: Child,
    directory: TempDir,
}

impl PgBouncer {
    /// URL of a database through it, as the role it was started for.
    pub(crate) fn url(&self, role: &str, database: &str) -> String {
        let directory = self.directory.path().display();
        format!("postgres://{role}:test@localhost:{PORT}/{database}?host={directory}")
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        // An error means it is gone already.
        let _ = self.keeper.wait();
    }
}

/// A pooler with at most `connections` to each database of `server`, for the clients of `role`.
pub(crate) async fn pgbouncer(server: &Postgres, role: &str, connections: u16) -> Result<PgBouncer> {
    let settings = settings(server, connections);
    let role = role.to_owned();
    tokio::task::spawn_blocking(move || start(&settings, &role)).await?
}

/// As an installation sets it, with nothing that makes up for a client: startup parameters that it doesn't know are
/// refused, and what a client leaves on a connection stays there.
fn settings(server: &Postgres, connections: u16) -> String {
    format!(
        "[databases]
* = host={}
[pgbouncer]
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 500
listen_port = {PORT}
auth_type = trust
log_connections = 0
log_disconnections = 0
",
        server.sockets().display()
    )
}

fn start(settings: &str, role: &str) -> Result<PgBouncer> {
    let directory = tempfile::Builder::new().prefix("pgbouncer-").tempdir_in(root()?)?;
    let path = directory.path();
    let [file, users] = ["pgbouncer.ini", "users.txt"].map(|name| path.join(name));
    let mut settings = settings.to_owned();
    writeln!(settings, "unix_socket_dir = {}\nauth_file = {}", path.display(), users.display())?;
    fs::write(&file, settings)?;
    fs::write(&users, format!("\"{role}\" \"test\"\n"))?;
    let program = if Path::new(PACKAGED).is_file() { PACKAGED } else { "pgbouncer" };
    let mut keeper = Command::new("sh");
    keeper.args(["-c", KEEPER, "sh", program]).arg(&file).stdin(Stdio::piped()).stderr(Stdio::piped());
    // It refuses to run as root, and reaches the server's socket only as the server's user.
    if let Some((user, group)) = unprivileged_user()? {
        for owned in [path, &file, &users] {
            chown(owned, Some(user), Some(group))?;
        }
        keeper.uid(user).gid(group);
    }
    let mut keeper = keeper.spawn()?;
    let output = keeper.stderr.take().context("standard error is piped")?;
    let pooler = PgBouncer { keeper, directory };
    await_ready(output)?;
    Ok(pooler)
}

fn await_ready(output: impl io::Read + Send + 'static) -> Result<()> {
    let mut lines = BufReader::new(output);
    let mut said = String::new();
    while !said.contains("process up") {
        if lines.read_line(&mut said)? == 0 {
            bail!("PgBouncer does not start: {said}");
        }
    }
    // A full pipe would stop it.
    std::thread::spawn(move || io::copy(&mut lines, &mut io::sink()));
    Ok(())
}
