//! What was said in a call, and what the agent's tools did, as a voice platform would have told of it.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use proto::{
    frontdesk::telemetry::{
        internal::v1::{FinishToolCallRequest, PastRun},
        v1::{CallOutcome, Speaker, Turn},
    },
    time::to_proto,
};
use serde_json::{Value, json};

use super::{
    World,
    calls::{Call, MESSAGES, QUESTIONS, Subject},
    clientele::first_name,
    dice::Dice,
    ids,
    visits::Visit,
};
use crate::demo::{
    id,
    salon::{EMPLOYEES, SERVICES},
};

/// So long a word takes.
const MS_PER_CHARACTER: i64 = 62;
const GREETING: &str = "Willow and Co, good day. How can I help?";

/// A call as it went.
#[derive(Debug)]
pub struct Script {
    /// What was said.
    pub turns: Vec<Turn>,
    /// What the tools did.
    pub runs: Vec<PastRun>,
    /// What it was about.
    pub summary: String,
    /// When it ended.
    pub ended_at: Timestamp,
    dice: Dice,
    began: Timestamp,
    ms: i64,
}

/// What a tool did beside answering.
#[derive(Debug, Default)]
struct Effect<'a> {
    customer: Option<(String, &'a str)>,
    appointment: Option<usize>,
    outcome: CallOutcome,
}

impl Script {
    /// How the call at this place of the world went.
    pub fn of(world: &World, n: usize, call: &Call) -> Self {
        let mut script = Self {
            turns: vec![],
            runs: vec![],
            summary: String::new(),
            ended_at: call.at,
            dice: Dice::new(n as u64, "script"),
            began: call.at,
            ms: 600,
        };
        script.play(world, n, call);
        script.ended_at = script.now();
        script
    }

    fn play(&mut self, world: &World, n: usize, call: &Call) {
        self.agent(GREETING);
        match call.subject {
            Subject::Abandoned => self.ms += self.dice.between(2_000, 9_000),
            Subject::Question(place) => {
                let (asked, answer, summary) = QUESTIONS[place];
                self.caller(asked);
                if place == 0 || place == 1 {
                    self.run("opening_hours", &json!({}), json!({"say": answer}), Effect::default());
                } else if place == 2 || place == 3 {
                    let service = if place == 2 { 2 } else { 6 };
                    let asked = json!({"service": SERVICES[service].aliases[0]});
                    let told = json!({"say": answer, "services": [service_named(service)]});
                    self.run("list_services", &asked, told, Effect::default());
                }
                self.agent(answer);
                self.caller("Lovely, thank you.");
                self.agent("You're welcome. Goodbye!");
                self.summary = summary.to_owned();
            }
            Subject::Message(place) => {
                self.recognise(world, call);
                self.caller(MESSAGES[place]);
                let arguments = json!({"message": MESSAGES[place]});
                let said = "I've passed that on to the team. They'll call you back.";
                let told = json!({"say": said, "follow_up_id": ids::follow_up(n)});
                self.run("take_message", &arguments, told, effect(CallOutcome::Message));
                self.agent(said);
                self.caller("Thanks. Bye.");
                self.summary = "Left a message for the team.".to_owned();
            }
            Subject::NoTime(service) => {
                self.caller(&format!("Do you have anything for a {} today?", SERVICES[service].aliases[0]));
                self.search(service, None, &world.year.zone);
                self.agent("I'm afraid there's nothing free today. Shall I look at another day?");
                self.caller("No, it had to be today. Thanks anyway.");
                self.summary = format!("Wanted {} the same day; nothing was free.", SERVICES[service].name);
            }
            Subject::NotTaken(service) => {
                self.caller(&format!("I'd like a {} next week.", SERVICES[service].aliases[0]));
                let offered = call.at + SignedDuration::from_hours(5 * 24);
                self.search(service, Some(offered), &world.year.zone);
                self.agent(&format!("I could offer {}.", spoken(offered, &world.year.zone)));
                self.caller("Let me check with work first. I'll call again.");
                self.summary = format!("Heard times for {} and will call again.", SERVICES[service].name);
            }
            Subject::Booked(visit) => self.book(world, call, visit),
            Subject::Moved(visit) => self.change(world, visit, true),
            Subject::Cancelled(visit) => self.change(world, visit, false),
        }
    }

    fn book(&mut self, world: &World, call: &Call, n: usize) {
        let visit = &world.visits[n];
        let service = visit.service;
        let alias = self.alias(service);
        self.caller(&format!("Hi, I'd like to book a {alias}."));
        self.recognise(world, call);
        // A visit that was moved later was booked where it was first.
        let starts_at = first_start(world, visit);
        self.search(service, Some(starts_at), &world.year.zone);
        let when = spoken(starts_at, &world.year.zone);
        let with = first_name(EMPLOYEES[visit.place.employee].name);
        self.agent(&format!("I have {when} with {with}. Would that work?"));
        self.caller("Yes, perfect.");
        let arguments = json!({"service": id("service", service), "starts_at": starts_at.to_string()});
        let held =
            json!({"say": format!("I'm keeping {when} for you. Shall I book it?"), "hold_id": ids::visit(n)});
        self.run("hold_slot", &arguments, held, Effect::default());
        let client = &world.clients[visit.client];
        let said = format!(
            "You're booked, {}: {}, {when}. See you then!",
            first_name(&client.name),
            SERVICES[service].name
        );
        let arguments = json!({"hold_id": ids::visit(n), "customer_id": ids::customer(visit.client)});
        let told = json!({"say": said, "appointment_id": ids::visit(n)});
        self.run("book_appointment", &arguments, told, of_visit(world, n, CallOutcome::Booked));
        self.agent(&said);
        self.caller("Great, thank you. Bye!");
        self.summary = format!("Booked {} for {when} with {with}.", SERVICES[service].name);
    }

