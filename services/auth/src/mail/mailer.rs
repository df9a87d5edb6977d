//! How mail leaves: over SMTP, or on a developer's machine into a folder.

use core::time::Duration;
use std::{
    fs::DirBuilder,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use boot::{config::Secret, environment::Environment, faults::Faults};
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{Mailbox, header::ContentType},
    transport::smtp::{
        self, AsyncSmtpTransportBuilder,
        client::{Certificate, Tls, TlsParameters},
    },
};
use tokio::io::AsyncWriteExt;

use crate::{domain::mail::Refusal, store::ClaimedMail};

/// How long a mail server may take with one command.
const PATIENCE: Duration = Duration::from_secs(20);
/// Where a certificate begins in a file.
const PEM: &str = "-----BEGIN CERTIFICATE-----";
/// Sender of mails written to a folder, which can't be replied to.
const FOLDER_SENDER: &str = "Frontdesk <frontdesk@localhost>";

/// What is told about mail.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct MailConfig {
    /// Mail server: `smtps://user:password@host`, or `smtp://…?tls=required` for STARTTLS. A path
    /// after the host is the name to say EHLO with.
    #[arg(long, env = "SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<Secret>,
    /// File with the certificates (PEM) of a private authority that the mail server's is from; the
    /// public ones are trusted as well.
    #[arg(long, env = "SMTP_CA_FILE")]
    pub smtp_ca_file: Option<PathBuf>,
    /// Whom mails are from: `Frontdesk <desk@example.com>`.
    #[arg(long, env = "MAIL_FROM")]
    pub mail_from: Option<String>,
    /// Folder that mails are written into instead; not in production.
    #[arg(long, env = "MAIL_DIR")]
    pub mail_dir: Option<PathBuf>,
}

impl MailConfig {
    /// Adds what is wrong with it.
    pub(crate) fn check(&self, faults: &mut Faults) {
        match (&self.smtp_url, &self.mail_dir) {
            (Some(_), Some(_)) => faults.add("MAIL_DIR", "given beside SMTP_URL; one of them is enough"),
            (None, Some(_)) if faults.in_production() => faults.add("MAIL_DIR", "production sends mail"),
            (None, None) if faults.in_production() => {
                faults.add("SMTP_URL", "missing; production sends mail");
            }
            _ => {}
        }
        match &self.mail_from {
            Some(from) => drop(faults.judge("MAIL_FROM", from.parse::<Mailbox>().context("is no address"))),
            None if self.smtp_url.is_some() => faults.add("MAIL_FROM", "missing; mail needs a sender"),
            None => {}
        }
        let Some(url) = &self.smtp_url else { return };
        if let Some(private) = faults.judge("SMTP_URL", is_private(url))
            && faults.in_production()
            && !private
        {
            faults.add("SMTP_URL", "production sends mail under TLS");
        }
        faults.judge("SMTP_URL", server(url));
        if let Some(file) = &self.smtp_ca_file {
            let usable = if faults.is_faulty("SMTP_URL") {
                read(file).map(drop)
            } else {
                trusting(url, file).map(drop)
            };
            faults.judge("SMTP_CA_FILE", usable);
        }
    }
}

/// Takes mail out of our hands.
#[derive(Debug)]
pub struct Mailer {
    from: Mailbox,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Folder(PathBuf),
    /// No mail server is configured: mail stays queued.
    None,
}

impl Mailer {
    /// The configured way. Connects to nothing, but must be opened inside a runtime.
    ///
    /// # Errors
    /// Both ways at once or a malformed one; in production anything but SMTP under TLS, which a
    /// server on this very machine does without.
    pub fn open(config: &MailConfig, environment: Environment) -> anyhow::Result<Self> {
        let production = environment == Environment::Production;
        let from = config.mail_from.as_deref();
        let mailbox = |text: &str| text.parse().context("MAIL_FROM is not an address");
        let way = match (&config.smtp_url, &config.mail_dir) {
            (Some(_), Some(_)) => anyhow::bail!("SMTP_URL and MAIL_DIR: one of them is enough"),
            (Some(url), None) => {
                ensure!(
                    !production || is_private(url).context("SMTP_URL")?,
                    "SMTP_URL: production sends mail under TLS"
                );
                let from = from.context("MAIL_FROM is missing: mail needs a sender")?;
                return Ok(Self {
                    from: mailbox(from)?,
                    way: Way::Smtp(smtp(url, config.smtp_ca_file.as_deref())?),
                });
            }
            (None, Some(folder)) => {
                ensure!(!production, "MAIL_DIR: production sends mail");
                DirBuilder::new().recursive(true).mode(0o700).create(folder).context("MAIL_DIR")?;
                tracing::info!(folder = %folder.display(), "mail is written into a folder");
                Way::Folder(folder.clone())
            }
            (None, None) => {
                ensure!(!production, "SMTP_URL is missing: production sends mail");
                tracing::warn!("neither SMTP_URL nor MAIL_DIR: mail is only queued");
                Way::None
            }
        };
        Ok(Self { from: mailbox(from.unwrap_or(FOLDER_SENDER))?, way })
    }

