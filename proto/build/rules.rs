//! Reads each method's access rule and refuses what must not be built.

use prost_reflect::{DescriptorPool, DynamicMessage, Kind, MethodDescriptor, ReflectMessage, Value};

use super::contacts::Contacts;

/// One gRPC service.
#[derive(Debug)]
pub struct Service {
    pub package: String,
    pub name: String,
    pub methods: Vec<Method>,
}

/// One method with its rule.
#[derive(Debug)]
pub struct Method {
    pub name: String,
    pub input: String,
    pub output: String,
    pub server_streaming: bool,
    /// `VERB template`, or empty.
    pub rest: String,
    pub rule: Rule,
    /// People are answered with contacts of customers.
    pub carries_contacts: bool,
}

/// The access rule, names without their prefixes.
#[derive(Debug)]
pub struct Rule {
    pub audiences: Vec<String>,
    pub least_role: String,
    pub scope: String,
    pub services: Vec<String>,
    /// A service that serves the method, and the services that may call it there.
    pub served_by: Vec<(String, Vec<String>)>,
    pub sensitive: bool,
    pub development_only: bool,
    pub long_running: bool,
    pub idempotency_key: bool,
    pub signature: bool,
    pub immutable: bool,
}

/// Every package with messages or services of ours, sorted.
pub fn packages(pool: &DescriptorPool) -> Vec<String> {
    let mut packages: Vec<String> = pool
        .files()
        .map(|file| file.package_name().to_owned())
        .filter(|package| package.starts_with("frontdesk."))
        .collect();
    packages.sort();
    packages.dedup();
    packages
}

/// Reads and checks every service.
///
/// # Errors
/// Names the first method that breaks a rule of the contract.
pub fn read(pool: &DescriptorPool, contacts: &Contacts) -> Result<Vec<Service>, String> {
    pool.services()
        .filter(|service| service.package_name().starts_with("frontdesk."))
        .map(|service| {
            let methods = service.methods().map(|method| read_method(pool, contacts, &method));
            Ok(Service {
                package: service.package_name().to_owned(),
                name: service.name().to_owned(),
                methods: methods.collect::<Result<_, String>>()?,
            })
        })
        .collect()
}

fn read_method(
    pool: &DescriptorPool,
    contacts: &Contacts,
    method: &MethodDescriptor,
) -> Result<Method, String> {
    let refuse = |why: &str| Err(format!("{}: {why}", method.full_name()));
    let Some(rule) = extension(pool, method, "frontdesk.access.v1.rule") else {
        return refuse("has no access rule");
    };
    let rule = Rule {
        audiences: names(&rule, "audience", "AUDIENCE_"),
        least_role: name(&rule, "least_role", "ROLE_"),
        scope: name(&rule, "scope", "SCOPE_"),
        services: strings(&rule, "services"),
        served_by: messages(&rule, "served_by")
            .iter()
            .map(|callers| (string(callers, "service"), strings(callers, "callers")))
            .collect(),
        sensitive: flag(&rule, "sensitive"),
        development_only: flag(&rule, "development_only"),
        long_running: flag(&rule, "long_running"),
        idempotency_key: flag(&rule, "idempotency_key"),
        signature: flag(&rule, "signature"),
        immutable: flag(&rule, "immutable"),
    };
    let rest = extension(pool, method, "google.api.http").map(|http| binding(&http)).unwrap_or_default();
    let has = |audience: &str| rule.audiences.iter().any(|name| name == audience);
    if rule.audiences.is_empty() || rule.scope == "UNSPECIFIED" {
        return refuse("names no audience or no scope");
    }
    if has("USER") && rule.least_role == "UNSPECIFIED" {
        return refuse("lets people in without a least role");
    }
    if has("SERVICE") == (rule.services.is_empty() && rule.served_by.is_empty()) {
        return refuse("must name the services it lets in, and only then");
    }
    if !rule.services.is_empty() && !rule.served_by.is_empty() {
        return refuse("names the services it lets in twice");
    }
    if has("USER") && rule.signature {
        return refuse("a person's call is guarded by XSRF, not by a signature");
    }
    if rule.scope == "BUSINESS" {
        let field = method.input().get_field_by_name("business_id");
        if !field.is_some_and(|field| field.kind() == Kind::String && !field.is_list()) {
            return refuse("is about a business, but its request has no business_id");
        }
        if !rest.is_empty() && !rest.contains("{business_id}") {
            return refuse("is about a business, but its path does not say which");
        }
    }
    let unsafe_verb = !rest.is_empty() && !rest.starts_with("GET ");
    if unsafe_verb && !has("USER") && !rule.signature {
        return refuse("changes state from outside with neither XSRF nor a signature");
    }
    if rule.immutable && !rest.starts_with("GET ") {
        return refuse("has answers that never change, but is not read by GET");
    }
    if !rest.is_empty() && method.full_name().contains(".internal.") {
        return refuse("is internal and must not have a REST path");
    }
    if has("USER") && rest.is_empty() {
        return refuse("is for people, but has no REST path");
    }
    let carries_contacts = has("USER") && contacts.are_in(&method.output());
    if carries_contacts && (rule.scope != "BUSINESS" || method.is_server_streaming()) {
        return refuse(
            "answers people with contacts of customers, but is not a single answer of one business",
        );
    }
    Ok(Method {
        name: method.name().to_owned(),
        input: method.input().full_name().to_owned(),
        output: method.output().full_name().to_owned(),
        server_streaming: method.is_server_streaming(),
        rest,
        rule,
        carries_contacts,
    })
}

