//! Finds the calendars of an account (RFC 4791, 6764): its principal, the principal's calendar homes, and what
//! is in them.

use reqwest::{StatusCode, Url, header::HeaderName};

use super::dav::{self, Entry, Multistatus};
use crate::{
    domain::caldav::{Account, AccountFault, Found, Password},
    outside::web::{Answer, Ask, Login, Web, WebError},
};

pub(super) const XML: &str = "application/xml; charset=utf-8";
pub(super) const DEPTH: HeaderName = HeaderName::from_static("depth");
const WELL_KNOWN: &str = "/.well-known/caldav";
/// Calendar homes of one account that are looked into.
const MOST_HOMES: usize = 5;
/// Bytes of an answer: fifty entries of a calendar, with their attachments.
const MOST_BYTES: usize = 8 << 20;
/// Calendars of one account that are offered.
const MOST_CALENDARS: usize = 200;

const WHO: [&str; 3] = ["D:current-user-principal", "D:resourcetype", "C:calendar-home-set"];
const WHAT: [&str; 4] =
    ["D:displayname", "D:resourcetype", "C:supported-calendar-component-set", "D:current-user-privilege-set"];

impl Account {
    /// A request in the lane of who knows the account: what fails in it holds up no other account at the same server,
    /// nor this one where someone else guesses at its password.
    pub(super) fn ask(&self, method: &'static str, url: Url) -> Ask {
        let login = Login::Basic(self.username.clone(), self.password.expose().to_owned());
        let known = Password::new(format!("{}\0{}", self.username, self.password.expose()));
        Ask::new(method, url, login).lane(known.lane()).at_most(MOST_BYTES)
    }
}

/// The calendars of an account that take events.
///
/// # Errors
/// [`AccountFault`].
pub async fn calendars(web: &Web, account: &Account) -> Result<Vec<Found>, AccountFault> {
    let server = web.address(&account.server).map_err(fault)?;
    let homes = homes(web, account, &server).await?;
    let mut found: Vec<Found> = vec![];
    for home in homes.into_iter().take(MOST_HOMES) {
        let (base, listed) = find(web, account, home, "1", &WHAT).await?.ok_or(AccountFault::NoCaldav)?;
        found.extend(listed.entries.iter().filter_map(|entry| calendar(&base, entry)));
    }
    found.sort_by(|one, other| (&one.name, &one.url).cmp(&(&other.name, &other.url)));
    found.dedup_by(|one, other| one.url == other.url);
    found.truncate(MOST_CALENDARS);
    Ok(found)
}

/// Where the account's calendars are; a calendar's own address is its home.
async fn homes(web: &Web, account: &Account, server: &Url) -> Result<Vec<Url>, AccountFault> {
    let well_known = server.join(WELL_KNOWN).map_err(|_| AccountFault::NoCaldav)?;
    for start in [server.clone(), well_known] {
        let Some((base, said)) = find(web, account, start, "0", &WHO).await? else { continue };
        let Some(entry) = said.entries.first() else { continue };
        if entry.is_calendar {
            return Ok(vec![base]);
        }
        let homes = urls(&base, &entry.homes);
        if !homes.is_empty() {
            return Ok(homes);
        }
        let Some(principal) = entry.principal.as_deref().and_then(|href| base.join(href).ok()) else {
            continue;
        };
        let said = find(web, account, principal, "0", &["C:calendar-home-set"]).await?;
        let Some((base, said)) = said else { continue };
        let homes: Vec<String> = said.entries.into_iter().flat_map(|entry| entry.homes).collect();
        let homes = urls(&base, &homes);
        if !homes.is_empty() {
            return Ok(homes);
        }
    }
    Err(AccountFault::NoCaldav)
}

/// What a resource says of itself, and where it is; `None` where there is no WebDAV.
async fn find(
    web: &Web,
    account: &Account,
    url: Url,
    depth: &str,
    properties: &[&str],
) -> Result<Option<(Url, Multistatus)>, AccountFault> {
    let ask = account.ask("PROPFIND", url).header(DEPTH, depth);
    let answer = web.send(ask.body(XML, dav::propfind(properties))).await.map_err(fault)?;
    match answer.status {
        StatusCode::UNAUTHORIZED => Err(AccountFault::Credentials),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            Err(AccountFault::Unreachable("the server asks to come back later".to_owned()))
        }
        _ => Ok(read(answer).await),
    }
}

async fn read(Answer { status, url, body, .. }: Answer) -> Option<(Url, Multistatus)> {
    if status != StatusCode::MULTI_STATUS {
        return None;
    }
    dav::multistatus(body).await.map(|said| (url, said))
}

fn urls(base: &Url, hrefs: &[String]) -> Vec<Url> {
    hrefs.iter().filter_map(|href| base.join(href).ok()).collect()
}

/// The calendar of an entry, if it is one that takes events.
fn calendar(base: &Url, entry: &Entry) -> Option<Found> {
    let takes_events = entry.components.is_empty() || entry.components.iter().any(|name| name == "VEVENT");
    if !entry.is_calendar || !takes_events {
        return None;
    }
    let url = base.join(&entry.href).ok()?;
    let writes = |name: &String| matches!(name.as_str(), "all" | "write" | "write-content" | "bind");
    let name = entry.name.clone().or_else(|| last_segment(&url))?;
    Some(Found {
        name: name.chars().take(Found::LONGEST_NAME).collect(),
        is_writable: entry.privileges.is_empty() || entry.privileges.iter().any(writes),
        url,
    })
}

fn last_segment(url: &Url) -> Option<String> {
    url.path_segments()?.rfind(|segment| !segment.is_empty()).map(str::to_owned)
}

fn fault(error: WebError) -> AccountFault {
    match error {
        WebError::Forbidden(reason) | WebError::Unknown(reason) => AccountFault::Server(reason),
        WebError::Unreachable(reason) => AccountFault::Unreachable(reason),
    }
}
