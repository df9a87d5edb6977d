//! The signing keys as this replica holds them.

use jiff::{SignedDuration, Timestamp};
use sealing::SealingKey;
use tokio::sync::RwLock;

use crate::{
    Error,
    domain::signing_key::{Signable, SigningKey, StoredKey, current, due, is_published, jwks},
    store::{Store, Tx},
};

/// How long a replica goes without looking for keys that others made.
const LOOK_AGAIN: SignedDuration = SignedDuration::from_mins(1);

#[derive(Debug)]
struct Loaded {
    at: Timestamp,
    keys: Vec<SigningKey>,
}

/// Signs access tokens, and makes new keys when it is time.
#[derive(Debug)]
pub struct SigningKeys {
    store: Store,
    sealing: SealingKey,
    access_life: SignedDuration,
    loaded: RwLock<Loaded>,
}

impl SigningKeys {
    /// Loads the keys; the first replica ever makes the first one.
    pub async fn open(
        store: Store,
        sealing: SealingKey,
        access_life: SignedDuration,
        now: Timestamp,
    ) -> Result<Self, Error> {
        let keys =
            Self { store, sealing, access_life, loaded: RwLock::new(Loaded { at: now, keys: vec![] }) };
        keys.loaded.write().await.keys = keys.load(now).await?;
        Ok(keys)
    }

    /// Signs a token.
    ///
    /// # Errors
    /// When Postgres can't, or the key does not sign.
    pub async fn sign<T: Signable>(&self, claims: &T, now: Timestamp) -> Result<String, Error> {
        self.look_again(now).await?;
        let loaded = self.loaded.read().await;
        let key = current(&loaded.keys, now).ok_or(Error::Stored("signing key"))?;
        Ok(key.sign(claims)?)
    }

    /// The public keys of every token that may still be valid. Read anew each time: a
    /// verifier asks because it has met a key it doesn't know.
    pub async fn published(&self, now: Timestamp) -> Result<String, Error> {
        let tx = self.store.begin();
        let keys = tx.signing_keys().await?;
        tx.commit().await?;
        Ok(jwks(keys.iter().filter(|key| is_published(key, &keys, self.access_life, now))))
    }

    async fn look_again(&self, now: Timestamp) -> Result<(), Error> {
        let fresh = |loaded: &Loaded| now.duration_since(loaded.at) < LOOK_AGAIN;
        if fresh(&*self.loaded.read().await) {
            return Ok(());
        }
        let mut loaded = self.loaded.write().await;
        if !fresh(&loaded) {
            *loaded = Loaded { at: now, keys: self.load(now).await? };
        }
        Ok(())
    }

    async fn load(&self, now: Timestamp) -> Result<Vec<SigningKey>, Error> {
        let tx = self.store.begin();
        let mut keys = self.opened(tx.signing_keys().await?);
        if due(&keys, now).is_some() {
            tx.lock_signing_keys().await?;
            // Another replica may have made it while this one waited.
            let stored = tx.signing_keys().await?;
            self.forget(&tx, &stored, now).await?;
            keys = self.opened(stored);
            if let Some(signs_from) = due(&keys, now) {
                keys.push(self.make(&tx, signs_from).await?);
            }
        }
        tx.commit().await?;
        Ok(keys)
    }

    fn opened(&self, stored: Vec<StoredKey>) -> Vec<SigningKey> {
        let open = |key: StoredKey| {
            let opened = key.open(&self.sealing);
            if opened.is_err() {
                tracing::warn!(kid = key.kid, "a signing key was sealed with another sealing key");
            }
            opened.ok()
        };
        stored.into_iter().filter_map(open).collect()
    }

    async fn make(&self, tx: &Tx, signs_from: Timestamp) -> Result<SigningKey, Error> {
        let kid = tx.new_id().to_string();
        let (seed, nonce) = (boot::random::bytes(), boot::random::bytes());
        let key = StoredKey::create(kid, seed, nonce, &self.sealing, signs_from);
        tx.add_signing_key(&key).await?;
        tracing::info!(kid = key.kid, %signs_from, "a signing key was made");
        key.open(&self.sealing).map_err(|_| Error::Stored("signing key"))
    }

    async fn forget(&self, tx: &Tx, stored: &[StoredKey], now: Timestamp) -> Result<(), Error> {
        for key in stored.iter().filter(|key| !is_published(key, stored, self.access_life, now)) {
            tx.forget_signing_key(&key.kid).await?;
        }
        Ok(())
    }
}
