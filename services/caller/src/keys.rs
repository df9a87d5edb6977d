//! Passport keys: one signing key of one's own, the public keys of all issuers.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use jsonwebtoken::{DecodingKey, EncodingKey};
use serde::{Deserialize, Serialize};

/// Why a keyring can't be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Not the JSON of a keyring.
    // Nothing else of the parser's error, which may repeat a piece of the file.
    #[error("not the JSON of a passport keyring at line {line}, column {column}")]
    Json {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
    },
    /// A key of the wrong length or alphabet.
    #[error("passport key {0:?} is not 32 bytes of base64url")]
    Key(String),
}

impl From<serde_json::Error> for KeyError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json { line: error.line(), column: error.column() }
    }
}

/// A public key and the one issuer it speaks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedKey {
    /// Key id, unique in the installation.
    pub kid: String,
    /// The service that holds the private half.
    pub issuer: String,
    /// Public key, 32 bytes of base64url.
    pub x: String,
}

#[derive(Serialize, Deserialize)]
struct SigningSeed {
    kid: String,
    /// Ed25519 seed, 32 bytes of base64url.
    seed: String,
}

#[derive(Serialize, Deserialize)]
struct KeyringFile {
    issuer: String,
    signing: SigningSeed,
    trusted: Vec<TrustedKey>,
}

/// The keys of one service, as mounted from a secret.
pub struct Keyring {
    pub(crate) issuer: String,
    pub(crate) kid: String,
    pub(crate) signing: EncodingKey,
    pub(crate) trusted: Vec<(TrustedKey, DecodingKey)>,
}

impl core::fmt::Debug for Keyring {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Keyring")
            .field("issuer", &self.issuer)
            .field("kid", &self.kid)
            .finish_non_exhaustive()
    }
}

impl Keyring {
    /// Parses a mounted keyring.
    ///
    /// # Errors
    /// Names the malformed key.
    pub fn parse(json: &str) -> Result<Self, KeyError> {
        let file: KeyringFile = serde_json::from_str(json)?;
        let pair = pair(&file.signing.kid, &file.signing.seed)?;
        let der = pair.to_pkcs8().map_err(|_| KeyError::Key(file.signing.kid.clone()))?;
        let trusted = file
            .trusted
            .into_iter()
            .map(|key| {
                bytes(&key.kid, &key.x)?;
                let decoding =
                    DecodingKey::from_ed_components(&key.x).map_err(|_| KeyError::Key(key.kid.clone()))?;
                Ok((key, decoding))
            })
            .collect::<Result<_, KeyError>>()?;
        Ok(Self {
            issuer: file.issuer,
            kid: file.signing.kid,
            signing: EncodingKey::from_ed_der(der.as_ref()),
            trusted,
        })
    }

    /// Whose keyring it is.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Whether passports of `issuer` are believed.
    #[must_use]
    pub fn trusts(&self, issuer: &str) -> bool {
        self.trusted.iter().any(|(key, _)| key.issuer == issuer)
    }

    /// Keyring files for `issuers`, each with its own seed, trusting one another.
    ///
    /// # Errors
    /// When a seed is not one (never for 32 bytes).
    pub fn generate(issuers: &[(&str, [u8; 32])]) -> Result<Vec<(String, String)>, KeyError> {
        let kid = |issuer: &str| format!("{issuer}-1");
        let trusted = issuers
            .iter()
            .map(|(issuer, seed)| {
                let pair = pair(issuer, &B64.encode(seed))?;
                Ok(TrustedKey {
                    kid: kid(issuer),
                    issuer: (*issuer).to_owned(),
                    x: B64.encode(pair.public_key()),
                })
            })
            .collect::<Result<Vec<_>, KeyError>>()?;
        issuers
            .iter()
            .map(|(issuer, seed)| {
                let signing = SigningSeed { kid: kid(issuer), seed: B64.encode(seed) };
                let file = KeyringFile { issuer: (*issuer).to_owned(), signing, trusted: trusted.clone() };
                Ok(((*issuer).to_owned(), serde_json::to_string_pretty(&file)?))
            })
            .collect()
    }
}

fn bytes(kid: &str, text: &str) -> Result<[u8; 32], KeyError> {
    B64.decode(text).ok().and_then(|b| b.try_into().ok()).ok_or_else(|| KeyError::Key(kid.to_owned()))
}

fn pair(kid: &str, seed: &str) -> Result<Ed25519KeyPair, KeyError> {
    Ed25519KeyPair::from_seed_unchecked(&bytes(kid, seed)?).map_err(|_| KeyError::Key(kid.to_owned()))
}
