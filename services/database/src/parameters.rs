//! Parameters of a statement, by name.

use core::ops::Range;

use sea_orm::{DbBackend, Statement, Value};

/// What a statement's parameters are: [`Named`] values.
pub trait Parameters {
    /// The statement as Postgres takes it, with its values.
    fn bind(self, sql: &str) -> Statement;
}

/// Values in the order of a statement's `$1`, `$2`, ….
impl<I: IntoIterator<Item = Value>> Parameters for I {
    fn bind(self, sql: &str) -> Statement {
        Statement::from_sql_and_values(DbBackend::Postgres, sql, self)
    }
}

/// Values for the parameters that a statement names, `:business_id`. Made by [`named!`](crate::named).
#[derive(Debug, Clone, Default)]
pub struct Named(Vec<(&'static str, Value)>);

impl Named {
    /// Values under their names.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Self(values.into_iter().collect())
    }

    /// A NULL for each parameter of `sql`: to plan a statement without values.
    #[must_use]
    pub fn nulls(sql: &'static str) -> Self {
        let mut names: Vec<_> =
            places(sql).into_iter().map(|place| &sql[place.start + 1..place.end]).collect();
        names.sort_unstable();
        names.dedup();
        Self::new(names.into_iter().map(|name| (name, Value::String(None))))
    }

    /// These and those of a part that the statement is composed of.
    #[must_use]
    pub fn and(mut self, part: Self) -> Self {
        self.0.extend(part.0);
        self
    }
}

impl Parameters for Named {
    /// Names become `$1`, `$2`, … in the order of the values, so that one text has one plan.
    ///
    /// # Panics
    /// When the statement names a parameter that has no value, or a value that it doesn't name is given:
    /// a mistake of the program, which its first run shows.
    fn bind(self, sql: &str) -> Statement {
        let Self(values) = self;
        let mut used = vec![false; values.len()];
        let mut text = String::with_capacity(sql.len());
        let mut copied = 0;
        for place in places(sql) {
            let name = &sql[place.start + 1..place.end];
            let Some(index) = values.iter().position(|(known, _)| *known == name) else {
                panic!("no value is given for :{name} of {sql}");
            };
            used[index] = true;
            text.push_str(&sql[copied..place.start]);
            text.push('$');
            text.push_str(&(index + 1).to_string());
            copied = place.end;
        }
        text.push_str(&sql[copied..]);
        if let Some(index) = used.iter().position(|used| !used) {
            panic!(":{} is given a value and not named by {sql}", values[index].0);
        }
        Statement::from_sql_and_values(DbBackend::Postgres, text, values.into_iter().map(|(_, value)| value))
    }
}

/// [`Named`] values: `named! { business_id: business.0, name }`, where a name alone is the variable of that name.
#[macro_export]
macro_rules! named {
    (@value $name:ident) => { $name.into() };
    (@value $name:ident $value:expr) => { $value.into() };
    ($($name:ident $(: $value:expr)?),* $(,)?) => {
        $crate::Named::new([$((stringify!($name), $crate::named!(@value $name $($value)?))),*])
    };
}

/// Where `sql` names parameters: outside texts, quoted names and comments. A cast's `::` names none.
fn places(sql: &str) -> Vec<Range<usize>> {
    let bytes = sql.as_bytes();
    let end_of =
        |from: usize, ends: &str| sql[from..].find(ends).map_or(sql.len(), |at| from + at + ends.len());
    let mut places = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        at = match (bytes[at], bytes.get(at + 1)) {
            (b'\'', _) => end_of(at + 1, "'"),
            (b'"', _) => end_of(at + 1, "\""),
            (b'-', Some(b'-')) => end_of(at, "\n"),
            (b'/', Some(b'*')) => end_of(at, "*/"),
            (b':', Some(b':')) => at + 2,
            (b':', Some(b'a'..=b'z' | b'_')) => {
                let length = bytes[at + 1..].iter().take_while(|byte| is_name(**byte)).count();
                places.push(at..at + 1 + length);
                at + 1 + length
            }
            _ => at + 1,
        };
    }
    places
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_used_twice_is_one_parameter() {
        let at = "now";
        let bound = named! { id: 7, at }.bind("SELECT :at WHERE id = :id AND before < :at");
        assert_eq!(bound.sql, "SELECT $2 WHERE id = $1 AND before < $2");
        assert_eq!(bound.values.unwrap().0, vec![7.into(), "now".into()]);
    }

    #[test]
    fn texts_casts_quoted_names_and_comments_name_no_parameter() {
        let sql = "SELECT 'it''s :a', \":b\", x::text, y[1:2] -- :c\n /* :d */ WHERE z = ANY(:ids::uuid[])";
        let bound = named! { ids: 1 }.bind(sql);
        assert_eq!(bound.sql, sql.replace(":ids", "$1"));
    }

    #[test]
    fn the_values_of_a_part_are_added() {
        let bound = named! { a: 1 }.and(named! { b: 2 }).bind("VALUES (:b, :a)");
        assert_eq!(bound.sql, "VALUES ($2, $1)");
        assert_eq!(bound.values.unwrap().0, vec![1.into(), 2.into()]);
    }

    #[test]
    fn every_parameter_of_a_statement_is_null_once() {
        let sql = "SELECT :at WHERE id = :id AND before < :at";
        assert_eq!(Named::nulls(sql).bind(sql).values.unwrap().0, vec![Value::String(None); 2]);
    }

    #[test]
    #[should_panic(expected = "no value is given for :name")]
    fn a_name_without_a_value_is_refused() {
        let _ = named! { id: 1 }.bind("SELECT :id, :name");
    }

    #[test]
    #[should_panic(expected = ":extra is given a value and not named")]
    fn a_value_without_a_name_is_refused() {
        let _ = named! { id: 1, extra: 2 }.bind("SELECT :id");
    }
}
