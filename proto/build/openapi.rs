//! One OpenAPI document out of one per package.

use std::{error::Error, fs, path::Path};

use serde_json::{Map, Value};

use crate::rules::Service;

/// Merges the packages' documents in the order of their names.
pub fn merge(out_dir: &Path, services: &[Service]) -> Result<String, Box<dyn Error>> {
    let mut packages: Vec<&str> = services.iter().map(|service| service.package.as_str()).collect();
    packages.sort_unstable();
    packages.dedup();
    let mut merged = Value::Null;
    for package in packages {
        let Ok(text) = fs::read_to_string(out_dir.join(format!("{package}.openapi.json"))) else { continue };
        let document: Value = serde_json::from_str(&text)?;
        if merged.is_null() {
            merged = document;
            continue;
        }
        for place in ["/paths", "/components/schemas"] {
            let from = document.pointer(place).and_then(Value::as_object).cloned().unwrap_or_default();
            if let Some(into) = merged.pointer_mut(place).and_then(Value::as_object_mut) {
                into.extend(from);
            }
        }
    }
    sort(&mut merged);
    Ok(serde_json::to_string_pretty(&merged)? + "\n")
}

fn sort(value: &mut Value) {
    if let Value::Object(object) = value {
        let mut entries: Vec<(String, Value)> = std::mem::take(object).into_iter().collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        *object = entries.into_iter().collect::<Map<_, _>>();
        object.values_mut().for_each(sort);
    }
}
