//! Reading a command line and the environment, to the end: an operator is told at once of all that is
//! wrong with a process's settings.

mod secret_files;

use std::{collections::HashSet, env::var_os, ffi::OsString, process::ExitCode};

use clap::{
    Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches, Parser,
    builder::OsStringValueParser,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};

use crate::{environment::Environment, faults::Faults};

/// What takes the place of a required setting that is faulty, so that the rest can be judged: the
/// first that can be parsed.
const PLACEHOLDERS: [&str; 3] = ["", "0", "0.0.0.0:0"];

/// A configuration that can be judged as a whole.
pub trait Settings {
    /// Where the process runs.
    fn environment(&self) -> Environment;
    /// Adds what is wrong with it.
    fn check(&self, faults: &mut Faults);
}

/// Judges a configuration.
///
/// # Errors
/// Names all that is wrong with it.
pub fn check(settings: &impl Settings) -> anyhow::Result<()> {
    let mut faults = Faults::of(settings.environment());
    settings.check(&mut faults);
    faults.refuse()
}

/// Reads the settings of `process` from its arguments, the program's name first, the environment, and the files that
/// hold secrets.
///
/// # Errors
/// The code to exit with, after all faults, or the help that was asked for, have been printed.
pub fn read<C: Parser + Settings>(
    process: &str,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<C, ExitCode> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut faults = Faults::of(Environment::Production);
    secret_files::add(&C::command(), |name| var_os(name), &mut arguments, &mut faults);
    let parsed = parse::<C>(&arguments, &mut faults)?;
    if let Some(settings) = &parsed {
        faults.set_environment(settings.environment());
        settings.check(&mut faults);
    }
    match parsed {
        Some(settings) if faults.is_empty() => Ok(settings),
        _ => {
            eprintln!("{process}: {faults}");
            Err(ExitCode::FAILURE)
        }
    }
}

/// What can be parsed, with placeholders for what can't; adds what can't.
fn parse<C: CommandFactory + FromArgMatches>(
    arguments: &[OsString],
    faults: &mut Faults,
) -> Result<Option<C>, ExitCode> {
    let error = match C::command().try_get_matches_from(arguments).and_then(|found| read_from(&found)) {
        Ok(parsed) => return Ok(Some(parsed)),
        Err(error) => error,
    };
    let of_a_setting = matches!(
        error.kind(),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::MissingRequiredArgument
    );
    let lenient = C::command().mut_args(any_value).try_get_matches_from(arguments);
    let (true, Ok(given)) = (of_a_setting, lenient) else {
        drop(error.print());
        return Err(ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1)));
    };
    let mut faulty = HashSet::new();
    for argument in C::command().get_arguments().filter(|argument| takes_a_value(argument)) {
        if let Err(problem) = parse_alone(argument, &values(&given, argument)) {
            faults.add(&name(argument), problem);
            faulty.insert(argument.get_id().clone());
        }
    }
    let repaired = C::command()
        .mut_args(|argument| if faulty.contains(argument.get_id()) { replaced(argument) } else { argument });
    let mut rest = without(&faulty, &C::command(), &given);
    rest.extend(subcommand(&given, arguments));
    let parsed = repaired.try_get_matches_from(rest).and_then(|found| read_from(&found));
    if faults.is_empty() {
        // A fault of no single setting: clap's words say it.
        drop(error.print());
        return Err(ExitCode::FAILURE);
    }
    Ok(parsed.ok())
}

fn read_from<C: FromArgMatches>(found: &ArgMatches) -> Result<C, clap::Error> {
    C::from_arg_matches(found)
}

fn takes_a_value(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Set | ArgAction::Append) && argument.get_long().is_some()
}

fn any_value(argument: Arg) -> Arg {
    if takes_a_value(&argument) {
        argument.required(false).value_parser(OsStringValueParser::new())
    } else {
        argument.required(false)
    }
}

/// The values that were given for an argument, by a flag or in the environment.
fn values(given: &ArgMatches, argument: &Arg) -> Vec<OsString> {
    let id = argument.get_id().as_str();
    if given.value_source(id).is_none_or(|source| source == ValueSource::DefaultValue) {
        return vec![];
    }
    given.get_many::<OsString>(id).into_iter().flatten().cloned().collect()
}

/// Parses one argument by itself; what is wrong with it, without the value of a secret.
fn parse_alone(argument: &Arg, values: &[OsString]) -> Result<(), String> {
    if values.is_empty() && argument.is_required_set() {
        return Err("missing".to_owned());
    }
    let command = Command::new("").no_binary_name(true).arg(argument.clone().env(None).required(false));
    let flags = values.iter().map(|value| flag(argument, value));
    match command.try_get_matches_from(flags) {
        Ok(_) => Ok(()),
        Err(error) => Err(problem(argument, &error)),
    }
}

fn problem(argument: &Arg, error: &clap::Error) -> String {
    let why = match (std::error::Error::source(error), error.get(ContextKind::ValidValue)) {
        (Some(source), _) => source.to_string(),
        (None, Some(ContextValue::Strings(valid))) => format!("must be one of {}", valid.join(", ")),
        _ => "is malformed".to_owned(),
    };
    match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) if may_be_shown(argument, value) && !why.starts_with(value) => {
            format!("{value:?}: {why}")
        }
        _ => why,
    }
}

/// A secret may not, nor may an address with credentials.
fn may_be_shown(argument: &Arg, value: &str) -> bool {
    !argument.is_hide_env_values_set() && !value.contains('@')
}

