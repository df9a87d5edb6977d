//! Twilio: an account has the calls of all its numbers. The salon's are those to numbers whose calls are handed to the
//! connection's own address.
//!
//! <https://www.twilio.com/docs/voice/api/call-resource>,
//! <https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource>,
//! <https://www.twilio.com/docs/usage/api/applications>.

use jiff::{Timestamp, ToSpan as _, fmt::rfc2822, tz::TimeZone};
use outgoing::Login;
use serde_json::Value;
use tonic::async_trait;
use url::Url;

use super::{
    Account, CallControl, CallHistory, CallPage, EndedCall, Transfer, Wanted,
    api::{Api, Call},
};
use crate::domain::{PublicationFault, Span};

/// Records of a page.
const PAGE: &str = "100";
const MOST_PAGES: usize = 20;
const TOO_MANY: &str = "the account has more than 2,000 numbers or applications, and the salon's may be among the rest: \
    connect a subaccount that has the salon's alone";
/// Between the number's place and the query of the next page.
const MARK: char = '|';

/// What our voice door takes a number to put the caller through to by.
const HAND_OVER: &str = "hand_over";

/// Twilio's API.
#[derive(Debug)]
pub struct Twilio(pub Api);

impl Twilio {
    /// Where a recording is, as MP3.
    pub fn recording(&self, account: &str, recording: &str) -> Option<Url> {
        let file = format!("{recording}.mp3");
        self.0.url(&["2010-04-01", "Accounts", account, "Recordings", &file], &[]).ok()
    }

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

    /// All records of a list of the account.
    async fn all(&self, account: &Account, file: &str, field: &str) -> Result<Vec<Value>, PublicationFault> {
        let mut records = vec![];
        let mut query = vec![("PageSize".to_owned(), PAGE.to_owned())];
        for _ in 0..MOST_PAGES {
            let asked: Vec<_> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let page = self.get(account, &[file], &asked).await?;
            records.extend_from_slice(list(&page[field]));
            match next_query(&page) {
                Some(next) => query = pairs(&next),
                None => return Ok(records),
            }
        }
        // Calls to a number that was left out would be lost without a word.
        Err(PublicationFault::Refused(TOO_MANY.to_owned()))
    }

    /// The numbers whose calls come to the webhook, by their own address or by that of their application, in order.
    async fn numbers(&self, account: &Account, webhook: &str) -> Result<Vec<String>, PublicationFault> {
        let numbers = self.all(account, "IncomingPhoneNumbers.json", "incoming_phone_numbers").await?;
        let has_application = |number: &Value| !application(number).is_empty();
        let applications = match numbers.iter().any(has_application) {
            true => self.all(account, "Applications.json", "applications").await?,
            false => vec![],
        };
        let delivers = |record: &Value| {
            let url = record["voice_url"].as_str().unwrap_or_default();
            url.split('?').next().is_some_and(|url| url.trim_end_matches('/') == webhook)
        };
        // A number's application counts instead of its address.
        let is_ours = |number: &&Value| match application(number) {
            "" => delivers(number),
            sid => applications.iter().any(|known| known["sid"] == sid && delivers(known)),
        };
        let ours = numbers.iter().filter(is_ours);
        let mut ours: Vec<_> =
            ours.filter_map(|number| number["phone_number"].as_str().map(str::to_owned)).collect();
        ours.sort();
        Ok(ours)
    }
}

fn application(number: &Value) -> &str {
    number["voice_application_sid"].as_str().unwrap_or_default()
}

/// A call that goes on as another address says: our voice door's, which answers it with the number.
#[async_trait]
impl CallControl for Twilio {
    async fn transfer(&self, account: &Account, transfer: Transfer<'_>) -> Result<(), PublicationFault> {
        let login = Login::Basic(account.number.clone(), account.key.expose().to_owned());
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair(HAND_OVER, transfer.number)
            .finish();
        let url = format!("{}?{query}", transfer.webhook);
        let file = format!("{}.json", transfer.call);
        let path = ["2010-04-01", "Accounts", account.number.as_str(), "Calls", file.as_str()];
        self.0.post_form(login, &path, &[("Url", &url), ("Method", "POST")]).await
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
