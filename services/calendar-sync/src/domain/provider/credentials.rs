//! What opens a connection to a booking system.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::System;
use crate::domain::caldav::Password;

/// What opens a connection. All of it is sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Proves who calls.
    pub token: Password,
    /// What else the system was told, by its key.
    pub settings: BTreeMap<String, Password>,
}

/// What replaces some of [`Credentials`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Another token.
    pub token: Option<Password>,
    /// Settings by their key.
    pub settings: BTreeMap<String, Password>,
}

/// [`Credentials`] as they are sealed.
#[derive(Serialize)]
struct Written<'c> {
    token: &'c str,
    settings: BTreeMap<&'c str, &'c str>,
}

/// And as they are opened.
#[derive(Deserialize)]
struct Opened {
    token: String,
    settings: BTreeMap<String, String>,
}

impl Credentials {
    /// A token alone.
    #[must_use]
    pub fn token(token: Password) -> Self {
        Self { token, settings: BTreeMap::new() }
    }

    /// What the system was told for a key; empty where it was told nothing.
    #[must_use]
    pub fn setting(&self, key: &str) -> &str {
        self.settings.get(key).map(Password::expose).unwrap_or_default()
    }

    /// The lane of a connection's calls.
    #[must_use]
    pub fn lane(&self) -> String {
        self.written().lane()
    }

    /// As one secret. A system that is told nothing else keeps its token as it is.
    #[must_use]
    pub fn written(&self) -> Password {
        if self.settings.is_empty() {
            return self.token.clone();
        }
        let settings = self.settings.iter().map(|(key, value)| (key.as_str(), value.expose()));
        let written = Written { token: self.token.expose(), settings: settings.collect() };
        Password::new(serde_json::to_string(&written).unwrap_or_default())
    }

    /// What was written.
    #[must_use]
    pub fn read(secret: Password) -> Self {
        match serde_json::from_str::<Opened>(secret.expose()) {
            Err(_) => Self::token(secret),
            Ok(Opened { token, settings }) => Self {
                token: Password::new(token),
                settings: settings.into_iter().map(|(key, value)| (key, Password::new(value))).collect(),
            },
        }
    }

    /// With what is given replaced.
    #[must_use]
    pub fn replaced(mut self, by: Replacement) -> Self {
        self.token = by.token.unwrap_or(self.token);
        self.settings.extend(by.settings);
        self
    }

    /// With the defaults of what is not given. The key of the first setting that is missing, or unknown, is the error.
    ///
    /// # Errors
    /// What is wrong with which setting.
    pub fn complete(mut self, system: &System) -> Result<Self, (String, &'static str)> {
        if let Some(unknown) =
            self.settings.keys().find(|key| system.settings.iter().all(|known| &known.key != *key))
        {
            return Err((unknown.clone(), "is no setting of this booking system"));
        }
        for setting in &system.settings {
            if !self.setting(&setting.key).is_empty() {
                continue;
            }
            if setting.default.is_empty() && setting.required {
                return Err((setting.key.clone(), "is required"));
            }
            self.settings.insert(setting.key.clone(), Password::new(setting.default.clone()));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::provider::{ProviderKind, Setting};

    fn secret(text: &str) -> Password {
        Password::new(text.to_owned())
    }

    #[test]
    fn credentials_are_sealed_as_one_and_a_bare_token_as_it_is() {
        let settings =
            BTreeMap::from([("branch".to_owned(), secret("7")), ("user".to_owned(), secret("a\"b"))]);
        let all = Credentials { token: secret("hunter2"), settings };
        assert_eq!(Credentials::read(all.written()), all);
        let bare = Credentials::token(secret("{not json"));
        assert_eq!(bare.written(), secret("{not json"));
        assert_eq!(Credentials::read(bare.written()), bare);
    }

    #[test]
    fn a_missing_setting_takes_its_default_or_is_named() {
        let setting = |key: &str, required, default: &str| Setting {
            key: key.to_owned(),
            required,
            default: default.to_owned(),
            ..Setting::default()
        };
        let system = System {
            kind: ProviderKind::Square,
            name: String::new(),
            token: String::new(),
            settings: vec![
                setting("server", true, "https://example.com"),
                setting("branch", true, ""),
                setting("note", false, ""),
            ],
            pushes: false,
            books_services: true,
        };
        let given = |settings: &[(&str, &str)]| Credentials {
            token: secret("t"),
            settings: settings.iter().map(|(key, value)| ((*key).to_owned(), secret(value))).collect(),
        };
        assert_eq!(given(&[]).complete(&system).unwrap_err(), ("branch".to_owned(), "is required"));
        assert_eq!(given(&[("branc", "7")]).complete(&system).unwrap_err().0, "branc");
        let complete = given(&[("branch", "7")]).complete(&system).unwrap();
        assert_eq!((complete.setting("server"), complete.setting("note")), ("https://example.com", ""));
        let note = given(&[("note", "new")]).settings;
        let replaced = complete.replaced(Replacement { token: None, settings: note.clone() });
        assert_eq!((replaced.setting("branch"), replaced.setting("note")), ("7", "new"));
        assert_eq!(replaced.token.expose(), "t", "a token that is not given stays");
        let renewed = replaced.replaced(Replacement { token: Some(secret("u")), settings: note });
        assert_eq!(renewed.token.expose(), "u");
    }
}
