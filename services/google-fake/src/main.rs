//! Serves a Google on this machine, for tests in a browser.

use std::net::SocketAddr;

use anyhow::Context;
use boot::clock::Clock;
use google_fake::{Client, GoogleFake, Role};

/// `google-fake ADDRESS CLIENT_ID CLIENT_SECRET REDIRECT_URI ACCOUNT`
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |name: &'static str| arguments.next().context(name);
    let address: SocketAddr = next("ADDRESS")?.parse().context("ADDRESS")?;
    let (id, secret) = (next("CLIENT_ID")?, next("CLIENT_SECRET")?);
    let client = Client { id, secret, redirect_uris: vec![next("REDIRECT_URI")?] };
    let account = next("ACCOUNT")?;
    let google = GoogleFake::new(client, &[&account], Clock::system());
    google.add_calendar(&account, "work@group.calendar.google.com", "Work", Role::Owner);
    google.add_calendar(&account, "holidays@group.v.calendar.google.com", "Holidays", Role::Reader);
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, google.router()).await?;
    Ok(())
}
