//! The object store that keeps recordings: a folder, or S3 and what speaks like it.

use core::ops::Range;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use boot::config::Secret;
use object_store::{
    ObjectStore, ObjectStoreExt as _, WriteMultipart, aws::AmazonS3Builder, local::LocalFileSystem,
    path::Path, prefix::PrefixStore,
};
use url::Url;

/// Pieces of an upload on their way at once.
const AT_ONCE: usize = 2;

/// Where recordings are kept.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ShelfConfig {
    /// Where recordings of calls are kept: `s3://bucket/folder`, or `file:///folder`. Without it none are.
    #[arg(long, env = "RECORDINGS_URL")]
    pub recordings_url: Option<Url>,
    /// The address of an S3 that is not Amazon's.
    #[arg(long, env = "RECORDINGS_ENDPOINT")]
    pub recordings_endpoint: Option<Url>,
    /// The bucket's region.
    #[arg(long, env = "RECORDINGS_REGION")]
    pub recordings_region: Option<String>,
    /// The id of the access key; without it the workload's own identity signs in.
    #[arg(long, env = "RECORDINGS_ACCESS_KEY_ID")]
    pub recordings_access_key_id: Option<String>,
    /// The access key.
    #[arg(long, env = "RECORDINGS_SECRET_ACCESS_KEY", hide_env_values = true)]
    pub recordings_secret_access_key: Option<Secret>,
}

/// Why a recording can't be kept, read or deleted now.
#[derive(Debug, thiserror::Error)]
#[error("the store of recordings: {0}")]
pub struct ShelfError(#[from] object_store::Error);

/// Keeps recordings.
#[derive(Debug, Clone)]
pub struct Shelf(Arc<dyn ObjectStore>);

impl Shelf {
    /// The one that is configured, if any.
    ///
    /// # Errors
    /// When it is of no kind that is known, or can't be opened.
    pub fn open(config: &ShelfConfig) -> anyhow::Result<Option<Self>> {
        let Some(url) = &config.recordings_url else { return Ok(None) };
        let store = match url.scheme() {
            "file" => folder(url)?,
            "s3" => bucket(url, config)?,
            other => bail!("{other} is neither file nor s3"),
        };
        Ok(Some(Self(store)))
    }

    /// Begins to write a recording; one of the same key is replaced at the end.
    ///
    /// # Errors
    /// [`ShelfError`].
    pub async fn write(&self, key: &str) -> Result<Writing, ShelfError> {
        Ok(Writing(WriteMultipart::new(self.0.put_multipart(&Path::from(key)).await?)))
    }

    /// A piece of one.
    ///
    /// # Errors
    /// [`ShelfError`].
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<bytes::Bytes, ShelfError> {
        Ok(self.0.get_range(&Path::from(key), range).await?)
    }

    /// Deletes one; one that is not there is deleted.
    ///
    /// # Errors
    /// [`ShelfError`].
    pub async fn delete(&self, key: &str) -> Result<(), ShelfError> {
        match self.0.delete(&Path::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
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

fn folder(url: &Url) -> anyhow::Result<Arc<dyn ObjectStore>> {
    let Ok(path) = url.to_file_path() else { bail!("it names no folder of this machine") };
    std::fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
    Ok(Arc::new(LocalFileSystem::new_with_prefix(&path)?.with_automatic_cleanup(true)))
}

fn bucket(url: &Url, config: &ShelfConfig) -> anyhow::Result<Arc<dyn ObjectStore>> {
    let Some(name) = url.host_str().filter(|name| !name.is_empty()) else { bail!("it names no bucket") };
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(name);
    if let Some(endpoint) = &config.recordings_endpoint {
        builder = builder
            .with_endpoint(endpoint.as_str().trim_end_matches('/'))
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
