use std::{collections::BTreeSet, os::unix::fs::PermissionsExt, path::Path};

use boot::{clock::TestClock, config::Secret, environment::Environment};
use testkit::{SmtpServer, TestDatabase};

use super::*;
use sealing::SealingKey;

use crate::{
    MailConfig,
    domain::{email::Email, mail::Mail},
    migration::Migrator,
};

struct Setting {
    host: Host,
    time: TestClock,
    database: TestDatabase,
}

impl Setting {
    async fn start() -> Self {
        let (host, time) = testkit::host("auth");
        Self { host, time, database: testkit::database::<Migrator>("auth").await }
    }

    async fn store(&self) -> Store {
        self.store_under([2; 32]).await
    }

    async fn store_under(&self, key: [u8; 32]) -> Store {
        let database = self.database.connect(&self.host).await;
        Store::new(database, &self.host, SealingKey::new(key))
    }

    async fn worker(&self, config: MailConfig) -> MailWorker {
        let mailer = Mailer::open(&config, Environment::Test).unwrap();
        MailWorker::new(self.store().await, mailer, &self.host)
    }

    async fn queue(&self, mail: &Mail) {
        let tx = self.store().await.begin();
        tx.queue_mail(mail, self.host.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// What is kept of mails, one by one.
    async fn kept(&self) -> Vec<(Option<Vec<u8>>, Option<String>)> {
        use sea_orm::{ConnectionTrait, DbBackend, Statement};
        let database = sea_orm::Database::connect(&self.database.superuser_url).await.unwrap();
        let sql = "SELECT sealed, refusal FROM outgoing_mail ORDER BY id";
        let rows = database.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
        rows.iter()
            .map(|row| (row.try_get("", "sealed").unwrap(), row.try_get("", "refusal").unwrap()))
            .collect()
    }
}

fn to(server: &SmtpServer) -> MailConfig {
    over(&server.url())
}

fn over(url: &str) -> MailConfig {
    MailConfig {
        smtp_url: Some(Secret::new(url)),
        mail_from: Some("Frontdesk <desk@demo.test>".to_owned()),
        ..MailConfig::default()
    }
}

fn mail(text: &str) -> Mail {
    Mail {
        to: Email::parse("owner@demo.test").unwrap(),
        subject: "A link for Zoë".to_owned(),
        text: text.to_owned(),
    }
}

#[tokio::test]
async fn a_queued_mail_arrives_at_the_mail_server_and_is_then_forgotten() {
    let (setting, mut server) = (Setting::start().await, testkit::smtp().await);
    setting.queue(&mail("Hello,\n\nhttps://desk.test/reset-password?token=abc\n.\nBye")).await;
    assert_eq!(setting.worker(to(&server)).await.send_due().await.unwrap(), 1);
    let arrived = server.next().await;
    assert_eq!((arrived.from.as_str(), arrived.to), ("desk@demo.test", vec!["owner@demo.test".to_owned()]));
    let (header, body) = arrived.data.split_once("\r\n\r\n").unwrap();
    assert!(header.contains("From: Frontdesk <desk@demo.test>\r\n"), "{header}");
    assert!(header.contains("To: owner@demo.test\r\n"), "{header}");
    assert!(header.contains("Subject: A link for =?utf-8?b?Wm/Dqw==?=\r\n"), "{header}");
    assert!(header.contains("Date: Mon, 01 Jun 2026 08:00:00 +0000\r\n"), "{header}");
    assert!(header.contains("Content-Type: text/plain; charset=utf-8\r\n"), "{header}");
    assert_eq!(body, "Hello,\r\n\r\nhttps://desk.test/reset-password?token=abc\r\n.\r\nBye\r\n");
    assert!(setting.kept().await.is_empty());
}

#[tokio::test]
async fn the_queue_tells_how_long_its_first_mail_has_waited() {
    let (setting, mut server) = (Setting::start().await, testkit::smtp().await);
    let worker = setting.worker(to(&server)).await;
    assert_eq!(worker.waited().await.unwrap(), SignedDuration::ZERO);
    setting.queue(&mail("first")).await;
    setting.time.advance(SignedDuration::from_mins(4));
    setting.queue(&mail("second")).await;
    setting.time.advance(SignedDuration::from_mins(1));
    assert_eq!(worker.waited().await.unwrap(), SignedDuration::from_mins(5));
    worker.send_due().await.unwrap();
    server.next().await;
    assert_eq!(worker.waited().await.unwrap(), SignedDuration::ZERO);
}

#[tokio::test]
async fn the_mail_of_a_change_that_was_not_made_is_not_sent() {
    let (setting, server) = (Setting::start().await, testkit::smtp().await);
    let tx = setting.store().await.begin();
    tx.queue_mail(&mail("Hello"), setting.host.clock.now()).await.unwrap();
    drop(tx);
    assert_eq!(setting.worker(to(&server)).await.send_due().await.unwrap(), 0);
}

#[tokio::test]
async fn a_mail_refused_for_now_is_sent_later_and_known_by_the_same_id() {
    let (setting, mut server) = (Setting::start().await, testkit::smtp().await);
    let worker = setting.worker(to(&server)).await;
    setting.queue(&mail("Hello")).await;
    server.refuse("450 4.2.1 <owner@demo.test> later");
    assert_eq!(worker.send_due().await.unwrap(), 1);
    assert_eq!(setting.kept().await[0].1.as_deref(), Some("the server answered 450"));
    assert_eq!(worker.send_due().await.unwrap(), 0);
    setting.time.advance(SignedDuration::from_secs(2));
    assert_eq!(worker.send_due().await.unwrap(), 1);
    assert!(server.next().await.data.contains("Message-ID: <"));
    assert!(setting.kept().await.is_empty());
}

#[tokio::test]
async fn a_mail_refused_for_good_is_given_up_without_keeping_what_it_said() {
    let (setting, mut server) = (Setting::start().await, testkit::smtp().await);
    let worker = setting.worker(to(&server)).await;
    setting.queue(&mail("Hello")).await;
    server.refuse("550 5.1.1 <owner@demo.test> unknown");
    worker.send_due().await.unwrap();
    assert_eq!(setting.kept().await, [(None, Some("the server answered 550".to_owned()))]);
    setting.time.advance(SignedDuration::from_hours(1));
    assert_eq!(worker.send_due().await.unwrap(), 0);
    assert_eq!(server.arrived(), None);
}

#[tokio::test]
async fn a_mail_that_no_server_took_for_a_day_is_given_up_and_forgotten_after_thirty_more() {
    let setting = Setting::start().await;
    let worker = setting.worker(over("smtp://127.0.0.1:9")).await;
    setting.queue(&mail("Hello")).await;
    worker.send_due().await.unwrap();
    assert_eq!(setting.kept().await[0].1.as_deref(), Some("the server can't be reached"));
    setting.time.advance(SignedDuration::from_hours(24));
    worker.send_due().await.unwrap();
    assert_eq!(setting.kept().await, [(None, Some("the server can't be reached".to_owned()))]);

    setting.queue(&mail("Hello again")).await;
    setting.time.advance(SignedDuration::from_hours(30 * 24));
    worker.send_due().await.unwrap();
    assert_eq!(setting.kept().await.len(), 1, "the first is forgotten when the second is given up");
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_send_each_mail_once() {
    let (setting, mut server) = (Setting::start().await, testkit::smtp().await);
    for n in 0..20 {
        setting.queue(&mail(&format!("number {n}"))).await;
    }
    let (one, other) = (setting.worker(to(&server)).await, setting.worker(to(&server)).await);
    let drain = |worker: MailWorker| async move { while worker.send_due().await.unwrap() > 0 {} };
    tokio::join!(drain(one), drain(other));
    let mut arrived = BTreeSet::new();
    while let Some(mail) = server.arrived() {
        assert!(arrived.insert(mail.data), "sent twice");
    }
    assert_eq!(arrived.len(), 20);
    assert!(setting.kept().await.is_empty());
}

#[tokio::test]
async fn a_mail_whose_sender_died_is_sent_by_another_once_its_time_is_up() {
    let (setting, mut server) = (Setting::start().await, testkit::smtp().await);
    let worker = setting.worker(to(&server)).await;
    setting.queue(&mail("Hello")).await;
    let now = setting.host.clock.now();
    let tx = worker.store.begin();
    assert_eq!(tx.claim_mails(8, now, now + CLAIM).await.unwrap().len(), 1);
    tx.commit().await.unwrap();
    assert_eq!(worker.send_due().await.unwrap(), 0);
    setting.time.advance(CLAIM);
    assert_eq!(worker.send_due().await.unwrap(), 1);
    server.next().await;
}

#[tokio::test]
async fn the_database_holds_no_mail_in_the_clear_and_one_that_cannot_be_opened_is_given_up() {
    let (setting, server) = (Setting::start().await, testkit::smtp().await);
    setting.queue(&mail("token=abc")).await;
    let sealed = setting.kept().await.remove(0).0.unwrap();
    assert!(!sealed.windows(5).any(|bytes| bytes == b"token"));
    let mailer = Mailer::open(&to(&server), Environment::Test).unwrap();
    let worker = MailWorker::new(setting.store_under([9; 32]).await, mailer, &setting.host);
    assert_eq!(worker.send_due().await.unwrap(), 0);
    assert_eq!(setting.kept().await, [(None, Some("a stored mail can't be read".to_owned()))]);
}

#[tokio::test]
async fn a_folder_takes_each_mail_as_a_whole_file() {
    let (setting, folder) = (Setting::start().await, tempfile::tempdir().unwrap());
    let config = MailConfig { mail_dir: Some(folder.path().join("mail")), ..MailConfig::default() };
    let worker = setting.worker(config).await;
    for text in ["first", "second"] {
        setting.queue(&mail(text)).await;
        setting.time.advance(SignedDuration::from_secs(1));
    }
    assert_eq!(worker.send_due().await.unwrap(), 2);
    let entries = std::fs::read_dir(folder.path().join("mail")).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts: Vec<_> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    assert!(texts[0].ends_with("\r\n\r\nfirst") && texts[1].ends_with("\r\n\r\nsecond"), "{texts:?}");
    assert!(texts[0].contains("From: Frontdesk <frontdesk@localhost>\r\n"), "{texts:?}");
    assert!(files.iter().all(|file| file.extension().is_some_and(|ending| ending == "eml")));
    let others_may = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o077;
    assert_eq!(others_may(&folder.path().join("mail")), 0);
    assert!(files.iter().all(|file| others_may(file) == 0), "links are for the developer alone");
    assert!(setting.kept().await.is_empty());
}

#[tokio::test]
async fn without_a_carrier_mail_stays_queued_and_the_post_room_closes() {
    let setting = Setting::start().await;
    setting.queue(&mail("Hello")).await;
    setting.worker(MailConfig::default()).await.run().await;
    assert!(setting.kept().await[0].0.is_some());
}

#[tokio::test]
async fn the_post_room_sends_by_itself_until_it_is_told_to_stop() {
    let (setting, mut server) = (Setting::start().await, testkit::smtp().await);
    let running = tokio::spawn(setting.worker(to(&server)).await.run());
    for text in ["one", "two"] {
        setting.queue(&mail(text)).await;
        assert!(server.next().await.data.ends_with(&format!("\r\n\r\n{text}\r\n")));
    }
    setting.host.shutdown.cancel();
    running.await.unwrap();
}

#[tokio::test]
async fn a_mail_server_under_a_private_authority_is_believed_by_who_trusts_it_alone() {
    let (setting, (mut server, authority)) = (Setting::start().await, testkit::smtps().await);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, authority).unwrap();
    setting.queue(&mail("Hello")).await;
    assert_eq!(setting.worker(to(&server)).await.send_due().await.unwrap(), 1);
    assert_eq!(setting.kept().await[0].1.as_deref(), Some("the server can't be reached"));
    assert_eq!(server.arrived(), None);
    setting.time.advance(SignedDuration::from_secs(2));
    let trusting = MailConfig { smtp_ca_file: Some(file), ..to(&server) };
    assert_eq!(setting.worker(trusting).await.send_due().await.unwrap(), 1);
    assert_eq!(server.next().await.to, ["owner@demo.test"]);
    assert!(setting.kept().await.is_empty());
}
