//! `FrontendService`: what a page needs before sign-in.

use std::collections::HashMap;

use boot::environment::Environment;
use caller::Unscoped;
use proto::frontdesk::auth::v1::{
    App, FrontendServiceHandler, GetFrontendConfigurationRequest, GetFrontendConfigurationResponse,
    OAuthConfiguration,
};
use tonic::{Status, async_trait};

use crate::{Error, app::link_identity::Identities};

/// Tells pages of the installation.
#[derive(Debug)]
pub struct Frontend {
    identities: Identities,
    environment: Environment,
}

impl Frontend {
    /// Pages of an environment, whose people may sign in with a provider.
    #[must_use]
    pub fn new(identities: Identities, environment: Environment) -> Self {
        Self { identities, environment }
    }

    /// Every page load begins with this, so it waits for no outside service.
    fn oauth(&self) -> Result<OAuthConfiguration, Error> {
        let described = match self.identities.provider() {
            Ok(provider) => provider.describe_known()?,
            Err(_) => return Ok(OAuthConfiguration::default()),
        };
        Ok(OAuthConfiguration {
            google_client_id: described.client_id,
            google_auth_url: described.authorization_endpoint,
            scopes: described.scopes,
        })
    }
}

#[async_trait]
impl FrontendServiceHandler for Frontend {
    async fn get_frontend_configuration(
        &self,
        _: Unscoped,
        _: GetFrontendConfigurationRequest,
    ) -> Result<GetFrontendConfigurationResponse, Status> {
        let oauth = self.oauth()?;
        let features = HashMap::from([("googleSignIn".to_owned(), !oauth.google_client_id.is_empty())]);
        let environment = match self.environment {
            Environment::Production => "production",
            Environment::Development => "development",
            Environment::Test => "test",
        };
        let app = App { environment: environment.to_owned() };
        Ok(GetFrontendConfigurationResponse { oauth: Some(oauth), app: Some(app), features })
    }
}
