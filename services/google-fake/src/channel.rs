//! Channels: what is pushed when a calendar changes.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{State, api::Refusal, random};

/// The longest life of a channel, and the one that is given without a wish.
const LIFE: SignedDuration = SignedDuration::from_secs(604_800);

#[derive(Debug, Clone)]
pub(crate) struct Channel {
    account: String,
    calendar: String,
    resource_id: String,
    address: String,
    token: String,
    pub(crate) expires_at: Timestamp,
    messages: u64,
}

/// One message: a POST without a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Push {
    /// Where it goes.
    pub address: String,
    /// `X-Goog-Channel-ID`.
    pub channel_id: String,
    /// `X-Goog-Channel-Token`.
    pub token: String,
    /// `X-Goog-Resource-ID`.
    pub resource_id: String,
    /// `X-Goog-Resource-State`: `sync` or `exists`.
    pub state: &'static str,
    /// `X-Goog-Message-Number`.
    pub number: u64,
}

impl State {
    /// Opens a channel as a client asks for it.
    pub(crate) fn watch(
        &mut self,
        account: &str,
        calendar: &str,
        asked: &Value,
        now: Timestamp,
    ) -> Result<Value, Refusal> {
        let text = |name: &str| asked[name].as_str().unwrap_or_default().to_owned();
        let (id, address, token) = (text("id"), text("address"), text("token"));
        let is_id = |c: char| c.is_ascii_alphanumeric() || "-_+/=".contains(c);
        if id.is_empty() || id.len() > 64 || !id.chars().all(is_id) {
            return Err(Refusal::invalid("Invalid channel id"));
        }
        if text("type") != "web_hook" {
            return Err(Refusal::invalid("Unknown channel type"));
        }
        if !address.starts_with("https://") {
            return Err(Refusal::invalid("WebHook callback must be HTTPS"));
        }
        if token.len() > 256 {
            return Err(Refusal::invalid("The channel token is too long"));
        }
        if self.channels.contains_key(&id) {
            return Err(Refusal::new(
                axum::http::StatusCode::BAD_REQUEST,
                "channelIdNotUnique",
                "Channel id not unique",
            ));
        }
        let wished = asked["params"]["ttl"].as_str().and_then(|ttl| ttl.parse().ok());
        let life = wished.map_or(LIFE, SignedDuration::from_secs).min(LIFE);
        let resource_id = random();
        let channel = Channel {
            account: account.to_owned(),
            calendar: calendar.to_owned(),
            resource_id: resource_id.clone(),
            address,
            token,
            expires_at: now + life,
            messages: 0,
        };
        let expiration = channel.expires_at.as_millisecond().to_string();
        self.channels.insert(id.clone(), channel);
        self.push(&id, "sync");
        Ok(json!({
            "kind": "api#channel",
            "id": id,
            "resourceId": resource_id,
            "resourceUri": format!("https://www.googleapis.com/calendar/v3/calendars/{calendar}/events"),
            "token": asked["token"],
            "expiration": expiration,
        }))
    }

    /// Stops a channel of an account.
    pub(crate) fn stop(&mut self, account: &str, asked: &Value, now: Timestamp) -> Result<(), Refusal> {
        let id = asked["id"].as_str().unwrap_or_default();
        let known = self.channels.get(id);
        let known =
            known.filter(|it| it.account == account && asked["resourceId"] == it.resource_id.as_str());
        let calendar = known.ok_or_else(Refusal::not_found)?.calendar.clone();
        self.channels.remove(id);
        self.unwatched += usize::from(self.open_for(account, &calendar, now).is_empty());
        Ok(())
    }

    pub(crate) fn push_change(&mut self, account: &str, calendar: &str, now: Timestamp) {
        self.open_for(account, calendar, now).iter().for_each(|id| self.push(id, "exists"));
    }

    fn open_for(&self, account: &str, calendar: &str, now: Timestamp) -> Vec<String> {
        let of_it = |channel: &Channel| {
            channel.account == account && channel.calendar == calendar && channel.expires_at > now
        };
        self.channels.iter().filter(|(_, it)| of_it(it)).map(|(id, _)| id.clone()).collect()
    }

    fn push(&mut self, id: &str, state: &'static str) {
        let Some(channel) = self.channels.get_mut(id) else { return };
        channel.messages += 1;
        self.pushes.push(Push {
            address: channel.address.clone(),
            channel_id: id.to_owned(),
            token: channel.token.clone(),
            resource_id: channel.resource_id.clone(),
            state,
            number: channel.messages,
        });
    }
}
