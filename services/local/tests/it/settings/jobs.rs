//! What a job that prepares a database is told: the database's settings, and nothing that only serving needs.

use super::{SERVICES, Secrets, Settings, gets_as_far_as, installation::database, refusal};

#[test]
fn a_migration_needs_the_owners_login_alone() {
    for service in SERVICES {
        let settings = Settings::from([("MIGRATION_URL", database("owner"))]);
        gets_as_far_as(service, &["--migrate"], &settings, &["waiting for Postgres"]);
        let refused = refusal(service, &["--migrate"], &Settings::new());
        assert_eq!(refused.named(), ["MIGRATION_URL"], "{service}: {}", refused.words);
    }
}

#[test]
fn after_a_restore_the_services_own_login_is_needed_as_well() {
    for service in SERVICES {
        let owner = Settings::from([("MIGRATION_URL", database("owner"))]);
        let refused = refusal(service, &["--migrate", "--after-restore"], &owner);
        assert_eq!(refused.named(), ["DATABASE_URL"], "{service}: {}", refused.words);
        for settings in [
            Settings::from([("DATABASE_URL", database("app"))]),
            Settings::from([
                ("DATABASE_URL", database("app")),
                ("CACHE_URL", "redis://127.0.0.1:9".to_owned()),
            ]),
        ] {
            gets_as_far_as(service, &["--after-restore"], &settings, &["waiting for Postgres"]);
        }
    }
}

#[test]
fn a_migration_reaches_a_server_that_is_proven() {
    for service in SERVICES {
        let plain =
            Settings::from([("MIGRATION_URL", "postgres://owner:hunter2@db.example.com/desk".to_owned())]);
        let refused = refusal(service, &["--migrate"], &plain);
        assert_eq!(refused.named(), ["MIGRATION_URL"], "{service}: {}", refused.words);
        assert!(refused.words.contains("sslmode=verify-full"), "{service}: {}", refused.words);
    }
}

#[test]
fn all_faults_of_a_jobs_settings_are_named_at_once() {
    let secrets = Secrets::new();
    for service in SERVICES {
        let settings = Settings::from([
            ("MIGRATION_URL", "owner:hunter2@db".to_owned()),
            ("DATABASE_URL", "app:hunter2@db".to_owned()),
            ("DATABASE_POOLER", "session".to_owned()),
            ("REDIS_URL", "app:hunter2@cache".to_owned()),
            ("CACHE_URL", "app:hunter2@cache".to_owned()),
            ("REDIS_CA_FILE", "/nowhere/ca.pem".to_owned()),
            ("SECURITY_PROFILE", "test".to_owned()),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector".to_owned()),
            ("LOG_FORMAT", "xml".to_owned()),
        ]);
        let refused = refusal(service, &["--migrate", "--after-restore"], &settings);
        let mut named = refused.named();
        named.sort_unstable();
        assert_eq!(named, settings.keys().copied().collect::<Vec<_>>(), "{}", refused.words);
        assert_eq!(refused.code, Some(1));
        secrets.are_not_in(&refused.words, &settings);
    }
}
