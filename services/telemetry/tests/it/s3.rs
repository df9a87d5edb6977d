//! A real S3 server, versitygw, started by a test and ended with it; and what only a server can do wrong.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use boot::config::Secret;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::v1::RecordingState,
};
use telemetry::recordings::{Shelf, ShelfConfig, ShelfError};
use tempfile::TempDir;
use tokio::time::timeout;

use crate::{
    desk::{Desk, SALON},
    following::{MIA, customer, follow},
    recording_files::{Files, wav},
    recordings::{call_of_mia, erase_mia, files_on, piece, recorded, recording, whole},
    shelves::{Recordings, files_below},
};

const BUCKET: &str = "calls";
const KEY_ID: &str = "desk";
const KEY: &str = "secret-hunter2";
/// More than any step takes on a machine that is busy: what a step comes to is told by its error.
const LONG: core::time::Duration = core::time::Duration::from_secs(120);

/// A server with one bucket.
pub struct S3 {
    folder: TempDir,
    port: u16,
    process: Child,
}

impl S3 {
    pub async fn start() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(folder.path().join("objects").join(BUCKET)).unwrap();
        fs::create_dir_all(folder.path().join("metadata")).unwrap();
        let (port, process) = run(folder.path(), None);
        let mut server = Self { folder, port, process };
        // Another process may take the port before the server does.
        while !server.is_up().await {
            (server.port, server.process) = run(server.folder.path(), None);
        }
        server
    }

    /// Ends it, as a machine that fails does.
    pub fn stop(&mut self) {
        // The server ends once the shell's input does.
        drop(self.process.stdin.take());
        self.process.wait().unwrap();
    }

    pub async fn start_again(&mut self) {
        (_, self.process) = run(self.folder.path(), Some(self.port));
        assert!(self.is_up().await, "port {} was taken meanwhile", self.port);
    }

    /// Waits until it answers; false when it ends instead.
    async fn is_up(&mut self) -> bool {
        let shelf = shelf(&self.config());
        let answering = async {
            // A server of another test, on the same port, does not know this one's secret.
            while !matches!(shelf.read("nothing", 0..1).await, Err(ShelfError::Missing)) {
                if self.process.try_wait().unwrap().is_some() {
                    return false;
                }
            }
            true
        };
        timeout(LONG, answering).await.expect("the server starts or ends")
    }

    pub fn config(&self) -> ShelfConfig {
        ShelfConfig {
            recordings_endpoint: Some(format!("http://127.0.0.1:{}", self.port).parse().unwrap()),
            recordings_region: Some("us-east-1".to_owned()),
            recordings_access_key_id: Some(KEY_ID.to_owned()),
            recordings_secret_access_key: Some(Secret::new(secret_of(self.folder.path()))),
            ..ShelfConfig::of(format!("s3://{BUCKET}").parse().unwrap())
        }
    }

    /// Where it keeps the bucket's objects.
    pub fn bucket(&self) -> PathBuf {
        self.folder.path().join("objects").join(BUCKET)
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The secret of the server whose folder this is.
fn secret_of(folder: &Path) -> String {
    format!("{KEY}{}", folder.file_name().unwrap().to_string_lossy())
}

/// Runs a server on a port, a free one unless it is named.
fn run(folder: &Path, port: Option<u16>) -> (u16, Child) {
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let port = port.unwrap_or_else(free);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/versitygw/versitygw");
    assert!(program.is_file(), "versitygw is missing: run .ci/install versitygw");
    // Ends with the server, and ends the server with its own input.
    let script = "exec 3<&0; \"$0\" \"$@\" & server=$!
        (cat <&3 >/dev/null; kill -9 $server) & watch=$!
        wait $server; kill $watch";
    let process = Command::new("sh")
        .args(["-c", script, &program.display().to_string()])
        .args(["--port", &format!("127.0.0.1:{port}"), "--access", KEY_ID])
        .args(["--secret", &secret_of(folder), "--quiet"])
        .args(["posix", "--sidecar", &folder.join("metadata").display().to_string()])
        .arg(folder.join("objects"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    (port, process)
}

/// A desk whose recordings are in a bucket.
async fn desk() -> Desk {
    Desk::open_on(Recordings::Bucket(S3::start().await), None).await
}

fn shelf(config: &ShelfConfig) -> Shelf {
    Shelf::open(config).unwrap().unwrap()
}

#[tokio::test]
#[ignore = "needs versitygw, which takes minutes to build: `make prove`"]
async fn while_the_server_is_away_people_are_told_in_time_and_copies_wait() {
    let (mut desk, files) = (desk().await, Files::serve().await);
    follow(&desk, vec![customer(1, 1, MIA, "Mia Wong", None)]).await;
    let call = call_of_mia(&desk, &files).await;
    assert_eq!(whole(&desk, &call).await, wav());
    desk.recordings.server().stop();

    let refused = timeout(LONG, piece(&desk, &call, 0)).await.unwrap().unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::Unavailable));
    let refused = timeout(LONG, erase_mia(&desk)).await.unwrap().unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::Unavailable));
    let facts = recorded("platform-2", files.of("call.wav"));
    let waiting = desk.record("second", facts).await.unwrap().call_id;
    desk.keep_recordings.turn().await.unwrap();
    let awaited = recording(&desk, &waiting).await.unwrap();
    assert_eq!(
        (awaited.state(), awaited.failure.as_str()),
        (RecordingState::Awaited, "it can't be stored here")
    );

    desk.recordings.server().start_again().await;
    desk.time.advance(SignedDuration::from_hours(1));
    desk.keep_recordings.turn().await.unwrap();
    assert_eq!(recording(&desk, &waiting).await.unwrap().state(), RecordingState::Kept);
    assert_eq!(whole(&desk, &call).await, wav());
    erase_mia(&desk).await.unwrap();
    assert_eq!(recording(&desk, &call).await, None);
}

