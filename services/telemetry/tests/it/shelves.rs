//! Where a desk keeps recordings: a folder, or a bucket of a real S3 server where `TEST_RECORDINGS` is `s3`.

use std::path::{Path, PathBuf};

use reqwest::Url;
use telemetry::recordings::ShelfConfig;
use tempfile::TempDir;

use crate::s3::S3;

/// A shelf of a test's own.
pub enum Recordings {
    Folder(TempDir),
    Bucket(S3),
}

impl Recordings {
    /// Of the kind that the tests are run with.
    pub async fn open() -> Self {
        match std::env::var("TEST_RECORDINGS").as_deref() {
            Ok("s3") => Self::Bucket(S3::start().await),
            _ => Self::Folder(TempDir::new().unwrap()),
        }
    }

    pub fn config(&self) -> ShelfConfig {
        match self {
            Self::Folder(folder) => ShelfConfig::of(Url::from_directory_path(folder.path()).unwrap()),
            Self::Bucket(server) => server.config(),
        }
    }

    /// Where its files are: the server of a bucket keeps each object as one.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.path().to_owned(),
            Self::Bucket(server) => server.bucket(),
        }
    }

    /// Its server, which a folder has none of.
    pub fn server(&mut self) -> &mut S3 {
        match self {
            Self::Bucket(server) => server,
            Self::Folder(_) => panic!("a folder has no server"),
        }
    }
}

/// Every file below a folder, hidden ones included.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![] };
    let below = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path) } else { vec![path] }
    };
    entries.flat_map(below).collect()
}
