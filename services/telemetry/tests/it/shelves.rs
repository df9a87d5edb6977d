//! Where a desk keeps recordings: a folder, or a bucket of a real S3 server where `TEST_RECORDINGS` is `s3`.

use std::path::{Path, PathBuf};

use reqwest::Url;
use telemetry::recordings::{Shelf, ShelfConfig, ShelfError};
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

#[tokio::test]
async fn a_bucket_under_a_private_authority_is_read_by_who_trusts_it_alone() {
    let (server, authority) = testkit::https("404 Not Found", "<Error><Code>NoSuchKey</Code></Error>").await;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, authority).unwrap();
    let distrusting = ShelfConfig {
        recordings_endpoint: Some(server.url().parse().unwrap()),
        recordings_region: Some("us-east-1".to_owned()),
        recordings_access_key_id: Some("desk".to_owned()),
        recordings_secret_access_key: Some(boot::config::Secret::new("hunter2")),
        ..ShelfConfig::of("s3://calls".parse().unwrap())
    };
    let trusting = ShelfConfig { recordings_ca_file: Some(file), ..distrusting.clone() };
    let read = async |config: &ShelfConfig| {
        let shelf = Shelf::open(config).unwrap().unwrap();
        shelf.read("nothing", 0..1).await.unwrap_err()
    };
    assert!(matches!(read(&trusting).await, ShelfError::Missing));
    assert!(!matches!(read(&distrusting).await, ShelfError::Missing), "it is not believed");
    let empty = ShelfConfig { recordings_ca_file: Some(folder.path().join("none.pem")), ..distrusting };
    std::fs::write(folder.path().join("none.pem"), "").unwrap();
    assert!(format!("{:#}", Shelf::open(&empty).unwrap_err()).contains("holds no certificate"));
}
