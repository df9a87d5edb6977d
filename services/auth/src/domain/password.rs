//! Passwords: the rule for new ones, and argon2id.

use core::fmt;
use std::{collections::HashSet, sync::LazyLock};

use argon2::{
    Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version,
    password_hash::{self, Output, ParamsString, PasswordHashString, SaltString},
};
use zeroize::Zeroizing;

use super::email::Email;

const MIN: usize = 8;
const MAX: usize = 128;

// OWASP's least: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The passwords found most often in published breaches, of those that are long enough, in lower
/// case. The list is Django's, collected by Royce Williams.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("password/common.txt").lines().collect());

/// Why a password can't be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordRule {
    /// Too short to withstand guessing, or longer than is worth hashing.
    #[error("must have 8 to 128 characters")]
    Length,
    /// The first guess of an attacker.
    #[error("must not be your e-mail address")]
    IsEmail,
    /// Known from breaches: guessed before any other.
    #[error("is one of the passwords that are guessed first; choose another")]
    Common,
}

/// A password as typed by a person.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// A password to compare with a stored one; `None` when none that long can be stored.
    #[must_use]
    pub fn presented(text: String) -> Option<Self> {
        let text = Zeroizing::new(text);
        (text.chars().count() <= MAX).then_some(Self(text))
    }

    /// A password to set. Length is the only rule of composition; those that everybody tries are
    /// refused.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn new(text: String, email: &Email) -> Result<Self, PasswordRule> {
        let text = Zeroizing::new(text);
        if !(MIN..=MAX).contains(&text.chars().count()) {
            return Err(PasswordRule::Length);
        }
        if Email::parse(&text).as_ref() == Ok(email) {
            return Err(PasswordRule::IsEmail);
        }
        if COMMON.contains(text.to_lowercase().as_str()) {
            return Err(PasswordRule::Common);
        }
        Ok(Self(text))
    }

    /// Hashes it. Slow by design.
    #[must_use]
    pub fn hash(&self, salt: [u8; 16]) -> PasswordHash {
        let salt = SaltString::encode_b64(&salt).expect("16 bytes are a salt's recommended length");
        let hash = argon2().hash_password(self.0.as_bytes(), &salt).expect("the parameters are argon2id's");
        PasswordHash(hash.serialize())
    }

    /// Whether this is the password behind `hash`. Slow by design.
    #[must_use]
    pub fn is_behind(&self, hash: &PasswordHash) -> bool {
        argon2().verify_password(self.0.as_bytes(), &hash.0.password_hash()).is_ok()
    }
}

/// A stored password: argon2id in PHC notation.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(PasswordHashString);

impl PasswordHash {
    /// Parses what was stored.
    ///
    /// # Errors
    /// When it is not PHC notation.
    pub fn parse(text: &str) -> Result<Self, password_hash::Error> {
        PasswordHashString::new(text).map(Self)
    }

    /// A hash that was made of no password: comparing takes as long, and making it costs nothing.
    #[must_use]
    pub fn of_no_password(salt: [u8; 16], output: [u8; 32]) -> Self {
        let salt = SaltString::encode_b64(&salt).expect("16 bytes are a salt's recommended length");
        let params = ParamsString::try_from(argon2().params()).expect("the parameters are argon2id's");
        let hash = password_hash::PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params,
            salt: Some(salt.as_salt()),
            hash: Some(Output::new(&output).expect("32 bytes are an output's recommended length")),
        };
        Self(hash.serialize())
    }

    /// For the store.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it was made with other parameters than today's.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        let hash = self.0.password_hash();
        let current = Params::try_from(&hash).is_ok_and(|params| {
            (params.m_cost(), params.t_cost(), params.p_cost()) == (MEMORY_KIB, PASSES, LANES)
        });
        !current
            || hash.algorithm != Algorithm::Argon2id.ident()
            || hash.version != Some(Version::V0x13.into())
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are argon2id's");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(text: &str) -> Result<Password, PasswordRule> {
        Password::new(text.to_owned(), &Email::parse("owner@demo.test").unwrap())
    }

    #[test]
    fn length_alone_makes_a_password() {
        assert_eq!(new("1234567").unwrap_err(), PasswordRule::Length);
        assert!(new("        ").is_ok());
        assert!(new("pässwörd").is_ok());
        assert!(new(&"ü".repeat(128)).is_ok());
        assert_eq!(new(&"a".repeat(129)).unwrap_err(), PasswordRule::Length);
    }

    #[test]
    fn what_no_password_made_takes_as_long_to_compare() {
        let hash = PasswordHash::of_no_password([1; 16], [2; 32]);
        assert!(!hash.is_outdated());
        let made = new("correct horse").unwrap().hash([1; 16]);
        let without_output = |hash: &PasswordHash| hash.expose().rsplit_once('$').unwrap().0.to_owned();
        assert_eq!(without_output(&hash), without_output(&made));
        assert_eq!(hash.expose().len(), made.expose().len());
    }

    #[test]
    fn ones_own_e_mail_is_no_password() {
        assert_eq!(new(" Owner@demo.test").unwrap_err(), PasswordRule::IsEmail);
        assert!(new("other@demo.test").is_ok());
    }

    #[test]
    fn a_password_known_from_breaches_is_refused_however_it_is_capitalised() {
        for text in ["password", "Password1", "QWERTYUIOP", "iloveyou", "1234567890", "zxcvbnm123"] {
            assert_eq!(new(text).unwrap_err(), PasswordRule::Common, "{text}");
        }
        assert!(new("Frontdesk-demo-1").is_ok());
        assert!(
            COMMON.len() > 3000 && COMMON.iter().all(|common| (MIN..=MAX).contains(&common.chars().count()))
        );
    }

    #[test]
    fn only_the_same_password_matches_and_its_parameters_are_owasps() {
        let password = new("correct horse").unwrap();
        let hash = password.hash([3; 16]);
        assert!(hash.expose().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.expose());
        assert!(password.is_behind(&PasswordHash::parse(hash.expose()).unwrap()));
        assert!(!new("correct horsf").unwrap().is_behind(&hash));
        assert!(!hash.is_outdated());
        assert_ne!(password.hash([4; 16]), hash);
    }

    #[test]
    fn a_hash_with_weaker_parameters_still_matches_but_is_outdated() {
        let params = Params::new(1024, 1, 1, None).unwrap();
        let weaker = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let salt = SaltString::encode_b64(&[5; 16]).unwrap();
        let hash = weaker.hash_password(b"correct horse", &salt).unwrap().to_string();
        let hash = PasswordHash::parse(&hash).unwrap();
        assert!(new("correct horse").unwrap().is_behind(&hash));
        assert!(hash.is_outdated());
    }

    #[test]
    fn printing_shows_neither_password_nor_hash() {
        let password = new("correct horse").unwrap();
        let hash = password.hash([3; 16]);
        assert_eq!(format!("{password:?} {hash:?}"), "Password(…) PasswordHash(…)");
        assert!(Password::presented("a".repeat(129)).is_none());
    }
}
