//! A Redis server of a test's own: Pub/Sub knows no database numbers, so tests can't share one.

use std::{
    io::{self, BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

/// Runs the server until standard input ends, which it does even when the test is killed.
const KEEPER: &str = r#"redis-server "$@" & exec >&-; read -r _; kill $!; wait"#;

/// A Redis server, stopped when dropped.
#[derive(Debug)]
pub struct TestRedis {
    url: String,
    keeper: Child,
    _directory: TempDir,
}

impl TestRedis {
    /// Its URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A client of it.
    ///
    /// # Panics
    /// Never: the URL is well formed.
    #[must_use]
    pub fn client(&self) -> redis::Client {
        redis::Client::open(self.url.as_str()).expect("the URL is well formed")
    }
}

impl Drop for TestRedis {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        // An error means it is gone already.
        let _ = self.keeper.wait();
    }
}

/// An empty Redis server.
///
/// # Panics
/// When `redis-server` is not installed or doesn't start.
pub async fn redis() -> TestRedis {
    let start = || start().expect("a private redis-server starts");
    tokio::task::spawn_blocking(start).await.expect("starting redis-server does not panic")
}

fn start() -> io::Result<TestRedis> {
    let directory = tempfile::Builder::new().prefix("frontdesk-redis-").tempdir()?;
    let socket = directory.path().join("socket");
    let mut keeper = Command::new("sh")
        .args(["-c", KEEPER, "sh", "--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
        .arg(&socket)
        .arg("--dir")
        .arg(directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let output = keeper.stdout.take().expect("standard output is piped");
    let url = format!("unix://{}", socket.display());
    let redis = TestRedis { url, keeper, _directory: directory };
    await_ready(output)?;
    Ok(redis)
}

fn await_ready(output: impl io::Read + Send + 'static) -> io::Result<()> {
    let mut lines = BufReader::new(output);
    let mut said = String::new();
    while !said.contains("Ready to accept connections") && !said.contains("ready to accept connections") {
        if lines.read_line(&mut said)? == 0 {
            return Err(io::Error::other(said));
        }
    }
    // A full pipe would stop the server.
    std::thread::spawn(move || io::copy(&mut lines, &mut io::sink()));
    Ok(())
}
