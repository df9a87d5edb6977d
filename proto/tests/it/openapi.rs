//! The committed OpenAPI document is the one the contract makes.

use std::{env, fs, path::Path};

const GENERATED: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

#[test]
fn the_committed_document_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    if env::var_os("UPDATE_OPENAPI").is_some() {
        fs::write(&path, GENERATED).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == GENERATED, "run the test with UPDATE_OPENAPI=1 and commit proto/openapi.json");
}

#[test]
fn every_rest_method_is_documented_and_nothing_else_is() {
    let document: serde_json::Value = serde_json::from_str(GENERATED).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let mut documented: Vec<String> = paths
        .iter()
        .flat_map(|(path, verbs)| {
            verbs.as_object().unwrap().keys().map(move |verb| format!("{} {path}", verb.to_uppercase()))
        })
        .collect();
    let rest = proto::methods::ALL.iter().map(|method| method.rest).filter(|rest| !rest.is_empty());
    let mut bound: Vec<String> = rest.map(str::to_owned).collect();
    documented.sort();
    bound.sort();
    assert_eq!(documented, bound);
}
