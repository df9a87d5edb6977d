//! Generates, per service, the methods' rules, the handler trait whose every
//! method is handed its scope, and the adapter from tonic to it.

use std::fmt::Write;

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};

use super::rules::{Method, Service};

/// The service's name in passports, from its package.
fn passport_name(package: &str) -> &str {
    match package.split('.').nth(1) {
        Some("calendarsync") => "calendar-sync",
        Some(name) => name,
        None => package,
    }
}

/// A message's Rust path from inside any package module of the crate.
pub fn rust_path(message: &str) -> String {
    let mut parts: Vec<&str> = message.split('.').collect();
    let name = parts.pop().unwrap_or_default().to_upper_camel_case();
    format!("crate::{}::{name}", parts.join("::"))
}

fn scope(method: &Method) -> (&'static str, &'static str) {
    match method.rule.scope.as_str() {
        "PERSON" => ("PersonScope", "person"),
        "BUSINESS" => ("BusinessScope", "business"),
        "INSTALLATION" => ("InstallationScope", "installation"),
        _ => ("Unscoped", "unscoped"),
    }
}

fn returned(method: &Method) -> String {
    let output = rust_path(&method.output);
    if method.server_streaming { format!("crate::ResponseStream<{output}>") } else { output }
}

/// Everything generated for one package.
pub fn render(services: &[&Service]) -> String {
    services.iter().map(|service| rules(service) + &handler(service) + &adapter(service)).collect()
}

fn rules(service: &Service) -> String {
    let mut out = format!(
        "/// Rules of the methods of `{name}`.\npub mod {module}_methods {{\n\
         use ::caller::{{Audience, Method, Role, Rule, ScopeKind}};\n",
        name = service.name,
        module = service.name.to_snake_case(),
    );
    for method in &service.methods {
        let rule = &method.rule;
        let audiences: Vec<String> =
            rule.audiences.iter().map(|name| format!("Audience::{}", name.to_upper_camel_case())).collect();
        let role = if rule.least_role == "UNSPECIFIED" { "ADMIN" } else { &rule.least_role };
        let served_by: Vec<String> =
            rule.served_by.iter().map(|(service, callers)| format!("({service:?}, &{callers:?})")).collect();
        let kind = match rule.scope.as_str() {
            "PERSON" => "Person",
            "BUSINESS" => "Business",
            "INSTALLATION" => "Installation",
            _ => "None",
        };
        let _ = write!(
            out,
            "/// `{name}`.\npub static {constant}: Method = Method {{ service: {service_name:?}, \
             path: \"/{package}.{service}/{name}\", rest: {rest:?}, rule: Rule {{ audiences: &[{audiences}], \
             least_role: Role::{role}, scope: ScopeKind::{kind}, services: &{services:?}, served_by: &[{served_by}], \
             sensitive: {sensitive}, development_only: {development}, long_running: {long}, \
             idempotency_key: {key}, immutable: {immutable} }} }};\n",
            name = method.name,
            constant = method.name.to_shouty_snake_case(),
            service_name = passport_name(&service.package),
            package = service.package,
            service = service.name,
            rest = method.rest,
            audiences = audiences.join(", "),
            role = role.to_upper_camel_case(),
            services = rule.services,
            served_by = served_by.join(", "),
            sensitive = rule.sensitive,
            development = rule.development_only,
            long = rule.long_running,
            key = rule.idempotency_key,
            immutable = rule.immutable,
        );
    }
    let constants: Vec<String> =
        service.methods.iter().map(|method| format!("&{}", method.name.to_shouty_snake_case())).collect();
    let _ = writeln!(
        out,
        "/// Every method of `{}`.\npub static ALL: &[&Method] = &[{}];",
        service.name,
        constants.join(", ")
    );
    out + "}\n"
}

