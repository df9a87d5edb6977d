//! Sends queued mail.

use core::time::Duration;
use std::sync::Arc;

use boot::Host;
use jiff::SignedDuration;
use opentelemetry::{
    KeyValue, global,
    metrics::{Counter, Gauge},
};
use tokio::task::JoinSet;

use crate::{
    Error,
    mail::mailer::Mailer,
    store::{ClaimedMail, Store},
};

/// How often the queue is polled. A poll is one indexed query, and a person may be waiting for the
/// mail.
const POLL: Duration = Duration::from_millis(200);
/// How often the queue is measured.
const MEASURE: Duration = Duration::from_secs(15);
/// How many mails are on their way at once.
const AT_ONCE: u32 = 8;
/// Longer than a mail server may take, so that no second worker sends a mail that is being sent.
const CLAIM: SignedDuration = SignedDuration::from_mins(3);

/// What comes of an attempt.
const SENT: &str = "sent";
const PUT_OFF: &str = "put off";
const GIVEN_UP: &str = "given up";

/// Takes mail from the queue to the mailer.
#[derive(Debug, Clone)]
pub struct MailWorker {
    store: Store,
    mailer: Arc<Mailer>,
    host: Host,
    mails: Counter<u64>,
    oldest: Gauge<f64>,
}

impl MailWorker {
    /// The queue of a store.
    #[must_use]
    pub fn new(store: Store, mailer: Mailer, host: &Host) -> Self {
        let meter = global::meter("frontdesk");
        let mails = meter
            .u64_counter("frontdesk.auth.mails")
            .with_description("Attempts to send a mail, by outcome.")
            .with_unit("{attempt}")
            .build();
        for outcome in [SENT, PUT_OFF, GIVEN_UP] {
            mails.add(0, &[KeyValue::new("outcome", outcome)]);
        }
        let oldest = meter
            .f64_gauge("frontdesk.auth.mails.oldest")
            .with_description("How long the mail has waited that was queued first; 0 without one.")
            .with_unit("s")
            .build();
        Self { store, mailer: Arc::new(mailer), host: host.clone(), mails, oldest }
    }

    /// Sends what is due until the host is told to stop; what is on its way then is let arrive.
    /// Beside it, so that a mail server which hangs is seen, the queue is measured.
    pub async fn run(self) {
        if self.mailer.carries() {
            tokio::join!(self.send_queued(), self.measure_queue());
        }
    }

    async fn measure_queue(&self) {
        while !self.host.shutdown.is_cancelled() {
            match self.waited().await {
                Ok(waited) => self.oldest.record(waited.as_secs_f64(), &[]),
                Err(error) => tracing::warn!(%error, "the queue of mails was not measured"),
            }
            tokio::select! {
                () = self.host.shutdown.cancelled() => {}
                () = tokio::time::sleep(MEASURE) => {}
            }
        }
    }

    /// How long the mail has waited that was queued first.
    async fn waited(&self) -> Result<SignedDuration, Error> {
        let tx = self.store.begin();
        let oldest = tx.oldest_mail().await?;
        tx.commit().await?;
        Ok(oldest.map_or(SignedDuration::ZERO, |queued| self.host.clock.now().duration_since(queued)))
    }

    async fn send_queued(&self) {
        while !self.host.shutdown.is_cancelled() {
            match self.send_due().await {
                Ok(AT_ONCE..) => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "the queue of mails was not read"),
            }
            tokio::select! {
                () = self.host.shutdown.cancelled() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Sends what is due and returns how many mails that were.
    async fn send_due(&self) -> Result<u32, Error> {
        let now = self.host.clock.now();
        let tx = self.store.begin();
        let claimed = tx.claim_mails(AT_ONCE, now, now + CLAIM).await?;
        tx.commit().await?;
        let count = u32::try_from(claimed.len()).unwrap_or(AT_ONCE);
        let mut sending = JoinSet::new();
        for mail in claimed {
            let room = self.clone();
            sending.spawn(async move { room.send(&mail).await });
        }
        while sending.join_next().await.is_some() {}
        Ok(count)
    }

    async fn send(&self, claimed: &ClaimedMail) {
        if let Err(error) = self.hand_over(claimed).await {
            // It is claimed no longer after a while, and is then sent again.
            tracing::warn!(mail = %claimed.id, %error, "what became of a mail was not kept");
        }
    }

    async fn hand_over(&self, claimed: &ClaimedMail) -> Result<(), Error> {
        let outcome = self.mailer.carry(claimed).await;
        let now = self.host.clock.now();
        let tx = self.store.begin();
        let counted = match &outcome {
            Ok(()) => {
                tx.mail_sent(claimed).await?;
                SENT
            }
            Err(refusal) => {
                let pause = refusal.pause(claimed.attempts, now.duration_since(claimed.queued_at));
                tx.mail_refused(claimed, refusal, pause, now).await?;
                let (id, why) = (claimed.id, refusal.reason());
                tracing::warn!(mail = %id, attempts = claimed.attempts, why, "a mail was not taken");
                pause.map_or(GIVEN_UP, |_| PUT_OFF)
            }
        };
        tx.commit().await?;
        self.mails.add(1, &[KeyValue::new("outcome", counted)]);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
