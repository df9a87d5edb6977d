//! Call events as a platform posts them: each a new delivery, of a hundred calls at once.

use anyhow::ensure;
use boot::random::bytes;
use uuid::Uuid;

use super::{
    BenchArgs, is_busy,
    load::{self, Answer, Rate},
    print,
};
use crate::{demo::salon::CONNECTION, telephone::Telephone};

const PER_SECOND: u32 = 500;
const AT_ONCE: u32 = 100;
/// What is told of each call, in order.
const EVENTS: [&str; 5] =
    ["call_started", "transcript_updated", "transcript_updated", "call_ended", "call_analyzed"];

/// Prints how long they take to be kept.
pub async fn measure(args: &BenchArgs, secret: &str) -> anyhow::Result<()> {
    let line = Telephone::new(&args.url, CONNECTION, secret)?;
    let run = Uuid::from_bytes(bytes()).simple().to_string();
    let rate = Rate { per_second: PER_SECOND, seconds: args.seconds };
    let latencies = load::run(rate, |n| {
        let (line, (call, event)) = (line.clone(), place(n));
        let body = line.event(&format!("bench_{run}_{call}"), event);
        async move {
            let status = line.deliver(&body).await?.status();
            // A platform sends it again.
            if is_busy(status) {
                return Ok(Answer::Refused);
            }
            ensure!(status.is_success(), "an event was answered {status}");
            Ok(Answer::Served)
        }
    })
    .await?;
    let answered = latencies.count() as f64 / latencies.span.as_secs_f64();
    print("call events", "≥ 500/s", &format!("{answered:.0}/s, {} refused", latencies.refused));
    print("call events, 500/s, p99", "≤ 50 ms", &latencies.to_string());
    Ok(())
}

/// The call and the event of the n-th delivery.
fn place(n: u32) -> (u32, &'static str) {
    let told = EVENTS.len() as u32;
    let (block, within) = (n / (AT_ONCE * told), n % (AT_ONCE * told));
    (block * AT_ONCE + within % AT_ONCE, EVENTS[(within / AT_ONCE) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_is_told_of_from_its_start_to_its_end() {
        let of = |call: u32| (0..1000).map(place).filter(move |place| place.0 == call).map(|place| place.1);
        for call in [0, 99, 100, 199] {
            assert_eq!(of(call).collect::<Vec<_>>(), EVENTS, "call {call}");
        }
    }
}
