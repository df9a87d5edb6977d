//! The names under which the database keeps the values of an enum.

/// Gives each value of an enum its name in the database.
macro_rules! stored_names {
    ($type:ident { $($value:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// Its name in the database.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }

            /// The value of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$value),)+
                    _ => None,
                }
            }
        }
    };
}

pub(super) use stored_names;

#[cfg(test)]
mod tests {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Side {
        Left,
        Right,
    }

    stored_names!(Side { Left = "LEFT", Right = "RIGHT" });

    #[test]
    fn every_value_is_found_by_its_name() {
        for side in [Side::Left, Side::Right] {
            assert_eq!(Side::named(side.name()), Some(side));
        }
        assert_eq!(Side::named("left"), None);
    }
}
