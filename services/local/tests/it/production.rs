//! What production refuses to start with, process by process.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use caller::Keyring;
use tempfile::TempDir;

const SERVICES: [&str; 5] = ["auth", "tenancy", "scheduling", "calendar-sync", "telemetry"];

type Settings = BTreeMap<&'static str, String>;

/// Secrets of an installation that is about to go into production.
struct Secrets(TempDir);

impl Secrets {
    fn new() -> Self {
        let secrets = Self(tempfile::tempdir().unwrap());
        let own: Vec<&str> = SERVICES.into_iter().chain(["bff"]).collect();
        secrets.write("own", &own);
        secrets.write("demo", &own.into_iter().chain(["local"]).collect::<Vec<_>>());
        secrets
    }

    fn write(&self, kind: &str, issuers: &[&str]) {
        let seeds: Vec<_> = issuers.iter().map(|issuer| (*issuer, boot::random::bytes::<32>())).collect();
        for (issuer, json) in Keyring::generate(&seeds).unwrap() {
            fs::write(self.keyring(kind, &issuer), json).unwrap();
        }
    }

    fn keyring(&self, kind: &str, process: &str) -> PathBuf {
        self.0.path().join(format!("{kind}-{process}.json"))
    }

    /// Settings that nothing is wrong with, but that nothing answers at the addresses.
    fn safe(&self, process: &str) -> Settings {
        let random = || B64.encode(boot::random::bytes::<32>());
        // Not an address at all, so that connecting fails at once.
        let nowhere = || "nowhere".to_owned();
        let mut settings = Settings::from([
            ("LISTEN", "127.0.0.1:0".to_owned()),
            ("PASSPORT_KEYS", self.keyring("own", process).display().to_string()),
            ("MESH", "1".to_owned()),
        ]);
        if process == "bff" {
            settings.insert("PUBLIC_URL", "https://desk.example.com".to_owned());
            settings.insert("XSRF_KEY", random());
            settings.insert("WEB_ROOT", "/nowhere".to_owned());
            settings.insert("TRUSTED_PROXIES", "none".to_owned());
            return settings;
        }
        settings.insert("DATABASE_URL", nowhere());
        settings.insert("MIGRATION_URL", nowhere());
        settings.insert("REDIS_URL", "redis://127.0.0.1:9".to_owned());
        match process {
            "auth" => {
                settings.insert("PUBLIC_URL", "https://desk.example.com".to_owned());
                settings.insert("SESSION_KEY", random());
                settings.insert("SEALING_KEY", random());
                settings.insert("SMTP_URL", "smtps://mail.example.com".to_owned());
                settings.insert("MAIL_FROM", "Frontdesk <desk@example.com>".to_owned());
            }
            "tenancy" => drop(settings.insert("SEALING_KEYS", format!("first:{}", random()))),
            _ => {}
        }
        settings
    }
}

/// The last words of a process that was started with `settings` and nothing else.
fn last_words(process: &str, settings: &Settings) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_local")).arg(process).env_clear().envs(settings).output().unwrap();
    assert!(!output.status.success(), "{process} was served");
    String::from_utf8(output.stderr).unwrap()
}

