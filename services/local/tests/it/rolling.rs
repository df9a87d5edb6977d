//! Replicas leave and are replaced while people use the installation: no request fails, a page misses nothing, and
//! no telephone call breaks off.

mod balancer;
mod caller;
mod page;
mod traffic;

use core::time::Duration;
use std::{ffi::OsString, fs, os::unix::ffi::OsStringExt, path::Path, process::Stdio};

use local::{
    demo_call::Platform,
    stack::plan::{DOORS, MEMBERS},
    visitor::Visitor,
};
use tokio::{
    process::{Child, Command},
    time::timeout,
};

use crate::{
    crash::requests,
    faults::proxy::Proxy,
    rolling::{
        balancer::{Balancer, Probe, SECOND},
        caller::Caller,
        page::{Heard, Page},
        traffic::{Outcome, Traffic},
    },
    stack::{Stack, program},
};

/// Balancers listen this far above the ports of the services.
const THROUGH: u16 = 110;
/// And at this port above the first before the doors.
const DOOR: u16 = 170;
/// Requests that begin in a second: two cores carry so many without optimisation while processes start beside.
const RATE: u32 = 80;
/// And so many in the long run, which has the machine to itself and runs what ships.
const FULL_RATE: u32 = 200;
/// An odd number beside the even one of requests: each makes every kind of them.
const PEOPLE: usize = 5;
/// Longer than a balancer takes to see that a replica leaves.
const LAME_DUCK_SECONDS: &str = "1";
/// For a process to end, and for one to become ready on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A part of the installation, behind its balancer.
struct Part {
    name: &'static str,
    balancer: Balancer,
    /// What its second replica is told, where it has one.
    environment: Vec<(OsString, OsString)>,
    second: Option<Child>,
}

impl Part {
    /// Starts the second replica and waits until it is ready.
    async fn start_second(&mut self, log: &Path) {
        let log = fs::OpenOptions::new().append(true).open(log).unwrap();
        let mut command = Command::new(program());
        command.arg(self.name).env_clear().envs(self.environment.clone());
        let second =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).kill_on_drop(true).spawn();
        self.second = Some(second.unwrap());
        self.becomes(1, true).await;
    }

    /// The second replica is asked to leave, and ends well.
    async fn second_leaves(&mut self) {
        let mut second = self.second.take().unwrap();
        let of_first = self.balancer.opened(0);
        terminate(second.id().unwrap());
        self.becomes(1, false).await;
        let status = timeout(PATIENCE, second.wait()).await.expect("it ends").unwrap();
        assert!(status.success(), "{}: {status}", self.name);
        let opened = timeout(PATIENCE, self.balancer.opens_more(0, of_first)).await;
        assert!(opened.is_ok(), "{}: nothing goes to the first replica", self.name);
    }

    /// The first replica is asked to leave; its keeper starts it again.
    async fn first_is_replaced(&self, process: u32) {
        terminate(process);
        self.becomes(0, false).await;
        self.becomes(0, true).await;
    }

    async fn becomes(&self, replica: usize, ready: bool) {
        let seen = timeout(PATIENCE, self.balancer.sees(replica, ready)).await;
        assert!(seen.is_ok(), "{}: replica {replica} does not become ready ({ready})", self.name);
    }
}

/// An installation whose parts have replicas, and people who use it.
struct Installation {
    stack: Stack,
    _beside: Proxy,
    parts: Vec<Part>,
    page: Page,
    caller: Caller,
    traffic: Traffic,
}

