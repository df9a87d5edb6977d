//! Waits until an installation answers.

use core::time::Duration;
use std::time::Instant;

use anyhow::ensure;
use boot::peer::Peer;
use tonic::Request;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

const POLL: Duration = Duration::from_millis(50);
/// How long services may take to serve: on a busy machine they start again, see [`crate::stack::run::in_process`].
const WITHIN: Duration = Duration::from_secs(420);
const CALL: Duration = Duration::from_secs(5);

/// Waits until each service serves, and so has the tables of its release: the doors wait for none of them.
///
/// # Errors
/// When one does not in seven minutes.
pub async fn wait_for_services(services: [&Peer; 5]) -> anyhow::Result<()> {
    let started = Instant::now();
    for peer in services {
        wait(started, peer.service(), async || {
            let mut request = Request::new(HealthCheckRequest::default());
            request.set_timeout(CALL);
            let answer = HealthClient::new(peer.channel()).check(request).await;
            answer.is_ok_and(|answer| answer.into_inner().status() == ServingStatus::Serving)
        })
        .await?;
    }
    Ok(())
}

/// Waits until the doors at this address take requests.
///
/// # Errors
/// When they do not in seven minutes.
pub async fn wait_for_doors(url: &str) -> anyhow::Result<()> {
    let client = reqwest::Client::new();
    let url = format!("{url}/readyz");
    let asked = async || client.get(&url).send().await.is_ok_and(|answer| answer.status().is_success());
    wait(Instant::now(), &url, asked).await
}

async fn wait(started: Instant, what: &str, is_ready: impl AsyncFn() -> bool) -> anyhow::Result<()> {
    while !is_ready().await {
        ensure!(started.elapsed() < WITHIN, "{what} is not ready after {WITHIN:?}");
        tokio::time::sleep(POLL).await;
    }
    Ok(())
}