/// Every setting that `words` name.
fn named(words: &str, settings: &[&'static str]) -> Vec<&'static str> {
    settings.iter().copied().filter(|setting| words.contains(setting)).collect()
}

/// Process, setting, and the unsafe value; `None` leaves it out.
fn unsafe_settings(demo: &Path) -> Vec<(&'static str, &'static str, Option<String>)> {
    let weak = || Some(B64.encode([7; 32]));
    let mut cases: Vec<(&str, &str, Option<String>)> = vec![
        ("auth", "PUBLIC_URL", Some("http://desk.example.com".to_owned())),
        ("auth", "PUBLIC_URL", Some("http://localhost:8080".to_owned())),
        ("auth", "PUBLIC_URL", None),
        ("auth", "SESSION_KEY", weak()),
        ("auth", "SESSION_KEY", Some("4711".repeat(2))),
        ("auth", "SEALING_KEY", weak()),
        ("auth", "SEALING_KEY", Some(String::new())),
        ("auth", "REDIS_URL", None),
        ("auth", "SMTP_URL", None),
        ("tenancy", "SEALING_KEYS", weak().map(|key| format!("first:{key}"))),
        ("tenancy", "SEALING_KEYS", Some("first:short".to_owned())),
        ("bff", "PUBLIC_URL", Some("http://desk.example.com".to_owned())),
        ("bff", "PUBLIC_URL", Some("http://localhost:8080".to_owned())),
        ("bff", "PUBLIC_URL", None),
        ("bff", "ALLOWED_ORIGINS", Some("http://localhost:3000".to_owned())),
        ("bff", "XSRF_KEY", None),
        ("bff", "XSRF_KEY", Some("4711".repeat(2))),
        ("bff", "XSRF_KEY", Some("changeme".repeat(5))),
        ("bff", "TRUSTED_PROXIES", Some("0.0.0.0/0".to_owned())),
        ("bff", "TRUSTED_PROXIES", Some(String::new())),
        ("bff", "TRUSTED_PROXIES", None),
    ];
    for process in SERVICES.into_iter().chain(["bff"]) {
        for profile in ["test", "development"] {
            cases.push((process, "SECURITY_PROFILE", Some(profile.to_owned())));
        }
        let keys = demo.join(format!("demo-{process}.json"));
        cases.push((process, "PASSPORT_KEYS", Some(keys.display().to_string())));
        for mesh in [None, Some("0".to_owned())] {
            cases.push((process, "MESH", mesh));
        }
    }
    cases
}

#[test]
fn production_names_the_one_setting_it_refuses() {
    let secrets = Secrets::new();
    for (process, setting, value) in unsafe_settings(secrets.0.path()) {
        let mut settings = secrets.safe(process);
        match &value {
            Some(value) => drop(settings.insert(setting, value.clone())),
            None => drop(settings.remove(setting)),
        }
        let words = last_words(process, &settings);
        // clap names a setting it can't read as a flag.
        let flag = format!("--{}", setting.to_lowercase().replace('_', "-"));
        assert!(words.contains(setting) || words.contains(&flag), "{process} {setting}={value:?}: {words}");
        if let Some(value) = value.filter(|value| value.len() > 4 && setting.ends_with("KEY")) {
            assert!(!words.contains(&value), "{process} shows the key: {words}");
        }
    }
}

#[test]
fn safe_settings_are_refused_by_none_of_these() {
    let secrets = Secrets::new();
    let settings: Vec<&str> =
        unsafe_settings(secrets.0.path()).iter().map(|(_, setting, _)| *setting).collect();
    for process in SERVICES.into_iter().chain(["bff"]) {
        let words = last_words(process, &secrets.safe(process));
        assert_eq!(named(&words, &settings), Vec::<&str>::new(), "{process}: {words}");
    }
}

#[test]
fn services_in_production_encrypt_or_say_that_a_mesh_does() {
    let secrets = Secrets::new();
    let certificates = local::stack::Certificates::in_folder(secrets.0.path());
    certificates.make().unwrap();
    for (process, peer) in [
        ("auth", "TENANCY_URL"),
        ("scheduling", "TENANCY_URL"),
        ("calendar-sync", "SCHEDULING_URL"),
        ("bff", "AUTH_URL"),
    ] {
        let files = certificates.files(process);
        let mut settings = secrets.safe(process);
        settings.remove("MESH");
        settings.insert("TLS_CERT", files.cert.display().to_string());
        settings.insert("TLS_KEY", files.key.display().to_string());
        let words = last_words(process, &settings);
        assert!(words.contains("TLS_CA: missing"), "{process}: {words}");
        settings.insert("TLS_CA", files.ca.display().to_string());
        settings.insert(peer, "http://peer.example.com".to_owned());
        let words = last_words(process, &settings);
        assert!(words.contains(peer) && words.contains("MESH=1"), "{process}: {words}");
    }
}
