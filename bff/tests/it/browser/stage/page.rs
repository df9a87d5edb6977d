//! A built page.

use std::fs;

use tempfile::TempDir;

pub const DOCUMENT: &str = r#"<!doctype html>
<meta property="csp-nonce" nonce="__CSP_NONCE__">
<script nonce="__CSP_NONCE__">dark()</script>
<script type="application/json" id="runtime-config">__RUNTIME_CONFIG__</script>
<div id="root"></div>
"#;

/// A folder as Vite leaves it, assets compressed beforehand.
pub fn built() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, content: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    write("index.html", DOCUMENT);
    write("favicon.svg", "<svg/>");
    write(".vite/manifest.json", "{\"secret\": true}");
    write("assets/app-4f2a.js", "run()");
    write("assets/app-4f2a.js.br", "brotli");
    write("assets/app-4f2a.js.gz", "gzip");
    folder
}
