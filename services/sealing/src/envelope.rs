//! Secrets at rest: sealed with a key of their business, which a master key wraps.
//!
//! What is sealed names its place: the business and the row are authenticated with
//! it, so a sealed value moved to another row or business doesn't open.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use caller::BusinessId;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{CannotOpen, KEY, NONCE, SealingKey};

typed_id::typed_id! {
    /// A business's data key.
    DataKeyId,
}

/// Why a sealed value stays shut. Says nothing about the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// Changed, cut, or sealed for another place.
    #[error("a sealed value was changed, or belongs elsewhere")]
    Broken,
    /// The master key it needs is not configured.
    #[error("the master key {0:?} is not configured")]
    NoMasterKey(String),
}

/// Why master keys can't be used. Says which by its place: what is written for its id may be the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MasterKeyError {
    /// Not `id:key`.
    #[error("master key {0} is not written id:key")]
    Form(usize),
    /// Not 32 bytes of base64url.
    #[error("master key {0} is not 32 bytes of base64url without padding")]
    Key(usize),
    /// An id twice.
    #[error("master key {0} has the id of an earlier one")]
    Twice(usize),
}

/// Where a sealed value belongs: its associated data.
struct Place(Vec<u8>);

impl AsRef<[u8]> for Place {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<CannotOpen> for SealError {
    fn from(_: CannotOpen) -> Self {
        Self::Broken
    }
}

impl Place {
    /// `purpose` keeps values of different kinds apart even under equal ids.
    fn new(purpose: &str, business: BusinessId, row: Uuid) -> Self {
        Self([business.0.as_bytes().as_slice(), row.as_bytes(), purpose.as_bytes()].concat())
    }
}

#[derive(Debug)]
struct MasterKey {
    id: String,
    key: SealingKey,
}

/// The keys that wrap data keys. The first wraps, all unwrap.
///
/// To rotate: add the new key as second and deploy; make it first and deploy, which
/// wraps every data key anew; then drop the old one.
#[derive(Debug)]
pub struct MasterKeys {
    current: MasterKey,
    older: Vec<MasterKey>,
}

impl MasterKeys {
    /// Reads `id:key,id:key,…`, keys as 32 bytes of base64url without padding.
    ///
    /// # Errors
    /// [`MasterKeyError`], which repeats no key.
    pub fn parse(text: &str) -> Result<Self, MasterKeyError> {
        let mut keys: Vec<MasterKey> = Vec::new();
        for (index, item) in text.split(',').enumerate() {
            let (id, key) = item.trim().split_once(':').ok_or(MasterKeyError::Form(index + 1))?;
            if id.is_empty() {
                return Err(MasterKeyError::Form(index + 1));
            }
            let bytes = Zeroizing::new(B64.decode(key).map_err(|_| MasterKeyError::Key(index + 1))?);
            let key = <[u8; KEY]>::try_from(bytes.as_slice()).map_err(|_| MasterKeyError::Key(index + 1))?;
            if keys.iter().any(|known| known.id == id) {
                return Err(MasterKeyError::Twice(index + 1));
            }
            keys.push(MasterKey { id: id.to_owned(), key: SealingKey::new(key) });
        }
        let older = keys.split_off(1);
        let current = keys.pop().ok_or(MasterKeyError::Form(1))?;
        Ok(Self { current, older })
    }

    /// The bytes of every key, for judging them.
    pub fn expose(&self) -> impl Iterator<Item = &[u8; KEY]> {
        core::iter::once(&self.current).chain(&self.older).map(|key| key.key.expose())
    }

    /// Id of the key that wraps.
    #[must_use]
    pub fn current(&self) -> &str {
        &self.current.id
    }

    /// Wraps a data key for storage.
    #[must_use]
    pub fn wrap(&self, key: &DataKey, nonce: [u8; NONCE]) -> WrappedKey {
        let sealed = self.current.key.seal(key.key.expose(), place_of(key.business, key.id), nonce);
        WrappedKey { id: key.id, master: self.current.id.clone(), sealed }
    }

    /// Unwraps the data key of a business.
    ///
    /// # Errors
    /// [`SealError`].
    pub fn unwrap(&self, business: BusinessId, wrapped: &WrappedKey) -> Result<DataKey, SealError> {
        let mut known = core::iter::once(&self.current).chain(&self.older);
        let master = known
            .find(|master| master.id == wrapped.master)
            .ok_or_else(|| SealError::NoMasterKey(wrapped.master.clone()))?;
        let opened = master.key.open(&wrapped.sealed, place_of(business, wrapped.id))?;
        let key = <[u8; KEY]>::try_from(opened.as_slice()).map_err(|_| SealError::Broken)?;
        Ok(DataKey::new(business, wrapped.id, key))
    }

    /// Wraps a stored data key of a business with the current key.
    ///
    /// # Errors
    /// [`SealError`].
    pub fn rewrap(
        &self,
        business: BusinessId,
        wrapped: &WrappedKey,
        nonce: [u8; NONCE],
    ) -> Result<WrappedKey, SealError> {
        Ok(self.wrap(&self.unwrap(business, wrapped)?, nonce))
    }
}

fn place_of(business: BusinessId, key: DataKeyId) -> Place {
    Place::new("data key", business, key.0)
}

/// A data key as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrappedKey {
    /// The data key's id.
    pub id: DataKeyId,
    /// The master key's id.
    pub master: String,
    /// Nonce and ciphertext.
    pub sealed: Vec<u8>,
}