impl Installation {
    /// Starts it with a second replica of each of `replicated`, a page that listens, and requests.
    async fn begin(replicated: &[&str], rate: u32) -> Self {
        let through = THROUGH.to_string();
        let (mut balancers, mut beside) = (Vec::new(), None);
        let stack = Stack::start_prepared(&["--processes", "--through", &through], |stack| {
            stack.say("LAME_DUCK_SECONDS", LAME_DUCK_SECONDS);
            let base = stack.base_port();
            for member in MEMBERS {
                let port = base + member.offset;
                balancers.push((member.name, port, Balancer::start(port + THROUGH, port, Probe::Grpc)));
            }
            balancers.push((DOORS, stack.port(), Balancer::start(base + DOOR, stack.port(), Probe::Http)));
            beside = Some(Proxy::start(&[base + 32, base + 79], THROUGH));
        })
        .await;
        let mut parts = Vec::new();
        for (name, port, balancer) in balancers {
            let environment = told(stack.process(name), port + SECOND);
            let mut part = Part { name, balancer, environment, second: None };
            if replicated.contains(&name) {
                part.start_second(&stack.log()).await;
            }
            parts.push(part);
        }
        let door = stack.base_port() + DOOR;
        let mut people = Vec::new();
        for _ in 0..PEOPLE {
            people.push(Visitor::sign_in(&format!("http://127.0.0.1:{door}"), "owner").await.unwrap());
        }
        let page = Page::open(door, stack.url(), &people[0]).await;
        let caller = Caller::begin(door, &stack.url(), stack.secret(&Platform::Twilio.secret_name()));
        let times = requests(&people[0]).await;
        let traffic = Traffic::begin(rate, people, times);
        traffic.goes_on(3).await;
        caller.hears(1).await;
        Self { stack, _beside: beside.unwrap(), parts, page, caller, traffic }
    }

    /// Every request was served, and the page heard of every booking.
    async fn end(mut self) {
        let Outcome { mut served, failed, booked, repeated } = self.traffic.stop().await;
        assert!(
            failed.is_empty(),
            "{} of {} failed: {:#?}",
            failed.len(),
            served.len(),
            &failed[..failed.len().min(5)]
        );
        assert!(repeated < 10, "{repeated} requests met a closed connection");
        assert!(booked.len() > 5, "only {} were booked", booked.len());
        let all = |heard: &Heard| booked.iter().all(|id| heard.appointments.contains(id));
        let heard = self.page.hears(all, "the page hears of every booking").await;
        self.caller.hears(1).await;
        println!("{}", self.caller.end().await);
        served.sort_unstable();
        println!(
            "{} requests were served ({repeated} at the second try), half of them within {:?}, the slowest in {:?}; the page heard of {} bookings, came back {} times and read everything {} times",
            served.len(),
            served[served.len() / 2],
            served[served.len() - 1],
            booked.len(),
            heard.restarts,
            heard.resets,
        );
        let log = fs::read_to_string(self.stack.log()).unwrap();
        let cut = log.lines().find(|line| line.contains("after the drain"));
        assert_eq!(cut, None, "a process was cut");
        let ended = log.lines().filter(|line| line.contains("starting it again"));
        let badly: Vec<_> = ended.filter(|line| !line.contains("exit status: 0")).collect();
        assert!(badly.is_empty(), "{badly:#?}");
    }
}

/// What a process is told, but for its port.
fn told(process: u32, port: u16) -> Vec<(OsString, OsString)> {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap();
    let variables = environment.split(|byte| *byte == 0).filter_map(|variable| {
        let at = variable.iter().position(|byte| *byte == b'=')?;
        let part = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        Some((part(&variable[..at]), part(&variable[at + 1..])))
    });
    let listen = (OsString::from("LISTEN"), OsString::from(format!("127.0.0.1:{port}")));
    variables.filter(|(name, _)| name != "LISTEN").chain([listen]).collect()
}

fn terminate(process: u32) {
    let sent = std::process::Command::new("kill").args(["-TERM", &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_and_a_door_that_leave_lose_no_request() {
    let mut installation = Installation::begin(&["scheduling", DOORS], RATE).await;
    for part in installation.parts.iter_mut().filter(|part| part.second.is_some()) {
        // After this every connection leads to the second.
        part.first_is_replaced(installation.stack.process(part.name)).await;
        installation.traffic.goes_on(1).await;
        installation.caller.hears(2).await;
        part.second_leaves().await;
        installation.traffic.goes_on(1).await;
    }
    installation.end().await;
}

#[ignore = "two minutes: `make prove-rolling` runs it"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_part_is_replaced_under_load_and_no_request_fails() {
    let names: Vec<_> = MEMBERS.into_iter().map(|member| member.name).chain([DOORS]).collect();
    let mut installation = Installation::begin(&names, FULL_RATE).await;
    for part in &mut installation.parts {
        part.first_is_replaced(installation.stack.process(part.name)).await;
        installation.traffic.goes_on(1).await;
        installation.caller.hears(2).await;
        part.second_leaves().await;
        part.start_second(&installation.stack.log()).await;
        installation.traffic.goes_on(1).await;
    }
    installation.page.hears(|heard| heard.restarts > 0 && heard.live, "the page comes back").await;
    installation.end().await;
}
