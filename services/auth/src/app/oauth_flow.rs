//! The flow with the provider that the door drives: begun, ended in a handoff, redeemed.

use sealing::SealingKey;
use std::sync::Arc;

use crate::{
    Error,
    app::{
        link_identity::{Identities, open},
        open_session::{Granted, SessionOpener},
    },
    credentials::issue::Issuer,
    domain::{
        client::Client,
        code_flow::{self, CodeVerifier, Taker, Ticket, TicketHash},
        handoff,
    },
    store::{Binding, Flow, Store, flow_name},
};

/// Drives flows.
#[derive(Debug, Clone)]
pub struct OAuthFlows {
    identities: Identities,
    store: Store,
    issuer: Arc<Issuer>,
    sealing: SealingKey,
}

/// A flow that has begun.
#[derive(Debug)]
pub struct Begun {
    /// Where to send the browser.
    pub url: String,
    /// What the browser must bring back in a cookie.
    pub binding: Ticket,
}

/// What a browser brings back from the provider.
#[derive(Debug)]
pub struct Returned {
    /// From the address.
    pub state: String,
    /// From the address.
    pub code: String,
    /// From the cookie.
    pub binding: String,
}

impl OAuthFlows {
    /// OAuthFlows of a store.
    #[must_use]
    pub fn new(identities: Identities, store: Store, issuer: Arc<Issuer>, sealing: SealingKey) -> Self {
        Self { identities, store, issuer, sealing }
    }

    /// Begins a flow.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming `redirect_uri`, [`Error::NoProvider`],
    /// [`Error::ProviderUnreachable`].
    pub async fn begin(&self, redirect_uri: &str) -> Result<Begun, Error> {
        let provider = self.identities.provider()?;
        let redirect_uri = self.identities.redirect_uri(redirect_uri, Taker::Door)?;
        let state = Ticket::new(boot::random::bytes::<16>());
        let binding = Ticket::new(boot::random::bytes::<32>());
        let verifier = CodeVerifier::new(boot::random::bytes());
        let url = provider.authorization_url(&state, &verifier, &redirect_uri).await?;
        let (secret, name) = (verifier.expose().as_bytes(), flow_name(state.hash()));
        let sealed_verifier = self.sealing.seal(secret, &name, boot::random::bytes());
        let flow = Flow { sealed_verifier, redirect_uri };
        let now = self.issuer.clock.now();
        let tx = self.store.begin();
        let bound = Binding { ticket: state.hash(), browser: binding.hash() };
        tx.begin_flow(bound, &flow, now, now + code_flow::LIFE).await?;
        tx.commit().await?;
        Ok(Begun { url: url.into(), binding })
    }

    /// Ends a flow in a handoff for the browser that began it.
    ///
    /// # Errors
    /// [`Error::FlowOver`], [`Error::ProviderRefused`], [`Error::AccountExists`].
    pub async fn finish(&self, returned: Returned, client: &Client) -> Result<String, Error> {
        let provider = self.identities.provider()?;
        let Returned { state, code, binding } = returned;
        let (ticket, browser) = (TicketHash::of(&state), TicketHash::of(&binding));
        let tx = self.store.begin();
        let flow = tx.take_flow(Binding { ticket, browser }, self.issuer.clock.now()).await?;
        // Spent whatever comes of it.
        tx.commit().await?;
        let unreadable = || Error::Stored("code verifier");
        let opened = self.sealing.open(&flow.sealed_verifier, flow_name(ticket)).map_err(|_| unreadable())?;
        let verifier = core::str::from_utf8(&opened).map_err(|_| unreadable())?;
        let verifier = CodeVerifier::parse(verifier).map_err(|_| unreadable())?;
        let vouched = provider.exchange(code, &verifier, &flow.redirect_uri).await?;
        let (tx, account) = self.identities.account_of(&vouched, &client.origin).await?;
        let ticket = Ticket::new(boot::random::bytes::<32>());
        let now = self.issuer.clock.now();
        let bound = Binding { ticket: ticket.hash(), browser };
        tx.hand_off(bound, account.id, now, now + handoff::LIFE).await?;
        tx.commit().await?;
        self.issuer.keys.sign(&handoff::Claims::new(&self.issuer.name, &ticket, now), now).await
    }

    /// Opens the session a handoff stands for, once, in the browser that it was made for.
    ///
    /// # Errors
    /// [`Error::FlowOver`].
    pub async fn redeem(
        &self,
        opener: &SessionOpener,
        token: &str,
        binding: &str,
        client: &Client,
    ) -> Result<Granted, Error> {
        let now = self.issuer.clock.now();
        let tx = self.store.begin();
        let keys = tx.signing_keys().await?;
        let ticket = handoff::read(token, &keys, &self.issuer.name, now).map_err(|_| Error::FlowOver)?;
        let bound = Binding { ticket: TicketHash::of(&ticket), browser: TicketHash::of(binding) };
        let person = tx.redeem(bound, now).await?;
        let account = tx.account(person).await?;
        open(opener, tx, account, client).await
    }
}
