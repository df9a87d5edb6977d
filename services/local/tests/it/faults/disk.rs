//! A small disk for Postgres, which can be filled.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A file system in memory, mounted until dropped; needs root.
pub struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Mounts a disk of so many megabytes at `folder`; `None` where this process may not.
    pub fn mount(folder: &Path, megabytes: u32) -> Option<Self> {
        fs::create_dir_all(folder).unwrap();
        let size = format!("size={megabytes}m");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then(|| Self { folder: folder.to_owned() })
    }

    /// Leaves no room at all.
    pub fn fill(&self) {
        // dd ends with an error once the disk is full, which is what it is for.
        let all = format!("of={}", self.filler().display());
        drop(Command::new("dd").args(["if=/dev/zero", "bs=64k", &all]).output());
    }

    /// Makes room again.
    pub fn clear(&self) {
        fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> PathBuf {
        self.folder.join("filler")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("--lazy").arg(&self.folder).status());
    }
}
