//! A private Prometheus, which the processes send metrics to. Its console shows the dashboards of the chart.

use core::time::Duration;
use std::{
    fs::{self, File},
    os::unix::{fs::symlink, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Instant,
};

use anyhow::{Context, bail, ensure};

const START_LIMIT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(50);

/// What the console shows, below the folder of the monitoring's files.
const ASSETS: [(&str, &str); 3] =
    [("console", "console"), ("dashboards", "../frontdesk/dashboards"), ("runbooks", "../../k8s/runbooks")];

/// A running private server.
#[derive(Debug)]
pub struct Prometheus {
    child: Child,
}

impl Prometheus {
    /// Starts `program` with the configuration and the console of the folder `monitoring`, and waits until
    /// it takes metrics.
    ///
    /// # Errors
    /// When it doesn't start, or another one has the port.
    pub async fn start(program: &Path, monitoring: &Path, folder: &Path, port: u16) -> anyhow::Result<Self> {
        let monitoring =
            fs::canonicalize(monitoring).with_context(|| format!("finding {}", monitoring.display()))?;
        link_assets(&monitoring, &folder.join("assets"))?;
        let log_path = folder.join("server.log");
        let log = File::create(&log_path)?;
        let flag = |name: &str, path: PathBuf| format!("--{name}={}", path.display());
        let child = Command::new(program)
            .arg(flag("config.file", monitoring.join("prometheus.yml")))
            .arg(flag("storage.tsdb.path", folder.join("data")))
            .arg(flag("web.user-assets", folder.join("assets")))
            .arg(format!("--web.listen-address=127.0.0.1:{port}"))
            .args(["--web.enable-otlp-receiver", "--log.level=warn"])
            .args(["--storage.tsdb.retention.time=3d", "--storage.tsdb.retention.size=1GB"])
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            // Ctrl-C is for us: the processes send their last metrics before this ends.
            .process_group(0)
            .spawn()
            .with_context(|| format!("starting {}", program.display()))?;
        let mut server = Self { child };
        server.wait_until_ready(port, &log_path).await?;
        Ok(server)
    }

    async fn wait_until_ready(&mut self, port: u16, log: &Path) -> anyhow::Result<()> {
        let url = format!("http://127.0.0.1:{port}/-/ready");
        let (client, started) = (reqwest::Client::new(), Instant::now());
        loop {
            if let Some(status) = self.child.try_wait()? {
                bail!("Prometheus ended at once ({status}); see {}", log.display());
            }
            if client.get(&url).send().await.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(());
            }
            ensure!(started.elapsed() < START_LIMIT, "Prometheus is not ready; see {}", log.display());
            tokio::time::sleep(POLL).await;
        }
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        drop(Command::new("kill").arg(self.child.id().to_string()).status());
        drop(self.child.wait());
    }
}

fn link_assets(monitoring: &Path, assets: &Path) -> anyhow::Result<()> {
    if assets.exists() {
        fs::remove_dir_all(assets)?;
    }
    fs::create_dir_all(assets)?;
    for (name, source) in ASSETS {
        let source = monitoring.join(source);
        let source = fs::canonicalize(&source).with_context(|| format!("finding {}", source.display()))?;
        symlink(source, assets.join(name))?;
    }
    Ok(())
}
