//! Metrics of the process, by the conventions for `process.*`.

use opentelemetry::{
    KeyValue,
    metrics::{AsyncInstrument, Meter},
};
use procfs::process::{Process, Stat};

/// Observes memory, processor time, threads and file descriptors; nothing where there is no procfs.
pub(super) fn observe(meter: &Meter) {
    meter
        .f64_observable_counter("process.cpu.time")
        .with_description("Processor time of the process, by mode.")
        .with_unit("s")
        .with_callback(|observer| {
            let Some(stat) = stat() else { return };
            for (mode, ticks) in [("user", stat.utime), ("system", stat.stime)] {
                observer.observe(seconds(ticks), &[KeyValue::new("cpu.mode", mode)]);
            }
        })
        .build();
    meter
        .i64_observable_up_down_counter("process.memory.usage")
        .with_description("Resident memory of the process.")
        .with_unit("By")
        .with_callback(|observer| observe_if(observer, stat().map(|stat| resident_bytes(&stat))))
        .build();
    meter
        .i64_observable_up_down_counter("process.thread.count")
        .with_description("Threads of the process.")
        .with_unit("{thread}")
        .with_callback(|observer| observe_if(observer, stat().map(|stat| stat.num_threads)))
        .build();
    meter
        .i64_observable_up_down_counter("process.unix.file_descriptor.count")
        .with_description("Open file descriptors of the process.")
        .with_unit("{file_descriptor}")
        .with_callback(|observer| observe_if(observer, descriptors()))
        .build();
}

fn observe_if(observer: &dyn AsyncInstrument<i64>, value: Option<i64>) {
    if let Some(value) = value {
        observer.observe(value, &[]);
    }
}

fn stat() -> Option<Stat> {
    Process::myself().ok()?.stat().ok()
}

#[expect(clippy::cast_precision_loss, reason = "2^53 ticks are millions of years")]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / procfs::ticks_per_second() as f64
}

fn resident_bytes(stat: &Stat) -> i64 {
    i64::try_from(stat.rss.saturating_mul(procfs::page_size())).unwrap_or(i64::MAX)
}

fn descriptors() -> Option<i64> {
    i64::try_from(Process::myself().ok()?.fd_count().ok()?).ok()
}
