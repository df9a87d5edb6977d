//! Secrets in files: `DATABASE_URL_FILE` names a file that holds what `DATABASE_URL` would. Unlike the environment, a
//! mounted file is not inherited by child processes and is shown by no crash report.

use std::{ffi::OsString, fs, path::Path};

use anyhow::{Context, bail};
use clap::{Arg, Command};

use super::flag;
use crate::faults::Faults;

/// Adds each secret that a file holds to the arguments, as a flag; faults bear the secret's own name, so that it is
/// not called missing as well.
pub(super) fn add(
    command: &Command,
    variable: impl Fn(&str) -> Option<OsString>,
    arguments: &mut Vec<OsString>,
    faults: &mut Faults,
) {
    for argument in command.get_arguments().filter(|argument| argument.is_hide_env_values_set()) {
        let Some(name) = argument.get_env().and_then(|name| name.to_str()) else { continue };
        if let Some(Some(flag)) = faults.judge(name, given(argument, name, &variable)) {
            // Before any subcommand.
            arguments.insert(1.min(arguments.len()), flag);
        }
    }
}

fn given(
    argument: &Arg,
    name: &str,
    variable: impl Fn(&str) -> Option<OsString>,
) -> anyhow::Result<Option<OsString>> {
    let setting = format!("{name}_FILE");
    let Some(file) = variable(&setting).filter(|file| !file.is_empty()) else { return Ok(None) };
    if variable(name).is_some() {
        bail!("given beside {setting}; one of them is enough");
    }
    let file = Path::new(&file);
    let content =
        fs::read_to_string(file).with_context(|| format!("{setting}: reading {}", file.display()))?;
    // Editors and `echo` end a file with a line break.
    let value = content.strip_suffix('\n').unwrap_or(&content);
    let value = value.strip_suffix('\r').unwrap_or(value);
    Ok(Some(flag(argument, &OsString::from(value))))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};
    use tempfile::TempDir;

    use super::*;
    use crate::{config::Secret, environment::Environment};

    #[derive(Debug, Parser)]
    struct Config {
        #[arg(long, env = "TEST_FILES_URL", hide_env_values = true)]
        url: Secret,
        #[arg(long, env = "TEST_FILES_KEY", hide_env_values = true)]
        key: Option<Secret>,
        #[arg(long, env = "TEST_FILES_POOL")]
        pool: Option<String>,
    }

    fn folder(content: &str) -> (TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("url");
        fs::write(&file, content).unwrap();
        (folder, file.display().to_string())
    }

    fn read(variables: &[(&str, &str)]) -> (Vec<OsString>, String) {
        let look =
            |name: &str| variables.iter().find(|(given, _)| *given == name).map(|(_, value)| value.into());
        let (mut arguments, mut faults) = (vec!["test".into()], Faults::of(Environment::Test));
        add(&Config::command(), look, &mut arguments, &mut faults);
        (arguments, faults.refuse().err().map(|error| error.to_string()).unwrap_or_default())
    }

    #[test]
    fn a_secret_is_what_its_file_holds_without_the_last_line_break() {
        for content in [
            "postgres://app:hunter2@db/auth",
            "postgres://app:hunter2@db/auth\n",
            "postgres://app:hunter2@db/auth\r\n",
        ] {
            let (_folder, file) = folder(content);
            let (arguments, said) = read(&[("TEST_FILES_URL_FILE", &file)]);
            assert_eq!(said, "");
            let config = Config::try_parse_from(arguments).unwrap();
            assert_eq!(config.url.expose(), "postgres://app:hunter2@db/auth");
            assert!(config.key.is_none());
        }
    }

    #[test]
    fn a_secret_given_twice_and_a_file_that_is_not_there_are_refused_by_name() {
        let (_folder, file) = folder("hunter2");
        let (_, said) = read(&[("TEST_FILES_URL_FILE", &file), ("TEST_FILES_URL", "hunter2")]);
        assert!(said.contains("TEST_FILES_URL: given beside TEST_FILES_URL_FILE"), "{said}");
        let (arguments, said) = read(&[("TEST_FILES_KEY_FILE", "/nowhere/key")]);
        assert!(said.contains("TEST_FILES_KEY: TEST_FILES_KEY_FILE: reading /nowhere/key"), "{said}");
        assert_eq!(arguments.len(), 1);
    }

    #[test]
    fn only_secrets_are_read_from_files_and_no_name_is_no_file() {
        let (_folder, file) = folder("hunter2");
        let (arguments, said) = read(&[("TEST_FILES_POOL_FILE", &file), ("TEST_FILES_KEY_FILE", "")]);
        assert_eq!((arguments.len(), said.as_str()), (1, ""));
    }
}
