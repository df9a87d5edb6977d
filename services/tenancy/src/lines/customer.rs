//! Lines of customers.

use proto::error::FieldFault;

use super::{
    bare, fault, fits, plain,
    table::{Cell, heading_line, write},
};
use crate::{
    domain::{Country, Customer, Email, Field, Fields, Phone, Tags, folded},
    grpc::fields,
};

/// The fields of customers in tables.
pub const FIELDS: Fields = Fields { all: ALL, needed: &[&["name", "first_name"]], dated: &[] };

const ALL: &[Field] = &[
    Field { name: "name", also: &["fullname", "customer", "client", "clientname", "customername"] },
    Field { name: "first_name", also: &["firstname", "givenname", "forename"] },
    Field { name: "last_name", also: &["lastname", "familyname", "surname"] },
    Field { name: "phone", also: &["mobile", "mobilenumber", "phonenumber", "telephone", "tel"] },
    Field { name: "email", also: &["emailaddress", "mail"] },
    Field { name: "tags", also: &["labels", "groups"] },
];

/// A line as a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerLine {
    /// What the person is called.
    pub name: String,
    /// Where to reach the person.
    pub phone: Option<Phone>,
    /// Where to write to.
    pub email: Option<Email>,
    /// What the salon files the person under.
    pub tags: Tags,
}

impl CustomerLine {
    /// Reads a line; national numbers are those of `country`.
    ///
    /// # Errors
    /// What is wrong with its first wrong cell.
    pub fn parse(cells: &[String], country: Option<Country>) -> Result<Self, FieldFault> {
        fits(&FIELDS, cells)?;
        let cell = |at: usize| cells.get(at).map_or("", String::as_str);
        let dialled = fault(fields::dialled(bare(cell(3))))?;
        let phone = dialled.map(|dialled| dialled.from_country(country)).transpose();
        let tags: Vec<String> = cell(5)
            .split([';', '|'])
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
            .map(|tag| plain("tags", tag).map(str::to_owned))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            name: fault(fields::name("name", &name(cell(0), cell(1), cell(2))?))?,
            phone: phone.map_err(|error| FieldFault::new("phone", &error.to_string()))?,
            email: fault(fields::email(bare(cell(4))))?,
            tags: fault(fields::tags(&tags))?,
        })
    }

    /// What the line has in common with another one of the same person.
    #[must_use]
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let of = |contact: &str| format!("{}\n{contact}", folded(&self.name));
        let phone = self.phone.as_ref().map(|phone| ("phone", of(phone.as_str())));
        let email = self.email.as_ref().map(|email| ("email", of(email.as_str())));
        let keys: Vec<_> = phone.into_iter().chain(email).collect();
        if keys.is_empty() { vec![("name", of(""))] } else { keys }
    }

    /// Which of its fields says that `known` is the same person, if one does: the name, with the number, the address,
    /// or neither.
    #[must_use]
    pub fn field_of(&self, known: &Customer) -> Option<&'static str> {
        if folded(&known.name) != folded(&self.name) {
            None
        } else if self.phone.is_some() && self.phone == known.phone {
            Some("phone")
        } else if self.email.is_some() && self.email == known.email {
            Some("email")
        } else if self.phone.is_none() && self.email.is_none() {
            Some("name")
        } else {
            None
        }
    }
}

fn name(whole: &str, first: &str, last: &str) -> Result<String, FieldFault> {
    if !whole.trim().is_empty() {
        return plain("name", whole).map(str::to_owned);
    }
    let parts = [plain("first_name", first)?, plain("last_name", last)?];
    Ok(parts.join(" ").trim().to_owned())
}

/// Customers as lines that [`CustomerLine::parse`] reads, after their headings if they are the `first` ones.
#[must_use]
pub fn csv(first: bool, customers: &[Customer]) -> String {
    let headings = first.then(|| heading_line::<6>(&FIELDS));
    write(headings.into_iter().chain(customers.iter().map(|customer| {
        [
            Cell::Text(customer.name.clone()),
            Cell::Text(String::new()),
            Cell::Text(String::new()),
            Cell::text(customer.phone.as_ref()),
            Cell::text(customer.email.as_ref()),
            Cell::Text(customer.tags.as_slice().join("; ")),
        ]
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{CustomerId, ImportKind},
        lines::table_reading::first_line,
    };

    fn parsed(text: &str) -> Result<CustomerLine, FieldFault> {
        let table = format!("first name,surname,mobile,e-mail,tags\n{text}");
        CustomerLine::parse(&first_line(&table, ImportKind::Customers), Country::parse("GB"))
    }

    #[test]
    fn a_line_is_a_customer() {
        let line = parsed("Mia,Berg,020 7946 0018,mia@example.com,VIP; colour").unwrap();
        assert_eq!(line.name, "Mia Berg");
        assert_eq!(line.phone.as_ref().map(Phone::as_str), Some("+442079460018"));
        assert_eq!(line.tags.as_slice(), ["VIP", "colour"]);
    }

    #[test]
    fn what_is_wrong_is_said_of_its_column() {
        let long = format!("{},x", "x".repeat(10_000));
        for (text, field) in [
            (",,020 7946 0018", "name"),
            ("=cmd(),x", "first_name"),
            ("Mi\u{202e}a,x", "name"),
            ("Mi\u{1}a,x", "name"),
            ("M\u{fffd}a,x", "name"),
            (long.as_str(), "name"),
            ("Mia,,anonymous", "phone"),
            ("Mia,,,mia", "email"),
            ("Mia,,,,=x", "tags"),
        ] {
            assert_eq!(parsed(text).unwrap_err().field, field, "{text:.20}");
        }
    }

    #[test]
    fn an_exported_customer_is_read_as_they_are() {
        let line = parsed("'@Mia,,+442079460018,mia@example.com,VIP").unwrap();
        let customer = Customer {
            id: CustomerId(uuid::Uuid::nil()),
            name: line.name.clone(),
            phone: line.phone.clone(),
            email: line.email.clone(),
            tags: line.tags.clone(),
            marketing_consent: None,
            merged_into: None,
            erased_at: None,
            version: 1,
        };
        assert_eq!(line.field_of(&customer), Some("phone"));
        let text = csv(true, &[customer]);
        assert!(text.contains("'@Mia") && text.contains("'+442079460018"), "{text}");
        assert_eq!(CustomerLine::parse(&first_line(&text, ImportKind::Customers), None), Ok(line));
    }
}
