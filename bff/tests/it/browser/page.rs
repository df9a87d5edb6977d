//! The page and its files.

use http::{Method, StatusCode};

use super::stage::{Setting, Stage};

fn nonce_of(document: &str) -> &str {
    document.split("nonce=\"").nth(1).unwrap().split('"').next().unwrap()
}

#[tokio::test]
async fn every_answer_renders_the_page_under_a_nonce_of_its_own() {
    let stage = Stage::open().await;
    let mut nonces = Vec::new();
    for path in ["/", "/login", "/01900000-0000-7000-8000-000000000001/calls", "/any/thing", "/index.html"] {
        let answer = stage.stranger().get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-store");
        let nonce = nonce_of(&answer.text);
        assert_eq!(answer.text.matches(nonce).count(), 2);
        assert!(!answer.text.contains("__"));
        let policy = answer.header("content-security-policy");
        assert!(policy.contains(&format!("script-src 'self' 'nonce-{nonce}'")), "{policy}");
        assert!(policy.contains(&format!("style-src 'self' 'nonce-{nonce}'")), "{policy}");
        for directive in ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(directive), "{policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        nonces.push(nonce.to_owned());
    }
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), 5);
}

#[tokio::test]
async fn the_page_is_told_of_its_installation() {
    let stage = Stage::open().await;
    let document = stage.stranger().get("/").await.text;
    let runtime = document.split("runtime-config\">").nth(1).unwrap().split("</script>").next().unwrap();
    let runtime: serde_json::Value = serde_json::from_str(runtime).unwrap();
    assert_eq!(runtime["apiBaseUrl"], "/api");
    assert_eq!(runtime["webSocketUrl"], "/ws");
    assert_eq!(runtime["environment"], "test");
    assert_eq!(runtime["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(runtime["agentModel"], false);
}

#[tokio::test]
async fn hashed_files_are_kept_for_good_and_come_compressed() {
    let stage = Stage::open().await;
    let path = "/assets/app-4f2a.js";
    for (accepted, encoding, text) in
        [("br, gzip", "br", "brotli"), ("gzip", "gzip", "gzip"), ("", "", "run()")]
    {
        let answer = stage.stranger().with("accept-encoding", accepted).get(path).await;
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(answer.header("content-encoding"), encoding);
        assert_eq!(answer.header("vary"), "Accept-Encoding");
        assert_eq!(answer.header("content-type"), "text/javascript");
        assert_eq!(answer.text, text);
    }
    let missing = stage.stranger().get("/assets/app-0000.js").await;
    assert_eq!((missing.status, missing.reason().as_str()), (StatusCode::NOT_FOUND, "NOT_FOUND"));
}

#[tokio::test]
async fn nothing_beside_the_built_files_is_served() {
    let stage = Stage::open().await;
    for path in [
        "/.vite/manifest.json",
        "/%2evite/manifest.json",
        "/%2Evite%2Fmanifest.json",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f.vite/manifest.json",
    ] {
        let answer = stage.stranger().get(path).await;
        assert!(!answer.text.contains("secret") && !answer.text.contains("root:"), "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn the_page_is_never_a_file_without_its_nonce_by_whatever_name() {
    let stage = Stage::open().await;
    for path in
        ["/index%2ehtml", "/%69ndex.html", "/index.htm%6C", "//index.html", "/assets%2F..%2Findex.html"]
    {
        let answer = stage.stranger().get(path).await;
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert!(!answer.text.contains("__CSP_NONCE__"), "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn the_page_is_only_read() {
    let stage = Stage::open().await;
    let answer = stage.ana().await.send(Method::POST, "/login", Some("{}".to_owned())).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn no_name_from_outside_finds_its_way_into_the_page() {
    let stage = Stage::open().await;
    for name in ["host", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-forwarded-for"] {
        let answer = stage.stranger().with(name, "evil.test").get("/reset-password?token=t").await;
        assert_eq!(answer.status, StatusCode::OK, "{name}");
        assert!(!answer.text.contains("evil.test"), "{name}");
        assert!(!format!("{:?}", answer.headers).contains("evil.test"), "{name}");
    }
}

#[tokio::test]
async fn the_door_stays_shut_under_an_address_in_the_clear() {
    let mut stage = Stage::set(Setting { public_url: "http://desk.example.com", ..Setting::default() }).await;
    let error = stage.serving.take().unwrap().await.unwrap().unwrap_err();
    assert!(error.to_string().contains("must be https"), "{error}");
}
