//! Finds the messages with telephone numbers and e-mail addresses of customers, and generates how they leave
//! out those that a person may not see.

use std::{collections::BTreeSet, fmt::Write};

use prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};

use super::adapter::rust_path;

/// The messages with contacts, their own or of messages in them, but for those of events.
#[derive(Debug)]
pub struct Contacts {
    pool: DescriptorPool,
    /// Full names.
    messages: BTreeSet<String>,
}

impl Contacts {
    /// Reads which fields are contacts.
    ///
    /// # Errors
    /// Names the first message that marks a field and lacks what goes with it.
    pub fn read(pool: &DescriptorPool) -> Result<Self, String> {
        let own = |message: &MessageDescriptor| message.fields().any(|field| owner(pool, &field).is_some());
        let ours: Vec<_> = pool
            .all_messages()
            .filter(|message| {
                message.package_name().starts_with("frontdesk.")
                    && message.package_name() != "frontdesk.events.v1"
            })
            .collect();
        let mut messages = BTreeSet::new();
        for message in ours.iter().filter(|message| own(message)) {
            check(pool, message)?;
            messages.insert(message.full_name().to_owned());
        }
        loop {
            let around = ours.iter().filter(|message| {
                !messages.contains(message.full_name())
                    && message
                        .fields()
                        .any(|field| nested(&field).is_some_and(|inner| messages.contains(&inner)))
            });
            let around: Vec<_> = around.collect();
            if around.is_empty() {
                break;
            }
            for message in around {
                let mut fields = message.fields();
                let loose = fields.find(|field| {
                    let carries = nested(field).is_some_and(|inner| messages.contains(&inner));
                    carries && (field.is_map() || field.containing_oneof().is_some())
                });
                if let Some(field) = loose {
                    return Err(format!(
                        "{}: contacts in maps and oneofs are not supported",
                        field.full_name()
                    ));
                }
                messages.insert(message.full_name().to_owned());
            }
        }
        Ok(Self { pool: pool.clone(), messages })
    }

    /// Whether a message has contacts.
    pub fn are_in(&self, message: &MessageDescriptor) -> bool {
        self.messages.contains(message.full_name())
    }

    /// How the messages of a package leave contacts out.
    pub fn render(&self, package: &str) -> String {
        let messages = self.messages.iter().filter_map(|name| self.pool.get_message_by_name(name));
        messages
            .filter(|message| message.package_name() == package)
            .map(|message| self.one(&message))
            .collect()
    }

    fn one(&self, message: &MessageDescriptor) -> String {
        let mut out = format!(
            "impl crate::contact::CarriesContacts for {} {{\n\
             fn limit_contacts(&mut self, reach: &crate::contact::ContactReach) {{\n",
            rust_path(message.full_name())
        );
        for field in message.fields() {
            let name = field.name();
            if let Some(owner) = owner(&self.pool, &field) {
                let _ = writeln!(
                    out,
                    "if !reach.includes(&self.{owner}) {{ self.{name}.clear(); self.contact_hidden = true; }}"
                );
            } else if nested(&field).is_some_and(|inner| self.messages.contains(&inner)) {
                let _ = writeln!(
                    out,
                    "self.{name}.iter_mut().for_each(|one| crate::contact::CarriesContacts::limit_contacts(one, reach));"
                );
            }
        }
        out + "}\n}\n"
    }
}

/// The field with the id of the customer whose contact a field is.
fn owner(pool: &DescriptorPool, field: &FieldDescriptor) -> Option<String> {
    let extension = pool.get_extension_by_name("frontdesk.access.v1.contact_of")?;
    let options = field.options();
    options
        .has_extension(&extension)
        .then(|| options.get_extension(&extension).as_str().map(str::to_owned))?
}

fn nested(field: &FieldDescriptor) -> Option<String> {
    match field.kind() {
        Kind::Message(message) => Some(message.full_name().to_owned()),
        _ => None,
    }
}

fn check(pool: &DescriptorPool, message: &MessageDescriptor) -> Result<(), String> {
    let has = |name: &str, kind: &Kind| {
        let field = message.get_field_by_name(name);
        field.is_some_and(|field| field.kind() == *kind && !field.is_list())
    };
    for field in message.fields() {
        let Some(owner) = owner(pool, &field) else { continue };
        if field.kind() != Kind::String || field.is_list() {
            return Err(format!("{}: a contact is one text", field.full_name()));
        }
        if !has(&owner, &Kind::String) || !has("contact_hidden", &Kind::Bool) {
            return Err(format!("{}: its message needs {owner} and contact_hidden", field.full_name()));
        }
    }
    Ok(())
}
