//! A real CalDAV server, Radicale, started by the tests and ended with them.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

use reqwest::{Client, Method, Response, StatusCode};

/// Accounts, of which each test takes one.
const ACCOUNTS: u32 = 64;

struct Server {
    url: String,
    storage: PathBuf,
}

static SERVER: LazyLock<Server> = LazyLock::new(start);
static TAKEN: AtomicU32 = AtomicU32::new(0);

fn start() -> Server {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let library = root.join("target/radicale");
    assert!(library.join("radicale").is_dir(), "Radicale is missing: run .ci/install radicale");
    // Process ids come back: one that names the folder would find the accounts of a run before. The server removes it.
    let folder = tempfile::Builder::new().prefix("frontdesk-radicale-").tempdir().unwrap().keep();
    let mut child = Command::new("python3")
        .arg(root.join("services/testkit/caldav_server.py"))
        .arg(&folder)
        .args((0..ACCOUNTS).map(|n| format!("person{n}:{}", password(n))))
        .env("PYTHONPATH", library)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    assert!(url.ends_with('\n'), "Radicale did not start");
    // Its input stays open until this process ends.
    std::mem::forget(child);
    Server { url: url.trim_end().to_owned(), storage: folder.join("storage") }
}

fn password(n: u32) -> String {
    format!("secret-{n}-hunter2")
}

/// An account with one calendar, as its owner sees it.
pub struct Account {
    pub server: String,
    pub username: String,
    pub password: String,
    http: Client,
    folder: PathBuf,
}

impl Account {
    /// A new one, whose calendar is called "Work".
    pub async fn open() -> Self {
        let n = TAKEN.fetch_add(1, Ordering::Relaxed);
        assert!(n < ACCOUNTS, "there are only {ACCOUNTS} accounts");
        let server = tokio::task::spawn_blocking(|| LazyLock::force(&SERVER)).await.unwrap();
        let username = format!("person{n}");
        let account = Self {
            server: server.url.clone(),
            password: password(n),
            http: Client::builder().no_proxy().build().unwrap(),
            folder: server.storage.join("collection-root").join(&username).join("work"),
            username,
        };
        let body = r#"<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>Work</D:displayname></D:prop></D:set></C:mkcalendar>"#;
        account.send("MKCALENDAR", "", None, Some(body)).await.error_for_status().unwrap();
        account
    }

    /// The calendar's address.
    pub fn calendar(&self) -> String {
        format!("{}{}/work/", self.server, self.username)
    }

    /// Where it is published, without a name and a password.
    pub fn published(&self) -> String {
        self.calendar().trim_end_matches('/').to_owned()
    }

    /// Deletes the calendar.
    pub async fn withdraw(&self) {
        self.send("DELETE", "", None, None).await.error_for_status().unwrap();
    }

    /// Puts an entry of these lines into the calendar.
    pub async fn put(&self, name: &str, lines: &str) {
        let events =
            format!("BEGIN:VEVENT\r\nUID:{name}\r\nDTSTAMP:20260501T000000Z\r\n{lines}\r\nEND:VEVENT");
        self.put_events(name, &events).await;
    }

    /// Puts an entry of several events of one UID.
    pub async fn put_events(&self, name: &str, events: &str) {
        let body =
            format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n{events}\r\nEND:VCALENDAR\r\n");
        self.replace(name, &body).await;
    }

    /// Puts this text in the place of an entry.
    pub async fn replace(&self, name: &str, text: &str) {
        let answer = self.send("PUT", &format!("{name}.ics"), None, Some(text)).await;
        assert!(answer.status().is_success(), "{answer:?}");
    }

    /// Deletes an entry.
    pub async fn delete(&self, name: &str) {
        self.send("DELETE", &format!("{name}.ics"), None, None).await.error_for_status().unwrap();
    }

    /// Deletes an entry that another may delete as well.
    pub async fn try_delete(&self, name: &str) {
        let status = self.send("DELETE", &format!("{name}.ics"), None, None).await.status();
        assert!(status.is_success() || status == StatusCode::NOT_FOUND, "{status}");
    }

    /// An entry, if it is there.
    pub async fn get(&self, name: &str) -> Option<String> {
        let answer = self.send("GET", &format!("{name}.ics"), None, None).await;
        if answer.status() == StatusCode::NOT_FOUND {
            return None;
        }
        Some(answer.error_for_status().unwrap().text().await.unwrap())
    }

    /// The names of all entries.
    pub async fn names(&self) -> Vec<String> {
        let answer = self.send("PROPFIND", "", Some("1"), None).await.text().await.unwrap();
        let hrefs = answer.split("<href>").skip(1).filter_map(|part| part.split("</href>").next());
        let names = hrefs.filter_map(|href| href.rsplit('/').next()?.strip_suffix(".ics"));
        names.map(str::to_owned).collect()
    }

    /// Has the server forget every token that it gave out.
    pub fn forget_tokens(&self) {
        for folder in [self.folder.join(".Radicale.cache"), self.folder.clone()] {
            let tokens = folder.join("sync-token");
            if tokens.is_dir() {
                fs::remove_dir_all(tokens).unwrap();
                return;
            }
        }
        panic!("the server keeps its tokens elsewhere");
    }

    async fn send(&self, method: &str, name: &str, depth: Option<&str>, body: Option<&str>) -> Response {
        let url = format!("{}{name}", self.calendar());
        let request = self.http.request(Method::from_bytes(method.as_bytes()).unwrap(), url);
        let request = request.basic_auth(&self.username, Some(&self.password));
        let request = depth.into_iter().fold(request, |request, depth| request.header("depth", depth));
        let request = body.into_iter().fold(request, |request, body| request.body(body.to_owned()));
        request.send().await.unwrap()
    }
}