/// Which secret of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What deliveries are checked with.
    Secret,
    /// The key for the platform's API.
    ApiKey,
}

impl Part {
    fn purpose(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::ApiKey => "api key",
        }
    }
}

/// The key that seals one business's secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataKey {
    business: BusinessId,
    id: DataKeyId,
    key: SealingKey,
}

impl DataKey {
    /// A data key of `business`.
    #[must_use]
    pub fn new(business: BusinessId, id: DataKeyId, key: [u8; KEY]) -> Self {
        Self { business, id, key: SealingKey::new(key) }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> DataKeyId {
        self.id
    }

    /// Seals a secret that belongs into `row`.
    #[must_use]
    pub fn seal(&self, part: Part, row: Uuid, secret: &str, nonce: [u8; NONCE]) -> Vec<u8> {
        self.key.seal(secret.as_bytes(), Place::new(part.purpose(), self.business, row), nonce)
    }

    /// Opens a secret of `row`.
    ///
    /// # Errors
    /// [`SealError::Broken`].
    pub fn open(&self, part: Part, row: Uuid, sealed: &[u8]) -> Result<String, SealError> {
        let opened = self.key.open(sealed, Place::new(part.purpose(), self.business, row))?;
        str::from_utf8(&opened).map(str::to_owned).map_err(|_| SealError::Broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Uuid = Uuid::from_u128(7);

    fn business(n: u128) -> BusinessId {
        BusinessId(Uuid::from_u128(n))
    }

    fn keys(ids: &[(&str, u8)]) -> MasterKeys {
        let items: Vec<_> = ids.iter().map(|(id, b)| format!("{id}:{}", B64.encode([*b; KEY]))).collect();
        MasterKeys::parse(&items.join(",")).unwrap()
    }

    fn data_key(n: u128) -> DataKey {
        DataKey::new(business(n), DataKeyId(Uuid::from_u128(n)), [u8::try_from(n).unwrap(); KEY])
    }

    #[test]
    fn a_secret_opens_in_its_own_row_and_nowhere_else() {
        let key = data_key(1);
        let sealed = key.seal(Part::Secret, ROW, "hunter2", [9; NONCE]);
        assert_eq!(key.open(Part::Secret, ROW, &sealed).as_deref(), Ok("hunter2"));
        assert_eq!(key.open(Part::ApiKey, ROW, &sealed), Err(SealError::Broken));
        assert_eq!(key.open(Part::Secret, Uuid::from_u128(8), &sealed), Err(SealError::Broken));
        let elsewhere = DataKey::new(business(2), key.id, [1; KEY]);
        assert_eq!(elsewhere.open(Part::Secret, ROW, &sealed), Err(SealError::Broken));
    }

    #[test]
    fn a_data_key_unwraps_for_its_business_only() {
        let masters = keys(&[("a", 1)]);
        let wrapped = masters.wrap(&data_key(1), [3; NONCE]);
        assert_eq!(masters.unwrap(business(1), &wrapped), Ok(data_key(1)));
        assert_eq!(masters.unwrap(business(2), &wrapped), Err(SealError::Broken));
        let renamed = WrappedKey { id: DataKeyId(Uuid::from_u128(2)), ..wrapped };
        assert_eq!(masters.unwrap(business(1), &renamed), Err(SealError::Broken));
    }

    #[test]
    fn an_older_master_key_still_unwraps_and_a_missing_one_is_named() {
        let wrapped = keys(&[("a", 1)]).wrap(&data_key(1), [3; NONCE]);
        let rotated = keys(&[("b", 2), ("a", 1)]);
        assert_eq!(rotated.unwrap(business(1), &wrapped), Ok(data_key(1)));
        let rewrapped = rotated.rewrap(business(1), &wrapped, [4; NONCE]).unwrap();
        assert_eq!((rewrapped.master.as_str(), rewrapped.id), ("b", wrapped.id));
        assert_eq!(keys(&[("b", 2)]).unwrap(business(1), &rewrapped), Ok(data_key(1)));
        let dropped = keys(&[("b", 2)]).unwrap(business(1), &wrapped);
        assert_eq!(dropped, Err(SealError::NoMasterKey("a".to_owned())));
        assert_eq!(keys(&[("a", 9)]).unwrap(business(1), &wrapped), Err(SealError::Broken));
    }

    #[test]
    fn malformed_master_keys_are_refused_without_being_repeated() {
        let key = B64.encode([1; KEY]);
        for text in
            ["", "a", ":", &format!(":{key}"), &format!("a:{key},"), "a:hunter2", &format!("a:{key},a:{key}")]
        {
            let error = MasterKeys::parse(text).unwrap_err().to_string();
            assert!(!error.contains("hunter2") && !error.contains(&key), "{error}");
        }
        assert!(!format!("{:?}", keys(&[("a", 77)])).contains("77"));
    }
}
