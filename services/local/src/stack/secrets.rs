//! Secrets made once and kept under `.local/secrets`, readable by their owner alone.

use std::{
    fs,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::Context;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use caller::Keyring;

/// Every service that signs passports.
pub const ISSUERS: [&str; 7] =
    ["bff", "auth", "tenancy", "scheduling", "calendar-sync", "telemetry", "local"];

/// The folder of secrets.
#[derive(Debug, Clone)]
pub struct Secrets(PathBuf);

impl Secrets {
    /// Opens the folder and makes the passport keys if they are missing.
    ///
    /// # Errors
    /// When the folder can't be written.
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder.join("passports"))?;
        let secrets = Self(folder.to_owned());
        if !secrets.keyring("local").exists() {
            let seeds = ISSUERS.map(|issuer| (issuer, boot::random::bytes::<32>()));
            for (issuer, json) in Keyring::generate(&seeds)? {
                write(&secrets.keyring(&issuer), &json)?;
            }
        }
        Ok(secrets)
    }

    /// File with the passport keys of `service`.
    #[must_use]
    pub fn keyring(&self, service: &str) -> PathBuf {
        self.0.join("passports").join(format!("{service}.json"))
    }

    /// The secret called `name`: 32 random bytes of base64url, made at first.
    ///
    /// # Errors
    /// When it can neither be read nor written.
    pub fn get(&self, name: &str) -> anyhow::Result<String> {
        let path = self.0.join(name);
        if !path.exists() {
            write(&path, &B64.encode(boot::random::bytes::<32>()))?;
        }
        fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
    }
}

pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
        .with_context(|| format!("writing {}", path.display()))?;
    Ok(file.write_all(text.as_bytes())?)
}
