//! Which calendars an account has.

use caller::UserId;
use reqwest::StatusCode;
use serde::Deserialize;

use super::{Google, GoogleError, api::body};
use crate::domain::caldav::Password;

/// Calendars listed at once, and pages of them.
const PAGE: &str = "250";
const MOST_PAGES: usize = 4;
/// The calendar that bears an account's own name.
const PRIMARY: &str = "primary";
const FIELDS: &str = "id,summary,summaryOverride,accessRole";

/// A calendar that an account may write to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Its id.
    pub id: String,
    #[serde(default)]
    summary: String,
    summary_override: Option<String>,
    #[serde(default)]
    access_role: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    #[serde(default)]
    items: Vec<Listed>,
    next_page_token: Option<String>,
}

impl Listed {
    /// What its owner calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.summary_override.as_deref().unwrap_or(&self.summary)
    }

    fn is_writable(&self) -> bool {
        matches!(self.access_role.as_str(), "writer" | "owner")
    }
}

impl Google {
    /// The calendars that a person's account may write to.
    ///
    /// # Errors
    /// [`GoogleError`].
    pub async fn calendars(&self, user: UserId) -> Result<Vec<Listed>, GoogleError> {
        let (mut found, mut next): (Vec<Listed>, Option<String>) = (vec![], None);
        let fields = format!("nextPageToken,items({FIELDS})");
        for _ in 0..MOST_PAGES {
            let call = self.api.call("GET", &["users", "me", "calendarList"])?.query(&[
                ("minAccessRole", "writer"),
                ("maxResults", PAGE),
                ("fields", &fields),
            ]);
            let call = match &next {
                Some(token) => call.query(&[("pageToken", token)]),
                None => call,
            };
            let page: List = body(&self.api.send(user, &call).await?)?;
            found.extend(page.items.into_iter().filter(Listed::is_writable));
            next = page.next_page_token;
            if next.is_none() {
                break;
            }
        }
        Ok(found)
    }

    /// One calendar of a person's account and the account; `None` when it has none of this id that it may write to.
    ///
    /// # Errors
    /// [`GoogleError`].
    pub async fn calendar(&self, user: UserId, id: &str) -> Result<Option<(Listed, String)>, GoogleError> {
        let access = self.api.accounts.access(user, None).await?;
        let call = self.api.call("GET", &["users", "me", "calendarList", id])?.query(&[("fields", FIELDS)]);
        let answer = self.api.send_as(user, &access.account, &call).await?;
        if answer.status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let listed: Listed = body(&answer)?;
        Ok(Some((listed, access.account)).filter(|(listed, _)| listed.is_writable()))
    }

    /// The account that an access token opens.
    pub(super) async fn account(&self, user: UserId, token: Password) -> Result<String, GoogleError> {
        let call =
            self.api.call("GET", &["users", "me", "calendarList", PRIMARY])?.query(&[("fields", FIELDS)]);
        let primary: Listed = body(&self.api.once(user, token, &call).await?)?;
        Ok(primary.id)
    }
}
