//! The identity provider on this machine, for when no Google client is configured.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, anyhow};
use serde_json::json;
use tokio::{
    io::AsyncWriteExt,
    process::{Child, ChildStdin, Command},
};

use super::{client::Client, plan::Plan};

/// The program, where Node.js packages are installed.
#[derive(Debug, Clone)]
pub struct Program(PathBuf);

/// The running provider; it ends when this is dropped, or when we are killed.
#[derive(Debug)]
pub struct Provider {
    _child: Child,
    _input: ChildStdin,
}

impl Program {
    /// The program of the folder that the page was built in, such as `web` for `web/dist/development`,
    /// if it can run.
    #[must_use]
    pub fn beside(page: &Path) -> Option<Self> {
        let above = page.ancestors().skip(1).take(2);
        let web = above.into_iter().find(|folder| folder.join("node_modules/oidc-provider").exists())?;
        let program = web.join("dev/provider.mjs");
        program.exists().then_some(Self(program))
    }

    /// Starts it, with the people it offers to be, and does not wait for it.
    ///
    /// # Errors
    /// Without Node.js.
    pub async fn start(
        &self,
        plan: &Plan,
        client: &Client,
        people: &[(String, &str)],
        log: &Path,
    ) -> anyhow::Result<Provider> {
        let log = File::create(log).with_context(|| format!("writing {}", log.display()))?;
        let mut child = Command::new("node")
            .arg(&self.0)
            .stdin(Stdio::piped())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .context("starting node")?;
        let mut input = child.stdin.take().ok_or_else(|| anyhow!("the provider takes no input"))?;
        let people: Vec<_> =
            people.iter().map(|(email, name)| json!({ "email": email, "name": name })).collect();
        let told = json!({
            "port": plan.provider_port(),
            "clientId": client.id,
            "clientSecret": client.secret,
            "redirectUris": plan.redirect_uris(),
            "people": people,
        });
        input.write_all(format!("{told}\n").as_bytes()).await.context("telling the provider")?;
        Ok(Provider { _child: child, _input: input })
    }
}
