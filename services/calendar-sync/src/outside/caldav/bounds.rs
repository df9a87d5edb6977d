//! Which XML is read. The parser compares the attributes of an element with each other, and lists for an element the
//! prefixes that hold in it: a server that sends many has it work without end.

use std::collections::BTreeSet;

use roxmltree::{Document, ParsingOptions};

/// Elements and texts: those of a listing of twenty thousand events.
const MOST_NODES: u32 = 400_000;
/// Attributes of one element, and of all.
const MOST_ATTRIBUTES: (usize, usize) = (64, 400_000);
/// Prefixes of namespaces.
const MOST_PREFIXES: usize = 32;

/// What is skipped as a whole, by what follows its `<` and what ends it.
const SKIPPED: [(&str, &str); 3] = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];

/// Reads a document; `None` for what is none, or more than can be read.
pub(super) fn parse(body: &str) -> Option<Document<'_>> {
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Tags { rest: body, ..Tags::default() }
        .are_few()
        .then(|| Document::parse_with_options(body, options).ok())?
}

/// The tags of a document that are still to be counted.
#[derive(Default)]
struct Tags<'b> {
    rest: &'b str,
    attributes: usize,
    prefixes: BTreeSet<&'b str>,
}

impl Tags<'_> {
    fn are_few(mut self) -> bool {
        while let Some((_, rest)) = self.rest.split_once('<') {
            self.rest = rest;
            let skipped = SKIPPED.iter().find_map(|(open, close)| {
                Some(rest.strip_prefix(open)?.split_once(close).unwrap_or_default().1)
            });
            match skipped {
                Some(rest) => self.rest = rest,
                None if self.tag_is_short() => {}
                None => return false,
            }
        }
        true
    }

    /// Counts the attributes of the tag that has begun, and goes on behind it.
    fn tag_is_short(&mut self) -> bool {
        let mut own = 0;
        while let Some((before, stop, rest)) = split(self.rest, ['=', '>']) {
            self.rest = rest;
            if stop == '>' {
                return true;
            }
            own += 1;
            self.attributes += 1;
            self.prefixes
                .extend(before.split_whitespace().last().and_then(|name| name.strip_prefix("xmlns:")));
            let (most, most_in_all) = MOST_ATTRIBUTES;
            if own > most || self.attributes > most_in_all || self.prefixes.len() > MOST_PREFIXES {
                return false;
            }
            // Its value, which may have anything in it but the quote that ends it.
            let mut value = self.rest.trim_start().chars();
            let Some(quote @ ('"' | '\'')) = value.next() else { return false };
            self.rest = value.as_str().split_once(quote).map_or("", |(_, rest)| rest);
        }
        self.rest = "";
        true
    }
}

/// What is before the first of two characters, which one it is, and what is behind it.
fn split(text: &str, stops: [char; 2]) -> Option<(&str, char, &str)> {
    let (before, rest) = text.split_at(text.find(stops)?);
    let mut rest = rest.chars();
    let stop = rest.next()?;
    Some((before, stop, rest.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_prefixes_have_an_end() {
        let attributes = |count: usize| (0..count).map(|n| format!(" a{n}='>'")).collect::<String>();
        let prefixes =
            |count: usize| (0..count).map(|n| format!("<a xmlns:p{n} = \"u\"/>")).collect::<String>();
        for (body, is_read) in [
            (format!("<m>{}</m>", "<a/>".repeat(3_000)), true),
            (format!("<m>{}</m>", "<a/>".repeat(400_000)), false),
            (format!("<m{}/>", attributes(64)), true),
            (format!("<m{}/>", attributes(65)), false),
            (format!("<m>{}</m>", "<a b='' c=''/>".repeat(3_000)), true),
            (format!("<m>{}</m>", "<a b='' c=''/>".repeat(200_001)), false),
            (format!("<m>{}</m>", prefixes(32)), true),
            (format!("<m>{}</m>", prefixes(33)), false),
        ] {
            assert_eq!(parse(&body).is_some(), is_read, "{body:.60}");
        }
    }

    #[test]
    fn elements_within_elements_are_read_without_end_of_the_stack() {
        let nested = |count: usize| format!("{}{}", "<a xmlns='u'>".repeat(count), "</a>".repeat(count));
        let deep = nested(100_000);
        assert_eq!(parse(&deep).unwrap().descendants().count(), 100_001);
        assert!(parse(&nested(400_001)).is_none());
    }

    #[test]
    fn what_is_text_is_no_tag() {
        let signs = "= ".repeat(100);
        for body in [
            format!("<m><!-- <a {signs} --><![CDATA[<a {signs}]]></m>"),
            format!("<?x {signs}?><m>{signs}&lt;a {signs}</m>"),
            format!("<m a=\"{signs}>\">\"</m>"),
        ] {
            assert!(parse(&body).is_some(), "{body:.60}");
        }
        for body in ["", "<", "<m", "<m a", "<m a=", "<m a=\"", "<m a=b/>", "<!--", "<![CDATA[", "<?"] {
            assert!(parse(body).is_none(), "{body}");
        }
    }
}
