//! Settings of an installation that is about to go into production.

use std::{
    fs,
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use caller::Keyring;
use serde_json::Value;
use tempfile::TempDir;

use super::{DOORS, Settings, programs};
use crate::stack::PAGE;

/// Settings that hold a secret, or may.
const SECRET: [&str; 12] = [
    "SESSION_KEY",
    "SEALING_KEY",
    "SEALING_KEYS",
    "XSRF_KEY",
    "DATABASE_URL",
    "MIGRATION_URL",
    "REDIS_URL",
    "CACHE_URL",
    "SMTP_URL",
    "GOOGLE_CLIENT_SECRET",
    "GOOGLE_CALENDAR_CLIENT_SECRET",
    "PUBLIC_URL",
];
/// Of these, what a file may hold instead.
const IN_FILES: [&str; 9] = [
    "SESSION_KEY",
    "SEALING_KEY",
    "SEALING_KEYS",
    "XSRF_KEY",
    "DATABASE_URL",
    "MIGRATION_URL",
    "REDIS_URL",
    "CACHE_URL",
    "SMTP_URL",
];
/// Of every login in an address.
pub const PASSWORD: &str = "hunter2";

/// Files of the installation.
pub struct Secrets(TempDir);

impl Secrets {
    pub fn new() -> Self {
        let secrets = Self(tempfile::tempdir().unwrap());
        let own: Vec<&str> = programs().collect();
        secrets.write("own", &own);
        secrets.write("demo", &own.into_iter().chain(["local"]).collect::<Vec<_>>());
        fs::write(secrets.path().join("index.html"), PAGE).unwrap();
        secrets
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, kind: &str, issuers: &[&str]) {
        let seeds: Vec<_> = issuers.iter().map(|issuer| (*issuer, boot::random::bytes::<32>())).collect();
        for (issuer, json) in Keyring::generate(&seeds).unwrap() {
            fs::write(self.keyring(kind, &issuer), json).unwrap();
        }
    }

    pub fn keyring(&self, kind: &str, program: &str) -> PathBuf {
        self.path().join(format!("{kind}-{program}.json"))
    }

    /// The secret in a program's own keyring.
    pub fn seed(&self, program: &str) -> String {
        let keyring = fs::read_to_string(self.keyring("own", program)).unwrap();
        let keyring: Value = serde_json::from_str(&keyring).unwrap();
        keyring["signing"]["seed"].as_str().unwrap().to_owned()
    }

    /// Settings that nothing is wrong with, but that nothing answers at the addresses.
    pub fn safe(&self, program: &str) -> Settings {
        let random = || B64.encode(boot::random::bytes::<32>());
        let peer = || "http://peer.example.com:7100".to_owned();
        let mut settings = Settings::from([
            ("LISTEN", "127.0.0.1:0".to_owned()),
            ("PASSPORT_KEYS", self.keyring("own", program).display().to_string()),
            ("MESH", "1".to_owned()),
        ]);
        if program == DOORS {
            settings.insert("PUBLIC_URL", "https://desk.example.com".to_owned());
            settings.insert("XSRF_KEY", random());
            settings.insert("WEB_ROOT", self.path().display().to_string());
            settings.insert("TRUSTED_PROXIES", "none".to_owned());
            for url in ["AUTH_URL", "TENANCY_URL", "SCHEDULING_URL", "CALENDAR_SYNC_URL", "TELEMETRY_URL"] {
                settings.insert(url, peer());
            }
            return settings;
        }
        settings.insert("DATABASE_URL", database("app"));
        settings.insert("MIGRATION_URL", database("owner"));
        settings.insert("REDIS_URL", format!("redis://:{PASSWORD}@127.0.0.1:9"));
        match program {
            "auth" => {
                settings.insert("PUBLIC_URL", "https://desk.example.com".to_owned());
                settings.insert("SESSION_KEY", random());
                settings.insert("SEALING_KEY", random());
                settings.insert("SMTP_URL", format!("smtps://desk:{PASSWORD}@mail.example.com"));
                settings.insert("MAIL_FROM", "Frontdesk <desk@example.com>".to_owned());
                settings.insert("TENANCY_URL", peer());
            }
            "tenancy" => {
                settings.insert("SEALING_KEYS", format!("first:{}", random()));
                settings.insert("PUBLIC_URL", "https://desk.example.com".to_owned());
                settings.insert("AUTH_URL", peer());
                settings.insert("SCHEDULING_URL", peer());
                settings.insert("CALENDAR_SYNC_URL", peer());
                settings.insert("TELEMETRY_URL", peer());
            }
            "telemetry" => {
                settings.insert("SCHEDULING_URL", peer());
                settings.insert("TENANCY_URL", peer());
            }
            "scheduling" => {
                settings.insert("TENANCY_URL", peer());
                settings.insert("TELEMETRY_URL", peer());
            }
            "calendar-sync" => {
                settings.insert("SEALING_KEYS", format!("first:{}", random()));
                settings.insert("PUBLIC_URL", "https://desk.example.com".to_owned());
                settings.insert("TENANCY_URL", peer());
                settings.insert("SCHEDULING_URL", peer());
            }
            _ => {}
        }
        settings
    }

    /// The same settings, with each secret in a file that is named.
    pub fn in_files(&self, settings: &Settings) -> Settings {
        let named = |name: &str| &*Box::leak(format!("{name}_FILE").into_boxed_str());
        let moved = settings.iter().map(|(name, value)| {
            if !IN_FILES.contains(name) {
                return (*name, value.clone());
            }
            let file = self.path().join(name);
            fs::write(&file, format!("{value}\n")).unwrap();
            (named(name), file.display().to_string())
        });
        moved.collect()
    }

    /// Nothing that `words` say is a secret of these settings, or of the installation.
    pub fn are_not_in(&self, words: &str, settings: &Settings) {
        let keys = settings.iter().filter(|(name, _)| SECRET.contains(name) && name.contains("KEY"));
        for key in keys.flat_map(|(_, value)| value.split([':', ','])).filter(|key| key.len() > 5) {
            assert!(!words.contains(key), "a key is shown: {words}");
        }
        assert!(!words.contains(PASSWORD), "a password is shown: {words}");
        for program in programs() {
            assert!(!words.contains(&self.seed(program)), "the seed of {program} is shown: {words}");
        }
    }
}

/// Where nothing answers.
pub fn database(role: &str) -> String {
    format!("postgres://{role}:{PASSWORD}@127.0.0.1:9/desk")
}
