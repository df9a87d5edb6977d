//! A private Redis. Nothing in it is worth keeping.

use core::time::Duration;
use std::{
    fs,
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::Instant,
};

use anyhow::{Context, bail};

/// A running private server.
#[derive(Debug)]
pub struct Redis {
    child: Option<Child>,
    port: u16,
}

const START_LIMIT: Duration = Duration::from_secs(10);

impl Redis {
    /// Starts the server, or takes on one that answers on `port` already.
    ///
    /// # Errors
    /// When Redis is not installed or doesn't start.
    pub fn start(folder: &Path, port: u16) -> anyhow::Result<Self> {
        if answers(port) {
            return Ok(Self { child: None, port });
        }
        fs::create_dir_all(folder)?;
        let log = fs::File::create(folder.join("server.log"))?;
        let mut child = Command::new("redis-server")
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
        while !answers(port) {
            if let Some(status) = child.try_wait()? {
                bail!("Redis ended at once ({status}); see {}/server.log", folder.display());
            }
            if started.elapsed() > START_LIMIT {
                bail!("Redis does not answer on port {port}");
            }
            std::thread::yield_now();
        }
        Ok(Self { child: Some(child), port })
    }

    /// Stops the server, also one that an earlier process started and this one took over.
    pub fn stop(&mut self) {
        let port = self.port.to_string();
        drop(Command::new("redis-cli").args(["-p", &port, "shutdown", "nosave"]).output());
        if let Some(child) = &mut self.child {
            drop(child.wait());
        }
    }
}

fn answers(port: u16) -> bool {
    TcpStream::connect_timeout(&([127, 0, 0, 1], port).into(), Duration::from_millis(200)).is_ok()
}
