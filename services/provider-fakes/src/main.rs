//! Serves a Phorest and a Square on this machine, for tests in a browser.

use std::net::SocketAddr;

use anyhow::Context;
use boot::clock::Clock;
use provider_fakes::{phorest::Phorest, square::Square};

/// `provider-fakes ADDRESS`: Phorest's API is under `/third-party-api-server`, Square's under `/v2`.
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let address: SocketAddr = std::env::args().nth(1).context("ADDRESS")?.parse().context("ADDRESS")?;
    let phorest = Phorest::new(Clock::system());
    let square = Square::new(Clock::system());
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, phorest.router().merge(square.router())).await?;
    Ok(())
}
