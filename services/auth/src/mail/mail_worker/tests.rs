use std::collections::BTreeSet;

use boot::{clock::TestClock, config::Secret, environment::Environment};
use testkit::{SmtpServer, TestDatabase};

use super::*;
use sealing::SealingKey;

use crate::{
    MailConfig,
    domain::{email::Email, mail::Mail},
    migration::Migrator,
};

struct Post {
    host: Host,
    time: TestClock,
    database: TestDatabase,
}

impl Post {
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

    async fn room(&self, config: MailConfig) -> MailWorker {
        let carrier = Mailer::open(&config, Environment::Test).unwrap();
        MailWorker::new(self.store().await, carrier, &self.host)
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
    let (post, mut server) = (Post::start().await, testkit::smtp().await);
    post.queue(&mail("Hello,\n\nhttps://desk.test/reset-password?token=abc\n.\nBye")).await;
    assert_eq!(post.room(to(&server)).await.send_due().await.unwrap(), 1);
    let arrived = server.next().await;
    assert_eq!((arrived.from.as_str(), arrived.to), ("desk@demo.test", vec!["owner@demo.test".to_owned()]));
    let (header, body) = arrived.data.split_once("\r\n\r\n").unwrap();
    assert!(header.contains("From: Frontdesk <desk@demo.test>\r\n"), "{header}");
    assert!(header.contains("To: owner@demo.test\r\n"), "{header}");
    assert!(header.contains("Subject: A link for =?utf-8?b?Wm/Dqw==?=\r\n"), "{header}");
    assert!(header.contains("Date: Mon, 01 Jun 2026 08:00:00 +0000\r\n"), "{header}");
    assert!(header.contains("Content-Type: text/plain; charset=utf-8\r\n"), "{header}");
    assert_eq!(body, "Hello,\r\n\r\nhttps://desk.test/reset-password?token=abc\r\n.\r\nBye\r\n");
    assert!(post.kept().await.is_empty());
}

#[tokio::test]
async fn the_mail_of_a_change_that_was_not_made_is_not_sent() {
    let (post, server) = (Post::start().await, testkit::smtp().await);
    let tx = post.store().await.begin();
    tx.queue_mail(&mail("Hello"), post.host.clock.now()).await.unwrap();
    drop(tx);
    assert_eq!(post.room(to(&server)).await.send_due().await.unwrap(), 0);
}

#[tokio::test]
async fn a_mail_refused_for_now_is_sent_later_and_known_by_the_same_id() {
    let (post, mut server) = (Post::start().await, testkit::smtp().await);
    let room = post.room(to(&server)).await;
    post.queue(&mail("Hello")).await;
    server.refuse("450 4.2.1 <owner@demo.test> later");
    assert_eq!(room.send_due().await.unwrap(), 1);
    assert_eq!(post.kept().await[0].1.as_deref(), Some("the server answered 450"));
    assert_eq!(room.send_due().await.unwrap(), 0);
    post.time.advance(SignedDuration::from_secs(2));
    assert_eq!(room.send_due().await.unwrap(), 1);
    assert!(server.next().await.data.contains("Message-ID: <"));
    assert!(post.kept().await.is_empty());
}

#[tokio::test]
async fn a_mail_refused_for_good_is_given_up_without_keeping_what_it_said() {
    let (post, mut server) = (Post::start().await, testkit::smtp().await);
    let room = post.room(to(&server)).await;
    post.queue(&mail("Hello")).await;
    server.refuse("550 5.1.1 <owner@demo.test> unknown");
    room.send_due().await.unwrap();
    assert_eq!(post.kept().await, [(None, Some("the server answered 550".to_owned()))]);
    post.time.advance(SignedDuration::from_hours(1));
    assert_eq!(room.send_due().await.unwrap(), 0);
    assert_eq!(server.arrived(), None);
}

#[tokio::test]
async fn a_mail_that_no_server_took_for_a_day_is_given_up_and_forgotten_after_thirty_more() {
    let post = Post::start().await;
    let room = post.room(over("smtp://127.0.0.1:9")).await;
    post.queue(&mail("Hello")).await;
    room.send_due().await.unwrap();
    assert_eq!(post.kept().await[0].1.as_deref(), Some("the server can't be reached"));
    post.time.advance(SignedDuration::from_hours(24));
    room.send_due().await.unwrap();
    assert_eq!(post.kept().await, [(None, Some("the server can't be reached".to_owned()))]);

    post.queue(&mail("Hello again")).await;
    post.time.advance(SignedDuration::from_hours(30 * 24));
    room.send_due().await.unwrap();
    assert_eq!(post.kept().await.len(), 1, "the first is forgotten when the second is given up");
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_send_each_mail_once() {
    let (post, mut server) = (Post::start().await, testkit::smtp().await);
    for n in 0..20 {
        post.queue(&mail(&format!("number {n}"))).await;
    }
    let (one, other) = (post.room(to(&server)).await, post.room(to(&server)).await);
    let drain = |room: MailWorker| async move { while room.send_due().await.unwrap() > 0 {} };
    tokio::join!(drain(one), drain(other));
    let mut arrived = BTreeSet::new();
    while let Some(mail) = server.arrived() {
        assert!(arrived.insert(mail.data), "sent twice");
    }
    assert_eq!(arrived.len(), 20);
    assert!(post.kept().await.is_empty());
}

#[tokio::test]
async fn a_mail_whose_sender_died_is_sent_by_another_once_its_time_is_up() {
    let (post, mut server) = (Post::start().await, testkit::smtp().await);
    let room = post.room(to(&server)).await;
    post.queue(&mail("Hello")).await;
    let now = post.host.clock.now();
    let tx = room.store.begin();
    assert_eq!(tx.claim_mails(8, now, now + CLAIM).await.unwrap().len(), 1);
    tx.commit().await.unwrap();
    assert_eq!(room.send_due().await.unwrap(), 0);
    post.time.advance(CLAIM);
    assert_eq!(room.send_due().await.unwrap(), 1);
    server.next().await;
}

#[tokio::test]
async fn the_database_holds_no_mail_in_the_clear_and_one_that_cannot_be_opened_is_given_up() {
    let (post, server) = (Post::start().await, testkit::smtp().await);
    post.queue(&mail("token=abc")).await;
    let sealed = post.kept().await.remove(0).0.unwrap();
    assert!(!sealed.windows(5).any(|bytes| bytes == b"token"));
    let carrier = Mailer::open(&to(&server), Environment::Test).unwrap();
    let room = MailWorker::new(post.store_under([9; 32]).await, carrier, &post.host);
    assert_eq!(room.send_due().await.unwrap(), 0);
    assert_eq!(post.kept().await, [(None, Some("a stored mail can't be read".to_owned()))]);
}

#[tokio::test]
async fn a_folder_takes_each_mail_as_a_whole_file() {
    let (post, folder) = (Post::start().await, tempfile::tempdir().unwrap());
    let config = MailConfig { mail_dir: Some(folder.path().join("mail")), ..MailConfig::default() };
    let room = post.room(config).await;
    for text in ["first", "second"] {
        post.queue(&mail(text)).await;
        post.time.advance(SignedDuration::from_secs(1));
    }
    assert_eq!(room.send_due().await.unwrap(), 2);
    let entries = std::fs::read_dir(folder.path().join("mail")).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts: Vec<_> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    assert!(texts[0].ends_with("\r\n\r\nfirst") && texts[1].ends_with("\r\n\r\nsecond"), "{texts:?}");
    assert!(texts[0].contains("From: Frontdesk <frontdesk@localhost>\r\n"), "{texts:?}");
    assert!(files.iter().all(|file| file.extension().is_some_and(|ending| ending == "eml")));
    assert!(post.kept().await.is_empty());
}

#[tokio::test]
async fn without_a_carrier_mail_stays_queued_and_the_post_room_closes() {
    let post = Post::start().await;
    post.queue(&mail("Hello")).await;
    post.room(MailConfig::default()).await.run().await;
    assert!(post.kept().await[0].0.is_some());
}

#[tokio::test]
async fn the_post_room_sends_by_itself_until_it_is_told_to_stop() {
    let (post, mut server) = (Post::start().await, testkit::smtp().await);
    let running = tokio::spawn(post.room(to(&server)).await.run());
    for text in ["one", "two"] {
        post.queue(&mail(text)).await;
        assert!(server.next().await.data.ends_with(&format!("\r\n\r\n{text}\r\n")));
    }
    post.host.shutdown.cancel();
    running.await.unwrap();
}

#[tokio::test]
async fn a_mail_server_under_a_private_authority_is_believed_by_who_trusts_it_alone() {
    let (post, (mut server, authority)) = (Post::start().await, testkit::smtps().await);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, authority).unwrap();
    post.queue(&mail("Hello")).await;
    assert_eq!(post.room(to(&server)).await.send_due().await.unwrap(), 1);
    assert_eq!(post.kept().await[0].1.as_deref(), Some("the server can't be reached"));
    assert_eq!(server.arrived(), None);
    post.time.advance(SignedDuration::from_secs(2));
    let trusting = MailConfig { smtp_ca_file: Some(file), ..to(&server) };
    assert_eq!(post.room(trusting).await.send_due().await.unwrap(), 1);
    assert_eq!(server.next().await.to, ["owner@demo.test"]);
    assert!(post.kept().await.is_empty());
}
