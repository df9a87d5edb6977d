//! Finds the calendars of an account (RFC 4791, 6764): its principal, the principal's calendar homes, and what
//! is in them. Answers may name other servers, which the login is not given to.

use outgoing::Records;
use proto::label::cleaned;
use reqwest::{StatusCode, Url, header::HeaderName};

use super::dav::{self, Entry, Multistatus};
use crate::{
    domain::caldav::{Account, AccountFault, Found, Password},
    outside::web::{Answer, Ask, Login, Web, WebError, may_log_in},
};

pub(super) const XML: &str = "application/xml; charset=utf-8";
pub(super) const DEPTH: HeaderName = HeaderName::from_static("depth");
const WELL_KNOWN: &str = "/.well-known/caldav";
/// What a domain calls its CalDAV server over TLS, as RFC 6764 has it.
const SERVICE: &str = "_caldavs._tcp";
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
pub async fn calendars(web: &Web, records: &Records, account: &Account) -> Result<Vec<Found>, AccountFault> {
    let (server, begin) = server(web, records, &account.server).await?;
    let homes = homes(web, account, &server, begin).await?;
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

/// The server that a person wrote, and where discovery begins. A domain, or that of an e-mail address, may name another
/// server than itself; one that is not its owner's gets no login, and is named to the person instead (RFC 6764, 8).
async fn server(web: &Web, records: &Records, written: &str) -> Result<(Url, Url), AccountFault> {
    let domain = domain(written);
    let server = web.address(domain.unwrap_or(written)).map_err(fault)?;
    let said = match server.domain() {
        Some(name) if domain.is_some() => records.service(SERVICE, name).await,
        _ => None,
    };
    let begin = said.unwrap_or_else(|| server.clone());
    led(&server, &begin)?;
    Ok((server, begin))
}

/// The domain in what a person wrote, where it is no more than that or an e-mail address.
fn domain(written: &str) -> Option<&str> {
    let domain = written.rsplit_once('@').map_or(written, |(_, domain)| domain);
    (!written.contains(['/', ':', '?', '#'])).then_some(domain)
}

/// Where the account's calendars are; a calendar's own address is its home.
async fn homes(web: &Web, account: &Account, server: &Url, begin: Url) -> Result<Vec<Url>, AccountFault> {
    let well_known = begin.join(WELL_KNOWN).map_err(|_| AccountFault::NoCaldav)?;
    for start in [begin, well_known] {
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

/// Checks that the login for `server`, which a person named, may go to where an answer leads: iCloud's home sets, for one,
/// are at "p34-caldav.icloud.com".
fn led(server: &Url, to: &Url) -> Result<(), AccountFault> {
    may_log_in(server, to).then_some(()).ok_or_else(|| fault(WebError::leads_to(to)))
}

/// The calendar of an entry, if it is one that takes events.
fn calendar(base: &Url, entry: &Entry) -> Option<Found> {
    let takes_events = entry.components.is_empty() || entry.components.iter().any(|name| name == "VEVENT");
    if !entry.is_calendar || !takes_events {
        return None;
    }
    let url = base.join(&entry.href).ok()?;
    let writes = |name: &String| matches!(name.as_str(), "all" | "write" | "write-content" | "bind");
    let own = entry.name.as_deref().map(shown).filter(|name| !name.is_empty());
    Some(Found {
        name: own.or_else(|| last_segment(&url).map(|segment| shown(&segment)))?,
        is_writable: entry.privileges.is_empty() || entry.privileges.iter().any(writes),
        url,
    })
}

/// A name as people are shown it.
fn shown(name: &str) -> String {
    let line = cleaned(&name.replace(['\n', '\t'], " "));
    line.trim().chars().take(Found::LONGEST_NAME).collect()
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
    use boot::clock::Clock;
    use outgoing::Reach;

    use super::*;

    #[tokio::test]
    async fn a_server_is_an_address_or_a_domain_or_that_of_an_email_address() {
        let (clock, _) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        let web = outgoing::web(Reach::Public, clock).unwrap();
        // No name servers: the domain itself is asked.
        let begins = async |written: &str| {
            let found = server(&web, &Records::default(), written).await;
            found.map(|(_, begin)| begin.to_string())
        };
        for (written, begin) in [
            ("example.com", "https://example.com/"),
            ("mia@example.com", "https://example.com/"),
            ("example.com/dav", "https://example.com/dav"),
            ("example.com:8443", "https://example.com:8443/"),
            ("https://example.com/dav/", "https://example.com/dav/"),
        ] {
            assert_eq!(begins(written).await.as_deref(), Ok(begin), "{written}");
        }
        for refused in ["mia@example.com/dav", "mia:secret@example.com", "mia@10.0.0.1", "http://example.com"]
        {
            assert!(matches!(begins(refused).await, Err(AccountFault::Server(_))), "{refused}");
        }
    }

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
            ("https://dav.example.com/", "https://cal.example.com/"),
            ("https://caldav.messagingengine.com/", "https://d1.caldav.messagingengine.com/dav/"),
            ("https://dav.example.com/", "https://dav.example.com:8443/mia/"),
        ] {
            assert!(goes(server, to), "{server} leads to {to}");
        }
        for (server, to) in [
            ("https://caldav.icloud.com/", "https://evil.test/"),
            ("https://caldav.icloud.com/", "http://p34-caldav.icloud.com/"),
            ("https://caldav.icloud.com/", "https://p34-caldav.icloud.com.evil.test/"),
            ("https://caldav.icloud.com/", "https://p214-caldav.icloud.com.cn/"),
            ("https://evil.test/", "https://p34-caldav.icloud.com/"),
            ("https://mia.co.uk/", "https://evil.co.uk/"),
            ("https://dav.example.com/", "http://dav.example.com/"),
        ] {
            assert!(!goes(server, to), "{server} leads to {to}");
        }
    }

    #[test]
    fn a_calendar_has_a_name_that_can_be_shown() {
        let named = |name: &str| {
            let entry = Entry {
                href: "/mia/work/".to_owned(),
                name: Some(name.to_owned()),
                is_calendar: true,
                ..Entry::default()
            };
            calendar(&"https://dav.example.com/".parse().unwrap(), &entry).unwrap().name
        };
        assert_eq!(named("Work"), "Work");
        assert_eq!(named("Mia\u{202E}s\nwork\u{7}"), "Mias work");
        assert_eq!(named("\u{2066} "), "work", "the last part of its address");
        assert_eq!(named(&"é".repeat(2_000)).chars().count(), Found::LONGEST_NAME);
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
