//! A real installation of its own: ports, databases, secrets.

use std::{
    ffi::OsString,
    fs::{self, Permissions},
    io::{BufRead, BufReader},
    net::TcpListener,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
};

use caller::{Bearer, Keyring, PASSPORT_HEADER, Passport, Signer};
use local::{demo::salon::PASSWORD, stack::Secrets};
use proto::frontdesk::auth::internal::v1::{
    EnsureUserRequest, SetMembershipRequest, provisioning_service_client::ProvisioningServiceClient,
};
use tokio::sync::{Mutex, MutexGuard};
use tonic::{Request, transport::Endpoint};

use crate::filled;

/// Each installation gets so many ports of its own, below those that connections take by themselves.
const PORTS: u16 = 200;
static NEXT: AtomicU16 = AtomicU16::new(21_000);

/// As much of the page as the door fills in.
pub const PAGE: &str = r#"<!doctype html><html lang="en"><head><title>Frontdesk</title>
<meta name="csp-nonce" nonce="__CSP_NONCE__">
<script type="application/json" id="runtime-config" nonce="__CSP_NONCE__">__RUNTIME_CONFIG__</script>
</head><body></body></html>"#;

/// Two cores carry one installation at a time.
static TURN: Mutex<()> = Mutex::const_new(());

/// What the installation runs: the program of these tests, or of `PROVE_PROGRAM`, such as the one that ships.
pub fn program() -> OsString {
    std::env::var_os("PROVE_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_local").into())
}

/// An installation, removed when dropped.
pub struct Stack {
    /// `None` for the installation that is filled while another has its turn.
    _turn: Option<MutexGuard<'static, ()>>,
    /// Tells other runs of these tests that the ports are taken.
    _ports: TcpListener,
    child: Option<Child>,
    folder: PathBuf,
    base_port: u16,
    flags: Vec<String>,
    environment: Vec<(&'static str, &'static str)>,
}

impl Stack {
    /// Starts `local all` with more flags and waits until it is ready. Unless the flags say otherwise, the demo is there as
    /// an earlier start has filled it.
    pub async fn start(flags: &[&str]) -> Self {
        Self::start_prepared(flags, |_| ()).await
    }

    /// As [`Self::start`], once `prepare` has had the folder and the base port.
    pub async fn start_prepared(flags: &[&str], prepare: impl FnOnce(&mut Self)) -> Self {
        let mut stack = Self::unstarted(Some(TURN.lock().await), flags);
        prepare(&mut stack);
        if filled::suits(flags) {
            filled::copy_into(&stack.data(), &program(), Self::fill);
        }
        stack.launch();
        stack
    }

    /// As [`Self::start_prepared`], from an empty folder: for what happens while the demo is filled.
    pub async fn start_empty(flags: &[&str], prepare: impl FnOnce(&mut Self)) -> Self {
        let mut stack = Self::unstarted(Some(TURN.lock().await), flags);
        prepare(&mut stack);
        stack.launch();
        stack
    }

    /// Leaves the data of an installation that was filled and stopped in `folder`.
    fn fill(folder: &Path) {
        let mut stack = Self::unstarted(None, &[]);
        stack.launch();
        stack.end();
        let postgres = stack.data().join("postgres");
        assert!(postgres.join("PG_VERSION").exists(), "its data is in another folder");
        assert!(!postgres.join("postmaster.pid").exists(), "Postgres still runs");
        filled::copy(&stack.data(), folder);
    }

    fn unstarted(turn: Option<MutexGuard<'static, ()>>, flags: &[&str]) -> Self {
        let (base_port, ports) = free_ports();
        let mut folder = tempfile::Builder::new();
        // Postgres passes through as a user of its own.
        let folder = folder.prefix("frontdesk-stack-").permissions(Permissions::from_mode(0o755));
        let folder = folder.tempdir().unwrap().keep();
        fs::create_dir_all(folder.join("web")).unwrap();
        fs::write(folder.join("web/index.html"), PAGE).unwrap();
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Self { _turn: turn, _ports: ports, child: None, folder, base_port, flags, environment: vec![] }
    }