fn handler(service: &Service) -> String {
    let mut out = format!(
        "/// What serves `{name}`: each method is handed the scope its rule gives.\n\
         #[::async_trait::async_trait]\npub trait {name}Handler: Send + Sync + 'static {{\n",
        name = service.name,
    );
    if service.methods.iter().any(|method| method.carries_contacts) {
        out += "/// Whose telephone numbers and e-mail addresses the person of `scope` may see.\n\
                async fn contact_reach(&self, scope: &::caller::BusinessScope) \
                -> Result<crate::contact::ContactReach, ::tonic::Status>;\n";
    }
    for method in &service.methods {
        let _ = write!(
            out,
            "/// `{name}`.\nasync fn {function}(&self, scope: ::caller::{scope}, request: {input}) \
             -> Result<{output}, ::tonic::Status>;\n",
            name = method.name,
            function = method.name.to_snake_case(),
            scope = scope(method).0,
            input = rust_path(&method.input),
            output = returned(method),
        );
    }
    out + "}\n"
}

fn adapter(service: &Service) -> String {
    let name = &service.name;
    let module = name.to_snake_case();
    let mut out = format!(
        "/// Refuses calls without a valid passport before their message is read, checks each method's \
         rule on the message, then calls the handler.\n\
         #[derive(Debug)]\npub struct {name}Adapter<H> {{ handler: ::std::sync::Arc<H>, gate: ::caller::Gate }}\n\
         impl<H: {name}Handler> {name}Adapter<H> {{\n\
         /// An adapter that lets in what `gate` does.\n\
         pub fn new(handler: ::std::sync::Arc<H>, gate: ::caller::Gate) -> Self {{ Self {{ handler, gate }} }}\n\
         /// The tonic server behind its gate.\n\
         pub fn into_server(self) -> crate::Gated<{module}_server::{name}Server<Self>> {{\n\
         let gate = self.gate.clone();\n\
         crate::Gated::new({module}_server::{name}Server::new(self), gate, {module}_methods::ALL)\n}}\n\
         }}\n#[::async_trait::async_trait]\n\
         impl<H: {name}Handler> {module}_server::{name} for {name}Adapter<H> {{\n",
    );
    for method in &service.methods {
        let function = method.name.to_snake_case();
        let constant = format!("{module}_methods::{}", method.name.to_shouty_snake_case());
        let (_, check) = scope(method);
        if method.server_streaming {
            let _ = writeln!(out, "type {}Stream = {};", method.name, returned(method));
        }
        let answer = if method.carries_contacts {
            format!(
                "let response = self.handler.{function}(scope.clone(), message).await?;\n\
                 let reach = self.handler.contact_reach(&scope);\n\
                 crate::contact::limit(&scope, response, reach).await.map(::tonic::Response::new)"
            )
        } else {
            format!("self.handler.{function}(scope, message).await.map(::tonic::Response::new)")
        };
        let arguments = if check == "business" { ", &message.business_id" } else { "" };
        let _ = write!(
            out,
            "async fn {function}(&self, request: ::tonic::Request<{input}>) \
             -> Result<::tonic::Response<{output}>, ::tonic::Status> {{\n\
             let (metadata, _, message) = request.into_parts();\n\
             let scope = self.gate.{check}(&metadata, &{constant}{arguments}).map_err(crate::error::denied)?;\n\
             {answer}\n}}\n",
            input = rust_path(&method.input),
            output = returned(method),
        );
    }
    out + "}\n"
}

/// The list of every method of the contract.
pub fn all_methods(services: &[Service]) -> String {
    let mut out =
        String::from("/// Every method of the contract.\npub static ALL: &[&::caller::Method] = &[\n");
    for service in services {
        for method in &service.methods {
            let _ = writeln!(
                out,
                "&crate::{}::{}_methods::{},",
                service.package.replace('.', "::"),
                service.name.to_snake_case(),
                method.name.to_shouty_snake_case(),
            );
        }
    }
    out + "];\n"
}
