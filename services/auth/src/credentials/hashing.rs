//! Hashing passwords without starving everything else.

use std::sync::Arc;

use rayon_core::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{Semaphore, oneshot};

use crate::{
    Error,
    domain::password::{Password, PasswordHash},
};

/// How many passwords may wait per core: less than a second's worth.
const WAITING_PER_CORE: usize = 16;

/// What comparing a password came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is another password, or there was none to compare with.
    Wrong,
    /// It is the password.
    Right {
        /// To store instead, where the stored hash has outdated parameters.
        renewed: Option<PasswordHash>,
    },
}

/// Hashes off the async threads, on a thread of its own for each core. Always the same threads:
/// the allocator keeps what a hash needed (19 MiB) with the thread that asked for it, so that on
/// tokio's changing blocking threads a busy hour would keep hundreds of megabytes for good.
#[derive(Debug, Clone)]
pub struct Hasher {
    cores: Arc<ThreadPool>,
    /// Hashes under way and waiting.
    places: Arc<Semaphore>,
    dummy: PasswordHash,
    /// How many it has begun.
    #[cfg(test)]
    pub begun: Arc<core::sync::atomic::AtomicUsize>,
}

impl Hasher {
    /// A hasher for `cores` cores.
    #[must_use]
    pub fn new(cores: usize) -> Self {
        Self::with_waiting(cores, cores * WAITING_PER_CORE)
    }

    fn with_waiting(cores: usize, waiting: usize) -> Self {
        let pool = ThreadPoolBuilder::new()
            .num_threads(cores)
            .thread_name(|n| format!("hash-{n}"))
            // The caller that waits for the hash sees the closed channel and fails, which is enough.
            .panic_handler(drop);
        Self {
            cores: Arc::new(pool.build().expect("threads can be started when a service starts")),
            places: Arc::new(Semaphore::new(cores + waiting)),
            dummy: PasswordHash::of_no_password(boot::random::bytes(), boot::random::bytes()),
            #[cfg(test)]
            begun: Arc::default(),
        }
    }

    /// Hashes a new password.
    ///
    /// # Errors
    /// [`Error::TooManyHashes`].
    pub async fn hash(&self, password: Password) -> Result<PasswordHash, Error> {
        self.run(move || password.hash(boot::random::bytes())).await
    }

    /// Compares a password. Without a stored one it takes as long, so that the time of an
    /// answer doesn't tell who has an account.
    ///
    /// # Errors
    /// [`Error::TooManyHashes`].
    pub async fn verify(&self, password: Password, stored: Option<PasswordHash>) -> Result<Verdict, Error> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.dummy.clone());
        self.run(move || {
            if !password.is_behind(&stored) || !known {
                return Verdict::Wrong;
            }
            let renewed = stored.is_outdated().then(|| password.hash(boot::random::bytes()));
            Verdict::Right { renewed }
        })
        .await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Error::TooManyHashes)?;
        #[cfg(test)]
        self.begun.fetch_add(1, core::sync::atomic::Ordering::Relaxed);
        let (done, result) = oneshot::channel();
        // A caller that gives up doesn't stop the hash, so the hash itself holds the place.
        self.cores.spawn_fifo(move || {
            let worked = work();
            drop(place);
            // Fails if the caller has given up.
            done.send(worked).ok();
        });
        result.await.map_err(|_| Error::Hash)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn password(text: &str) -> Password {
        Password::presented(text.to_owned()).unwrap()
    }

    #[tokio::test]
    async fn a_password_beyond_the_queue_is_refused_and_the_others_get_their_turn() {
        let hasher = Hasher::with_waiting(1, 1);
        let (release, released) = mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let first = hasher.clone();
        let first = tokio::spawn(async move {
            first
                .run(move || {
                    begun.send(()).unwrap();
                    released.recv()
                })
                .await
        });
        begins.await.unwrap();
        let second = hasher.run(|| "second");
        tokio::pin!(second);
        assert!(futures::poll!(&mut second).is_pending());
        assert!(matches!(hasher.run(|| "third").await, Err(Error::TooManyHashes)));
        release.send(()).unwrap();
        assert_eq!(second.await.unwrap(), "second");
        first.await.unwrap().unwrap().unwrap();
        assert_eq!(hasher.run(|| "fourth").await.unwrap(), "fourth");
    }

    #[tokio::test]
    async fn a_caller_that_gives_up_does_not_free_the_core_its_hash_still_uses() {
        let hasher = Hasher::with_waiting(1, 0);
        let (release, released) = mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let first = hasher.clone();
        let first = tokio::spawn(async move {
            first
                .run(move || {
                    begun.send(()).unwrap();
                    released.recv().unwrap();
                })
                .await
        });
        begins.await.unwrap();
        first.abort();
        assert!(first.await.unwrap_err().is_cancelled());
        assert!(matches!(hasher.run(|| ()).await, Err(Error::TooManyHashes)));
        release.send(()).unwrap();
    }

    #[tokio::test]
    async fn the_dummy_password_is_always_wrong() {
        let hasher = Hasher::new(1);
        let stored = password("correct horse").hash([1; 16]);
        let right = hasher.verify(password("correct horse"), Some(stored.clone())).await.unwrap();
        assert_eq!(right, Verdict::Right { renewed: None });
        assert_eq!(hasher.verify(password("incorrect"), Some(stored)).await.unwrap(), Verdict::Wrong);
        assert_eq!(hasher.verify(password("correct horse"), None).await.unwrap(), Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_right_password_with_an_outdated_hash_is_hashed_anew() {
        let outdated = "$argon2id$v=19$m=8,t=1,p=1$AQEBAQEBAQEBAQEBAQEBAQ$";
        let argon2 = argon2::Argon2::new(
            argon2::Algorithm::Argon2id,
            argon2::Version::V0x13,
            argon2::Params::new(8, 1, 1, None).unwrap(),
        );
        let mut output = [0; 32];
        argon2.hash_password_into(b"correct horse", &[1; 16], &mut output).unwrap();
        let output = argon2::password_hash::Output::new(&output).unwrap();
        let stored = PasswordHash::parse(&format!("{outdated}{output}")).unwrap();
        let verdict = Hasher::new(1).verify(password("correct horse"), Some(stored)).await.unwrap();
        let Verdict::Right { renewed: Some(renewed) } = verdict else { panic!("{verdict:?}") };
        assert!(!renewed.is_outdated());
        assert!(password("correct horse").is_behind(&renewed));
    }
}
