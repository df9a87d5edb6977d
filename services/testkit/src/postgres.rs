//! One private Postgres server for all test binaries of a workspace and a user.
//!
//! It listens on a Unix socket in a directory that only its user may enter, is not crash-safe (fsync
//! off), and stays up between runs until `testkit stop`. A test that wants to see a server crash has
//! one of its own.

use std::{
    fs::{self, DirBuilder, File, Permissions},
    hash::{DefaultHasher, Hash, Hasher},
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use tokio::sync::OnceCell;

/// Postgres refuses to run as root; one of these runs it then.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];
/// Databases live for seconds: vacuuming them is work for nothing, and visits templates that are being
/// copied. The log of writes is kept small, for machines with little disk left.
const SHARED: &str = "-c listen_addresses='' -c max_connections=300 -c fsync=off \
    -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 \
    -c autovacuum=off -c jit=off -c max_wal_size=192MB";
/// What it has acknowledged is there after a crash.
const DURABLE: &str =
    "-c listen_addresses='' -c max_connections=100 -c wal_level=minimal -c max_wal_senders=0";
/// Begins the name of the folder of a test's own server; the process's id follows.
const OWN: &str = "own-";

/// A running server.
#[derive(Debug)]
pub struct Postgres {
    sockets: PathBuf,
}

impl Postgres {
    /// URL of a database, as a role. The server trusts every client that reaches its socket.
    #[must_use]
    pub fn url(&self, role: &str, database: &str) -> String {
        format!("postgres://{role}:test@localhost/{database}?host={}", self.sockets.display())
    }

    /// Where its socket is.
    pub(crate) fn sockets(&self) -> &Path {
        &self.sockets
    }

    /// URL of the maintenance database, as superuser.
    #[must_use]
    pub fn superuser_url(&self) -> String {
        self.url("postgres", "postgres")
    }
}

/// The server; the first caller starts it.
///
/// # Panics
/// When it can't be started.
pub async fn postgres() -> &'static Postgres {
    static SERVER: OnceCell<Postgres> = OnceCell::const_new();
    let start = || async {
        let started = tokio::task::spawn_blocking(start).await.expect("starting Postgres does not panic");
        started.expect("a private Postgres starts")
    };
    SERVER.get_or_init(start).await
}

/// Stops the server, if it runs.
///
/// # Errors
/// When it runs and won't stop.
pub fn stop() -> Result<()> {
    let place = Place::find()?;
    let _lock = place.lock()?;
    if place.answers()? { place.stop() } else { Ok(()) }
}

/// What the server has logged about itself rather than about a statement: crashes, a full disk,
/// memory that ran out. Empty where it never ran.
///
/// # Errors
/// When its log can't be read.
pub fn troubles() -> Result<String> {
    let path = Place::find()?.log();
    if !path.exists() {
        return Ok(String::new());
    }
    Ok(about_itself(&String::from_utf8_lossy(&fs::read(path)?)))
}

fn about_itself(log: &str) -> String {
    // Not what it says of each start: it is always stopped at once, as by a crash.
    let telling = ["PANIC", "terminated by signal", "No space left", "out of memory", "recovery mode"];
    let lines = log.lines().filter(|line| telling.iter().any(|word| line.contains(word)));
    lines.map(|line| format!("{line}\n")).collect()
}

fn start() -> Result<Postgres> {
    let place = Place::find()?;
    let _lock = place.lock()?;
    if !place.answers()? {
        // With fsync off, what a crash leaves behind is worth nothing.
        if place.launch().is_err() {
            place.wipe()?;
            place.initialise()?;
            place.launch()?;
        }
    }
    Ok(Postgres { sockets: place.sockets() })
}

/// A server of a test's own, which can be crashed; stopped and removed with it.
#[derive(Debug)]
pub struct CrashablePostgres {
    place: Place,
}

impl CrashablePostgres {
    /// A new server.
    ///
    /// # Panics
    /// When it can't be started.
    #[must_use]
    pub fn start() -> Self {
        let start = || {
            let place = Place::own()?;
            place.wipe()?;
            place.initialise()?;
            place.launch()?;
            Ok::<_, anyhow::Error>(Self { place })
        };
        start().expect("a Postgres of the test's own starts")
    }

    /// Its URLs.
    #[must_use]
    pub fn server(&self) -> Postgres {
        Postgres { sockets: self.place.sockets() }
    }

    /// Ends it at once, as a crash does.
    ///
    /// # Panics
    /// When it won't stop.
    pub fn crash(&self) {
        self.place.stop().expect("the server stops");
    }

    /// Starts it again: it recovers what it had acknowledged.
    ///
    /// # Panics
    /// When it can't be started.
    pub fn recover(&self) {
        self.place.launch().expect("the server recovers");
    }

    /// All that it has logged.
    ///
    /// # Panics
    /// When its log can't be read.
    #[must_use]
    pub fn log(&self) -> String {
        fs::read_to_string(self.place.log()).expect("the server keeps a log")
    }
}

impl Drop for CrashablePostgres {
    fn drop(&mut self) {
        if let Err(error) = self.place.remove() {
            eprintln!("a test's own Postgres was not removed: {error:#}");
        }
    }
}

/// The directory of the workspace's test servers.
pub(crate) fn root() -> Result<PathBuf> {
    Ok(Place::find()?.root)
}

/// User and group of the server, where the test runs as root.
pub(crate) fn unprivileged_user() -> Result<Option<(u32, u32)>> {
    Ok(Place::find()?.become_user)
}

/// Where the server's files are, and who runs it.
#[derive(Debug)]
struct Place {
    root: PathBuf,
    /// User and group to become, when root.
    become_user: Option<(u32, u32)>,
    options: &'static str,
}

