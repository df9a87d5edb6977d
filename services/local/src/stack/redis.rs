//! A private Redis. Nothing in it is worth keeping, but login limits must not be anyone's to clear, nor caches
//! anyone's to read: every account of the machine reaches its port, so it asks for a password.

use core::time::Duration;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::Instant,
};

use anyhow::{Context, bail, ensure};

use super::secrets;

/// A running private server.
#[derive(Debug)]
pub struct Redis {
    child: Option<Child>,
    port: u16,
    password: String,
}

const START_LIMIT: Duration = Duration::from_secs(10);
/// For an answer over loopback.
const PATIENCE: Duration = Duration::from_secs(1);

impl Redis {
    /// Starts the server, or takes on one with this password that answers on `port` already.
    ///
    /// # Errors
    /// When Redis is not installed or doesn't start, or another server has the port.
    pub fn start(folder: &Path, port: u16, password: &str) -> anyhow::Result<Self> {
        if answers(port) {
            ensure!(accepts(port, password), "Redis is to listen on port {port}, which another server holds");
            return Ok(Self { child: None, port, password: password.to_owned() });
        }
        fs::create_dir_all(folder)?;
        // Every account of the machine sees the arguments of processes.
        let configuration = folder.join("redis.conf");
        secrets::write(&configuration, &format!("requirepass {password}\n"))?;
        let log = fs::File::create(folder.join("server.log"))?;
        let mut child = Command::new("redis-server")
            .arg(&configuration)
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--maxmemory", "64mb"])
            .args(["--maxmemory-policy", "allkeys-lru", "--port", &port.to_string()])
            .arg("--dir")
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("Redis is not installed: `apt-get install redis-server`")?;
        let started = Instant::now();
        while !accepts(port, password) {
            if let Some(status) = child.try_wait()? {
                bail!("Redis ended at once ({status}); see {}/server.log", folder.display());
            }
            if started.elapsed() > START_LIMIT {
                bail!("Redis does not answer on port {port}");
            }
            std::thread::yield_now();
        }
        Ok(Self { child: Some(child), port, password: password.to_owned() })
    }

    /// Stops the server, also one that an earlier process started and this one took over.
    pub fn stop(&mut self) {
        let port = self.port.to_string();
        let mut command = Command::new("redis-cli");
        command.args(["-p", &port, "shutdown", "nosave"]).env("REDISCLI_AUTH", &self.password);
        drop(command.output());
        if let Some(child) = &mut self.child {
            drop(child.wait());
        }
    }
}

fn answers(port: u16) -> bool {
    connect(port).is_ok()
}

/// Whether the server on `port` takes this password. One without a password refuses every one.
fn accepts(port: u16, password: &str) -> bool {
    let answer = || -> std::io::Result<[u8; 5]> {
        let mut stream = connect(port)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(format!("AUTH {password}\r\n").as_bytes())?;
        let mut answer = [0; 5];
        stream.read_exact(&mut answer)?;
        Ok(answer)
    };
    answer().is_ok_and(|answer| &answer == b"+OK\r\n")
}

fn connect(port: u16) -> std::io::Result<TcpStream> {
    TcpStream::connect_timeout(&([127, 0, 0, 1], port).into(), Duration::from_millis(200))
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, os::unix::fs::PermissionsExt};

    use super::*;

    fn free_port() -> u16 {
        TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
    }

    #[test]
    fn nothing_is_read_without_the_password_and_no_other_account_reads_that() {
        let (folder, port) = (tempfile::tempdir().unwrap(), free_port());
        let mut redis = Redis::start(folder.path(), port, "s3cret").unwrap();
        assert!(accepts(port, "s3cret") && !accepts(port, "another"));
        let mut stream = connect(port).unwrap();
        stream.write_all(b"DBSIZE\r\n").unwrap();
        let mut answer = [0; 7];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"-NOAUTH");
        let mode = fs::metadata(folder.path().join("redis.conf")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let again = Redis::start(folder.path(), port, "s3cret").unwrap();
        assert!(again.child.is_none(), "it takes on its own server");
        assert!(Redis::start(folder.path(), port, "another").is_err(), "and no other");
        redis.stop();
        assert!(!answers(port));
    }
}
