//! Which method of the contract a path means, before anything is decoded.

use std::{borrow::Cow, sync::LazyLock};

use caller::Method;
use matchit::Router;

/// What is at a path.
#[derive(Debug, Clone)]
pub enum Found {
    /// This method.
    Method(&'static Method),
    /// Something, under these verbs only.
    OtherVerb(Vec<&'static str>),
    /// Nothing.
    Nothing,
}

/// The methods of one HTTP verb.
struct Verb {
    name: &'static str,
    methods: Router<&'static Method>,
}

static VERBS: LazyLock<Vec<Verb>> = LazyLock::new(|| {
    let mut verbs: Vec<Verb> = Vec::new();
    for method in proto::methods::ALL {
        let Some((name, template)) = method.rest.split_once(' ') else { continue };
        let at = verbs.iter().position(|verb| verb.name == name).unwrap_or(verbs.len());
        if at == verbs.len() {
            verbs.push(Verb { name, methods: Router::new() });
        }
        let path = with_custom_verb_as_segment(&with_numbered_variables(template)).into_owned();
        verbs[at].methods.insert(path, method).expect("no two methods of the contract share a path");
    }
    verbs.sort_unstable_by_key(|verb| verb.name);
    verbs
});

/// The method at `path` under `verb`, of those that `exist`.
#[must_use]
pub fn find(verb: &http::Method, path: &str, exist: impl Fn(&Method) -> bool) -> Found {
    let path = with_custom_verb_as_segment(path);
    let mut others = Vec::new();
    for Verb { name, methods } in &*VERBS {
        match methods.at(&path) {
            Ok(found) if !exist(found.value) || found.params.iter().any(|(_, value)| value.is_empty()) => {}
            Ok(found) if *name == verb.as_str() => return Found::Method(found.value),
            Ok(_) => others.push(*name),
            Err(_) => {}
        }
    }
    if others.is_empty() { Found::Nothing } else { Found::OtherVerb(others) }
}

/// The path template of a method, as `http.route`.
#[must_use]
pub fn template(method: &'static Method) -> &'static str {
    method.rest.split_once(' ').map_or("", |(_, template)| template)
}

/// `{id}:cancel` becomes `{id}/:cancel`: the router takes a whole segment for a variable. No path can
/// contain that segment by itself, since its own colon would be taken for the custom verb's.
fn with_custom_verb_as_segment(path: &str) -> Cow<'_, str> {
    match path.rsplit_once(':') {
        Some((before, custom)) if !custom.contains('/') => Cow::Owned(format!("{before}/:{custom}")),
        _ => Cow::Borrowed(path),
    }
}

/// Methods name the same variable differently; the router wants one name at one place.
fn with_numbered_variables(template: &str) -> String {
    let mut parts = template.split('{');
    let mut path = parts.next().unwrap_or_default().to_owned();
    for (number, part) in parts.enumerate() {
        let rest = part.split_once('}').map_or("", |(_, rest)| rest);
        path.push_str(&format!("{{v{number}}}{rest}"));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(method: &'static Method) -> (http::Method, String) {
        let (verb, template) = method.rest.split_once(' ').unwrap();
        let path = template
            .split('/')
            .map(|segment| match segment.split_once('}') {
                Some((_, custom)) => format!("0190{custom}"),
                None => segment.to_owned(),
            })
            .collect::<Vec<_>>()
            .join("/");
        (verb.parse().unwrap(), path)
    }

    #[test]
    fn every_rest_method_is_found_at_its_own_path_and_nowhere_else() {
        let rest = proto::methods::ALL.iter().filter(|method| !method.rest.is_empty());
        for method in rest {
            let (verb, path) = example(method);
            let Found::Method(found) = find(&verb, &path, |_| true) else { panic!("{path} is not found") };
            assert_eq!(found.path, method.path);
            assert!(matches!(find(&verb, &format!("{path}/no/such/thing/at/all"), |_| true), Found::Nothing));
            let Found::OtherVerb(verbs) = find(&http::Method::TRACE, &path, |_| true) else {
                panic!("{path}")
            };
            assert!(verbs.contains(&verb.as_str()), "{verbs:?} at {path}");
            assert!(matches!(find(&http::Method::TRACE, &path, |_| false), Found::Nothing));
        }
    }

    #[test]
    fn an_empty_variable_is_nothing() {
        assert!(matches!(find(&http::Method::GET, "/api/v1/businesses//calls", |_| true), Found::Nothing));
    }
}
