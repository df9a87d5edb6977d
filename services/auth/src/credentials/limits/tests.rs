use boot::{clock::Clock, environment::Environment, security::SecurityProfile};
use jiff::SignedDuration;
use proptest::prelude::*;

use super::*;
use crate::domain::{client::Client, sign_in_limit::Counted};

#[derive(Debug, Clone)]
enum Step {
    Wait(i64),
    Attempt { account: usize, address: u8, device: bool, right: Option<bool> },
    Lift { account: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let right = prop_oneof![6 => Just(Some(false)), 1 => Just(Some(true)), 1 => Just(None)];
    let attempt = (0_usize..2, 1_u8..3, prop::bool::weighted(0.2), right);
    let step = prop_oneof![
        8 => attempt.prop_map(|(account, address, device, right)| Step::Attempt { account, address, device, right }),
        1 => (1_i64..30).prop_map(Step::Wait),
        1 => (0_usize..2).prop_map(|account| Step::Lift { account }),
    ];
    prop::collection::vec(step, 1..60)
}

/// Accounts' and addresses' limits lie close together here: two and six failures.
fn limits(redis: Option<RedisCounters>, clock: &Clock) -> Arc<Active> {
    let limit = SecurityProfile::of(Environment::Production).sign_in.unwrap();
    let limit = SignInLimit { attempts: 2, block: SignedDuration::from_mins(10), ..limit };
    let key = LimitKey::new(&boot::random::bytes());
    Arc::new(Active { limit, key, clock: clock.clone(), redis, local: LocalCounters::default() })
}

impl Active {
    fn subject_of(&self, email: &Email, address: u8, device: bool) -> Subject {
        let origin = Client::parse(&format!("192.0.2.{address}"), "", "").unwrap().origin;
        let device = device.then(|| DeviceId(uuid::Uuid::from_u128(address.into())));
        let mut subject = self.key.subject(email, &origin, device, &self.limit);
        subject.shared = subject.shared.map(|shared| Counted { most: 6, ..shared });
        subject
    }
}

#[test]
fn redis_and_the_process_alone_decide_alike() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let redis = runtime.block_on(testkit::redis());
    let emails = ["olive@demo.test", "mary@demo.test"].map(|text| Email::parse(text).unwrap());
    proptest!(ProptestConfig::with_cases(48), |(steps in steps())| {
        let (clock, time) = Clock::test(Timestamp::from_second(1_800_000_000).unwrap());
        let _entered = runtime.enter();
        let shared = limits(Some(RedisCounters::lazy(redis.client()).unwrap()), &clock);
        let alone = limits(None, &clock);
        for step in steps {
            let played = [&shared, &alone].map(|limits| runtime.block_on(play(limits, &emails, &step)));
            prop_assert_eq!(&played[0], &played[1], "{:?}", step);
            if let Step::Wait(minutes) = step {
                time.advance(SignedDuration::from_mins(minutes));
            }
        }
    });
}

/// What a step showed, and when each account's block ends after it.
async fn play(limits: &Arc<Active>, emails: &[Email], step: &Step) -> (String, Vec<Option<Timestamp>>) {
    let showed = match *step {
        Step::Wait(_) => String::new(),
        Step::Lift { account } => {
            Limits(Some(limits.clone())).lift(&emails[account]).await;
            String::new()
        }
        Step::Attempt { account, address, device, right } => {
            let subject = limits.subject_of(&emails[account], address, device);
            match limits.begin(&subject, limits.clock.now()).await {
                Verdict::Blocked { until } => format!("blocked until {until}"),
                Verdict::Go(attempt) => {
                    let counting = Counting(Some(Begun { limits: limits.clone(), subject, attempt }));
                    match right {
                        Some(true) => counting.right().await,
                        None => counting.void().await,
                        Some(false) => drop(counting),
                    }
                    format!("looked at, last: {}", attempt.last)
                }
            }
        }
    };
    (showed, Limits(Some(limits.clone())).blocked_until(emails).await)
}
