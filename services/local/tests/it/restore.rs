//! Backups taken while the book is being written, and restored: nothing is lost that was there at that moment, and
//! what services know of each other agrees again.

pub mod backup;
mod comparison;

use std::{collections::BTreeMap, time::Instant};

use futures::{StreamExt, stream};
use local::visitor::{Visitor, willow};
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use crate::{
    crash::{book, each_is_in_a_calendar_once, requests},
    restore::{
        backup::{Backup, Server},
        comparison::agree,
    },
    stack::Stack,
};

const BOOKINGS: usize = 160;
const BEFORE: usize = 40;
const AFTER: usize = 20;

/// Bookings by their keys: the request, and the appointment if it was acknowledged.
type Book = BTreeMap<String, (Value, Option<String>)>;

#[ignore = "half a minute: `make restore-drill` and `make prove` run it"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn services_agree_after_each_kind_of_restore() {
    let mut stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    agree(&stack, "before").await;

    let began = Instant::now();
    let (book, backup, kept) = back_up_while_booking(&stack, &owner).await;
    println!("one base backup and two sets of dumps while booking: {:.1} s", began.elapsed().as_secs_f64());

    stack.kill();
    Server::of(&stack).lose();
    for dumps in ["frozen", "live"] {
        let began = Instant::now();
        backup.restore_dumps(&stack, dumps).await;
        let refused = stack.refuse_to_start();
        assert!(refused.contains("the database was restored from a dump"), "{refused}");
        stack.restart_with(&["--after-restore", "--no-demo"]);
        let ready = began.elapsed().as_secs_f64();
        let lost = check(&stack, dumps, &book, &kept).await;
        println!("{dumps} dumps: ready after {ready:.1} s, {lost} of {} bookings were later\n", book.len());
        stack.kill();
        Server::of(&stack).lose();
    }
    let began = Instant::now();
    backup.restore_base(&stack);
    stack.restart_with(&["--after-restore", "--no-demo"]);
    let ready = began.elapsed().as_secs_f64();
    let lost = check(&stack, "base backup", &book, &kept).await;
    println!("base backup: ready after {ready:.1} s, {lost} of {} bookings were later", book.len());
}

/// Books and adds customers all the while; the keys of what was acknowledged before the backup began.
async fn back_up_while_booking(stack: &Stack, owner: &Visitor) -> (Book, Backup, Vec<String>) {
    let requests = requests(owner).await;
    assert!(requests.len() >= BOOKINGS, "only {} free times", requests.len());
    let (counted, mut count) = watch::channel(Vec::new());
    let (stop, mut stopped) = oneshot::channel::<()>();
    let booking = tokio::spawn({
        let owner = owner.clone();
        async move {
            let mut booked = stream::iter(requests.into_iter().take(BOOKINGS).enumerate())
                .map(|(n, request)| {
                    let owner = owner.clone();
                    async move {
                        let key = format!("drill-{n}");
                        let customer =
                            json!({ "name": format!("Guest {n}"), "phone": format!("+44207946{n:04}") });
                        owner.post(&willow("customers"), &customer).await.unwrap();
                        let id = book(&owner, &key, &request).await;
                        (key, request, id)
                    }
                })
                .buffer_unordered(2);
            let mut book = Book::new();
            while let Some((key, request, id)) = booked.next().await {
                counted.send_modify(|keys| keys.push(key.clone()));
                book.insert(key, (request, id));
                // After the backup, some more: those are what a restore loses.
                if stopped.try_recv().is_ok() && book.len() + AFTER < BOOKINGS {
                    break;
                }
            }
            book
        }
    });
    let kept = count.wait_for(|keys| keys.len() >= BEFORE).await.unwrap().clone();
    let taking = Server::of(stack);
    let backup = tokio::task::spawn_blocking(move || taking.back_up()).await.unwrap();
    stop.send(()).ok();
    (booking.await.unwrap(), backup, kept)
}

/// What holds of a restored installation; how many bookings it does not have.
async fn check(stack: &Stack, how: &str, bookings: &Book, kept: &[String]) -> usize {
    agree(stack, how).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let there = Server::of(stack).appointments().await;
    let lost = bookings.values().filter(|(_, id)| id.as_ref().is_some_and(|id| !there.contains(id))).count();
    for key in kept {
        let (_, id) = &bookings[key];
        assert!(
            there.contains(id.as_ref().unwrap()),
            "{key} was acknowledged before the backup, and is lost"
        );
    }
    // Each again under its key: what is there is answered, what was lost is booked, and followers are told.
    let mut ids = Vec::new();
    for (key, (request, before)) in bookings {
        let id = book(&owner, key, request).await.expect("a repeated booking is accepted");
        if let Some(before) = before.as_ref().filter(|before| there.contains(*before)) {
            assert_eq!(&id, before, "{key} was booked twice");
        }
        ids.push(id);
    }
    let late = json!({ "name": "Late Guest", "phone": "+442079460999" });
    owner.post(&willow("customers"), &late).await.unwrap();
    each_is_in_a_calendar_once(&owner, ids).await;
    agree(stack, &format!("{how}, after more bookings")).await;
    lost
}
