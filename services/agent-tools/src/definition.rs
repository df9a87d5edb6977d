//! The tools as a model is told of them.

use serde_json::{Map, Value, json};

use super::Tool;

/// A tool's name, what it is for and what it takes, as JSON Schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name agents call it by.
    pub name: &'static str,
    /// When to use it.
    pub description: &'static str,
    /// What it takes.
    pub parameters: Value,
}

const CUSTOMER: (&str, &str) = ("customer_id", "The id that find_customer or create_customer gave");
const NAME: (&str, &str) = ("name", "The caller's full name, as they say it");
const PHONE: (&str, &str) =
    ("phone", "The number they booked with, if they say it is another than they call from");
const SERVICE: (&str, &str) = ("service", "The service, in the caller's words");
const EMPLOYEE: (&str, &str) = ("employee", "The stylist asked for, or leave out for anyone");
const WISH: (&str, &str) =
    ("employee_wish", "\"only\" if no other stylist will do, \"prefers\" if they'd rather");
const DAY: (&str, &str) = ("day", "A date (YYYY-MM-DD), a weekday, today or tomorrow");
const PART: (&str, &str) = ("part_of_day", "morning, afternoon or evening");
const START: (&str, &str) = ("starts_at", "The start of an offered time, exactly as it was given");
const APPOINTMENT: (&str, &str) = ("appointment_id", "The id that find_appointments gave");

impl Tool {
    /// What a model is told of it.
    #[must_use]
    pub fn definition(self) -> Definition {
        let (description, fields, required): (_, &[(&str, &str)], &[&str]) = match self {
            Self::FindCustomer => {
                ("Recognises the caller by their number. Use it before booking.", &[PHONE, NAME], &[])
            }
            Self::CreateCustomer => ("Notes a new customer down.", &[NAME, PHONE], &["name"]),
            Self::ListServices => (
                "What the salon offers, with prices and lengths, or what a caller's words mean.",
                &[SERVICE],
                &[],
            ),
            Self::SearchAvailability => (
                "Finds free times. Offer the caller what it says.",
                &[SERVICE, EMPLOYEE, WISH, DAY, PART, CUSTOMER],
                &["service"],
            ),
            Self::HoldSlot => (
                "Keeps an offered time while the caller decides. Use it before book_appointment.",
                &[SERVICE, EMPLOYEE, WISH, START, CUSTOMER],
                &["service", "starts_at"],
            ),
            Self::BookAppointment => (
                "Books the time that is kept, once the caller has agreed.",
                &[
                    ("hold_id", "The id that hold_slot gave"),
                    CUSTOMER,
                    ("notes", "What the stylist should know"),
                ],
                &["hold_id", "customer_id"],
            ),
            Self::FindAppointments => (
                "The caller's visits to come. Ask for their full name first.",
                &[CUSTOMER, NAME, PHONE],
                &["name"],
            ),
            Self::MoveAppointment => (
                "Moves a visit to an offered time. Call it once to hear what to ask, and again with confirmed \
                 after the caller has said yes.",
                &[CUSTOMER, NAME, PHONE, APPOINTMENT, START, CONFIRMED],
                &["name", "starts_at"],
            ),
            Self::CancelAppointment => (
                "Cancels a visit. Call it once to hear what to ask, and again with confirmed after the caller \
                 has said yes.",
                &[CUSTOMER, NAME, PHONE, APPOINTMENT, CONFIRMED],
                &["name"],
            ),
            Self::JoinWaitlist => (
                "Puts the caller on the waitlist when no time suits.",
                &[
                    SERVICE,
                    EMPLOYEE,
                    WISH,
                    CUSTOMER,
                    ("first_day", "The first day that suits"),
                    ("last_day", "The last day that suits"),
                    PART,
                    ("note", "Anything else to know"),
                ],
                &["service", "customer_id"],
            ),
            Self::OpeningHours => ("When the salon is open.", &[DAY], &[]),
            Self::TakeMessage => (
                "Passes a message on to the team, when you can't help or the caller asks for a person.",
                &[("message", "What to pass on"), NAME, PHONE, CUSTOMER],
                &["message"],
            ),
            Self::TransferCall => (
                "Puts the caller through to a person of the team. Use it when the caller asks for a person and \
                 has agreed to be put through; the conversation ends with it.",
                &[],
                &[],
            ),
        };
        Definition { name: self.name(), description, parameters: schema(fields, required) }
    }
}

const CONFIRMED: (&str, &str) = ("confirmed", "true once the caller has said yes");

fn schema(fields: &[(&str, &str)], required: &[&str]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(name, description)| {
            let kind = if *name == CONFIRMED.0 { "boolean" } else { "string" };
            ((*name).to_owned(), json!({"type": kind, "description": description}))
        })
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_is_defined_and_requires_only_what_it_takes() {
        for tool in Tool::ALL {
            let definition = tool.definition();
            assert_eq!(Tool::named(definition.name), Some(tool));
            let properties = definition.parameters["properties"].as_object().unwrap();
            for required in definition.parameters["required"].as_array().unwrap() {
                assert!(properties.contains_key(required.as_str().unwrap()), "{}", definition.name);
            }
        }
    }
}
