//! `ProviderService`: sign-in through an identity provider.

use caller::Unscoped;
use proto::frontdesk::auth::internal::v1::{
    BeginRedirectRequest, BeginRedirectResponse, DescribeProviderRequest, DescribeProviderResponse,
    FinishRedirectRequest, FinishRedirectResponse, ProviderServiceHandler, RedeemHandoffRequest,
    RedeemHandoffResponse, SignInWithCodeRequest, SignInWithCodeResponse,
};
use tonic::{Status, async_trait};

use super::{client, tokens};
use crate::{
    app::{
        link_identity::{Code, Identities},
        oauth_flow::{Begun, OAuthFlows, Returned},
        open_session::SessionOpener,
    },
    measure::Measure,
    provider::Description,
};

/// Signs people in whom a provider vouches for.
#[derive(Debug)]
pub struct Providers {
    identities: Identities,
    flows: OAuthFlows,
    opener: SessionOpener,
    measure: Measure,
}

impl Providers {
    /// Sign-in through the provider of these identities.
    #[must_use]
    pub fn new(identities: Identities, flows: OAuthFlows, opener: SessionOpener) -> Self {
        Self { identities, flows, opener, measure: Measure::new() }
    }
}

#[async_trait]
impl ProviderServiceHandler for Providers {
    async fn sign_in_with_code(
        &self,
        _: Unscoped,
        request: SignInWithCodeRequest,
    ) -> Result<SignInWithCodeResponse, Status> {
        let client = client(request.client)?;
        let SignInWithCodeRequest { code, code_verifier: verifier, redirect_uri, .. } = request;
        let vouched = self.identities.behind(Code { code, verifier, redirect_uri }).await?;
        let opened = self.identities.sign_in(&self.opener, &vouched, &client).await;
        self.measure.sign_in(&opened);
        Ok(SignInWithCodeResponse { tokens: Some(tokens(opened?)) })
    }

    async fn begin_redirect(
        &self,
        _: Unscoped,
        request: BeginRedirectRequest,
    ) -> Result<BeginRedirectResponse, Status> {
        let Begun { url, binding } = self.flows.begin(&request.redirect_uri).await?;
        Ok(BeginRedirectResponse { authorization_url: url, binding: binding.expose().to_owned() })
    }

    async fn finish_redirect(
        &self,
        _: Unscoped,
        request: FinishRedirectRequest,
    ) -> Result<FinishRedirectResponse, Status> {
        let client = client(request.client)?;
        let FinishRedirectRequest { state, code, binding, .. } = request;
        let handoff = self.flows.finish(Returned { state, code, binding }, &client).await?;
        Ok(FinishRedirectResponse { handoff })
    }

    async fn redeem_handoff(
        &self,
        _: Unscoped,
        request: RedeemHandoffRequest,
    ) -> Result<RedeemHandoffResponse, Status> {
        let client = client(request.client)?;
        let RedeemHandoffRequest { handoff, binding, .. } = request;
        let opened = self.flows.redeem(&self.opener, &handoff, &binding, &client).await;
        self.measure.sign_in(&opened);
        Ok(RedeemHandoffResponse { tokens: Some(tokens(opened?)) })
    }

    async fn describe_provider(
        &self,
        _: Unscoped,
        _: DescribeProviderRequest,
    ) -> Result<DescribeProviderResponse, Status> {
        let Description { issuer, client_id, authorization_endpoint, scopes } =
            self.identities.provider()?.describe().await?;
        Ok(DescribeProviderResponse { issuer, client_id, authorization_endpoint, scopes })
    }
}