/// A setting is known by its variable, and by its flag where it has none.
fn name(argument: &Arg) -> String {
    match (argument.get_env(), argument.get_long()) {
        (Some(variable), _) => variable.to_string_lossy().into_owned(),
        (None, long) => format!("--{}", long.unwrap_or_default()),
    }
}

fn flag(argument: &Arg, value: &OsString) -> OsString {
    let mut flag = OsString::from(format!("--{}=", argument.get_long().unwrap_or_default()));
    flag.push(value);
    flag
}

/// The same argument for an invalid value.
fn replaced(argument: Arg) -> Arg {
    let required = argument.is_required_set();
    let argument = argument.env(None).required(false);
    let fits = |value: &&str| parse_alone(&argument, &[OsString::from(value)]).is_ok();
    match PLACEHOLDERS.iter().find(|value| required && fits(value)) {
        Some(value) => argument.default_value(*value),
        None => argument,
    }
}

/// The command line again without what is faulty in it.
fn without(faulty: &HashSet<clap::Id>, command: &Command, given: &ArgMatches) -> Vec<OsString> {
    let mut line = vec![OsString::from(command.get_name())];
    for argument in command.get_arguments().filter(|argument| !faulty.contains(argument.get_id())) {
        let id = argument.get_id().as_str();
        if given.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        if takes_a_value(argument) {
            line.extend(values(given, argument).iter().map(|value| flag(argument, value)));
        } else if let Some(long) = argument.get_long() {
            line.push(format!("--{long}").into());
        }
    }
    line
}

/// The subcommand, and all that follows it.
fn subcommand(given: &ArgMatches, arguments: &[OsString]) -> Vec<OsString> {
    let at = given.subcommand_name().and_then(|name| arguments.iter().position(|word| word == name));
    at.map_or_else(Vec::new, |at| arguments[at..].to_vec())
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;
    use crate::config::Secret;

    #[derive(Debug, Parser)]
    struct Config {
        #[arg(long, env = "TEST_SETTINGS_LISTEN")]
        listen: SocketAddr,
        #[arg(long, env = "TEST_SETTINGS_POOL", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1000))]
        pool: u32,
        #[arg(long, env = "TEST_SETTINGS_KEY", hide_env_values = true)]
        key: Secret,
        #[arg(long, env = "TEST_SETTINGS_PIN", hide_env_values = true)]
        pin: Option<u32>,
        #[arg(long, env = "TEST_SETTINGS_WHERE", value_enum, default_value = "production")]
        environment: Environment,
        #[arg(long, env = "TEST_SETTINGS_DOORS", value_enum, value_delimiter = ',')]
        doors: Vec<Environment>,
        #[command(subcommand)]
        command: Option<Task>,
    }

    #[derive(Debug, PartialEq, clap::Subcommand)]
    enum Task {
        Make {
            #[arg(long)]
            email: String,
        },
    }

    impl Settings for Config {
        fn environment(&self) -> Environment {
            self.environment
        }

        fn check(&self, faults: &mut Faults) {
            faults.require_random("TEST_SETTINGS_KEY", self.key.expose().as_bytes());
            if self.pool > 100 {
                faults.add("TEST_SETTINGS_POOL", "is too much");
            }
        }
    }

    /// What is said of a command line.
    fn said(flags: &[&str]) -> (Option<Config>, String) {
        let arguments: Vec<OsString> = ["test"].iter().chain(flags).map(OsString::from).collect();
        let mut faults = Faults::of(Environment::Production);
        let parsed = parse::<Config>(&arguments, &mut faults).unwrap();
        if let Some(config) = &parsed {
            faults.set_environment(config.environment);
            config.check(&mut faults);
        }
        (parsed, if faults.is_empty() { String::new() } else { faults.to_string() })
    }

    const RANDOM: &str = "--key=0123456789abcdef";

    #[test]
    fn what_is_well_formed_is_read_as_clap_reads_it() {
        let (config, said) = said(&["--listen=127.0.0.1:7101", RANDOM, "--doors=test,production"]);
        let config = config.unwrap();
        assert_eq!(said, "");
        assert_eq!((config.pool, config.doors.len()), (16, 2));
    }

    #[test]
    fn every_fault_is_named_and_none_shows_a_secret() {
        let (config, said) = said(&["--pool=0", "--pin=hunter2", "--environment=prod", "--doors=test,back"]);
        assert!(config.is_some(), "the rest is judged");
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(
            lines,
            [
                "6 settings are wrong",
                "  TEST_SETTINGS_LISTEN: missing",
                "  TEST_SETTINGS_POOL: 0 is not in 1..=1000",
                "  TEST_SETTINGS_KEY: missing",
                "  TEST_SETTINGS_PIN: invalid digit found in string",
                "  TEST_SETTINGS_WHERE: \"prod\": must be one of production, development, test",
                "  TEST_SETTINGS_DOORS: \"back\": must be one of production, development, test",
            ]
        );
    }

    #[test]
    fn what_can_be_parsed_is_judged_beside_what_can_not() {
        let (_, said) = said(&["--listen=7101", "--key=aaaaaaaaaaaaaaaa", "--pool=200"]);
        let settings: Vec<_> =
            said.lines().skip(1).map(|line| line.trim().split(':').next().unwrap()).collect();
        assert_eq!(settings, ["TEST_SETTINGS_LISTEN", "TEST_SETTINGS_KEY", "TEST_SETTINGS_POOL"]);
    }

    #[test]
    fn a_subcommand_is_kept_beside_a_fault() {
        let (config, _) = said(&["--pool=0", "--listen=127.0.0.1:1", RANDOM, "make", "--email=a@b.test"]);
        assert_eq!(config.unwrap().command, Some(Task::Make { email: "a@b.test".to_owned() }));
    }
}