impl Place {
    fn find() -> Result<Self> {
        let user = fs::metadata("/proc/self")?.uid();
        let mut hasher = DefaultHasher::new();
        (env!("CARGO_MANIFEST_DIR"), user).hash(&mut hasher);
        let root = std::env::temp_dir().join(format!("frontdesk-testkit-{:016x}", hasher.finish()));
        let become_user = if user == 0 { Some(unprivileged()?) } else { None };
        // Who runs Postgres must be able to pass through, no more.
        let mode = if become_user.is_some() { 0o711 } else { 0o700 };
        match DirBuilder::new().mode(mode).create(&root) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            created => created?,
        }
        let found = fs::symlink_metadata(&root)?;
        ensure!(found.is_dir() && found.uid() == user, "{} belongs to someone else", root.display());
        Ok(Self { root, become_user, options: SHARED })
    }

    /// One of this process's own; those of processes that are gone are removed.
    fn own() -> Result<Self> {
        let shared = Self::find()?;
        for entry in fs::read_dir(&shared.root)? {
            let root = entry?.path();
            let name = root.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let process = name.strip_prefix(OWN).and_then(|rest| rest.split('-').next());
            if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
                Self { root, ..shared }.remove()?;
            }
        }
        let prefix = format!("{OWN}{}-", std::process::id());
        let mut folder = tempfile::Builder::new();
        let folder = folder.prefix(&prefix).permissions(Permissions::from_mode(0o711));
        let root = folder.tempdir_in(&shared.root)?.keep();
        Ok(Self { root, options: DURABLE, ..shared })
    }

    fn data(&self) -> PathBuf {
        self.root.join("data")
    }

    fn sockets(&self) -> PathBuf {
        self.root.join("sockets")
    }

    /// Held until dropped; released by the system if the process dies.
    fn lock(&self) -> Result<File> {
        let lock = File::create(self.root.join("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn answers(&self) -> Result<bool> {
        let mut ready = Command::new(binary("pg_isready")?);
        let status = ready.arg("-q").arg("-h").arg(self.sockets()).status()?;
        Ok(status.success())
    }

    fn wipe(&self) -> Result<()> {
        for directory in [self.data(), self.sockets()] {
            if directory.exists() {
                fs::remove_dir_all(&directory)?;
            }
            fs::create_dir(&directory)?;
            fs::set_permissions(&directory, Permissions::from_mode(0o700))?;
            if let Some((user, group)) = self.become_user {
                chown(&directory, Some(user), Some(group))?;
            }
        }
        Ok(())
    }

    fn initialise(&self) -> Result<()> {
        let arguments =
            ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-D"];
        self.run(self.command("initdb")?.args(arguments).arg(self.data()))
    }

    fn log(&self) -> PathBuf {
        self.data().join("server.log")
    }

    fn stop(&self) -> Result<()> {
        self.run(self.command("pg_ctl")?.args(["stop", "-w", "-m", "immediate", "-D"]).arg(self.data()))
    }

    fn remove(&self) -> Result<()> {
        if self.answers()? {
            self.stop()?;
        }
        Ok(fs::remove_dir_all(&self.root)?)
    }

    fn launch(&self) -> Result<()> {
        let options = format!("{} -c unix_socket_directories='{}'", self.options, self.sockets().display());
        let mut command = self.command("pg_ctl")?;
        command.args(["start", "-w", "-t", "60", "-o", &options, "-l"]).arg(self.log());
        self.run(command.arg("-D").arg(self.data()))
    }

    fn command(&self, name: &str) -> Result<Command> {
        let mut command = Command::new(binary(name)?);
        command.current_dir(&self.root).stdin(Stdio::null());
        if let Some((user, group)) = self.become_user {
            command.uid(user).gid(group);
        }
        Ok(command)
    }

    /// Runs to the end. Into a file: a server would hold a pipe open for ever.
    fn run(&self, command: &mut Command) -> Result<()> {
        let path = self.root.join("command.log");
        let output = File::create(&path)?;
        let status = command.stdout(output.try_clone()?).stderr(output).status()?;
        let program = Path::new(command.get_program()).display();
        ensure!(status.success(), "{program}: {}", fs::read_to_string(path)?);
        Ok(())
    }
}

fn unprivileged() -> Result<(u32, u32)> {
    let users = fs::read_to_string("/etc/passwd")?;
    let ids = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    UNPRIVILEGED.into_iter().find_map(ids).context("no unprivileged user to run Postgres")
}

/// A Postgres program: the newest under /usr/lib/postgresql, else the one in `PATH`.
fn binary(name: &str) -> Result<PathBuf> {
    let packaged = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = packaged
        .filter_map(|version| version.file_name().to_str()?.parse::<u32>().ok())
        .filter(|version| packaged_path(*version, name).is_file())
        .max();
    if let Some(version) = newest {
        return Ok(packaged_path(version, name));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|directory| directory.join(name)).find(|path| path.is_file());
    found.with_context(|| format!("{name} is not installed"))
}

fn packaged_path(version: u32, name: &str) -> PathBuf {
    format!("/usr/lib/postgresql/{version}/bin/{name}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_and_a_full_disk_are_troubles_and_refused_statements_and_starts_are_not() {
        let log = "LOG:  database system was not properly shut down; automatic recovery in progress
ERROR:  permission denied for table ledger
ERROR:  could not extend file \"base/1/2\": No space left on device
LOG:  server process (PID 7) was terminated by signal 9: Killed
";
        let troubles = about_itself(log);
        assert_eq!(troubles.lines().count(), 2, "{troubles}");
        assert!(troubles.contains("base/1/2") && troubles.contains("PID 7"), "{troubles}");
    }
}