#[tokio::test]
#[ignore = "needs versitygw, which takes minutes to build: `make prove`"]
async fn wrong_credentials_and_a_bucket_that_is_not_there_never_count_as_done() {
    let server = S3::start().await;
    let right = shelf(&server.config());
    let mut writing = right.write("a/b").await.unwrap();
    writing.add(wav().into()).await.unwrap();
    writing.finish().await.unwrap();
    let config = server.config();
    let wrong_key =
        ShelfConfig { recordings_secret_access_key: Some(Secret::new("hunter3")), ..config.clone() };
    let unknown = ShelfConfig { recordings_access_key_id: Some("nobody".to_owned()), ..config.clone() };
    let elsewhere = ShelfConfig { recordings_url: Some("s3://elsewhere".parse().unwrap()), ..config };
    for config in [wrong_key, unknown, elsewhere] {
        let shelf = shelf(&config);
        let read = shelf.read("a/b", 0..4).await.unwrap_err();
        let deleted = shelf.delete("a/b").await.unwrap_err();
        for error in [&read, &deleted] {
            assert!(matches!(error, ShelfError::Failed(_)), "{error:?}");
            assert!(!format!("{error:?}").contains("hunter"), "{error:?}");
        }
        assert!(shelf.write("a/b").await.is_err());
    }
    assert_eq!(right.read("a/b", 0..4).await.unwrap(), "RIFF");
}

#[tokio::test]
#[ignore = "needs versitygw, which takes minutes to build: `make prove`"]
async fn an_upload_that_is_abandoned_leaves_nothing_and_a_folder_is_kept_to() {
    let server = S3::start().await;
    let before = files_below(&server.bucket());
    let below = ShelfConfig {
        recordings_url: Some(format!("s3://{BUCKET}/desk").parse().unwrap()),
        ..server.config()
    };
    let shelf = shelf(&below);
    let mut writing = shelf.write("salon/call").await.unwrap();
    for _ in 0..16 {
        writing.add(vec![0; 1 << 20].into()).await.unwrap();
    }
    writing.abandon().await;
    assert_eq!(files_below(&server.bucket()), before);
    let mut writing = shelf.write("salon/call").await.unwrap();
    writing.add(wav().into()).await.unwrap();
    writing.finish().await.unwrap();
    assert!(server.bucket().join("desk/salon/call").is_file());
}

#[tokio::test]
#[ignore = "needs versitygw, which takes minutes to build: `make prove`"]
async fn an_erased_recording_is_gone_from_the_bucket() {
    let (desk, files) = (desk().await, Files::serve().await);
    follow(&desk, vec![customer(1, 1, MIA, "Mia Wong", None)]).await;
    let call = call_of_mia(&desk, &files).await;
    assert!(desk.recordings.path().join(SALON.to_string()).join(&call).is_file());
    erase_mia(&desk).await.unwrap();
    assert_eq!(files_on(&desk), 0);
}

#[tokio::test]
#[ignore = "waits for twenty seconds: `make prove`"]
async fn a_server_that_takes_connections_and_says_nothing_is_given_up_in_time() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let config = ShelfConfig {
        recordings_endpoint: Some(format!("http://{}", silent.local_addr().unwrap()).parse().unwrap()),
        recordings_access_key_id: Some(KEY_ID.to_owned()),
        recordings_secret_access_key: Some(Secret::new(KEY)),
        ..ShelfConfig::of(format!("s3://{BUCKET}").parse().unwrap())
    };
    let shelf = shelf(&config);
    let read = timeout(LONG, shelf.read("a", 0..1)).await.unwrap();
    assert!(matches!(read.unwrap_err(), ShelfError::Late));
    let deleted = timeout(LONG, shelf.delete("a")).await.unwrap();
    assert!(matches!(deleted.unwrap_err(), ShelfError::Late));
}