    /// Whether anything can be handed over.
    #[must_use]
    pub fn carries(&self) -> bool {
        !matches!(self.way, Way::None)
    }

    /// Hands a mail over.
    ///
    /// # Errors
    /// The refusal; it holds neither address nor content.
    pub async fn carry(&self, claimed: &ClaimedMail) -> Result<(), Refusal> {
        let message = self.message(claimed)?;
        match &self.way {
            Way::Smtp(server) => server.send(message).await.map(drop).map_err(refusal),
            Way::Folder(folder) => write(folder, claimed, &message).await,
            Way::None => Err(Refusal::ForNow("no mail server is configured".to_owned())),
        }
    }

    fn message(&self, claimed: &ClaimedMail) -> Result<Message, Refusal> {
        let for_good = |_| Refusal::ForGood("no mail can be addressed like this".to_owned());
        let to = claimed.mail.to.as_str().parse().map_err(for_good)?;
        // The same at each attempt, so that a mail sent twice is seen to be one.
        let id = format!("<{}@{}>", claimed.id, self.from.email.domain());
        let queued_at = std::time::SystemTime::from(claimed.queued_at);
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(&claimed.mail.subject)
            .message_id(Some(id))
            .date(queued_at)
            .header(ContentType::TEXT_PLAIN)
            .body(claimed.mail.text.clone())
            .map_err(|_| Refusal::ForGood("no mail can be made of this".to_owned()))
    }
}

/// Whether the connection to the server is encrypted or local.
fn is_private(url: &Secret) -> anyhow::Result<bool> {
    let uri: http::Uri = url.expose().parse().ok().context("is not an address")?;
    let local = matches!(uri.host(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let required = uri.query().is_some_and(|query| query.split('&').any(|pair| pair == "tls=required"));
    Ok(local || uri.scheme_str() == Some("smtps") || required)
}

/// The error would show the URL, and with it the password.
fn server(url: &Secret) -> anyhow::Result<AsyncSmtpTransportBuilder> {
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose());
    builder.ok().context("is not an address of a mail server")
}

fn smtp(url: &Secret, authority: Option<&Path>) -> anyhow::Result<AsyncSmtpTransport<Tokio1Executor>> {
    let mut builder = server(url).context("SMTP_URL")?;
    if let Some(file) = authority {
        builder = builder.tls(trusting(url, file).context("SMTP_CA_FILE")?);
    }
    Ok(builder.timeout(Some(PATIENCE)).build())
}

fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))
}

/// The TLS that an address asks for, with an authority of one's own.
fn trusting(url: &Secret, authority: &Path) -> anyhow::Result<Tls> {
    let pem = read(authority)?;
    ensure!(pem.contains(PEM), "{} holds no certificate", authority.display());
    let uri: http::Uri = url.expose().parse().ok().context("SMTP_URL is not an address")?;
    let host = uri.host().unwrap_or_default().to_owned();
    let parameters =
        TlsParameters::builder(host).add_root_certificate(Certificate::from_pem(pem.as_bytes())?).build()?;
    let asked = uri.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("tls="));
    match (uri.scheme_str(), asked) {
        (Some("smtps"), _) => Ok(Tls::Wrapper(parameters)),
        (_, Some("required")) => Ok(Tls::Required(parameters)),
        (_, Some("opportunistic")) => Ok(Tls::Opportunistic(parameters)),
        _ => anyhow::bail!("SMTP_URL asks for no TLS"),
    }
}

