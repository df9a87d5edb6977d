//! Text with variables, such as `{{salon}}`.

/// A variable that greeting and prompt may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// What the business is called.
    Salon,
    /// Where it is.
    Address,
    /// Its telephone number.
    Phone,
    /// Today there, in words.
    Today,
    /// The time there.
    Time,
    /// Its zone.
    TimeZone,
    /// The language in which the agent begins.
    Language,
}

impl Variable {
    /// Every variable.
    pub const ALL: [Self; 7] =
        [Self::Salon, Self::Address, Self::Phone, Self::Today, Self::Time, Self::TimeZone, Self::Language];

    /// Its name between the braces.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Salon => "salon",
            Self::Address => "address",
            Self::Phone => "phone",
            Self::Today => "today",
            Self::Time => "time",
            Self::TimeZone => "time_zone",
            Self::Language => "language",
        }
    }

    /// What it means, for people.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Salon => "The salon's name",
            Self::Address => "The salon's address",
            Self::Phone => "The salon's telephone number",
            Self::Today => "The day of the call",
            Self::Time => "The time of the call",
            Self::TimeZone => "The salon's time zone",
            Self::Language => "The language in which the agent begins",
        }
    }
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A variable that there is not.
    #[error("has {{{{{0}}}}}, and there is no such variable")]
    Unknown(String),
    /// Braces that are not closed.
    #[error("has {{{{ without }}}}")]
    Open,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Value(Variable),
}

/// The pieces of a text.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, TemplateError> {
    let mut pieces = vec![];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").ok_or(TemplateError::Open)?;
        let known = Variable::ALL.into_iter().find(|variable| variable.name() == name.trim());
        let variable = known.ok_or_else(|| TemplateError::Unknown(name.trim().chars().take(40).collect()))?;
        pieces.extend([Piece::Text(before), Piece::Value(variable)]);
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

/// Whether every variable of a text is one.
///
/// # Errors
/// The first that is not.
pub fn check(text: &str) -> Result<(), TemplateError> {
    pieces(text).map(drop)
}

/// A text with the values of its variables. A value is not read again: it may have braces itself.
///
/// # Errors
/// As [`check`].
pub fn render(text: &str, value: impl Fn(Variable) -> String) -> Result<String, TemplateError> {
    let pieces = pieces(text)?;
    Ok(pieces.into_iter().fold(String::new(), |rendered, piece| match piece {
        Piece::Text(text) => rendered + text,
        Piece::Value(variable) => rendered + &value(variable),
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn variables_are_replaced_once_and_an_unknown_one_is_named() {
        let value = |variable: Variable| format!("<{} {{{{today}}}}>", variable.name());
        let rendered = render("Hello from {{salon}}, {{ today }}!", value);
        assert_eq!(rendered.unwrap(), "Hello from <salon {{today}}>, <today {{today}}>!");
        assert_eq!(check("{{owner}}"), Err(TemplateError::Unknown("owner".to_owned())));
        assert_eq!(check("{{salon"), Err(TemplateError::Open));
        assert_eq!(check("{salon} }}"), Ok(()));
        assert_eq!(TemplateError::Open.to_string(), "has {{ without }}");
    }

    proptest! {
        #[test]
        fn text_without_braces_stays(text in "[^{]{0,60}") {
            prop_assert_eq!(render(&text, |_| String::new()).unwrap(), text);
        }
    }
}
