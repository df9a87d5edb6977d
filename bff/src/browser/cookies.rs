//! Cookies, all of them `__Host-` but the one that scripts must read.

use core::time::Duration;

use cookie::{Cookie, SameSite};
use http::{HeaderMap, HeaderValue, header};

/// The refresh token.
pub const REFRESH: &str = "__Host-refresh";
/// The trusted device.
pub const DEVICE: &str = "__Host-device";
/// What binds a flow with the identity provider to the browser.
pub const OAUTH: &str = "__Host-oauth";
/// A secret name for the browser, known to it alone.
pub const ANONYMOUS: &str = "__Host-anon";
/// The XSRF token that the page echoes in a header.
pub const XSRF: &str = "XSRF-TOKEN";

/// The value of a cookie, if it was sent.
#[must_use]
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(Cookie::split_parse).flatten();
    cookies.find(|cookie| cookie.name() == name)?.value_raw()
}

/// Keeps a cookie out of scripts' reach.
#[must_use]
pub fn keep(name: &str, value: &str, life: Duration) -> HeaderValue {
    set(name, value, life, SameSite::Strict, true)
}

/// Keeps a cookie out of scripts' reach that comes along when another site leads here.
#[must_use]
pub fn keep_across_sites(name: &str, value: &str, life: Duration) -> HeaderValue {
    set(name, value, life, SameSite::Lax, true)
}

/// Keeps a cookie that scripts of the page read.
#[must_use]
pub fn keep_readable(name: &str, value: &str, life: Duration) -> HeaderValue {
    set(name, value, life, SameSite::Strict, false)
}

/// Forgets a cookie.
#[must_use]
pub fn forget(name: &str) -> HeaderValue {
    set(name, "", Duration::ZERO, SameSite::Strict, true)
}

fn set(name: &str, value: &str, life: Duration, same_site: SameSite, http_only: bool) -> HeaderValue {
    let cookie = Cookie::build((name, value))
        .path("/")
        .max_age(life.try_into().unwrap_or(cookie::time::Duration::MAX))
        .secure(true)
        .same_site(same_site)
        .http_only(http_only);
    let mut line = HeaderValue::try_from(cookie.to_string()).expect("names and tokens are visible ASCII");
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
        let expected = "__Host-refresh=f.1.m; HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age=60";
        assert_eq!(line, expected);
    }
}
