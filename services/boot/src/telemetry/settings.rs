//! Settings of telemetry, judged before it starts.

use std::{env, io::IsTerminal};

use anyhow::{anyhow, bail};
use http::Uri;
use tracing_subscriber::EnvFilter;

use super::ExportConfig;
use crate::faults::Faults;

// What the SDK reads by itself, and ignores where it is wrong.
const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
const SAMPLER_ARGUMENT: &str = "OTEL_TRACES_SAMPLER_ARG";
const METRICS_INTERVAL: &str = "OTEL_METRIC_EXPORT_INTERVAL";
const ATTRIBUTES: &str = "OTEL_RESOURCE_ATTRIBUTES";
const SAMPLERS: [&str; 6] = [
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
];

/// Adds what is wrong with where telemetry goes, and how.
pub fn check(export: &ExportConfig, faults: &mut Faults) {
    for (setting, url) in export.addresses() {
        if !is_address(url) {
            faults.add(setting, "is no address such as http://collector:4317");
        }
    }
    let given = [
        (SAMPLER, env::var(SAMPLER)),
        (SAMPLER_ARGUMENT, env::var(SAMPLER_ARGUMENT)),
        (METRICS_INTERVAL, env::var(METRICS_INTERVAL)),
        (ATTRIBUTES, env::var(ATTRIBUTES)),
    ];
    for (setting, value) in given {
        if let Ok(value) = value
            && let Some(problem) = problem(setting, &value)
        {
            faults.add(setting, format!("{value:?}: {problem}"));
        }
    }
    faults.judge("RUST_LOG", directives());
    faults.judge("LOG_FORMAT", is_json());
}

/// Without TLS: telemetry goes to a collector beside the process.
fn is_address(url: &str) -> bool {
    url.parse::<Uri>().is_ok_and(|uri| uri.scheme_str() == Some("http") && uri.host().is_some())
}

/// What is wrong with a value that the SDK reads; an empty one counts as none.
fn problem(setting: &str, value: &str) -> Option<String> {
    let (right, expected) = match setting {
        SAMPLER => (SAMPLERS.contains(&value), format!("must be one of {}", SAMPLERS.join(", "))),
        SAMPLER_ARGUMENT => {
            let share = value.parse::<f64>();
            (share.is_ok_and(|share| (0.0..=1.0).contains(&share)), "must be a share from 0 to 1".to_owned())
        }
        METRICS_INTERVAL => {
            let interval = value.parse::<u64>();
            (interval.is_ok_and(|interval| interval > 0), "must be a number of milliseconds".to_owned())
        }
        _ => {
            let mut pairs = value.split(',').map(|pair| pair.split_once('='));
            let named = pairs.all(|pair| pair.is_some_and(|(name, _)| !name.trim().is_empty()));
            (named, "must be name=value, separated by commas".to_owned())
        }
    };
    (!right && !value.is_empty()).then_some(expected)
}

/// The share of new traces that are kept, as the SDK reads it.
#[must_use]
pub fn kept_share() -> f64 {
    let (sampler, argument) = (env::var(SAMPLER), env::var(SAMPLER_ARGUMENT));
    share(&sampler.unwrap_or_default(), &argument.unwrap_or_default())
}

fn share(sampler: &str, argument: &str) -> f64 {
    match sampler {
        "always_off" | "parentbased_always_off" => 0.0,
        "traceidratio" | "parentbased_traceidratio" => argument.parse().unwrap_or(1.0),
        _ => 1.0,
    }
}

/// What is logged on standard error.
pub(super) fn directives() -> anyhow::Result<EnvFilter> {
    match env::var("RUST_LOG") {
        Ok(directives) if !directives.is_empty() => {
            EnvFilter::try_new(directives).map_err(|error| anyhow!("{error}"))
        }
        _ => Ok(EnvFilter::new("info")),
    }
}

/// Whether the log is JSON: so it is where no person reads it, unless it is named.
pub(super) fn is_json() -> anyhow::Result<bool> {
    match env::var("LOG_FORMAT").as_deref() {
        Ok("json") => Ok(true),
        Ok("text") => Ok(false),
        Ok(other) => bail!("{other:?}: must be one of text, json"),
        Err(_) => Ok(!std::io::stderr().is_terminal()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;

    #[test]
    fn what_the_sdk_would_ignore_is_refused() {
        for (setting, right, wrong) in [
            (SAMPLER, "parentbased_traceidratio", "sometimes"),
            (SAMPLER_ARGUMENT, "0.1", "10%"),
            (SAMPLER_ARGUMENT, "1", "1.5"),
            (METRICS_INTERVAL, "60000", "60s"),
            (METRICS_INTERVAL, "", "0"),
            (ATTRIBUTES, "k8s.pod.name=a,k8s.node.name=", "k8s.pod.name"),
        ] {
            assert_eq!(problem(setting, right), None, "{setting}");
            assert!(problem(setting, wrong).is_some(), "{setting}");
        }
    }

    #[test]
    fn the_share_of_kept_traces_is_the_samplers() {
        for (sampler, argument, kept) in [
            ("", "", 1.0),
            ("parentbased_traceidratio", "0.1", 0.1),
            ("traceidratio", "", 1.0),
            ("parentbased_always_off", "0.5", 0.0),
            ("always_on", "0.5", 1.0),
        ] {
            assert_eq!(share(sampler, argument), kept, "{sampler} {argument}");
        }
    }

    #[test]
    fn an_address_that_nothing_can_be_sent_to_is_refused_and_not_shown() {
        for (url, refused) in [
            ("http://collector:4317", false),
            ("", false),
            ("https://key:hunter2@collector", true),
            ("collector:4317", true),
        ] {
            let mut faults = Faults::of(Environment::Test);
            check(&ExportConfig::grpc(url), &mut faults);
            assert_eq!(faults.is_faulty("OTEL_EXPORTER_OTLP_ENDPOINT"), refused, "{url}");
            assert!(!faults.to_string().contains("hunter2"), "{faults}");
        }
    }
}
