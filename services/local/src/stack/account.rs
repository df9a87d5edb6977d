//! The user a private server runs as: PostgreSQL refuses to run as root.

use std::{
    fs::DirBuilder,
    io::ErrorKind,
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, ensure};

/// Whom servers run as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    /// The user who started us.
    Own,
    /// An unprivileged user, because we are root.
    Unprivileged {
        /// User id.
        uid: u32,
        /// Group id.
        gid: u32,
    },
}

impl Account {
    /// The calling user, or for root the first of `postgres` and `nobody` that exists.
    ///
    /// # Errors
    /// Root on a machine with neither user.
    pub fn choose() -> anyhow::Result<Self> {
        let own = std::fs::metadata("/proc/self").context("reading /proc/self")?;
        if own.uid() != 0 {
            return Ok(Self::Own);
        }
        let passwd = std::fs::read_to_string("/etc/passwd").context("reading /etc/passwd")?;
        ["postgres", "nobody"]
            .into_iter()
            .find_map(|name| unprivileged(&passwd, name))
            .context("running as root, and there is neither a user postgres nor nobody")
    }

    /// A command as this user.
    #[must_use]
    pub fn command(self, program: &Path) -> Command {
        let mut command = Command::new(program);
        if let Self::Unprivileged { uid, gid } = self {
            command.uid(uid).gid(gid);
        }
        command
    }

    /// A folder this user owns and can reach: `wanted`, or one under the temporary
    /// folder when a parent of `wanted` is closed to it (a checkout in /root).
    ///
    /// # Errors
    /// When no folder can be made.
    pub fn folder(self, wanted: &Path) -> anyhow::Result<PathBuf> {
        std::fs::create_dir_all(wanted).with_context(|| format!("creating {}", wanted.display()))?;
        let Self::Unprivileged { uid, gid } = self else { return Ok(wanted.to_owned()) };
        chown(wanted, Some(uid), Some(gid))?;
        if self.reaches(wanted)? {
            return Ok(wanted.to_owned());
        }
        let elsewhere = std::env::temp_dir().join(wanted.to_string_lossy().replace('/', "_"));
        claim(&elsewhere, uid, gid)?;
        ensure!(
            self.reaches(&elsewhere)?,
            "{} can't be reached by the unprivileged user",
            elsewhere.display()
        );
        Ok(elsewhere)
    }

    fn reaches(self, folder: &Path) -> anyhow::Result<bool> {
        let status = self
            .command(Path::new("/bin/sh"))
            .arg("-c")
            .arg("cd \"$1\"")
            .arg("sh")
            .arg(folder)
            .stderr(std::process::Stdio::null())
            .status();
        Ok(status.context("running /bin/sh")?.success())
    }
}

/// Makes a folder for a user where every user may make folders: one that stands there already must be that user's, not
/// one that another user prepared, nor a link to elsewhere.
fn claim(folder: &Path, uid: u32, gid: u32) -> anyhow::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => Ok(chown(folder, Some(uid), Some(gid))?),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let found = std::fs::symlink_metadata(folder)?;
            ensure!(found.is_dir() && found.uid() == uid, "{} is another user's", folder.display());
            Ok(())
        }
        Err(error) => Err(error).with_context(|| format!("creating {}", folder.display())),
    }
}

fn unprivileged(passwd: &str, name: &str) -> Option<Account> {
    let line = passwd.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2);
    Some(Account::Unprivileged { uid: fields.next()?.parse().ok()?, gid: fields.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_among_those_of_all_users_is_new_or_the_users_own() {
        let among = tempfile::tempdir().unwrap();
        let own = std::fs::metadata(among.path()).unwrap();
        let folder = among.path().join("postgres");
        claim(&folder, own.uid(), own.gid()).unwrap();
        assert_eq!(std::fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        claim(&folder, own.uid(), own.gid()).unwrap();
        assert!(claim(&folder, own.uid() + 1, own.gid()).is_err(), "another user's");
        let link = among.path().join("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert!(claim(&link, own.uid(), own.gid()).is_err(), "it leads elsewhere");
    }

    #[test]
    fn finds_an_unprivileged_user_by_name() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533:n:/:/bin/false\n";
        assert_eq!(unprivileged(passwd, "nobody"), Some(Account::Unprivileged { uid: 65534, gid: 65533 }));
        assert_eq!(unprivileged(passwd, "postgres"), None);
    }
}
