//! Finds the calendars of an account (RFC 4791, 6764): its principal, the principal's calendar homes, and what
//! is in them. Answers may name other servers, which the login is not given to.

use reqwest::{StatusCode, Url, header::HeaderName};

use super::dav::{self, Entry, Multistatus};
use crate::{
    domain::caldav::{Account, AccountFault, Found, Password},
    outside::web::{Answer, Ask, Login, Web, WebError, may_log_in},
};

pub(super) const XML: &str = "application/xml; charset=utf-8";
pub(super) const DEPTH: HeaderName = HeaderName::from_static("depth");
const WELL_KNOWN: &str = "/.well-known/caldav";
/// Servers that people name, and how the names of those end that keep the accounts' calendars: iCloud's home sets are at
/// "p34-caldav.icloud.com".
const PARTITIONED: [(&str, &str); 2] =
    [("caldav.icloud.com", "-caldav.icloud.com"), ("caldav.icloud.com.cn", "-caldav.icloud.com.cn")];
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
    // A calendar is called with the login wherever it is.
    let elsewhere = found.iter().find_map(|found| led(&server, &found.url).err());
    found.retain(|found| led(&server, &found.url).is_ok());
    if let (true, Some(elsewhere)) = (found.is_empty(), elsewhere) {
        return Err(elsewhere);
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
        let homes = urls(server, &base, &entry.homes)?;
        if !homes.is_empty() {
            return Ok(homes);
        }
        let Some(principal) = entry.principal.as_deref().and_then(|href| base.join(href).ok()) else {
            continue;
        };
        led(server, &principal)?;
        let said = find(web, account, principal, "0", &["C:calendar-home-set"]).await?;
        let Some((base, said)) = said else { continue };
        let homes: Vec<String> = said.entries.into_iter().flat_map(|entry| entry.homes).collect();
        let homes = urls(server, &base, &homes)?;
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

/// Where `hrefs` lead that the login may go to.
///
/// # Errors
/// When it may go to none of them.
fn urls(server: &Url, base: &Url, hrefs: &[String]) -> Result<Vec<Url>, AccountFault> {
    let (mut here, mut elsewhere) = (vec![], None);
    for url in hrefs.iter().filter_map(|href| base.join(href).ok()) {
        match led(server, &url) {
            Ok(()) => here.push(url),
            Err(fault) => elsewhere = Some(fault),
        }
    }
    match elsewhere {
        Some(fault) if here.is_empty() => Err(fault),
        _ => Ok(here),
    }
}

/// Checks that the login for `server`, which a person named, may go to where an answer leads.
fn led(server: &Url, to: &Url) -> Result<(), AccountFault> {
    let goes = may_log_in(server, to) || is_partition(server, to);
    goes.then_some(()).ok_or_else(|| fault(WebError::leads_to(to)))
}

/// Whether both are servers of a provider that keeps each account's calendars at one of many.
fn is_partition(server: &Url, to: &Url) -> bool {
    let (Some(server), Some(host), "https") = (server.domain(), to.domain(), to.scheme()) else {
        return false;
    };
    PARTITIONED.iter().any(|(front, ending)| {
        let is_one = |host: &str| host.strip_suffix(ending).is_some_and(|name| !name.contains('.'));
        (server == *front || is_one(server)) && (host == *front || is_one(host))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_login_goes_where_discovery_leads_within_one_provider_alone() {
        let goes = |server: &str, to: &str| led(&server.parse().unwrap(), &to.parse().unwrap()).is_ok();
        for (server, to) in [
            ("https://caldav.icloud.com/", "https://p34-caldav.icloud.com:443/123/calendars/"),
            ("https://p34-caldav.icloud.com/123/calendars/home/", "https://p35-caldav.icloud.com/123/"),
            ("https://p34-caldav.icloud.com/", "https://caldav.icloud.com/"),
            ("https://caldav.icloud.com.cn/", "https://p214-caldav.icloud.com.cn/"),
            ("https://icloud.com/", "https://p34-caldav.icloud.com/"),
            ("https://example.com/", "https://dav.example.com/mia/"),
            ("https://dav.example.com/", "https://dav.example.com:8443/mia/"),
        ] {
            assert!(goes(server, to), "{server} leads to {to}");
        }
        for (server, to) in [
            ("https://caldav.icloud.com/", "https://evil.test/"),
            ("https://caldav.icloud.com/", "http://p34-caldav.icloud.com/"),
            ("https://caldav.icloud.com/", "https://p34-caldav.icloud.com.evil.test/"),
            ("https://caldav.icloud.com/", "https://evil.test-caldav.icloud.com/"),
            ("https://caldav.icloud.com/", "https://www.icloud.com/"),
            ("https://evil.test/", "https://p34-caldav.icloud.com/"),
            ("https://dav.example.com/", "https://cal.example.com/"),
            ("https://dav.example.com/", "http://dav.example.com/"),
        ] {
            assert!(!goes(server, to), "{server} leads to {to}");
        }
    }

    #[test]
    fn where_one_of_several_homes_is_elsewhere_the_others_are_looked_into() {
        let server: Url = "https://dav.example.com/".parse().unwrap();
        let here = |hrefs: &[&str]| {
            let hrefs: Vec<String> = hrefs.iter().map(|href| (*href).to_owned()).collect();
            urls(&server, &server, &hrefs)
        };
        let found = here(&["https://evil.test/mia/", "/mia/"]).unwrap();
        assert_eq!(found, ["https://dav.example.com/mia/".parse().unwrap()]);
        let refused = here(&["https://evil.test/mia/"]).unwrap_err();
        assert!(refused.to_string().contains("leads to evil.test"), "{refused}");
        assert_eq!(here(&[]).unwrap(), []);
    }
}
