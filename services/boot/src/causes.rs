//! An error and what caused it.

use core::{error::Error, iter::successors};

/// The error, its cause, the cause of that, and so on.
pub fn of<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |&error| error.source())
}

/// All of them in one line, for a log.
#[must_use]
pub fn line(error: &(dyn Error + 'static)) -> String {
    of(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_cause_follows_what_it_caused() {
        let error = anyhow::anyhow!("refused").context("connecting").context("starting");
        assert_eq!(super::line(&*error), "starting: connecting: refused");
    }
}
