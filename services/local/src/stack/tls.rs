//! Certificates of the services, for `--tls`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use boot::{tls::Tls, transport::Transport};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};

use super::secrets::{ISSUERS, write};

/// A folder with a certificate and a key for each service, and the authority that signed them.
#[derive(Debug, Clone)]
pub struct Certificates(PathBuf);

/// Where a service finds its certificate.
#[derive(Debug, Clone)]
pub struct Files {
    /// Its certificate.
    pub cert: PathBuf,
    /// The certificate's key.
    pub key: PathBuf,
    /// Who signs certificates here.
    pub ca: PathBuf,
}

impl Certificates {
    /// The certificates in `folder`, made or not.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// The files of one service.
    #[must_use]
    pub fn files(&self, service: &str) -> Files {
        Files {
            cert: self.0.join(format!("{service}.pem")),
            key: self.0.join(format!("{service}.key")),
            ca: self.0.join("ca.pem"),
        }
    }

    /// Makes an authority and a certificate for each service. The authority's key is not kept: the
    /// next start makes another.
    ///
    /// # Errors
    /// When the folder can't be written.
    pub fn make(&self) -> anyhow::Result<()> {
        fs::create_dir_all(&self.0).with_context(|| format!("writing {}", self.0.display()))?;
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        authority.distinguished_name.push(DnType::CommonName, "Frontdesk on this machine");
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate()?)?;
        for service in ISSUERS {
            let files = self.files(service);
            let key = KeyPair::generate()?;
            let names = [service, "localhost", "127.0.0.1"];
            let mut leaf = CertificateParams::new(names.map(str::to_owned))?;
            leaf.distinguished_name.push(DnType::CommonName, service);
            leaf.extended_key_usages =
                vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
            write(&files.cert, &leaf.signed_by(&key, &authority)?.pem())?;
            write(&files.key, &key.serialize_pem())?;
            write(&files.ca, &authority.pem())?;
        }
        Ok(())
    }

    /// How `service` talks with the others.
    ///
    /// # Errors
    /// When the certificates can't be used.
    pub fn transport(&self, service: &str) -> anyhow::Result<Transport> {
        let files = self.files(service);
        Ok(Transport::mutual(Tls::open(&files.cert, &files.key, &files.ca)?))
    }
}