    fn spawn(&self) -> Child {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.log()).unwrap();
        Command::new(program())
            .arg("all")
            .args(["--port", &self.port().to_string(), "--base-port", &self.base_port.to_string()])
            .arg("--data")
            .arg(self.folder.join("data"))
            .arg("--web")
            .arg(self.folder.join("web"))
            .args(["--demo-days", "3"])
            .args(&self.flags)
            .env("RUST_LOG", "warn")
            .envs(self.environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .process_group(0)
            .spawn()
            .unwrap()
    }

    fn launch(&mut self) {
        let mut child = self.spawn();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.any(|line| line.is_ok_and(|line| line.starts_with("Frontdesk is ready")));
        // Keep reading, so that later output does not meet a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        assert!(ready, "the installation ended early:\n{}", self.last_words());
        self.child = Some(child);
    }

    /// Has processes told a setting that `local all` does not make; before it is started.
    pub fn say(&mut self, setting: &'static str, value: &'static str) {
        self.environment.push((setting, value));
    }

    /// Port of the doors.
    pub fn port(&self) -> u16 {
        self.base_port + 100
    }

    /// Services listen on the ports above it.
    pub fn base_port(&self) -> u16 {
        self.base_port
    }

    /// Address of the doors.
    pub fn url(&self) -> String {
        format!("http://localhost:{}", self.port())
    }

    /// The installation's folder.
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The secret called `name`.
    pub fn secret(&self, name: &str) -> String {
        fs::read_to_string(self.data().join("secrets").join(name)).unwrap()
    }

    /// Makes `{name}@demo.test`, with the demo's password, the owner of a business.
    pub async fn add_owner(&self, name: &str, business: &str) {
        let user = boot::clock::Clock::system().new_id().to_string();
        let person = EnsureUserRequest {
            user_id: user.clone(),
            email: format!("{name}@demo.test"),
            name: name.to_owned(),
            password: PASSWORD.to_owned(),
            admin: false,
        };
        let place = SetMembershipRequest {
            user_id: user,
            business_id: business.to_owned(),
            role: "OWNER".to_owned(),
        };
        let auth = Endpoint::from_shared(format!("http://127.0.0.1:{}", self.base_port + 1)).unwrap();
        let mut auth = ProvisioningServiceClient::new(auth.connect().await.unwrap());
        auth.ensure_user(self.as_local(person)).await.unwrap();
        auth.set_membership(self.as_local(place)).await.unwrap();
    }

    /// A request to auth, signed as the one who fills the demo signs.
    fn as_local<T>(&self, message: T) -> Request<T> {
        let keyring = Secrets::open(&self.data().join("secrets")).unwrap().keyring("local");
        let signer = Signer::new(Arc::new(Keyring::parse(&fs::read_to_string(keyring).unwrap()).unwrap()));
        let bearer = Bearer::Service { name: "local".to_owned() };
        let passport = Passport { bearer, business: None };
        let passport = signer.sign("auth", &passport, boot::clock::Clock::system().now());
        let mut request = Request::new(message);
        request.metadata_mut().insert(PASSPORT_HEADER, passport.parse().unwrap());
        request
    }

    /// The process of a service, or of the doors, under `--processes`.
    pub fn process(&self, name: &str) -> u32 {
        let parent = self.child.as_ref().unwrap().id().to_string();
        let found = Command::new("pgrep").args(["-P", &parent, "-f", &format!("local {name}$")]).output();
        String::from_utf8(found.unwrap().stdout).unwrap().trim().parse().unwrap()
    }

    /// Kills the services and the doors at once; Postgres and Redis live on.
    pub fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Stops everything in order, and gives back all that was logged.
    pub fn stop(mut self) -> String {
        self.end();
        fs::read_to_string(self.log()).unwrap()
    }

