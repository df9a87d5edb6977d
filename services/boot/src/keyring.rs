//! The file with the keys that passports are signed and checked with.

use std::path::Path;

use anyhow::{Context, ensure};
use caller::Keyring;

/// The keyring of `service`.
///
/// # Errors
/// A missing or malformed one, or another service's.
pub fn read_keyring(service: &str, file: &Path) -> anyhow::Result<Keyring> {
    let path = file.display();
    let json = std::fs::read_to_string(file).with_context(|| format!("reading {path}"))?;
    let keyring = Keyring::parse(&json).with_context(|| format!("parsing {path}"))?;
    ensure!(keyring.issuer() == service, "{path} is the keyring of {}", keyring.issuer());
    Ok(keyring)
}
