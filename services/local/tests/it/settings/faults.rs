//! Everything that can be wrong with a setting, program by program.

use std::fs;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};

use super::{DOORS, Secrets, Settings, installation::database};

/// Settings that are changed, and those that are then named.
#[derive(Debug)]
pub struct Case {
    changes: Vec<(&'static str, Option<String>)>,
    pub named: Vec<&'static str>,
}

impl Case {
    /// `settings` with the changes.
    pub fn within(&self, mut settings: Settings) -> Settings {
        for (setting, value) in &self.changes {
            match value {
                Some(value) => drop(settings.insert(setting, value.clone())),
                None => drop(settings.remove(setting)),
            }
        }
        settings
    }

    /// Whether it says nothing of other settings.
    pub fn is_of_one_setting(&self) -> bool {
        self.changes.len() == 1 && self.named == [self.changes[0].0]
    }
}

/// One setting that is wrong by itself.
fn wrong(setting: &'static str, value: impl Into<String>) -> Case {
    Case { changes: vec![(setting, Some(value.into()))], named: vec![setting] }
}

fn missing(setting: &'static str) -> Case {
    Case { changes: vec![(setting, None)], named: vec![setting] }
}

fn changed<const N: usize>(changes: [(&'static str, Option<&str>); N], named: &[&'static str]) -> Case {
    let changes = changes.map(|(setting, value)| (setting, value.map(str::to_owned)));
    Case { changes: changes.into(), named: named.to_vec() }
}

/// As long as a key of 32 bytes, and weak.
fn weak() -> String {
    B64.encode([7; 32])
}

/// Every fault that is tried of a program's settings.
pub fn cases(program: &'static str, secrets: &Secrets) -> Vec<Case> {
    let mut cases = everywhere(program, secrets);
    cases.extend(transport(program, secrets));
    cases.extend(telemetry());
    if program == DOORS {
        cases.extend(doors());
    } else {
        cases.extend(databases());
    }
    match program {
        "auth" => {
            cases.extend(auth());
            cases.extend(mail(secrets));
            cases.extend(peer("TENANCY_URL", "http://127.0.0.1:7102"));
        }
        "tenancy" => {
            cases.extend(peer("AUTH_URL", "http://127.0.0.1:7101"));
            cases.extend(peer("SCHEDULING_URL", "http://127.0.0.1:7103"));
            cases.extend(peer("CALENDAR_SYNC_URL", "http://127.0.0.1:7104"));
            cases.extend(peer("TELEMETRY_URL", "http://127.0.0.1:7105"));
            cases.extend(platforms());
            cases.extend(sealing());
        }
        "telemetry" => {
            cases.extend(peer("SCHEDULING_URL", "http://127.0.0.1:7103"));
            cases.extend(peer("TENANCY_URL", "http://127.0.0.1:7102"));
            cases.extend([
                wrong("RECORDINGS_URL", "recordings"),
                wrong("RECORDINGS_URL", "https://bucket.example.com"),
                wrong("RECORDINGS_URL", "s3:///folder"),
                wrong("RECORDINGS_ENDPOINT", "http://minio.example.com"),
                wrong("RECORDINGS_CA_FILE", "/nowhere/ca.pem"),
                wrong("RECORDINGS_PATH_STYLE", "auto"),
            ]);
        }
        "scheduling" => {
            cases.extend(peer("TENANCY_URL", "http://127.0.0.1:7102"));
            cases.extend(peer("TELEMETRY_URL", "http://127.0.0.1:7105"));
        }
        "calendar-sync" => {
            cases.extend(peer("TENANCY_URL", "http://127.0.0.1:7102"));
            cases.extend(peer("SCHEDULING_URL", "http://127.0.0.1:7103"));
            cases.extend(sealing());
            cases.extend([wrong("SYNC_INTERVAL", "soon"), wrong("SYNC_INTERVAL", "1ms")]);
            cases.extend([
                wrong("DEMO_PROVIDER_URL", "booking system"),
                wrong("DEMO_PROVIDER_URL", "http://127.0.0.1:8172/"),
                wrong("PROVIDER_PROFILES", "/no/such/folder"),
            ]);
            cases.extend(public_url());
            cases.extend(google_calendar());
        }
        _ => {}
    }
    cases
}

fn public_url() -> Vec<Case> {
    vec![
        missing("PUBLIC_URL"),
        wrong("PUBLIC_URL", "desk.example.com"),
        wrong("PUBLIC_URL", "https://desk:hunter2@desk.example.com"),
        wrong("PUBLIC_URL", "http://desk.example.com"),
    ]
}

fn platforms() -> Vec<Case> {
    let mut cases = public_url();
    for setting in ["RETELL_API_URL", "VAPI_API_URL", "ELEVENLABS_API_URL", "TWILIO_API_URL"] {
        cases.push(wrong(setting, "api"));
        cases.push(wrong(setting, "http://api.example.com"));
        cases.push(wrong(setting, "https://desk:hunter2@api.example.com"));
    }
    cases
}

fn sealing() -> Vec<Case> {
    vec![
        missing("SEALING_KEYS"),
        wrong("SEALING_KEYS", "first:short-key"),
        wrong("SEALING_KEYS", weak()),
        wrong("SEALING_KEYS", format!("first:{}", weak())),
        // The key and its id the wrong way round.
        wrong("SEALING_KEYS", format!("{}:first", weak())),
        wrong("SEALING_KEYS", format!("first:{0},first:{0}", B64.encode((0..32).collect::<Vec<u8>>()))),
    ]
}

fn everywhere(program: &'static str, secrets: &Secrets) -> Vec<Case> {
    let keyring = |kind: &str, program: &str| secrets.keyring(kind, program).display().to_string();
    let other = if program == "auth" { "tenancy" } else { "auth" };
    let malformed = secrets.path().join("malformed.json");
    // A seed where an object is expected: a parser would repeat it.
    let seed = secrets.seed(program);
    fs::write(&malformed, format!(r#"{{"issuer":"{program}","signing":"{seed}","trusted":[]}}"#)).unwrap();
    vec![
        wrong("LISTEN", "7101"),
        missing("PASSPORT_KEYS"),
        wrong("PASSPORT_KEYS", "/nowhere/keyring.json"),
        wrong("PASSPORT_KEYS", malformed.display().to_string()),
        wrong("PASSPORT_KEYS", keyring("own", other)),
        wrong("PASSPORT_KEYS", keyring("demo", program)),
        wrong("ENVIRONMENT", "prod"),
        wrong("SECURITY_PROFILE", "lax"),
        wrong("SECURITY_PROFILE", "test"),
        wrong("SECURITY_PROFILE", "development"),
        wrong("LAME_DUCK_SECONDS", "soon"),
        wrong("LAME_DUCK_SECONDS", "301"),
        wrong("DRAIN_SECONDS", "0"),
        wrong("FRONTDESK_CLOCK_OFFSET_MS", "5"),
        wrong("FRONTDESK_CLOCK_OFFSET_MS", "noon"),
    ]
}

fn transport(program: &str, secrets: &Secrets) -> Vec<Case> {
    const FILES: [&str; 3] = ["TLS_CERT", "TLS_KEY", "TLS_CA"];
    let certificates = local::stack::Certificates::in_folder(&secrets.path().join("tls"));
    certificates.make().unwrap();
    let of = |file: &std::path::Path| file.display().to_string();
    let files = certificates.files(program);
    let (cert, key, ca) = (of(&files.cert), of(&files.key), of(&files.ca));
    let foreign = of(&certificates.files(if program == "auth" { "tenancy" } else { "auth" }).key);
    let (cert, key, ca) = (Some(&*cert), Some(&*key), Some(&*ca));
    let nowhere = Some("/nowhere/tls.pem");
    vec![
        wrong("MESH", "perhaps"),
        changed([("MESH", None)], &FILES),
        changed([("MESH", Some("0"))], &FILES),
        changed([("TLS_CERT", cert)], &["TLS_KEY", "TLS_CA"]),
        changed([("TLS_KEY", key), ("TLS_CA", ca)], &["TLS_CERT"]),
        changed([("TLS_CERT", nowhere), ("TLS_KEY", key), ("TLS_CA", nowhere)], &["TLS_CERT", "TLS_CA"]),
        changed([("TLS_CERT", cert), ("TLS_KEY", key), ("TLS_CA", key)], &["TLS_CA"]),
        changed([("TLS_CERT", key), ("TLS_KEY", key), ("TLS_CA", ca)], &["TLS_CERT"]),
        changed([("TLS_CERT", cert), ("TLS_KEY", Some(&foreign)), ("TLS_CA", ca)], &["TLS_KEY"]),
    ]
}

fn telemetry() -> Vec<Case> {
    vec![
        wrong("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"),
        wrong("OTEL_EXPORTER_OTLP_ENDPOINT", "https://key:hunter2@collector:4317"),
        wrong("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "collector"),
        wrong("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "collector"),
        wrong("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "collector"),
        wrong("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"),
        wrong("OTEL_TRACES_SAMPLER", "sometimes"),
        wrong("OTEL_TRACES_SAMPLER_ARG", "10%"),
        wrong("OTEL_METRIC_EXPORT_INTERVAL", "60s"),
        wrong("OTEL_RESOURCE_ATTRIBUTES", "k8s.pod.name"),
        wrong("RUST_LOG", "frontdesk=loud"),
        wrong("LOG_FORMAT", "xml"),
    ]
}

fn databases() -> Vec<Case> {
    let mut cases = vec![
        missing("LISTEN"),
        wrong("HEALTH_LISTEN", "7100"),
        changed(
            [("LISTEN", Some("127.0.0.1:7300")), ("HEALTH_LISTEN", Some("0.0.0.0:7300"))],
            &["HEALTH_LISTEN"],
        ),
        missing("DATABASE_URL"),
        // Serving as the role that owns the tables.
        wrong("DATABASE_URL", database("owner")),
        wrong("DATABASE_POOL", "0"),
        wrong("DATABASE_POOL", "many"),
        wrong("DATABASE_POOLER", "session"),
        wrong("REDIS_URL", "app:hunter2@cache"),
        wrong("CACHE_URL", "app:hunter2@cache"),
        // Another host, in plain text or without proof of its name.
        wrong("REDIS_URL", "redis://:hunter2@redis.example.com"),
        wrong("CACHE_URL", "redis://:hunter2@redis.example.com/1"),
        wrong("REDIS_URL", "rediss://:hunter2@redis.example.com/#insecure"),
        wrong("DATABASE_URL", "postgres://app:hunter2@db.example.com/desk"),
        wrong("DATABASE_URL", "postgres://app:hunter2@db.example.com/desk?sslmode=require"),
        wrong("MIGRATION_URL", "postgres://owner:hunter2@db.example.com/desk?sslmode=verify-ca"),
        wrong("STORES_MESH", "perhaps"),
        wrong("REDIS_CA_FILE", "/nowhere/ca.pem"),
    ];
    for setting in ["DATABASE_URL", "MIGRATION_URL"] {
        for url in
            ["", "app:hunter2@db", "mysql://app:hunter2@db/desk", "postgres://app:hunter2@db:port/desk"]
        {
            cases.push(wrong(setting, url));
        }
    }
    cases
}

/// `default` is where the peer is on a developer's machine.
fn peer(setting: &'static str, default: &str) -> Vec<Case> {
    vec![
        missing(setting),
        wrong(setting, default),
        wrong(setting, "peer.example.com:7100"),
        // Without a certificate.
        wrong(setting, "https://peer.example.com:7100"),
        wrong(setting, "ftp://peer.example.com"),
    ]
}

fn auth() -> Vec<Case> {
    let mut cases = vec![
        missing("REDIS_URL"),
        wrong("ALLOWED_ORIGINS", "http://localhost:3000"),
        changed([("GOOGLE_CLIENT_ID", Some("client"))], &["GOOGLE_CLIENT_SECRET"]),
        changed(
            [
                ("GOOGLE_CLIENT_ID", Some("client")),
                ("GOOGLE_CLIENT_SECRET", Some("hunter2")),
                ("OIDC_ISSUER", Some("http://issuer.example.com")),
            ],
            &["OIDC_ISSUER"],
        ),
        missing("PUBLIC_URL"),
        wrong("PUBLIC_URL", "desk.example.com"),
        wrong("PUBLIC_URL", "https://desk:hunter2@desk.example.com"),
        wrong("PUBLIC_URL", "http://desk.example.com"),
        wrong("PUBLIC_URL", "http://localhost:8080"),
    ];
    for setting in ["SESSION_KEY", "SEALING_KEY"] {
        let weak_or_short = [String::new(), "4711".repeat(2), weak(), B64.encode([0; 32])];
        cases.push(missing(setting));
        cases.extend(weak_or_short.map(|key| wrong(setting, key)));
    }
    let one_for_both = B64.encode((0..32).collect::<Vec<u8>>());
    cases.push(changed(
        [("SESSION_KEY", Some(&one_for_both)), ("SEALING_KEY", Some(&one_for_both))],
        &["SEALING_KEY"],
    ));
    cases
}

fn google_calendar() -> Vec<Case> {
    let client =
        [("GOOGLE_CALENDAR_CLIENT_ID", Some("desk")), ("GOOGLE_CALENDAR_CLIENT_SECRET", Some("hunter2"))];
    let with = |setting: &'static str, value: Option<&str>| {
        let others = client.into_iter().filter(|(name, _)| *name != setting);
        let changes: Vec<(&'static str, Option<String>)> = others
            .chain([(setting, value)])
            .map(|(setting, value)| (setting, value.map(str::to_owned)))
            .collect();
        Case { changes, named: vec![setting] }
    };
    let mut cases = vec![with("GOOGLE_CALENDAR_CLIENT_SECRET", None), with("PUBLIC_URL", None)];
    for setting in ["GOOGLE_AUTHORIZATION_URL", "GOOGLE_OAUTH_URL", "GOOGLE_CALENDAR_URL"] {
        for wrong in ["google", "http://google.example.com/", "https://desk:hunter2@google.example.com/"] {
            cases.push(with(setting, Some(wrong)));
        }
    }
    cases
}

fn mail(secrets: &Secrets) -> Vec<Case> {
    let folder = secrets.path().join("mail").display().to_string();
    vec![
        changed([("SMTP_URL", None), ("MAIL_FROM", None)], &["SMTP_URL"]),
        changed([("SMTP_URL", None), ("MAIL_DIR", Some(&folder))], &["MAIL_DIR"]),
        wrong("MAIL_DIR", folder),
        wrong("SMTP_URL", "mail.example.com"),
        wrong("SMTP_URL", "smtp://desk:hunter2@mail.example.com"),
        missing("MAIL_FROM"),
        wrong("MAIL_FROM", "the desk"),
        wrong("SMTP_CA_FILE", "/nowhere/ca.pem"),
    ]
}

fn doors() -> Vec<Case> {
    let mut cases = vec![
        wrong("DOORS", "browser,back"),
        missing("PUBLIC_URL"),
        wrong("PUBLIC_URL", "https://desk:hunter2@desk.example.com"),
        wrong("PUBLIC_URL", "https://desk.example.com/app"),
        wrong("PUBLIC_URL", "http://desk.example.com"),
        wrong("PUBLIC_URL", "http://localhost:8080"),
        wrong("ALLOWED_ORIGINS", "http://localhost:3000"),
        wrong("ALLOWED_ORIGINS", "desk"),
        wrong("REQUESTS_PER_SECOND", "-1"),
        wrong("AGENT_MODEL_URL", "models"),
        wrong("AGENT_MODEL_URL", "https://desk:hunter2@models.example.com/v1"),
        changed(
            [("AGENT_MODEL_URL", Some("http://models.example.com/v1")), ("AGENT_MODEL", Some("small"))],
            &["AGENT_MODEL_URL"],
        ),
        changed(
            [("AGENT_MODEL_URL", Some("https://models.example.com/v1")), ("AGENT_MODEL", None)],
            &["AGENT_MODEL"],
        ),
        missing("XSRF_KEY"),
        wrong("XSRF_KEY", "4711".repeat(2)),
        wrong("XSRF_KEY", "changeme".repeat(5)),
        wrong("WEB_ROOT", "/nowhere"),
        missing("TRUSTED_PROXIES"),
        wrong("TRUSTED_PROXIES", ""),
        wrong("TRUSTED_PROXIES", "0.0.0.0/0"),
        wrong("TRUSTED_PROXIES", "10.0.0.0/33"),
    ];
    for (setting, default) in [
        ("AUTH_URL", "http://127.0.0.1:7101"),
        ("TENANCY_URL", "http://127.0.0.1:7102"),
        ("SCHEDULING_URL", "http://127.0.0.1:7103"),
        ("CALENDAR_SYNC_URL", "http://127.0.0.1:7104"),
        ("TELEMETRY_URL", "http://127.0.0.1:7105"),
    ] {
        cases.extend(peer(setting, default));
    }
    cases
}
