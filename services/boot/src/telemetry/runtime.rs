//! Metrics of the tokio runtime.

use opentelemetry::metrics::Meter;
use tokio::runtime::Handle;

/// Observes the workers, tasks and queue of the current runtime.
pub(super) fn observe(meter: &Meter) {
    let runtime = Handle::current();
    let metrics = runtime.clone();
    meter
        .u64_observable_gauge("tokio.worker.count")
        .with_description("Worker threads of the runtime.")
        .with_unit("{worker}")
        .with_callback(move |observer| observer.observe(metrics.metrics().num_workers() as u64, &[]))
        .build();
    let metrics = runtime.clone();
    meter
        .f64_observable_counter("tokio.worker.busy_time")
        .with_description("Time that workers spent on tasks; divided by the workers, how busy they are.")
        .with_unit("s")
        .with_callback(move |observer| {
            let metrics = metrics.metrics();
            let busy = (0..metrics.num_workers()).map(|worker| metrics.worker_total_busy_duration(worker));
            observer.observe(busy.sum::<core::time::Duration>().as_secs_f64(), &[]);
        })
        .build();
    let metrics = runtime.clone();
    meter
        .u64_observable_counter("tokio.worker.parks")
        .with_description("Times that a worker had nothing to do.")
        .with_unit("{park}")
        .with_callback(move |observer| {
            let metrics = metrics.metrics();
            let parks = (0..metrics.num_workers()).map(|worker| metrics.worker_park_count(worker));
            observer.observe(parks.sum(), &[]);
        })
        .build();
    let metrics = runtime.clone();
    meter
        .u64_observable_gauge("tokio.task.count")
        .with_description("Tasks that have not ended.")
        .with_unit("{task}")
        .with_callback(move |observer| observer.observe(metrics.metrics().num_alive_tasks() as u64, &[]))
        .build();
    meter
        .u64_observable_gauge("tokio.queue.depth")
        .with_description("Tasks in the runtime's shared queue: runnable, with no worker free.")
        .with_unit("{task}")
        .with_callback(move |observer| observer.observe(runtime.metrics().global_queue_depth() as u64, &[]))
        .build();
}
