//! Finds a spoken name among known ones.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// What was found under a spoken name.
#[derive(Debug, PartialEq, Eq)]
pub enum Found<'a, T> {
    /// Nothing.
    None,
    /// The one.
    One(&'a T),
    /// More than one; the agent asks which.
    Several(Vec<&'a T>),
}

/// The one candidate that `spoken` names, or those it may name.
///
/// The whole name wins over a part of it, a part over a name inside a longer phrase,
/// and there the longest name.
pub fn find<'a, T>(spoken: &str, candidates: &'a [T], names: impl Fn(&T) -> Vec<String>) -> Found<'a, T> {
    let spoken = words(spoken);
    let known: Vec<(&T, Vec<Vec<String>>)> = candidates
        .iter()
        .map(|candidate| (candidate, names(candidate).iter().map(|name| words(name)).collect()))
        .collect();
    if spoken.is_empty() {
        return Found::None;
    }
    let matching = |fits: &dyn Fn(&Vec<String>) -> bool| -> Vec<&'a T> {
        known.iter().filter(|(_, names)| names.iter().any(fits)).map(|(candidate, _)| *candidate).collect()
    };
    let mut found = matching(&|name| *name == spoken);
    if found.is_empty() {
        found = matching(&|name| spoken.iter().all(|word| name.contains(word)));
    }
    if found.is_empty() {
        let inside = |name: &Vec<String>| !name.is_empty() && name.iter().all(|word| spoken.contains(word));
        let longest =
            known.iter().flat_map(|(_, names)| names).filter(|name| inside(name)).map(Vec::len).max();
        found = matching(&|name| inside(name) && Some(name.len()) == longest);
    }
    match found.as_slice() {
        [] => Found::None,
        [one] => Found::One(one),
        _ => Found::Several(found),
    }
}

/// Whether `spoken` has every word of a name, so that a first name alone is not enough for who has two.
#[must_use]
pub fn is_whole(spoken: &str, name: &str) -> bool {
    let (spoken, name) = (words(spoken), words(name));
    !name.is_empty() && name.iter().all(|word| spoken.contains(word))
}

/// The first name of a person.
#[must_use]
pub fn first(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or_default()
}

/// The words of `text` without case, marks, punctuation and plural.
fn words(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'ı' => plain.push('i'),
            '\'' | '’' => {}
            '&' | '+' => plain.push_str(" and "),
            c if c.is_alphanumeric() => plain.push(c),
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().map(singular).collect()
}

fn singular(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVICES: [&[&str]; 5] = [
        &["Women's Cut", "ladies haircut"],
        &["Men's cut", "short back and sides"],
        &["Cut & Colour"],
        &["Brow lamination", "sobrancelhas"],
        &["Crème-Gesichtspflege für Füße"],
    ];

    fn found(spoken: &str) -> Vec<&'static str> {
        let candidates: Vec<usize> = (0..SERVICES.len()).collect();
        let names = |i: &usize| SERVICES[*i].iter().map(|name| (*name).to_owned()).collect();
        match find(spoken, &candidates, names) {
            Found::None => vec![],
            Found::One(i) => vec![SERVICES[*i][0]],
            Found::Several(several) => several.into_iter().map(|i| SERVICES[*i][0]).collect(),
        }
    }

    #[test]
    fn case_marks_punctuation_and_plural_do_not_matter() {
        assert_eq!(found("WOMENS CUTS"), ["Women's Cut"]);
        assert_eq!(found("cut and colour"), ["Cut & Colour"]);
        assert_eq!(found("creme gesichtspflege FUR FUSSE"), ["Crème-Gesichtspflege für Füße"]);
    }

    #[test]
    fn an_alias_names_its_service() {
        assert_eq!(found("Short Back & Sides"), ["Men's cut"]);
        assert_eq!(found("Sobrancelhas"), ["Brow lamination"]);
    }

    #[test]
    fn a_part_of_a_name_may_name_several() {
        assert_eq!(found("cut"), ["Women's Cut", "Men's cut", "Cut & Colour"]);
        assert_eq!(found("brow"), ["Brow lamination"]);
    }

    #[test]
    fn a_name_is_found_inside_a_longer_phrase_and_the_longest_wins() {
        assert_eq!(found("a ladies haircut please"), ["Women's Cut"]);
        assert_eq!(found("I'd like a women's cut, maybe"), ["Women's Cut"]);
    }

    #[test]
    fn finds_nothing_where_nothing_was_said() {
        assert!(found("").is_empty());
        assert!(found(" ?! ").is_empty());
        assert!(found("massage").is_empty());
    }

    #[test]
    fn a_whole_name_is_every_word_of_it() {
        assert!(is_whole("ana sousa", "Ana Sousa"));
        assert!(is_whole("my name is Ána Sousa", "Ana Sousa"));
        assert!(is_whole("Cher", "Cher"));
        for spoken in ["Ana", "Sousa", "", "Anna Souza"] {
            assert!(!is_whole(spoken, "Ana Sousa"), "{spoken}");
        }
        assert!(!is_whole("", ""));
    }

    #[test]
    fn the_first_name_is_the_first_word() {
        assert_eq!(first(" Ana  Sousa"), "Ana");
        assert_eq!(first(""), "");
    }
}
