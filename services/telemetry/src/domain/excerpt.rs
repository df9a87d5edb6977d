//! Text of any length, kept as far as people read it.

/// What stands at the end of text that was cut.
pub const MARK: &str = "… [cut]";

/// `text`, or as much of its beginning as fits into `most` bytes together with [`MARK`].
#[must_use]
pub fn excerpt(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let end = text.floor_char_boundary(most.saturating_sub(MARK.len()));
    format!("{}{MARK}", &text[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn long_text_ends_with_the_mark() {
        assert_eq!(excerpt("Asked for a cut.".to_owned(), 16), "Asked for a cut.");
        assert_eq!(excerpt("Asked for a trim.".to_owned(), 16), "Asked f… [cut]");
    }

    proptest! {
        #[test]
        fn an_excerpt_fits_and_begins_as_its_text(text in ".{0,40}", most in 10_usize..60) {
            let short = excerpt(text.clone(), most);
            prop_assert!(short.len() <= most);
            prop_assert!(text.starts_with(short.strip_suffix(MARK).unwrap_or(&short)));
            prop_assert_eq!(excerpt(short.clone(), most), short);
        }
    }
}