/// What the server said is left out: it repeats addresses.
fn refusal(error: smtp::Error) -> Refusal {
    match error.status() {
        Some(code) if error.is_permanent() => Refusal::ForGood(format!("the server answered {code}")),
        Some(code) => Refusal::ForNow(format!("the server answered {code}")),
        None if error.is_tls() => Refusal::ForNow("no TLS with the server".to_owned()),
        None if error.is_timeout() => Refusal::ForNow("the server took too long".to_owned()),
        None => Refusal::ForNow("the server can't be reached".to_owned()),
    }
}

/// Whole or not at all, in the order they were queued when listed by name, and for this user alone: letters hold
/// links that open accounts.
async fn write(folder: &Path, claimed: &ClaimedMail, message: &Message) -> Result<(), Refusal> {
    let name = format!("{}.eml", claimed.id);
    let unfinished = folder.join(format!(".{name}"));
    let write = async {
        let mut options = tokio::fs::OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&unfinished).await?;
        file.write_all(&message.formatted()).await?;
        file.flush().await?;
        tokio::fs::rename(&unfinished, folder.join(&name)).await
    };
    write.await.map_err(|error| Refusal::ForNow(format!("the folder can't be written: {error}")))?;
    tracing::warn!(file = %folder.join(&name).display(), "a mail was not sent but written into a file");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(smtp: Option<&str>, dir: Option<&str>, environment: Environment) -> Result<Mailer, String> {
        let config = MailConfig {
            smtp_url: smtp.map(Secret::new),
            smtp_ca_file: None,
            mail_from: Some("Frontdesk <desk@demo.test>".to_owned()),
            mail_dir: dir.map(PathBuf::from),
        };
        Mailer::open(&config, environment).map_err(|error| format!("{error:#}"))
    }

    #[tokio::test]
    async fn production_sends_mail_and_under_tls() {
        let production = |smtp, dir| open(smtp, dir, Environment::Production);
        assert!(production(None, None).unwrap_err().starts_with("SMTP_URL is missing"));
        assert!(production(None, Some("/nowhere")).unwrap_err().starts_with("MAIL_DIR"));
        for url in ["smtp://u:hunter2@mail.test", "smtp://mail.test?tls=opportunistic"] {
            let refused = production(Some(url), None).unwrap_err();
            assert!(refused.starts_with("SMTP_URL") && !refused.contains("hunter2"), "{refused}");
        }
        for url in
            ["smtps://u:p@mail.test", "smtp://u:p@mail.test/desk.test?tls=required", "smtp://localhost"]
        {
            assert!(production(Some(url), None).unwrap().carries(), "{url}");
        }
    }

    #[tokio::test]
    async fn elsewhere_mail_may_wait_or_go_without_tls() {
        assert!(!open(None, None, Environment::Development).unwrap().carries());
        assert!(open(Some("smtp://mail.test"), None, Environment::Test).unwrap().carries());
    }

    #[tokio::test]
    async fn a_configuration_that_is_none_is_refused_without_showing_a_password() {
        for url in ["http://u:hunter2@mail.test", "hunter2", "smtp://u:hunter2@mail.test?tls=maybe"] {
            let refused = open(Some(url), None, Environment::Test).unwrap_err();
            assert!(refused.starts_with("SMTP_URL") && !refused.contains("hunter2"), "{refused}");
        }
        let both = open(Some("smtp://mail.test"), Some("/nowhere"), Environment::Test).unwrap_err();
        assert!(both.contains("MAIL_DIR"), "{both}");
        let readable = MailConfig {
            smtp_url: Some(Secret::new("smtp://u:hunter2@mail.test")),
            smtp_ca_file: Some(PathBuf::from("Cargo.toml")),
            mail_from: Some("Frontdesk <desk@demo.test>".to_owned()),
            ..MailConfig::default()
        };
        let missing = MailConfig { smtp_ca_file: Some(PathBuf::from("/nowhere")), ..readable.clone() };
        for config in [readable, missing] {
            let refused = format!("{:#}", Mailer::open(&config, Environment::Test).unwrap_err());
            assert!(refused.starts_with("SMTP_CA_FILE") && !refused.contains("hunter2"), "{refused}");
        }
        let mut config =
            MailConfig { smtp_url: Some(Secret::new("smtps://mail.test")), ..MailConfig::default() };
        assert!(Mailer::open(&config, Environment::Test).unwrap_err().to_string().starts_with("MAIL_FROM"));
        config.mail_from = Some("not-an-address".to_owned());
        assert!(Mailer::open(&config, Environment::Test).unwrap_err().to_string().starts_with("MAIL_FROM"));
    }
}
