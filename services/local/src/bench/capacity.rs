//! What the installation answers when nothing holds its clients back.

use core::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};
use std::{sync::Arc, time::Instant};

use tokio::task::JoinSet;

use super::{BenchArgs, desk::Desk, print};
use crate::stack::Secrets;

const AT_ONCE: usize = 32;
const LOADED_FOR: Duration = Duration::from_secs(10);

/// Prints the requests answered a second; the first seconds are not counted.
pub async fn measure(args: &BenchArgs, secrets: &Secrets) -> anyhow::Result<()> {
    let desk = Arc::new(Desk::open(args, secrets).await?);
    of(&desk, LOADED_FOR / 2).await?;
    print("requests answered by one core, 32 at once", "", &format!("{:.0}/s", of(&desk, LOADED_FOR).await?));
    Ok(())
}

/// Requests answered a second while 32 are under way all the time.
pub(super) async fn of(desk: &Arc<Desk>, time: Duration) -> anyhow::Result<f64> {
    let (began, next) = (Instant::now(), Arc::new(AtomicU32::new(0)));
    let mut people = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (desk, next) = (desk.clone(), next.clone());
        people.spawn(async move {
            while began.elapsed() < time {
                desk.request(next.fetch_add(1, Ordering::Relaxed)).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(done) = people.join_next().await {
        done??;
    }
    Ok(f64::from(next.load(Ordering::Relaxed)) / began.elapsed().as_secs_f64())
}
