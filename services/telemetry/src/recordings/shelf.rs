//! The object store that keeps recordings: a folder, or S3 and what speaks like it.

use core::{ops::Range, time::Duration};
use std::{
    fs::{self, DirBuilder},
    os::unix::fs::DirBuilderExt,
    path::{self, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, bail, ensure};
use boot::config::Secret;
use object_store::{
    BackoffConfig, Certificate, ClientOptions, ObjectStore, ObjectStoreExt as _, RetryConfig, WriteMultipart,
    aws::AmazonS3Builder, local::LocalFileSystem, path::Path, prefix::PrefixStore,
};
use url::{Host, Url};

/// Pieces of an upload on their way at once.
const AT_ONCE: usize = 2;
/// Of a person who waits for a piece or for an erasure.
const PATIENCE: Duration = Duration::from_secs(10);
const CONNECT: Duration = Duration::from_secs(3);
/// Of one request, such as the upload of 5 MiB.
const REQUEST: Duration = Duration::from_secs(30);
const RETRIES: usize = 3;

/// Where recordings are kept.
#[derive(Debug, Clone, clap::Args)]
pub struct ShelfConfig {
    /// Where recordings of calls are kept: `s3://bucket/folder`, or `file:///folder`. Without it none are.
    #[arg(long, env = "RECORDINGS_URL")]
    pub recordings_url: Option<Url>,
    /// The address of an S3 that is not Amazon's.
    #[arg(long, env = "RECORDINGS_ENDPOINT")]
    pub recordings_endpoint: Option<Url>,
    /// File with the certificates (PEM) of a private authority that the server's is from; the public ones are trusted
    /// as well.
    #[arg(long, env = "RECORDINGS_CA_FILE")]
    pub recordings_ca_file: Option<PathBuf>,
    /// The bucket's region.
    #[arg(long, env = "RECORDINGS_REGION")]
    pub recordings_region: Option<String>,
    /// Whether the bucket stands in the path of an address (`https://host/bucket/…`) and not in its host.
    #[arg(long, env = "RECORDINGS_PATH_STYLE", default_value_t = true, action = clap::ArgAction::Set)]
    pub recordings_path_style: bool,
    /// The id of the access key; without it the workload's own identity signs in.
    #[arg(long, env = "RECORDINGS_ACCESS_KEY_ID", hide_env_values = true)]
    pub recordings_access_key_id: Option<String>,
    /// The access key.
    #[arg(long, env = "RECORDINGS_SECRET_ACCESS_KEY", hide_env_values = true)]
    pub recordings_secret_access_key: Option<Secret>,
}

impl Default for ShelfConfig {
    fn default() -> Self {
        Self {
            recordings_url: None,
            recordings_endpoint: None,
            recordings_ca_file: None,
            recordings_region: None,
            recordings_path_style: true,
            recordings_access_key_id: None,
            recordings_secret_access_key: None,
        }
    }
}

impl ShelfConfig {
    /// The defaults, with this address.
    #[must_use]
    pub fn of(url: Url) -> Self {
        Self { recordings_url: Some(url), ..Self::default() }
    }
}

/// Why a recording can't be kept, read or deleted now.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// It is not there.
    #[error("the store of recordings does not have it")]
    Missing,
    /// The folder that keeps recordings is not there, as when its volume is not mounted.
    #[error("the folder of recordings is not there")]
    NoFolder,
    /// The store did not answer in time.
    #[error("the store of recordings did not answer in time")]
    Late,
    /// The store refused it, or can't be reached.
    #[error("the store of recordings: {0}")]
    Failed(object_store::Error),
}

impl From<object_store::Error> for ShelfError {
    fn from(error: object_store::Error) -> Self {
        match error {
            // A bucket or an account that is not there is answered by 404 as well, and tells nothing of what is in the
            // right bucket.
            object_store::Error::NotFound { source, .. }
                if source.is::<std::io::Error>() || source.to_string().contains("NoSuchKey") =>
            {
                Self::Missing
            }
            other => Self::Failed(other),
        }
    }
}

/// Keeps recordings.
#[derive(Debug, Clone)]
pub struct Shelf {
    store: Arc<dyn ObjectStore>,
    /// Where the files are, unless they are in a bucket.
    folder: Option<Arc<path::Path>>,
}

