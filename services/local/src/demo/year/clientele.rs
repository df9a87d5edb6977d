//! Who comes to the salon, and what they are like.

use std::collections::BTreeSet;

use super::dice::Dice;
use crate::demo::salon::{CUSTOMERS, SERVICES};

/// So many customers fill about two thirds of the employees' time.
pub const CLIENTS: usize = 820;
/// The numbers of `+44 7700 900…` are kept for drama; the demo's first customers have those from here on.
const FIRST_NUMBER: usize = 123;

const FIRST_NAMES: [&str; 48] = [
    "Aisha",
    "Alice",
    "Amara",
    "Andrew",
    "Anna",
    "Arjun",
    "Beatrice",
    "Callum",
    "Carmen",
    "Charlotte",
    "Chloe",
    "Daniel",
    "Dara",
    "Elena",
    "Eleanor",
    "Ella",
    "Ewan",
    "Farah",
    "Fiona",
    "Grace",
    "Harriet",
    "Imogen",
    "Ines",
    "Isla",
    "Jack",
    "James",
    "Jasmine",
    "Joanna",
    "Kate",
    "Laila",
    "Louise",
    "Lucy",
    "Maeve",
    "Marta",
    "Megan",
    "Mohammed",
    "Naomi",
    "Nathan",
    "Niamh",
    "Olivia",
    "Oscar",
    "Poppy",
    "Rachel",
    "Rosa",
    "Simone",
    "Sophie",
    "Thomas",
    "Zara",
];
const LAST_NAMES: [&str; 48] = [
    "Abbott",
    "Ahmed",
    "Allen",
    "Andersson",
    "Bailey",
    "Banerjee",
    "Barker",
    "Begum",
    "Bennett",
    "Brennan",
    "Campbell",
    "Chan",
    "Chapman",
    "Cohen",
    "Cooper",
    "Costa",
    "Davies",
    "Doyle",
    "Edwards",
    "Evans",
    "Fisher",
    "Fletcher",
    "Garcia",
    "Gill",
    "Graham",
    "Greene",
    "Hall",
    "Harris",
    "Hughes",
    "Hussain",
    "Ivanova",
    "Jackson",
    "Jones",
    "Kaur",
    "Kelly",
    "Khan",
    "Lewis",
    "Lin",
    "Marsh",
    "Moore",
    "Nowak",
    "Okafor",
    "Patel",
    "Reid",
    "Silva",
    "Turner",
    "Walsh",
    "Young",
];

/// Services by their places in [`SERVICES`]: what is had most, and what now and then instead.
type Taste = (usize, &'static [usize]);

/// Cut; men's cut; colour; roots; blow dry; nails; brows, by how many of a hundred customers like them.
const TASTES: [(i64, Taste); 7] = [
    (30, (0, &[4, 2])),
    (24, (1, &[5])),
    (10, (2, &[0, 3])),
    (12, (3, &[2, 0])),
    (6, (4, &[0])),
    (12, (6, &[7])),
    (6, (8, &[6])),
];

/// A customer and their habits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Name.
    pub name: String,
    /// E.164, from the range kept for drama.
    pub phone: String,
    /// What they mostly have.
    pub usual: usize,
    /// What they sometimes have instead.
    pub others: &'static [usize],
    /// Whom they like best.
    pub favourite: usize,
    /// Days after which they come back.
    pub every: i64,
    /// The hour of the day from which on they have time, and until when.
    pub hours: (i32, i32),
    /// Of a hundred visits, how many they forget.
    pub forgets: i64,
    /// Days of the year after which they come for the first time.
    pub first_after: i64,
    /// Visits after which they stay away for good.
    pub stays_for: usize,
}

/// All of them; the first are those that the demo has without a year.
pub fn clients(seed: u64) -> Vec<Client> {
    let mut dice = Dice::new(seed, "clients");
    let mut known: BTreeSet<String> = CUSTOMERS.iter().map(|name| (*name).to_owned()).collect();
    (0..CLIENTS)
        .map(|n| {
            let name =
                CUSTOMERS.get(n).map_or_else(|| new_name(&mut dice, &mut known), |name| (*name).to_owned());
            client(&mut dice, name, n)
        })
        .collect()
}

fn new_name(dice: &mut Dice, known: &mut BTreeSet<String>) -> String {
    loop {
        let name = format!("{} {}", dice.pick(&FIRST_NAMES), dice.pick(&LAST_NAMES));
        if known.insert(name.clone()) {
            return name;
        }
    }
}

fn client(dice: &mut Dice, name: String, n: usize) -> Client {
    let (usual, others) = taste(dice.between(1, 100));
    let able = SERVICES[usual].employees;
    let every = match usual {
        1 => dice.between(28, 42),
        2 | 3 => dice.between(35, 48),
        _ => dice.between(30, 50),
    };
    // One in five comes for the first time in the course of the year.
    let first_after = if dice.percent(80) { dice.between(0, every) } else { dice.between(every, 350) };
    Client {
        name,
        phone: format!("+447700900{:03}", (FIRST_NUMBER + n) % 1_000),
        usual,
        others,
        favourite: *dice.pick(able),
        every,
        hours: *dice.pick(&[(9, 13), (12, 16), (14, 19), (9, 19)]),
        forgets: if dice.percent(12) { 14 } else { 1 },
        first_after,
        stays_for: if dice.percent(10) {
            usize::try_from(dice.between(1, 5)).unwrap_or(1)
        } else {
            usize::MAX
        },
    }
}

fn taste(mut of_hundred: i64) -> Taste {
    for (share, taste) in TASTES {
        of_hundred -= share;
        if of_hundred <= 0 {
            return taste;
        }
    }
    TASTES[0].1
}

/// The first name, as the agent says it.
pub fn first_name(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::salon::EMPLOYEES;

    #[test]
    fn every_customer_has_a_name_and_a_number_of_their_own() {
        let clients = clients(1);
        let names: BTreeSet<_> = clients.iter().map(|client| &client.name).collect();
        let numbers: BTreeSet<_> = clients.iter().map(|client| &client.phone).collect();
        assert_eq!((names.len(), numbers.len()), (CLIENTS, CLIENTS));
        assert_eq!((clients[0].name.as_str(), clients[0].phone.as_str()), ("Ana Sousa", "+447700900123"));
    }

    #[test]
    fn everyone_likes_an_employee_who_does_what_they_have() {
        for client in clients(1) {
            assert!(SERVICES[client.usual].employees.contains(&client.favourite));
            assert!((28..=56).contains(&client.every));
            assert!(client.favourite < EMPLOYEES.len());
        }
    }
}
