//! What the build refuses, compiled from little contracts.

#[expect(dead_code, reason = "the build script uses the rest of it")]
#[path = "../../build/adapter.rs"]
mod adapter;
#[expect(dead_code, reason = "the build script uses the rest of it")]
#[path = "../../build/contacts.rs"]
mod contacts;
#[expect(dead_code, reason = "the build script uses the rest of it")]
#[path = "../../build/rules.rs"]
mod rules;

use std::{fs, path::PathBuf};

use prost_reflect::DescriptorPool;

/// What the build says of one method with these options, in this package.
fn said_in(package: &str, options: &str, request: &str) -> Result<(), String> {
    let contract = format!(
        r#"syntax = "proto3";
        package {package};
        import "frontdesk/access/v1/access.proto";
        import "google/api/annotations.proto";
        service TrialService {{
            rpc Try(TryRequest) returns (TryResponse) {{ {options} }}
        }}
        message TryRequest {{ {request} }}
        message TryResponse {{}}"#
    );
    let name = format!("{:x}.proto", hash(&contract));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rules");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(&name), contract).unwrap();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut compiler = protox::Compiler::new([&folder, &root]).unwrap();
    compiler.include_imports(true).open_file(&name).unwrap();
    let pool = DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap();
    rules::read(&pool, &contacts::Contacts::read(&pool)?).map(drop)
}

fn said(options: &str, request: &str) -> Result<(), String> {
    said_in("frontdesk.trial.v1", options, request)
}

fn hash(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn rule(fields: &str) -> String {
    format!("option (frontdesk.access.v1.rule) = {{ {fields} }};")
}

fn get(path: &str) -> String {
    format!("option (google.api.http) = {{ get: \"{path}\" }};")
}

fn post(path: &str) -> String {
    format!("option (google.api.http) = {{ post: \"{path}\" body: \"*\" }};")
}

const BUSINESS: &str = "string business_id = 1;";
const PATH: &str = "/api/v1/businesses/{business_id}/trials";
const MEMBER: &str = "audience: AUDIENCE_USER least_role: ROLE_EMPLOYEE scope: SCOPE_BUSINESS";

#[track_caller]
fn refused(outcome: Result<(), String>, why: &str) {
    let error = outcome.unwrap_err();
    assert!(error.contains("TrialService.Try: ") && error.contains(why), "{error}");
}

#[test]
fn a_method_that_keeps_the_rules_builds() {
    said(&(get(PATH) + &rule(MEMBER)), BUSINESS).unwrap();
    said(&(post(PATH) + &rule(MEMBER)), BUSINESS).unwrap();
    let internal = rule("audience: AUDIENCE_SERVICE scope: SCOPE_NONE services: [\"bff\"]");
    said_in("frontdesk.trial.internal.v1", &internal, "").unwrap();
}

#[test]
fn a_method_without_a_rule_does_not_build() {
    refused(said(&get("/api/v1/trials"), ""), "has no access rule");
}

#[test]
fn a_rule_that_leaves_something_open_does_not_build() {
    refused(said(&rule("scope: SCOPE_NONE"), ""), "names no audience or no scope");
    refused(said(&rule("audience: AUDIENCE_PUBLIC"), ""), "names no audience or no scope");
    let roleless = get("/api/v1/trials") + &rule("audience: AUDIENCE_USER scope: SCOPE_PERSON");
    refused(said(&roleless, ""), "without a least role");
    let nameless = rule("audience: AUDIENCE_SERVICE scope: SCOPE_NONE");
    refused(said(&nameless, ""), "must name the services it lets in");
    let unused = rule("audience: AUDIENCE_PUBLIC scope: SCOPE_NONE services: [\"bff\"]");
    refused(said(&unused, ""), "must name the services it lets in");
}

#[test]
fn a_method_about_a_business_that_does_not_say_which_does_not_build() {
    let method = get(PATH) + &rule(MEMBER);
    refused(said(&rule("audience: AUDIENCE_AGENT scope: SCOPE_BUSINESS"), ""), "has no business_id");
    refused(
        said(&rule("audience: AUDIENCE_AGENT scope: SCOPE_BUSINESS"), "int64 business_id = 1;"),
        "has no business_id",
    );
    refused(
        said(&rule("audience: AUDIENCE_AGENT scope: SCOPE_BUSINESS"), "repeated string business_id = 1;"),
        "has no business_id",
    );
    let pathless = method.replace("{business_id}/", "");
    refused(said(&pathless, BUSINESS), "its path does not say which");
}

#[test]
fn a_method_that_changes_something_unguarded_does_not_build() {
    let public = "audience: AUDIENCE_PUBLIC scope: SCOPE_NONE";
    refused(said(&(post("/api/v1/trials") + &rule(public)), ""), "with neither XSRF nor a signature");
    said(&(post("/api/v1/trials") + &rule(&format!("{public} signature: true"))), "").unwrap();
    let both = post(PATH) + &rule(&format!("{MEMBER} signature: true"));
    refused(said(&both, BUSINESS), "guarded by XSRF, not by a signature");
}

#[test]
fn only_what_is_read_never_changes() {
    let immutable = rule(&format!("{MEMBER} immutable: true"));
    said(&(get(PATH) + &immutable), BUSINESS).unwrap();
    refused(said(&(post(PATH) + &immutable), BUSINESS), "is not read by GET");
}

#[test]
fn an_internal_method_with_a_way_in_from_outside_does_not_build() {
    let outside = get(PATH) + &rule(MEMBER);
    let outcome = said_in("frontdesk.trial.internal.v1", &outside, BUSINESS);
    refused(outcome, "is internal and must not have a REST path");
}

#[test]
fn a_method_for_people_without_a_way_in_does_not_build() {
    refused(said(&rule(MEMBER), BUSINESS), "is for people, but has no REST path");
}

/// What the build says of a message with these fields in the answer to people.
fn said_of_contact(fields: &str) -> Result<(), String> {
    let contract = format!(
        r#"syntax = "proto3";
        package frontdesk.trial.v1;
        import "frontdesk/access/v1/access.proto";
        message Trial {{ {fields} }}"#
    );
    let name = format!("{:x}.proto", hash(&contract));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rules");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(&name), contract).unwrap();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut compiler = protox::Compiler::new([&folder, &root]).unwrap();
    compiler.include_imports(true).open_file(&name).unwrap();
    let pool = DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap();
    contacts::Contacts::read(&pool).map(drop)
}

#[test]
fn a_contact_whose_customer_or_whose_hiding_cannot_be_said_does_not_build() {
    let phone = r#"string phone = 1 [(frontdesk.access.v1.contact_of) = "customer_id"];"#;
    let whole = format!("{phone} string customer_id = 2; bool contact_hidden = 3;");
    said_of_contact(&whole).unwrap();
    for part in ["string customer_id = 2;", "bool contact_hidden = 3;"] {
        let error = said_of_contact(&whole.replace(part, "")).unwrap_err();
        assert!(error.contains("needs customer_id and contact_hidden"), "{error}");
    }
    let error = said_of_contact(&whole.replacen("string", "repeated string", 1)).unwrap_err();
    assert!(error.contains("a contact is one text"), "{error}");
    let loose = format!("message Inner {{ {whole} }} oneof one {{ Inner inner = 1; string text = 2; }}");
    let error = said_of_contact(&loose).unwrap_err();
    assert!(error.contains("maps and oneofs"), "{error}");
}