impl Shelf {
    /// The one that is configured, if any.
    ///
    /// # Errors
    /// When it is of no kind that is known, or can't be opened.
    pub fn open(config: &ShelfConfig) -> anyhow::Result<Option<Self>> {
        let Some(url) = &config.recordings_url else { return Ok(None) };
        match url.scheme() {
            "file" => folder(url).map(Some),
            "s3" => Ok(Some(Self { store: bucket(url, config)?, folder: None })),
            other => bail!("{other} is neither file nor s3"),
        }
    }

    /// Begins to write a recording; one of the same key is replaced at the end.
    ///
    /// # Errors
    /// [`ShelfError`].
    pub async fn write(&self, key: &str) -> Result<Writing, ShelfError> {
        // It would be made anew, beside the volume.
        if !self.has_folder() {
            return Err(ShelfError::NoFolder);
        }
        Ok(Writing(WriteMultipart::new(self.store.put_multipart(&Path::from(key)).await?)))
    }

    /// A piece of one.
    ///
    /// # Errors
    /// [`ShelfError`].
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<bytes::Bytes, ShelfError> {
        self.in_time(self.store.get_range(&Path::from(key), range)).await
    }

    /// Deletes one; one that is not there is deleted.
    ///
    /// # Errors
    /// [`ShelfError`].
    pub async fn delete(&self, key: &str) -> Result<(), ShelfError> {
        match self.in_time(self.store.delete(&Path::from(key))).await {
            Ok(()) | Err(ShelfError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn in_time<T>(&self, work: impl Future<Output = object_store::Result<T>>) -> Result<T, ShelfError> {
        let done = tokio::time::timeout(PATIENCE, work).await.map_err(|_| ShelfError::Late)?;
        match done.map_err(ShelfError::from) {
            Err(ShelfError::Missing) if !self.has_folder() => Err(ShelfError::NoFolder),
            done => done,
        }
    }

    fn has_folder(&self) -> bool {
        self.folder.as_ref().is_none_or(|folder| folder.is_dir())
    }
}

/// A recording that is being written. It is there once it is finished.
#[derive(Debug)]
pub struct Writing(WriteMultipart);

impl Writing {
    /// Adds a piece, when those before it are on their way.
    ///
    /// # Errors
    /// [`ShelfError`].
    pub async fn add(&mut self, piece: bytes::Bytes) -> Result<(), ShelfError> {
        self.0.wait_for_capacity(AT_ONCE).await?;
        self.0.put(piece);
        Ok(())
    }

    /// Ends it.
    ///
    /// # Errors
    /// [`ShelfError`].
    pub async fn finish(self) -> Result<(), ShelfError> {
        self.0.finish().await?;
        Ok(())
    }

    /// Leaves nothing of it.
    pub async fn abandon(self) {
        if let Err(error) = self.0.abort().await {
            tracing::warn!(%error, "what was written of a recording is left behind");
        }
    }
}

fn folder(url: &Url) -> anyhow::Result<Shelf> {
    let Ok(path) = url.to_file_path() else { bail!("it names no folder of this machine") };
    // The voices of callers are for this user alone.
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&path);
    made.with_context(|| format!("making {}", path.display()))?;
    let store = Arc::new(LocalFileSystem::new_with_prefix(&path)?.with_automatic_cleanup(true));
    Ok(Shelf { store, folder: Some(path.into()) })
}

/// How the server is called.
fn client(config: &ShelfConfig) -> anyhow::Result<ClientOptions> {
    let options = ClientOptions::new().with_connect_timeout(CONNECT).with_timeout(REQUEST);
    let Some(file) = &config.recordings_ca_file else { return Ok(options) };
    Ok(authorities(file)?.into_iter().fold(options, ClientOptions::with_root_certificate))
}

/// The certificates of a private authority.
///
/// # Errors
/// When the file can't be read, or holds none.
pub(crate) fn authorities(file: &path::Path) -> anyhow::Result<Vec<Certificate>> {
    let pem = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let certificates = Certificate::from_pem_bundle(&pem)?;
    ensure!(!certificates.is_empty(), "{} holds no certificate", file.display());
    Ok(certificates)
}

fn bucket(url: &Url, config: &ShelfConfig) -> anyhow::Result<Arc<dyn ObjectStore>> {
    let Some(name) = url.host_str().filter(|name| !name.is_empty()) else { bail!("it names no bucket") };
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(name)
        .with_virtual_hosted_style_request(!config.recordings_path_style)
        .with_client_options(client(config)?)
        .with_retry(retries())
        // What deletes many at once is not spoken by every S3.
        .with_disable_bulk_delete(true);
    if let Some(endpoint) = &config.recordings_endpoint {
        builder = builder
            .with_endpoint(within(endpoint, name, config.recordings_path_style)?)
            .with_allow_http(endpoint.scheme() == "http");
    }
    if let Some(region) = &config.recordings_region {
        builder = builder.with_region(region);
    }
    if let Some(id) = &config.recordings_access_key_id {
        builder = builder.with_access_key_id(id);
    }
    if let Some(secret) = &config.recordings_secret_access_key {
        builder = builder.with_secret_access_key(secret.expose());
    }
    let store = builder.build()?;
    match url.path().trim_matches('/') {
        "" => Ok(Arc::new(store)),
        folder => Ok(Arc::new(PrefixStore::new(store, Path::from(folder)))),
    }
}

fn retries() -> RetryConfig {
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(2),
        base: 2.,
    };
    RetryConfig { backoff, max_retries: RETRIES, retry_timeout: PATIENCE }
}

/// The address of an S3, with the bucket in its host unless the path has it.
fn within(endpoint: &Url, bucket: &str, path_style: bool) -> anyhow::Result<String> {
    let mut endpoint = endpoint.clone();
    if !path_style {
        let Some(Host::Domain(host)) = endpoint.host() else {
            bail!("an endpoint without a host's name takes no bucket in it: use the path style")
        };
        let named = format!("{bucket}.{host}");
        endpoint.set_host(Some(&named)).context("the bucket is no part of a host's name")?;
    }
    Ok(endpoint.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_folder_is_made_for_its_user_alone() {
        let volume = tempfile::TempDir::new().unwrap();
        let path = volume.path().join("recordings");
        folder(&Url::from_directory_path(&path).unwrap()).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[tokio::test]
    async fn a_folder_that_is_not_there_keeps_nothing_for_deleted() {
        let volume = tempfile::TempDir::new().unwrap();
        let folder = volume.path().join("recordings");
        let config = ShelfConfig::of(Url::from_directory_path(&folder).unwrap());
        let shelf = Shelf::open(&config).unwrap().unwrap();
        let mut writing = shelf.write("salon/call").await.unwrap();
        writing.add("RIFF".into()).await.unwrap();
        writing.finish().await.unwrap();
        let elsewhere = volume.path().join("elsewhere");
        std::fs::rename(&folder, &elsewhere).unwrap();
        assert!(matches!(shelf.delete("salon/call").await.unwrap_err(), ShelfError::NoFolder));
        assert!(matches!(shelf.read("salon/call", 0..1).await.unwrap_err(), ShelfError::NoFolder));
        assert!(matches!(shelf.write("salon/call").await.unwrap_err(), ShelfError::NoFolder));
        std::fs::rename(&elsewhere, &folder).unwrap();
        // The second deletes what is not there.
        for _ in 0..2 {
            shelf.delete("salon/call").await.unwrap();
        }
        assert!(matches!(shelf.read("salon/call", 0..1).await.unwrap_err(), ShelfError::Missing));
    }

    #[test]
    fn a_bucket_stands_in_the_path_or_in_the_host() {
        let of = |endpoint: &str, path_style| within(&endpoint.parse().unwrap(), "calls", path_style);
        assert_eq!(of("https://s3.example.com:9000/", true).unwrap(), "https://s3.example.com:9000");
        assert_eq!(of("https://s3.example.com:9000", false).unwrap(), "https://calls.s3.example.com:9000");
        assert!(of("https://10.0.0.7:9000", false).is_err());
        assert_eq!(of("http://[::1]:9000", true).unwrap(), "http://[::1]:9000");
    }
}
