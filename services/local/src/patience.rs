//! Waiting for services of a busy machine.

use core::{iter::successors, time::Duration};

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Pauses between attempts, each twice as long as the one before up to five seconds; all of them last about `patience`.
pub fn pauses(patience: Duration) -> impl Iterator<Item = Duration> {
    let next = |pause: &Duration| Some((*pause * 2).min(LONGEST_PAUSE));
    let mut waited = Duration::ZERO;
    successors(Some(FIRST_PAUSE), next).take_while(move |pause| {
        waited += *pause;
        waited <= patience
    })
}

/// Attempts something again after each pause, as long as what it fails with passes by itself.
///
/// # Errors
/// A failure that does not pass, or what the last attempt fails with.
pub async fn persist<T, Attempt>(
    what: &'static str,
    pauses: impl IntoIterator<Item = Duration>,
    passes: impl Fn(&anyhow::Error) -> bool,
    mut attempt: impl FnMut() -> Attempt,
) -> anyhow::Result<T>
where
    Attempt: Future<Output = anyhow::Result<T>>,
{
    for pause in pauses {
        match attempt().await {
            Err(error) if passes(&error) => {
                tracing::warn!(what, error = format!("{error:#}"), ?pause, "failed; it is attempted again");
            }
            outcome => return outcome,
        }
        tokio::time::sleep(pause).await;
    }
    attempt().await
}

#[cfg(test)]
mod tests {
    use core::future::ready;

    use anyhow::anyhow;

    use super::*;

    #[test]
    fn pauses_grow_to_five_seconds_and_last_as_long_as_the_patience() {
        let all: Vec<_> = pauses(Duration::from_secs(300)).collect();
        assert_eq!(all[..3], [FIRST_PAUSE, FIRST_PAUSE * 2, FIRST_PAUSE * 4]);
        assert_eq!(all.iter().max(), Some(&LONGEST_PAUSE));
        let waited: Duration = all.iter().sum();
        assert!((290..=300).contains(&waited.as_secs()), "{waited:?}");
        assert_eq!(pauses(Duration::ZERO).count(), 0);
    }

    #[tokio::test]
    async fn what_fails_goes_on_until_it_succeeds_or_the_pauses_are_over() {
        for (refusals, pauses, whole) in [(0, 2, true), (2, 2, true), (3, 2, false)] {
            let mut attempts = 0;
            let attempt = || {
                attempts += 1;
                ready(if attempts > refusals { Ok(()) } else { Err(anyhow!("busy")) })
            };
            let outcome = persist("it", vec![Duration::ZERO; pauses], |_| true, attempt).await;
            assert_eq!(outcome.is_ok(), whole, "{refusals} refusals");
            assert_eq!(attempts, (refusals + 1).min(pauses + 1));
        }
    }

    #[tokio::test]
    async fn what_does_not_pass_is_final() {
        let mut attempts = 0;
        let attempt = || {
            attempts += 1;
            ready(Err::<(), _>(anyhow!("refused")))
        };
        assert!(persist("it", [Duration::ZERO; 9], |_| false, attempt).await.is_err());
        assert_eq!(attempts, 1);
    }
}
