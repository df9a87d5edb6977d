#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

use std::net::SocketAddr;

use testkit::{ReceivedMail, smtp};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// Sends lines as they are and returns what was answered to each.
async fn talk(address: SocketAddr, lines: &[&str]) -> Vec<String> {
    let mut stream = BufReader::new(TcpStream::connect(address).await.unwrap());
    let mut answers = vec![];
    for line in std::iter::once(&"").chain(lines) {
        stream.get_mut().write_all(line.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_line(&mut answer).await.unwrap();
        answers.push(answer.chars().take(3).collect());
    }
    answers
}

#[tokio::test]
async fn the_mail_server_takes_a_mail_and_undoes_the_dots() {
    let mut server = smtp().await;
    let lines = [
        "EHLO me\r\n",
        "MAIL FROM:<desk@demo.test> BODY=8BITMIME\r\n",
        "RCPT TO:<owner@demo.test>\r\n",
        "rcpt to:<other@demo.test>\r\n",
        "DATA\r\n",
        "Subject: Hello\r\n\r\n..dot\r\n.\r\n",
        "QUIT\r\n",
    ];
    let answers = talk(server.address(), &lines).await;
    assert_eq!(answers, ["220", "250", "250", "250", "250", "354", "250", "221"]);
    let expected = ReceivedMail {
        from: "desk@demo.test".to_owned(),
        to: vec!["owner@demo.test".to_owned(), "other@demo.test".to_owned()],
        data: "Subject: Hello\r\n\r\n.dot\r\n".to_owned(),
    };
    assert_eq!(server.next().await, expected);
}

#[tokio::test]
async fn the_mail_server_holds_its_clients_to_the_order_and_the_form() {
    let mut server = smtp().await;
    let lines = [
        "MAIL FROM:<a@demo.test>\r\n",
        "EHLO\r\n",
        "EHLO me\r\n",
        "EHLO me\n",
        "RCPT TO:<b@demo.test>\r\n",
        "MAIL a@demo.test\r\n",
        "MAIL FROM:a@demo.test\r\n",
        "MAIL FROM:<a@demo.test>\r\n",
        "DATA\r\n",
        "RCPT TO:<b>\r\n",
        "RSET\r\n",
        "DATA\r\n",
        "HELP\r\n",
    ];
    let answers = talk(server.address(), &lines).await;
    let expected =
        ["220", "503", "503", "250", "500", "503", "501", "501", "250", "503", "501", "250", "503", "500"];
    assert_eq!(answers, expected);
    assert_eq!(server.arrived(), None);
}

#[tokio::test]
async fn the_mail_server_refuses_as_often_as_it_is_told() {
    let server = smtp().await;
    server.refuse("450 4.2.1 later");
    server.refuse("550 5.1.1 never");
    let rcpt = "RCPT TO:<owner@demo.test>\r\n";
    let lines = ["EHLO me\r\n", "MAIL FROM:<desk@demo.test>\r\n", rcpt, rcpt, "DATA\r\n", rcpt, "DATA\r\n"];
    let answers = talk(server.address(), &lines).await;
    assert_eq!(answers, ["220", "250", "250", "450", "550", "503", "250", "354"]);
}