    fn end(&mut self) {
        let mut child = self.child.take().unwrap();
        signal("-TERM", child.id());
        child.wait().unwrap();
    }

    /// Starts it again after [`Self::kill`].
    pub fn restart(&mut self) {
        self.launch();
    }

    /// As [`Self::restart`], with more flags this time.
    pub fn restart_with(&mut self, flags: &[&str]) {
        let own = self.flags.len();
        self.flags.extend(flags.iter().map(|flag| (*flag).to_owned()));
        self.launch();
        self.flags.truncate(own);
    }

    /// Starts it after [`Self::kill`], which it is expected to refuse; its last words.
    pub fn refuse_to_start(&mut self) -> String {
        let mut child = self.spawn();
        assert!(!child.wait().unwrap().success(), "the installation started");
        self.last_words()
    }

    /// Empties Redis.
    pub fn flush_redis(&self) {
        let answer = self.redis_cli().arg("FLUSHALL").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&answer.stdout).trim(), "OK");
    }

    fn redis_cli(&self) -> Command {
        let mut command = Command::new("redis-cli");
        command.args(["-p", &(self.base_port + 79).to_string()]);
        command.env("REDISCLI_AUTH", self.secret("redis"));
        command
    }

    /// Keeps a value in Redis, where another service's database would be.
    pub fn keep_in_redis(&self, key: &str, value: &str) {
        assert_eq!(self.redis("3", &["SET", key, value]).trim(), "OK");
    }

    /// Drops a key that [`Self::keep_in_redis`] kept.
    pub fn drop_from_redis(&self, key: &str) {
        assert_eq!(self.redis("3", &["DEL", key]).trim(), "1");
    }

    fn redis(&self, database: &str, arguments: &[&str]) -> String {
        let output = self.redis_cli().args(["-n", database]).args(arguments).output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    }

    /// Everything that Redis keeps, each key with what is under it, word for word.
    pub fn kept_in_redis(&self) -> String {
        let ask = |database: &str, arguments: &[&str]| self.redis(database, arguments);
        // Compressed, a word would be cut by references to what was before it.
        assert_eq!(ask("0", &["CONFIG", "SET", "rdbcompression", "no"]).trim(), "OK");
        let of_database = |database: &str| {
            let keys = ask(database, &["--scan"]);
            keys.lines()
                .map(|key| format!("{key}\n{}", ask(database, &["--no-raw", "DUMP", key])))
                .collect::<String>()
        };
        ["0", "1", "2", "3"].map(of_database).concat()
    }

    /// File with what the processes say.
    pub fn log(&self) -> PathBuf {
        self.folder.join("stack.log")
    }

    fn last_words(&self) -> String {
        let log = fs::read_to_string(self.log()).unwrap_or_default();
        let from = log.len().saturating_sub(6_000);
        log.get(from..).unwrap_or(&log).to_owned()
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.last_words());
        }
        match self.child.take() {
            Some(mut child) => {
                signal("-TERM", child.id());
                drop(child.wait());
            }
            None => stop_orphans(&self.folder),
        }
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// The first of the ports of an installation, and a listener on the last that keeps other runs from them.
fn free_ports() -> (u16, TcpListener) {
    loop {
        let base_port = NEXT.fetch_add(PORTS, Ordering::Relaxed);
        assert!(base_port < 32_000, "all ports of installations are taken");
        if let Ok(last) = TcpListener::bind(("127.0.0.1", base_port + PORTS - 1)) {
            return (base_port, last);
        }
    }
}

/// Sends a signal to the whole process group that `leader` leads.
fn signal(signal: &str, leader: u32) {
    drop(Command::new("kill").args([signal, "--", &format!("-{leader}")]).status());
}

/// Ends what a killed installation left running.
fn stop_orphans(folder: &Path) {
    drop(Command::new("pkill").args(["-f", &folder.to_string_lossy()]).status());
}
