//! Channels that Google pushes hints through. What they say is never believed: they make a calendar due.

use caller::Worker;
use jiff::Timestamp;
use proto::webhook;
use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::{Google, GoogleError, api::body};
use crate::{
    SERVICE,
    domain::{
        calendar::Place,
        google_channel::{Channel, LIFE, LOOK_AGAIN},
    },
    error::Error,
    outside::web::Answer,
    store,
};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    resource_id: String,
    /// In milliseconds since 1970, as text.
    expiration: Option<String>,
}

impl Google {
    /// Whether Google can push to this installation: it calls https addresses alone.
    #[must_use]
    pub fn pushes(&self) -> bool {
        self.public_url.scheme() == "https"
    }

    /// Opens a channel for a calendar whose last one does not last, and stops those that it replaces.
    ///
    /// # Errors
    /// [`GoogleError`]; a channel that is not stopped ends by itself.
    pub async fn look_after_channel(&self, place: Place) -> Result<(), GoogleError> {
        let store = &self.api.accounts.store;
        let tx = store.begin(&Worker::new(SERVICE, place.business));
        let stored = tx.google_calendar(place.calendar).await?;
        let before = tx.google_channels(place.calendar).await?;
        let now = tx.now();
        tx.commit().await?;
        if let Some(lasting) = before.first().filter(|channel| channel.lasts(now)) {
            return self.look_again(place, lasting.renewed_at(now)).await;
        }
        let token = format!("{:032x}", u128::from_ne_bytes(boot::random::bytes()));
        let channel = self.open_channel(place, &stored, &token).await?;
        let tx = store.begin(&Worker::new(SERVICE, place.business));
        tx.add_google_channel(place.calendar, &channel, &token).await?;
        // What changed before the channel was open is pushed by none.
        tx.make_due(place.calendar).await?;
        tx.commit().await?;
        self.look_again(place, channel.renewed_at(now)).await?;
        for replaced in &before {
            self.stop_channel(place, &stored, replaced).await?;
        }
        Ok(())
    }

    /// Stops the channels of a calendar, as far as Google answers: what they push is refused from now on.
    pub(super) async fn stop_channels(&self, place: Place, stored: &store::GoogleCalendar) {
        let stopped = async {
            let tx = self.api.accounts.store.begin(&Worker::new(SERVICE, place.business));
            let channels = tx.google_channels(place.calendar).await?;
            tx.commit().await?;
            for channel in &channels {
                self.stop_channel(place, stored, channel).await?;
            }
            Ok::<(), GoogleError>(())
        };
        if let Err(error) = stopped.await {
            tracing::warn!(calendar = %place.calendar, %error, "a channel at Google was not stopped");
        }
    }

    async fn open_channel(
        &self,
        place: Place,
        stored: &store::GoogleCalendar,
        token: &str,
    ) -> Result<Channel, GoogleError> {
        let address = self.public_url.join(&webhook::calendar(place.calendar));
        let address = address.map_err(|_| GoogleError::Failed("PUBLIC_URL takes no path".to_owned()))?;
        let id: Uuid = self.api.accounts.store.new_id();
        let call = self.api.call("POST", &["calendars", &stored.external_id, "events", "watch"])?;
        let call = call.body(&json!({
            "id": id,
            "type": "web_hook",
            "address": address,
            "token": token,
            "params": { "ttl": LIFE.as_secs().to_string() },
        }));
        let answer = self.api.send_as(stored.user, &stored.account, &call).await?;
        let opened: Opened = body(&answer)?;
        let expires_at = opened.expiration.and_then(|text| text.parse().ok());
        let expires_at = expires_at.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        // One that does not say when it ends is replaced soon.
        let soon = self.api.accounts.clock.now() + LOOK_AGAIN;
        Ok(Channel { id, resource_id: opened.resource_id, expires_at: expires_at.unwrap_or(soon) })
    }

    async fn stop_channel(
        &self,
        place: Place,
        stored: &store::GoogleCalendar,
        channel: &Channel,
    ) -> Result<(), GoogleError> {
        let call = self.api.call("POST", &["channels", "stop"])?;
        let call = call.body(&json!({ "id": channel.id, "resourceId": channel.resource_id }));
        let answer: Answer = self.api.send_as(stored.user, &stored.account, &call).await?;
        // One that has ended is gone.
        if !answer.status.is_success() && answer.status != StatusCode::NOT_FOUND {
            return Err(GoogleError::Answered(answer.status.as_u16()));
        }
        let tx = self.api.accounts.store.begin(&Worker::new(SERVICE, place.business));
        tx.delete_google_channel(place.calendar, channel.id).await?;
        Ok(tx.commit().await?)
    }

    async fn look_again(&self, place: Place, at: Timestamp) -> Result<(), GoogleError> {
        let store = &self.api.accounts.store;
        let tx = store.begin(&Worker::new(SERVICE, place.business));
        let kept: Result<(), Error> = async {
            tx.look_after_channel(place.calendar, at).await?;
            tx.commit().await
        }
        .await;
        Ok(kept?)
    }
}
