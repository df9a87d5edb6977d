//! Pauses of the machine itself. Who wakes late on an idle core finds there what every latency on it
//! has in it, whatever the system does.

use core::time::Duration;
use std::{thread, time::Instant};

use super::print;

const LENGTH: Duration = Duration::from_secs(10);
const TICK: Duration = Duration::from_millis(1);
/// Timers are late by less than this where nothing is in their way.
const PAUSE: Duration = Duration::from_micros(1_500);

/// Sleeps a millisecond at a time for ten seconds, and prints how often that took too long.
pub fn measure() {
    let ends = Instant::now() + LENGTH;
    let mut pauses = vec![];
    while Instant::now() < ends {
        let due = Instant::now() + TICK;
        thread::sleep(TICK);
        pauses.extend(Some(due.elapsed()).filter(|late| *late > PAUSE));
    }
    let longest = pauses.iter().max().copied().unwrap_or_default().as_secs_f64() * 1000.0;
    let measured = format!("{} in 10 s, longest {longest:.1} ms", pauses.len());
    print("pauses of this core itself, idle, over 1.5 ms", "", &measured);
}
