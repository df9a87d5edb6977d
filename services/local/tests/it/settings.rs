//! What each program says of its settings before it starts: everything that is wrong, at once, and no
//! secret.

mod faults;
mod installation;
mod jobs;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

pub use faults::cases;
pub use installation::Secrets;

/// The five services.
pub const SERVICES: [&str; 5] = ["auth", "tenancy", "scheduling", "calendar-sync", "telemetry"];
/// The doors' program.
pub const DOORS: &str = "bff";

/// Every program.
pub fn programs() -> impl Iterator<Item = &'static str> {
    SERVICES.into_iter().chain([DOORS])
}

/// Environment variables of a process.
pub type Settings = BTreeMap<&'static str, String>;

/// What a process said that refused its settings.
pub struct Refusal {
    pub code: Option<i32>,
    pub words: String,
}

impl Refusal {
    /// The settings it named, each once.
    pub fn named(&self) -> Vec<&str> {
        self.words.lines().filter_map(|line| Some(line.strip_prefix("  ")?.split_once(':')?.0)).collect()
    }
}

fn command(program: &str, arguments: &[&str], settings: &Settings) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    command.arg(program).args(arguments).env_clear().envs(settings);
    command
}

/// Starts a program with `settings` and nothing else, which it is expected to refuse.
pub fn refusal(program: &str, arguments: &[&str], settings: &Settings) -> Refusal {
    let output = command(program, arguments, settings).output().unwrap();
    Refusal { code: output.status.code(), words: String::from_utf8(output.stderr).unwrap() }
}

/// Starts a program with `settings` and nothing else, and ends it as soon as it says one of `lines`.
pub fn gets_as_far_as(program: &str, arguments: &[&str], settings: &Settings, lines: &[&str]) {
    let mut child = command(program, arguments, settings).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = Vec::new();
    let reached = BufReader::new(child.stderr.take().unwrap()).lines().any(|line| {
        said.push(line.unwrap());
        lines.iter().any(|wanted| said.last().unwrap().contains(wanted))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(reached, "{program} {arguments:?}: {said:#?}");
}

#[test]
fn every_fault_of_every_program_is_named_and_none_shows_a_secret() {
    let secrets = Secrets::new();
    for program in programs() {
        for case in cases(program, &secrets) {
            let settings = case.within(secrets.safe(program));
            let refusal = refusal(program, &[], &settings);
            let words = &refusal.words;
            assert_eq!(refusal.code, Some(1), "{program} {case:?}: {words}");
            assert_eq!(refusal.named(), case.named, "{program} {case:?}: {words}");
            secrets.are_not_in(words, &settings);
        }
    }
}

#[test]
fn all_faults_are_named_at_once() {
    let secrets = Secrets::new();
    for program in programs() {
        let mut settings = secrets.safe(program);
        let mut expected = BTreeSet::new();
        // One fault of each setting, as long as they don't speak of one another.
        for case in cases(program, &secrets).into_iter().filter(|case| case.is_of_one_setting()) {
            if expected.insert(case.named[0]) {
                settings = case.within(settings);
            }
        }
        assert!(expected.len() > 15, "{program}: {expected:?}");
        let refusal = refusal(program, &[], &settings);
        let words = &refusal.words;
        assert_eq!(refusal.code, Some(1), "{program}: {words}");
        assert_eq!(refusal.named().into_iter().collect::<BTreeSet<_>>(), expected, "{program}: {words}");
        let count = format!("{} settings are wrong", expected.len());
        assert!(words.starts_with(&format!("{program}: {count}")), "{words}");
        secrets.are_not_in(words, &settings);
    }
}

#[test]
fn settings_without_a_fault_are_taken() {
    let secrets = Secrets::new();
    for program in programs() {
        gets_as_far_as(program, &[], &secrets.safe(program), &["waiting for Postgres", "serving"]);
    }
}

#[test]
fn secrets_are_taken_from_files() {
    let secrets = Secrets::new();
    for program in programs() {
        let settings = secrets.in_files(&secrets.safe(program));
        assert!(settings.keys().any(|name| name.ends_with("_FILE")), "{program}");
        gets_as_far_as(program, &[], &settings, &["waiting for Postgres", "serving"]);
    }
}

#[test]
fn a_secret_whose_file_is_missing_or_wrong_is_named_once_and_not_shown() {
    let secrets = Secrets::new();
    for program in SERVICES {
        let with = |name, file: String| {
            let mut settings = secrets.safe(program);
            settings.remove("DATABASE_URL");
            settings.insert(name, file);
            settings
        };
        let file = secrets.path().join("wrong");
        std::fs::write(&file, "mysql://app:hunter2@db/desk\n").unwrap();
        for file in ["/nowhere/database-url".to_owned(), file.display().to_string()] {
            let settings = with("DATABASE_URL_FILE", file);
            let refused = refusal(program, &[], &settings);
            assert_eq!(refused.named(), ["DATABASE_URL"], "{program}: {}", refused.words);
            secrets.are_not_in(&refused.words, &settings);
        }
        let mut twice = secrets.safe(program);
        twice.insert("DATABASE_URL_FILE", file.display().to_string());
        assert_eq!(refusal(program, &[], &twice).named(), ["DATABASE_URL"], "{program}");
    }
}

/// Of which any value is right.
const FREE: [&str; 6] = [
    "GOOGLE_CLIENT_ID",
    "GOOGLE_CALENDAR_CLIENT_ID",
    "AGENT_MODEL_KEY",
    "RECORDINGS_REGION",
    "RECORDINGS_ACCESS_KEY_ID",
    "RECORDINGS_SECRET_ACCESS_KEY",
];

#[test]
fn a_fault_of_every_setting_is_tried() {
    let secrets = Secrets::new();
    for program in programs() {
        let help = command(program, &["--help"], &Settings::new()).output().unwrap().stdout;
        let help = String::from_utf8(help).unwrap();
        let read = help.split("[env: ").skip(1).map(|rest| rest.split(['=', ']']).next().unwrap());
        let tried: BTreeSet<_> =
            cases(program, &secrets).iter().flat_map(|case| case.named.clone()).collect();
        let missing: Vec<_> = read.filter(|name| !tried.contains(name) && !FREE.contains(name)).collect();
        assert_eq!(missing, Vec::<&str>::new(), "{program}");
    }
}
