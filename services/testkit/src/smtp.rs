//! A mail server on loopback that holds its clients to the protocol (RFC 5321).

use std::{
    collections::VecDeque,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::TcpListener,
    sync::mpsc,
};
use tokio_rustls::TlsAcceptor;

use crate::tls::tls_under_authority;

/// Longest line, its end included.
const LONGEST: usize = 1000;

/// A mail as it arrived.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReceivedMail {
    /// The envelope's sender.
    pub from: String,
    /// The envelope's recipients.
    pub to: Vec<String>,
    /// Header and body, lines ending in CRLF.
    pub data: String,
}

/// A mail server, until it is dropped.
#[derive(Debug)]
pub struct SmtpServer {
    address: SocketAddr,
    scheme: &'static str,
    mails: mpsc::UnboundedReceiver<ReceivedMail>,
    refusals: Refusals,
    serving: tokio::task::JoinHandle<()>,
}

type Refusals = Arc<Mutex<VecDeque<&'static str>>>;

impl SmtpServer {
    /// Its URL, as a client is told it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers the next recipient that no earlier refusal is for with `reply`, such as
    /// `450 4.2.1 later`.
    pub fn refuse(&self, reply: &'static str) {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner).push_back(reply);
    }

    /// The next mail, once it arrives.
    ///
    /// # Panics
    /// Never: the server outlives this borrow.
    pub async fn next(&mut self) -> ReceivedMail {
        self.mails.recv().await.expect("the server is there")
    }

    /// A mail that has arrived already.
    pub fn arrived(&mut self) -> Option<ReceivedMail> {
        self.mails.try_recv().ok()
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A mail server.
///
/// # Panics
/// When no port is to be had.
pub async fn smtp() -> SmtpServer {
    serve(None).await
}

/// A mail server that speaks TLS from the first byte, and the certificate (PEM) of the private
/// authority that its own is from.
///
/// # Panics
/// When no port is to be had.
pub async fn smtps() -> (SmtpServer, String) {
    let (tls, authority) = tls_under_authority();
    (serve(Some(tls)).await, authority)
}

async fn serve(tls: Option<TlsAcceptor>) -> SmtpServer {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
    let address = listener.local_addr().expect("a bound port has an address");
    let (arrivals, mails) = mpsc::unbounded_channel();
    let refusals = Refusals::default();
    let scheme = if tls.is_some() { "smtps" } else { "smtp" };
    let told = refusals.clone();
    let serving = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (refusals, arrivals) = (told.clone(), arrivals.clone());
            match tls.clone() {
                None => drop(tokio::spawn(Session::new(stream, refusals, arrivals).run())),
                Some(tls) => drop(tokio::spawn(async move {
                    // A client that does not trust us hangs up.
                    if let Ok(stream) = tls.accept(stream).await {
                        Session::new(stream, refusals, arrivals).run().await;
                    }
                })),
            }
        }
    });
    SmtpServer { address, scheme, mails, refusals, serving }
}

/// How far a session has come.
enum Stage {
    Connected,
    Greeted,
    /// A sender, and the recipients that were taken.
    Envelope(ReceivedMail),
}

struct Session<S> {
    stream: BufReader<S>,
    refusals: Refusals,
    arrivals: mpsc::UnboundedSender<ReceivedMail>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    fn new(stream: S, refusals: Refusals, arrivals: mpsc::UnboundedSender<ReceivedMail>) -> Self {
        Self { stream: BufReader::new(stream), refusals, arrivals }
    }

    async fn run(mut self) {
        // A client that hangs up ends its session.
        let _ = self.talk().await;
    }

    async fn talk(&mut self) -> io::Result<()> {
        self.say("220 sink ESMTP").await?;
        let mut stage = Stage::Connected;
        while let Some(line) = self.line().await? {
            let Some(line) = line.strip_suffix("\r\n").filter(|line| line.len() + 2 <= LONGEST) else {
                self.say("500 not a line").await?;
                continue;
            };
            if line.eq_ignore_ascii_case("QUIT") {
                return self.say("221 bye").await;
            }
            stage = self.take(stage, line).await?;
        }
        Ok(())
    }

    async fn take(&mut self, stage: Stage, line: &str) -> io::Result<Stage> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (reply, next) = match (verb.to_ascii_uppercase().as_str(), stage) {
            ("EHLO", _) if !rest.trim().is_empty() => ("250 sink", Stage::Greeted),
            ("RSET", Stage::Envelope(_)) => ("250 ok", Stage::Greeted),
            ("RSET" | "NOOP", stage) => ("250 ok", stage),
            ("MAIL", Stage::Greeted) => match path(rest, "FROM:") {
                Some(from) => ("250 ok", Stage::Envelope(ReceivedMail { from, ..ReceivedMail::default() })),
                None => ("501 whose?", Stage::Greeted),
            },
            ("RCPT", Stage::Envelope(mail)) => self.recipient(mail, rest),
            ("DATA", Stage::Envelope(mail)) if !mail.to.is_empty() && rest.is_empty() => {
                self.say("354 go on").await?;
                let data = self.data().await?;
                // A missing receiver means that the test has seen enough.
                let _ = self.arrivals.send(ReceivedMail { data, ..mail });
                ("250 taken", Stage::Greeted)
            }
            ("EHLO" | "MAIL" | "RCPT" | "DATA", stage) => ("503 not now", stage),
            (_, stage) => ("500 what?", stage),
        };
        self.say(reply).await?;
        Ok(next)
    }

    fn recipient(&self, mut mail: ReceivedMail, rest: &str) -> (&'static str, Stage) {
        let Some(to) = path(rest, "TO:") else { return ("501 whom?", Stage::Envelope(mail)) };
        if let Some(reply) = self.refusals.lock().unwrap_or_else(PoisonError::into_inner).pop_front() {
            return (reply, Stage::Envelope(mail));
        }
        mail.to.push(to);
        ("250 ok", Stage::Envelope(mail))
    }

    /// Lines up to the one that is a dot; a dot that was put before another is taken away.
    async fn data(&mut self) -> io::Result<String> {
        let mut data = String::new();
        loop {
            match self.line().await?.ok_or(io::ErrorKind::UnexpectedEof)?.as_str() {
                ".\r\n" => return Ok(data),
                line if !line.ends_with("\r\n") || line.len() > LONGEST => {
                    return Err(io::Error::other("not a line"));
                }
                line => data.push_str(line.strip_prefix('.').unwrap_or(line)),
            }
        }
    }

    async fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        Ok((self.stream.read_line(&mut line).await? > 0).then_some(line))
    }

    async fn say(&mut self, reply: &str) -> io::Result<()> {
        let stream = self.stream.get_mut();
        stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
        stream.flush().await
    }
}

/// The address of `FROM:<a@b>`, whatever parameters follow.
fn path(text: &str, keyword: &str) -> Option<String> {
    let (head, rest) = text.split_at_checked(keyword.len())?;
    let path = rest.split(' ').next()?.strip_prefix('<')?.strip_suffix('>')?;
    (head.eq_ignore_ascii_case(keyword) && path.contains('@')).then(|| path.to_owned())
}
