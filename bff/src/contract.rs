//! Which method of the contract a path means, before anything is decoded.

use std::sync::LazyLock;

use caller::Method;

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

/// One REST binding.
struct Binding {
    verb: &'static str,
    segments: Vec<&'static str>,
    custom: Option<&'static str>,
    method: &'static Method,
}

static BINDINGS: LazyLock<Vec<Binding>> =
    LazyLock::new(|| proto::methods::ALL.iter().filter_map(|method| binding(method)).collect());

/// The method at `path` under `verb`, of those that `exist`.
#[must_use]
pub fn find(verb: &http::Method, path: &str, exist: impl Fn(&Method) -> bool) -> Found {
    let (path, custom) = split(path);
    let matches = |binding: &&Binding| {
        let mut parts = path.split('/');
        exist(binding.method)
            && binding.custom == custom
            && binding.segments.iter().all(|segment| parts.next().is_some_and(|part| fits(segment, part)))
            && parts.next().is_none()
    };
    let mut verbs = Vec::new();
    // A literal segment is closer than a variable.
    let closest = BINDINGS
        .iter()
        .filter(matches)
        .inspect(|binding| verbs.push(binding.verb))
        .filter(|binding| binding.verb == verb.as_str())
        .min_by_key(|binding| binding.segments.iter().filter(|segment| segment.starts_with('{')).count());
    match closest {
        Some(binding) => Found::Method(binding.method),
        None if verbs.is_empty() => Found::Nothing,
        None => {
            verbs.sort_unstable();
            verbs.dedup();
            Found::OtherVerb(verbs)
        }
    }
}

/// The path template of a method, as `http.route`.
#[must_use]
pub fn template(method: &'static Method) -> &'static str {
    method.rest.split_once(' ').map_or("", |(_, template)| template)
}

fn binding(method: &'static Method) -> Option<Binding> {
    let (verb, template) = method.rest.split_once(' ')?;
    let (path, custom) = split(template);
    Some(Binding { verb, segments: path.split('/').collect(), custom, method })
}

/// Parts a custom verb from the last segment.
fn split(path: &str) -> (&str, Option<&str>) {
    match path.rsplit_once(':') {
        Some((before, custom)) if !custom.contains('/') => (before, Some(custom)),
        _ => (path, None),
    }
}

fn fits(segment: &str, part: &str) -> bool {
    if segment.starts_with('{') { !part.is_empty() } else { segment == part }
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
