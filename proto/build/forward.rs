//! Generates the REST side's hand-over: each REST method calls one generic
//! function of the door with the method's rule and business.

use std::fmt::Write;

use heck::{ToShoutySnakeCase, ToSnakeCase};

use crate::{adapter::rust_path, rules::Service};

/// Implementations for one package's services that have REST routes.
pub fn render(services: &[&Service], rest: &[String]) -> String {
    services.iter().filter(|service| rest.contains(&service.name)).map(|service| forward(service)).collect()
}

fn forward(service: &Service) -> String {
    // Boxed: the router keeps room for the futures of all routes on the stack.
    let mut out =
        format!("impl<D: crate::rest::Door> {name} for crate::rest::Forward<D> {{\n", name = service.name);
    for method in service.methods.iter().filter(|method| !method.rest.is_empty()) {
        let business =
            if method.rule.scope == "BUSINESS" { "Some(request.business_id.clone())" } else { "None" };
        let _ = write!(
            out,
            "async fn {function}(&self, request: {input}, cx: &mut ::rest_over_grpc::handling::Context) \
             -> Result<{output}, ::rest_over_grpc::handling::Status> {{\n\
             let business = {business};\n\
             ::std::boxed::Box::pin(self.0.forward(&{module}_methods::{constant}, business, request, cx)).await\n\
             }}\n",
            function = method.name.to_snake_case(),
            input = rust_path(&method.input),
            output = rust_path(&method.output),
            module = service.name.to_snake_case(),
            constant = method.name.to_shouty_snake_case(),
        );
    }
    out + "}\n"
}

/// The function that builds the transcoder over one door.
pub fn router(services: usize) -> String {
    let clones = vec!["Forward(door.clone())"; services].join(", ");
    format!(
        "/// Every REST route of the contract, served through `door`.\n\
         pub fn transcoder<D: Door>(door: &D) -> impl ::rest_over_grpc::transcoding::Transcode + Clone + use<D> {{\n\
         Transcoder::new({clones})\n}}\n"
    )
}
