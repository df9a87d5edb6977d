//! Cookies, all of them `__Host-` but the one that scripts must read.

use core::time::Duration;

use http::{HeaderMap, HeaderValue, header};

/// The refresh token.
pub const REFRESH: &str = "__Host-refresh";
/// The trusted device.
pub const DEVICE: &str = "__Host-device";
/// What binds a flow with the identity provider to the browser.
pub const OAUTH: &str = "__Host-oauth";
/// A random name for the browser, known to it alone.
pub const ANONYMOUS: &str = "__Host-anon";
/// The XSRF token that the page echoes in a header.
pub const XSRF: &str = "XSRF-TOKEN";

/// The value of a cookie, if it was sent.
#[must_use]
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

/// Keeps a cookie out of scripts' reach.
#[must_use]
pub fn keep(name: &str, value: &str, life: Duration) -> HeaderValue {
    set(name, value, life, "Strict; HttpOnly")
}

/// Keeps a cookie out of scripts' reach that comes along when another site leads here.
#[must_use]
pub fn keep_across_sites(name: &str, value: &str, life: Duration) -> HeaderValue {
    set(name, value, life, "Lax; HttpOnly")
}

/// Keeps a cookie that scripts of the page read.
#[must_use]
pub fn keep_readable(name: &str, value: &str, life: Duration) -> HeaderValue {
    set(name, value, life, "Strict")
}

/// Forgets a cookie.
#[must_use]
pub fn forget(name: &str) -> HeaderValue {
    set(name, "", Duration::ZERO, "Strict; HttpOnly")
}

fn set(name: &str, value: &str, life: Duration, same_site: &str) -> HeaderValue {
    let line = format!("{name}={value}; Path=/; Max-Age={}; Secure; SameSite={same_site}", life.as_secs());
    let mut line = HeaderValue::try_from(line).expect("names and tokens are visible ASCII");
    line.set_sensitive(true);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_by_its_whole_name_in_any_line() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; x__Host-refresh=no"));
        headers.append(header::COOKIE, HeaderValue::from_static("b=2;__Host-refresh=f.1.m=="));
        assert_eq!(read(&headers, REFRESH), Some("f.1.m=="));
        assert_eq!(read(&headers, ANONYMOUS), None);
    }

    #[test]
    fn what_is_kept_from_scripts_is_kept_from_other_hosts_and_plain_http() {
        let line = keep(REFRESH, "f.1.m", Duration::from_secs(60));
        let expected = "__Host-refresh=f.1.m; Path=/; Max-Age=60; Secure; SameSite=Strict; HttpOnly";
        assert_eq!(line, expected);
    }
}
