//! The data of an installation with the demo in it: filled once for each build and day, copied for each test. Filling takes
//! four fifths of what a start costs.

use std::{
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    time::UNIX_EPOCH,
};

use boot::clock::Clock;
use jiff::tz::TimeZone;

/// Flags of installations that begin with other data.
const OTHERWISE: [&str; 2] = ["--no-demo", "--demo-year"];

/// Whether an installation with these flags begins with the demo.
pub fn suits(flags: &[&str]) -> bool {
    !flags.iter().any(|flag| OTHERWISE.contains(flag))
}

/// Copies it into `data`. Where this program has not filled any today, `fill` leaves one in the folder that it is told.
pub fn copy_into(data: &Path, program: &OsStr, fill: impl FnOnce(&Path)) {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("filled");
    fs::create_dir_all(&kept).unwrap();
    // Other runs of these tests wait: what is filled is neither made twice nor removed while it is copied.
    let lock = File::create(kept.join("lock")).unwrap();
    lock.lock().unwrap();
    let current = kept.join(name(program));
    if !current.exists() {
        forget(&kept);
        // An interrupted run leaves no half of it under the name.
        let unfinished = kept.join("unfinished");
        fill(&unfinished);
        fs::rename(&unfinished, &current).unwrap();
    }
    copy(&current, data);
}

/// Copies a folder that no process uses, with the owners of its files.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let copied = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status();
    assert!(copied.unwrap().success(), "{} is not copied", from.display());
}

/// Another build may fill it differently, and another day has other visits ahead.
fn name(program: &OsStr) -> String {
    let built = fs::metadata(program).unwrap().modified().unwrap().duration_since(UNIX_EPOCH).unwrap();
    let today = Clock::system().now().to_zoned(TimeZone::UTC).date();
    format!("{today}-{:x}", built.as_nanos())
}

/// Removes those of other builds and days, and what an interrupted run left.
fn forget(kept: &Path) {
    let folders = fs::read_dir(kept).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    for folder in folders.collect::<Vec<PathBuf>>() {
        fs::remove_dir_all(folder).unwrap();
    }
}
