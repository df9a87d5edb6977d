//! What was said in the person's calls, as sound: where the platform has it, and where the installation keeps it.

use core::time::Duration;
use std::{fs, path::Path};

use axum::{Router, routing::get};
use local::visitor::{Visitor, willow};
use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::net::TcpListener;

use crate::stack::Stack;

/// Has the salon keep recordings of its calls.
pub async fn turn_on(stack: &Stack) {
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let mut draft = owner.get(&willow("agent-settings")).await.unwrap()["draft"].clone();
    draft["recordsCalls"] = true.into();
    draft["recordingNotice"] = "This call is recorded.".into();
    draft["recordingDays"] = 30.into();
    let settings = json!({"settings": draft});
    let saved =
        owner.send(Method::PUT, &willow("agent-settings/draft"), Some(&settings), None).await.unwrap();
    assert_eq!(saved.status(), StatusCode::OK, "{}", saved.text().await.unwrap());
    owner.post(&willow("agent-settings:publish"), &json!({})).await.unwrap();
}

/// Address of a recording at the platform, in which `words` are to be read.
pub async fn served(words: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let files = Router::new().route("/call.wav", get(move || async move { wav(words) }));
    tokio::spawn(async move { axum::serve(listener, files).await.unwrap() });
    format!("http://{address}/call.wav")
}

/// A second of sound, eight bits a sample.
fn wav(words: &str) -> Vec<u8> {
    let samples: Vec<u8> = words.bytes().cycle().take(8_000).collect();
    let length = u32::try_from(samples.len()).unwrap();
    let mut file: Vec<u8> = vec![];
    file.extend(b"RIFF");
    file.extend((36 + length).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    file.extend([1, 0, 1, 0]);
    file.extend(8_000_u32.to_le_bytes());
    file.extend(8_000_u32.to_le_bytes());
    file.extend([1, 0, 8, 0]);
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    file.extend(samples);
    file
}

/// Waits until so many recordings with `words` are kept.
pub async fn until_kept(stack: &Stack, words: &str, count: usize) {
    let waiting = async {
        while kept(stack, words) < count {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("recordings are copied");
}

/// How many files of recordings have `words` in them.
pub fn kept(stack: &Stack, words: &str) -> usize {
    with(&stack.data().join("recordings"), words.as_bytes())
}

fn with(folder: &Path, words: &[u8]) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let paths = entries.map(|entry| entry.unwrap().path());
    let count = |path: &Path| {
        if path.is_dir() {
            return with(path, words);
        }
        // A copy that is under way may have another name by now.
        let content = fs::read(path).unwrap_or_default();
        usize::from(content.windows(words.len()).any(|part| part == words))
    };
    paths.map(|path| count(&path)).sum()
}
