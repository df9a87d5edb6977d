//! The REST side of the contract, for the browser door.

use core::future::Future;

use caller::Method;
use rest_over_grpc::handling::{Context, Status};

use crate::frontdesk;

/// What stands behind every REST route: one generic call.
pub trait Door: Clone + Send + Sync + 'static {
    /// Calls `method` for `business` in the name of the caller that `cx` identifies.
    fn forward<Request, Response>(
        &self,
        method: &'static Method,
        business: Option<String>,
        request: Request,
        cx: &mut Context,
    ) -> impl Future<Output = Result<Response, Status>> + Send
    where
        Request: prost::Message + Default + 'static,
        Response: prost::Message + Default + 'static;
}

/// Carries the generated routes' implementations over a [`Door`].
#[derive(Debug, Clone)]
pub struct Forward<D>(pub D);

/// The OpenAPI 3.1 document of the REST side.
pub const OPENAPI: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

include!(concat!(env!("OUT_DIR"), "/transcoder.rest.rs"));
include!(concat!(env!("OUT_DIR"), "/router.rs"));
