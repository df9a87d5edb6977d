//! The booking systems that an installation knows by a profile: those of this version, and those in a folder of its own.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Context, ensure};

use crate::domain::profile::Profile;

/// Longest file that is read.
const LONGEST: u64 = 256 << 10;

/// The profiles of this version, and each `*.json` of `folder`, by name.
///
/// # Errors
/// Names the file that can't be used, or the key that two profiles have.
pub fn of(folder: Option<&Path>) -> anyhow::Result<Vec<Profile>> {
    let mut profiles = Profile::committed()?;
    if let Some(folder) = folder {
        profiles.extend(read(folder)?);
    }
    let mut keys = BTreeSet::new();
    for Profile { key, .. } in &profiles {
        ensure!(keys.insert(key.as_str()), "two profiles have the key {key}");
    }
    Ok(profiles)
}

fn read(folder: &Path) -> anyhow::Result<Vec<Profile>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("can't read the folder {}", folder.display()))?;
    let mut files = vec![];
    for entry in entries {
        let path = entry?.path();
        // Kubernetes keeps what it mounts in folders beside the files.
        if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    files.iter().map(|file| one(file).with_context(|| file.display().to_string())).collect()
}

fn one(file: &Path) -> anyhow::Result<Profile> {
    let length = fs::metadata(file)?.len();
    ensure!(length <= LONGEST, "{length} bytes are too many, {LONGEST} at most");
    Profile::parse(&fs::read_to_string(file)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phorest_as(key: &str) -> String {
        include_str!("../profiles/phorest.json")
            .replace("\"key\": \"phorest\"", &format!("\"key\": \"{key}\""))
    }

    fn refusal(folder: &Path) -> String {
        format!("{:#}", of(Some(folder)).unwrap_err())
    }

    #[test]
    fn a_folder_adds_profiles_to_those_of_this_version() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ours.json"), phorest_as("ours")).unwrap();
        fs::write(folder.path().join("README"), "not a profile").unwrap();
        fs::create_dir(folder.path().join("..data")).unwrap();
        let keys: Vec<_> = of(Some(folder.path())).unwrap().into_iter().map(|profile| profile.key).collect();
        assert_eq!(keys, ["phorest", "ours"]);
    }

    #[test]
    fn a_file_that_can_not_be_used_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("bad.json"), "{}").unwrap();
        assert!(refusal(folder.path()).contains("bad.json: "));
        fs::write(folder.path().join("bad.json"), vec![b' '; LONGEST as usize + 1]).unwrap();
        assert!(refusal(folder.path()).contains("262145 bytes are too many"));
        assert!(refusal(&folder.path().join("none")).starts_with("can't read the folder "));
    }

    #[test]
    fn a_key_belongs_to_one_profile() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("again.json"), phorest_as("phorest")).unwrap();
        assert_eq!(refusal(folder.path()), "two profiles have the key phorest");
    }
}