fn extension(pool: &DescriptorPool, method: &MethodDescriptor, name: &str) -> Option<DynamicMessage> {
    let extension = pool.get_extension_by_name(name)?;
    let options = method.options();
    let value = options.has_extension(&extension).then(|| options.get_extension(&extension))?;
    value.as_message().cloned()
}

fn binding(http: &DynamicMessage) -> String {
    ["get", "put", "post", "delete", "patch"]
        .into_iter()
        .find(|verb| http.has_field_by_name(verb))
        .and_then(|verb| {
            let template = http.get_field_by_name(verb)?;
            Some(format!("{} {}", verb.to_uppercase(), template.as_str()?))
        })
        .unwrap_or_default()
}

fn name(rule: &DynamicMessage, field: &str, prefix: &str) -> String {
    rule.get_field_by_name(field).map(|value| enum_name(rule, field, &value, prefix)).unwrap_or_default()
}

fn names(rule: &DynamicMessage, field: &str, prefix: &str) -> Vec<String> {
    let value = rule.get_field_by_name(field);
    let list = value.as_deref().and_then(Value::as_list).unwrap_or_default();
    list.iter().map(|value| enum_name(rule, field, value, prefix)).collect()
}

fn enum_name(rule: &DynamicMessage, field: &str, value: &Value, prefix: &str) -> String {
    let field = rule.descriptor().get_field_by_name(field);
    let kind = field.map(|field| field.kind());
    let number = value.as_enum_number().unwrap_or_default();
    kind.as_ref()
        .and_then(Kind::as_enum)
        .and_then(|kind| kind.get_value(number))
        .map(|value| value.name().trim_start_matches(prefix).to_owned())
        .unwrap_or_default()
}

fn strings(rule: &DynamicMessage, field: &str) -> Vec<String> {
    let value = rule.get_field_by_name(field);
    let list = value.as_deref().and_then(Value::as_list).unwrap_or_default();
    list.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

fn string(message: &DynamicMessage, field: &str) -> String {
    let value = message.get_field_by_name(field);
    value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn messages(rule: &DynamicMessage, field: &str) -> Vec<DynamicMessage> {
    let value = rule.get_field_by_name(field);
    let list = value.as_deref().and_then(Value::as_list).unwrap_or_default();
    list.iter().filter_map(|value| value.as_message().cloned()).collect()
}

fn flag(rule: &DynamicMessage, field: &str) -> bool {
    rule.get_field_by_name(field).and_then(|value| value.as_bool()).unwrap_or_default()
}
