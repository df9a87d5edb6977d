//! Twilio: an account has the calls of all its numbers. The salon's are those to numbers whose calls are handed to the
//! connection's own address.
//!
//! <https://www.twilio.com/docs/voice/api/call-resource>,
//! <https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource>.

use jiff::{Timestamp, ToSpan as _, fmt::rfc2822, tz::TimeZone};
use outgoing::Login;
use serde_json::Value;
use tonic::async_trait;

use super::{
    Account, CallHistory, CallPage, EndedCall, Wanted,
    api::{Api, Call},
};
use crate::domain::{PublicationFault, Span};

/// Records of a page.
const PAGE: &str = "100";
const MOST_PAGES: usize = 20;
/// Between the number's place and the query of the next page.
const MARK: char = '|';

/// Twilio's API.
#[derive(Debug)]
pub struct Twilio(pub Api);

impl Twilio {
    async fn get(
        &self,
        account: &Account,
        rest: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Value, PublicationFault> {
        let login = Login::Basic(account.number.clone(), account.key.expose().to_owned());
        let path = [&["2010-04-01", "Accounts", account.number.as_str()], rest].concat();
        self.0.call(login, Call { method: "GET", path: &path, query, body: None }).await
    }

    /// The numbers whose calls come to the webhook, in order.
    async fn numbers(&self, account: &Account, webhook: &str) -> Result<Vec<String>, PublicationFault> {
        let mut numbers = vec![];
        let mut query = vec![("PageSize".to_owned(), PAGE.to_owned())];
        for _ in 0..MOST_PAGES {
            let asked: Vec<_> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let page = self.get(account, &["IncomingPhoneNumbers.json"], &asked).await?;
            numbers.extend(list(&page["incoming_phone_numbers"]).iter().filter_map(|number| {
                let url = number["voice_url"].as_str()?;
                let ours = url.split('?').next()?.trim_end_matches('/') == webhook;
                number["phone_number"].as_str().filter(|_| ours).map(str::to_owned)
            }));
            match next_query(&page) {
                Some(next) => query = pairs(&next),
                None => break,
            }
        }
        numbers.sort();
        Ok(numbers)
    }
}

#[async_trait]
impl CallHistory for Twilio {
    async fn list(&self, account: &Account, wanted: Wanted<'_>) -> Result<CallPage, PublicationFault> {
        let numbers = self.numbers(account, wanted.webhook).await?;
        let (at, query) = match wanted.page.split_once(MARK) {
            Some((at, query)) => (at.parse().unwrap_or(numbers.len()), pairs(query)),
            None => (0, vec![]),
        };
        let Some(number) = numbers.get(at) else { return Ok(CallPage { calls: vec![], next: None }) };
        let query = if query.is_empty() { first_query(number, wanted.span) } else { query };
        let asked: Vec<_> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let page = self.get(account, &["Calls.json"], &asked).await?;
        let next = match next_query(&page) {
            Some(query) => Some(format!("{at}{MARK}{query}")),
            None => (at + 1 < numbers.len()).then(|| format!("{}{MARK}", at + 1)),
        };
        let calls = list(&page["calls"]).iter().filter_map(|call| ended(call, wanted.span)).collect();
        Ok(CallPage { calls, next })
    }

    async fn read(&self, account: &Account, call: &str) -> Result<Value, PublicationFault> {
        let file = format!("{call}.json");
        self.get(account, &["Calls", &file], &[]).await
    }
}

/// Calls are asked for by days of UTC.
fn first_query(number: &str, span: Span) -> Vec<(String, String)> {
    let day = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
    let after = day(span.until).saturating_add(1.day());
    [
        ("To", number.to_owned()),
        ("StartTime>", day(span.since).to_string()),
        ("StartTime<", after.to_string()),
        ("PageSize", PAGE.to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

fn ended(call: &Value, span: Span) -> Option<EndedCall> {
    let status = call["status"].as_str()?;
    let over = matches!(status, "completed" | "busy" | "failed" | "no-answer" | "canceled");
    let time = |field: &str| Some(rfc2822::parse(call[field].as_str()?).ok()?.timestamp());
    let started = time("start_time").or_else(|| time("date_created"))?;
    let ended_at = time("end_time").unwrap_or(started);
    let wanted = over && span.since <= started && started <= span.until;
    let id = call["sid"].as_str().filter(|_| wanted)?.to_owned();
    Some(EndedCall { id, ended_at })
}

fn next_query(page: &Value) -> Option<String> {
    let (_, query) = page["next_page_uri"].as_str()?.split_once('?')?;
    Some(query.to_owned())
}

fn pairs(query: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