    fn change(&mut self, world: &World, n: usize, moves: bool) {
        let visit = &world.visits[n];
        let client = &world.clients[visit.client];
        let before = spoken(first_start(world, visit), &world.year.zone);
        let wish = if moves { "move my appointment" } else { "cancel my appointment" };
        self.caller(&format!("Hello, I need to {wish}."));
        self.agent("May I have your full name, please?");
        self.caller(&format!("{}.", client.name));
        let arguments = json!({"name": client.name});
        let found = json!({"say": format!("You have {} on {before}.", SERVICES[visit.service].name)});
        let known = Effect {
            customer: Some((ids::customer(visit.client), client.name.as_str())),
            ..Effect::default()
        };
        self.run("find_appointments", &arguments, found, known);
        let (tool, said, outcome) = if moves {
            let now = spoken(visit.starts_at, &world.year.zone);
            (
                "move_appointment",
                format!("I've moved it: {}, {now}. See you then!", SERVICES[visit.service].name),
                CallOutcome::Moved,
            )
        } else {
            (
                "cancel_appointment",
                format!(
                    "I've cancelled {} on {before}. Is there anything else?",
                    SERVICES[visit.service].name
                ),
                CallOutcome::Cancelled,
            )
        };
        self.agent("Just to be sure: shall I do that now?");
        self.caller("Yes, please.");
        let mut arguments = json!({"name": client.name, "appointment_id": ids::visit(n), "confirmed": true});
        if moves {
            arguments["starts_at"] = visit.starts_at.to_string().into();
        }
        self.run(
            tool,
            &arguments,
            json!({"say": said, "appointment_id": ids::visit(n)}),
            of_visit(world, n, outcome),
        );
        self.agent(&said);
        self.caller("That's all, thanks.");
        let did = if moves { "Moved" } else { "Cancelled" };
        self.summary = format!("{did} {} on {before}.", SERVICES[visit.service].name);
    }

    fn recognise(&mut self, world: &World, call: &Call) {
        let Some(n) = call.client else { return };
        let name = world.clients[n].name.as_str();
        let said = format!("I have you as {}. Is that right?", first_name(name));
        let told = json!({"say": said, "found": true, "customer_id": ids::customer(n)});
        let known = Effect { customer: Some((ids::customer(n), name)), ..Effect::default() };
        self.run("find_customer", &json!({}), told, known);
        self.agent(&said);
        self.caller("Yes, that's me.");
    }

    fn search(&mut self, service: usize, offered: Option<Timestamp>, zone: &TimeZone) {
        let offer =
            |at: Timestamp| json!({"starts_at": at.to_string(), "services": [service_named(service)]});
        let said =
            offered.map_or("Nothing is free then.".to_owned(), |at| format!("{} is free.", spoken(at, zone)));
        let told = json!({
            "say": said, "offers": offered.map(offer).into_iter().collect::<Vec<_>>(),
            "services": [service_named(service)],
        });
        self.run(
            "search_availability",
            &json!({"service": SERVICES[service].aliases[0]}),
            told,
            Effect::default(),
        );
    }

    fn alias(&mut self, service: usize) -> &'static str {
        let aliases: &'static [&'static str] = SERVICES[service].aliases;
        let alias: &&'static str = self.dice.pick(aliases);
        alias
    }

    fn agent(&mut self, text: &str) {
        self.say(Speaker::Agent, text);
    }

    fn caller(&mut self, text: &str) {
        self.say(Speaker::Caller, text);
    }

    fn say(&mut self, speaker: Speaker, text: &str) {
        let offset_ms = i32::try_from(self.ms).unwrap_or(i32::MAX);
        self.turns.push(Turn {
            speaker: speaker.into(),
            text: text.to_owned(),
            offset_ms,
            ..Turn::default()
        });
        self.ms += MS_PER_CHARACTER * text.chars().count() as i64 + self.dice.between(300, 1_400);
    }

    fn run(&mut self, name: &str, arguments: &Value, mut answer: Value, effect: Effect<'_>) {
        let latency = self.dice.between(60, 620);
        answer["ok"] = true.into();
        let (customer_id, customer_name) = effect.customer.unwrap_or_default();
        self.runs.push(PastRun {
            at: Some(to_proto(self.now())),
            name: name.to_owned(),
            arguments: arguments.to_string(),
            answer: Some(FinishToolCallRequest {
                result: answer.to_string(),
                ok: true,
                latency_ms: i32::try_from(latency).unwrap_or_default(),
                customer_id,
                customer_name: customer_name.to_owned(),
                appointment_id: effect.appointment.map(ids::visit).unwrap_or_default(),
                outcome: effect.outcome.into(),
                ..FinishToolCallRequest::default()
            }),
        });
        self.ms += latency;
    }

    fn now(&self) -> Timestamp {
        self.began + SignedDuration::from_millis(self.ms)
    }
}

fn effect<'a>(outcome: CallOutcome) -> Effect<'a> {
    Effect { outcome, ..Effect::default() }
}

fn of_visit(world: &World, n: usize, outcome: CallOutcome) -> Effect<'_> {
    let client = world.visits[n].client;
    Effect {
        customer: Some((ids::customer(client), world.clients[client].name.as_str())),
        appointment: Some(n),
        outcome,
    }
}

fn first_start(world: &World, visit: &Visit) -> Timestamp {
    visit.moved.map_or(visit.starts_at, |moved| world.year.at(moved.from.date, moved.from.minute))
}

fn service_named(service: usize) -> Value {
    json!({"service_id": id("service", service), "name": SERVICES[service].name})
}

/// "Thursday 4 June at 10:30"
fn spoken(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%A %-d %B at %-H:%M").to_string()
}
