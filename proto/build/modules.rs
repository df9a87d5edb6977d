//! The tree of modules that mirrors the packages.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

/// Every .proto file below `folder`, sorted.
pub fn proto_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(proto_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[derive(Default)]
struct Node {
    package: Option<String>,
    children: BTreeMap<String, Node>,
}

/// Nested modules that include what was generated for each package.
pub fn render(out_dir: &Path, packages: &[String]) -> String {
    let mut root = Node::default();
    for package in packages {
        let mut node = &mut root;
        for part in package.split('.') {
            node = node.children.entry(part.to_owned()).or_default();
        }
        node.package = Some(package.clone());
    }
    let mut out = String::new();
    write_children(&mut out, out_dir, &root);
    out
}

fn write_children(out: &mut String, out_dir: &Path, node: &Node) {
    if let Some(package) = &node.package {
        for (suffix, gate) in
            [("rs", ""), ("serde.rs", ""), ("adapter.rs", ""), ("rest.rs", REST), ("forward.rs", REST)]
        {
            let file = format!("{package}.{suffix}");
            if out_dir.join(&file).exists() {
                let _ = writeln!(out, "{gate}include!(concat!(env!(\"OUT_DIR\"), \"/{file}\"));");
            }
        }
    }
    for (name, child) in &node.children {
        let _ = writeln!(out, "#[allow(missing_docs)]\npub mod {name} {{");
        write_children(out, out_dir, child);
        let _ = writeln!(out, "}}");
    }
}

const REST: &str = "#[cfg(feature = \"rest\")]\n";
