//! Takes backups of the private Postgres of an installation, and restores them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use boot::config::Secret;
use database::Passwords;
use local::stack::{
    Postgres,
    plan::{postgres_port, postgres_url},
};
use sqlx::{Connection, PgConnection};

use crate::stack::Stack;

/// The databases.
pub const DATABASES: [&str; 5] = ["calendar_sync", "telemetry", "auth", "scheduling", "tenancy"];
/// The frozen copy listens this far above the private Postgres.
const COPY: u16 = 8;

/// The private Postgres of an installation.
pub struct Server {
    data: PathBuf,
    base_port: u16,
    password: String,
}

/// What was taken of a server.
pub struct Backup {
    folder: PathBuf,
}

impl Server {
    pub fn of(stack: &Stack) -> Self {
        let password = stack.secret("postgres-superuser");
        Self { data: stack.data(), base_port: stack.base_port(), password }
    }

    /// A base backup, dumps of each database as the base backup has it, and dumps of the server that runs on.
    pub fn back_up(&self) -> Backup {
        let backup = Backup { folder: self.data.with_file_name("backup") };
        fs::create_dir_all(&backup.folder).unwrap();
        let base = backup.base();
        let port = postgres_port(self.base_port);
        self.run("pg_basebackup", port, &["-D", &text(&base), "-X", "stream", "-c", "fast"]);
        let reference = format!("--reference={}", self.folder().display());
        let status = Command::new("chown").arg("-R").arg(reference).arg(&base).status();
        assert!(status.unwrap().success());
        // A copy that serves nothing else stands still: what is dumped from it is of one moment.
        let copy = Postgres::start(&base, port + COPY, &self.password).unwrap();
        self.dump(port + COPY, &backup.dumps("frozen"));
        copy.stop().unwrap();
        self.dump(port, &backup.dumps("live"));
        backup
    }

    /// Everything that dumps of the databases say, by database.
    pub fn dumped(&self) -> Vec<(&'static str, String)> {
        let folder = self.data.with_file_name("dumped");
        fs::create_dir_all(&folder).unwrap();
        let dumped = |database: &'static str| {
            let file = folder.join(database);
            self.run("pg_dump", postgres_port(self.base_port), &["-d", database, "-f", &text(&file)]);
            (database, fs::read_to_string(file).unwrap())
        };
        DATABASES.map(dumped).into()
    }

    fn dump(&self, port: u16, folder: &Path) {
        self.run("dump", port, &[&text(folder)]);
    }

    /// Loses the server and its data.
    pub fn lose(&self) {
        Postgres::start(&self.folder(), postgres_port(self.base_port), &self.password)
            .unwrap()
            .stop()
            .unwrap();
        fs::remove_dir_all(self.folder()).unwrap();
    }

    /// Ids of all appointments.
    pub async fn appointments(&self) -> BTreeSet<String> {
        let mut scheduling = self.connect("scheduling").await;
        let ids = sqlx::query_scalar("SELECT id::text FROM appointment").fetch_all(&mut scheduling).await;
        ids.unwrap().into_iter().collect()
    }

    /// A superuser's connection.
    pub async fn connect(&self, database: &str) -> PgConnection {
        let url = postgres_url(self.base_port, "postgres", &self.password, database);
        PgConnection::connect(&url).await.unwrap()
    }

    fn folder(&self) -> PathBuf {
        self.data.join("postgres")
    }

    fn run(&self, program: &str, port: u16, arguments: &[&str]) {
        // The scripts that an operator runs, or a program of PostgreSQL's.
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../k8s/backup");
        let script = scripts.join(program);
        let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap());
        let output = Command::new(if script.exists() { script } else { program.into() })
            .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-U", "postgres"])
            .args(arguments)
            .env("PATH", path)
            .env("PGPASSWORD", &self.password)
            .output()
            .unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Backup {
    fn base(&self) -> PathBuf {
        self.folder.join("base")
    }

    fn dumps(&self, which: &str) -> PathBuf {
        self.folder.join(which)
    }

    /// Restores dumps into the empty databases of a new server.
    pub async fn restore_dumps(&self, stack: &Stack, which: &str) {
        let server = Server::of(stack);
        let port = postgres_port(server.base_port);
        drop(Postgres::start(&server.folder(), port, &server.password).unwrap());
        let superuser = postgres_url(server.base_port, "postgres", &server.password, "postgres");
        for database in DATABASES {
            let password = |kind| Secret::new(stack.secret(&format!("{database}_{kind}")));
            let passwords = Passwords { app: password("app"), owner: password("owner") };
            database::bootstrap(&superuser, database, &passwords).await.unwrap();
        }
        server.run("restore", port, &[&text(&self.dumps(which))]);
    }

    /// Puts the base backup in the place of the server's data.
    pub fn restore_base(&self, stack: &Stack) {
        fs::rename(self.base(), Server::of(stack).folder()).unwrap();
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The folder of the newest PostgreSQL's programs.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").unwrap().map(|entry| entry.unwrap().path());
    let version =
        |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().parse::<u32>().unwrap_or_default();
    versions.max_by_key(version).unwrap().join("bin")
}
