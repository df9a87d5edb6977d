//! WebDAV's XML: request bodies and multistatus responses (RFC 4918, 4791, 6578).

use roxmltree::Node;

use super::bounds;
use crate::outside::{apart::apart, web::LONGEST_VERSION};

const DAV: &str = "DAV:";
const CALDAV: &str = "urn:ietf:params:xml:ns:caldav";

/// Declares the prefixes that the bodies use.
const NAMESPACES: &str = r#"xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav""#;

/// What a server says of several resources.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Multistatus {
    pub(super) entries: Vec<Entry>,
    /// Up to where the collection was read.
    pub(super) sync_token: Option<String>,
}

/// What it says of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Entry {
    pub(super) href: String,
    /// Of the resource itself; properties have their own.
    pub(super) status: Option<u16>,
    pub(super) etag: Option<String>,
    pub(super) data: Option<String>,
    pub(super) name: Option<String>,
    pub(super) is_calendar: bool,
    /// Which components it takes; empty where it does not say.
    pub(super) components: Vec<String>,
    /// Which privileges the account has; empty where it does not say.
    pub(super) privileges: Vec<String>,
    pub(super) principal: Option<String>,
    pub(super) homes: Vec<String>,
}

/// The body of a PROPFIND for these properties, as elements with the prefixes D and C.
pub(super) fn propfind(properties: &[&str]) -> String {
    let properties: String = properties.iter().map(|name| format!("<{name}/>")).collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><D:propfind {NAMESPACES}><D:prop>{properties}</D:prop></D:propfind>"#
    )
}

/// The body of a sync-collection REPORT since `token`; empty for all there is.
pub(super) fn sync_collection(token: &str) -> String {
    let token = escaped(token);
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><D:sync-collection {NAMESPACES}><D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>"#
    )
}

/// The body of a calendar-multiget REPORT.
pub(super) fn multiget(hrefs: &[String]) -> String {
    let hrefs: String = hrefs.iter().map(|href| format!("<D:href>{}</D:href>", escaped(href))).collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><C:calendar-multiget {NAMESPACES}><D:prop><D:getetag/><C:calendar-data/></D:prop>{hrefs}</C:calendar-multiget>"#
    )
}

/// Reads a multistatus; `None` for what is none, or more than can be read.
pub(super) async fn multistatus(body: String) -> Option<Multistatus> {
    apart(move || read(&body)).await?
}

fn read(body: &str) -> Option<Multistatus> {
    let document = bounds::parse(body)?;
    let root = document.root_element();
    if !root.has_tag_name((DAV, "multistatus")) {
        return None;
    }
    let entries = children(root, DAV, "response").filter_map(entry).collect();
    let sync_token = children(root, DAV, "sync-token").next().and_then(text);
    Some(Multistatus { entries, sync_token })
}

/// Whether an error says that the token is not known.
pub(super) fn is_invalid_token(body: &str) -> bool {
    let document = bounds::parse(body);
    document.is_some_and(|document| {
        document.descendants().any(|node| node.has_tag_name((DAV, "valid-sync-token")))
    })
}

fn entry(response: Node<'_, '_>) -> Option<Entry> {
    let mut entry = Entry {
        href: children(response, DAV, "href").next().and_then(text)?,
        status: children(response, DAV, "status").next().and_then(text).as_deref().and_then(status),
        ..Entry::default()
    };
    for propstat in children(response, DAV, "propstat") {
        let found = children(propstat, DAV, "status").next().and_then(text).as_deref().and_then(status);
        if found.is_some_and(|status| (200..300).contains(&status)) {
            children(propstat, DAV, "prop").for_each(|prop| properties(prop, &mut entry));
        }
    }
    Some(entry)
}

fn properties(prop: Node<'_, '_>, entry: &mut Entry) {
    for property in prop.children().filter(Node::is_element) {
        let tag = property.tag_name();
        let hrefs = || children(property, DAV, "href").filter_map(text);
        match (tag.namespace().unwrap_or_default(), tag.name()) {
            (DAV, "getetag") => entry.etag = text(property).filter(|etag| etag.len() <= LONGEST_VERSION),
            (DAV, "displayname") => entry.name = text(property),
            (DAV, "current-user-principal") => entry.principal = hrefs().next(),
            (DAV, "resourcetype") => {
                entry.is_calendar = children(property, CALDAV, "calendar").next().is_some();
            }
            (DAV, "current-user-privilege-set") => {
                let privileges =
                    children(property, DAV, "privilege").flat_map(|privilege| privilege.children());
                entry.privileges = privileges
                    .filter(Node::is_element)
                    .map(|node| node.tag_name().name().to_owned())
                    .collect();
            }
            (CALDAV, "calendar-data") => entry.data = property.text().map(str::to_owned),
            (CALDAV, "calendar-home-set") => entry.homes = hrefs().collect(),
            (CALDAV, "supported-calendar-component-set") => {
                let names = children(property, CALDAV, "comp").filter_map(|comp| comp.attribute("name"));
                entry.components = names.map(str::to_owned).collect();
            }
            _ => {}
        }
    }
}

fn children<'a, 'i>(
    node: Node<'a, 'i>,
    namespace: &'static str,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.has_tag_name((namespace, name)))
}

fn text(node: Node<'_, '_>) -> Option<String> {
    node.text().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The number in `HTTP/1.1 404 Not Found`.
fn status(line: &str) -> Option<u16> {
    line.split_whitespace().nth(1)?.parse().ok()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As RFC 6578, 3.6 has it, with a truncated listing and another prefix for every name.
    const TRUNCATED: &str = r#"<?xml version="1.0" encoding="utf-8" ?>
        <x:multistatus xmlns:x="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav">
          <x:response><x:href>/work/a.ics</x:href><x:propstat>
            <x:prop><x:getetag>"1&amp;2"</x:getetag></x:prop><x:status>HTTP/1.1 200 OK</x:status>
          </x:propstat><x:propstat>
            <x:prop><x:displayname>never</x:displayname></x:prop><x:status>HTTP/1.1 404 Not Found</x:status>
          </x:propstat></x:response>
          <x:response><x:href>/work/b.ics</x:href><x:status>HTTP/1.1 404 Not Found</x:status></x:response>
          <x:response><x:href>/work/</x:href><x:status>HTTP/1.1 507 Insufficient Storage</x:status>
            <x:error><x:number-of-matches-within-limits/></x:error></x:response>
          <x:sync-token>http://example.com/ns/sync/1233</x:sync-token>
        </x:multistatus>"#;

    #[test]
    fn a_multistatus_is_read_by_its_namespaces() {
        let read = read(TRUNCATED).unwrap();
        assert_eq!(read.sync_token.as_deref(), Some("http://example.com/ns/sync/1233"));
        let [changed, gone, truncated] = read.entries.as_slice() else { panic!("{read:?}") };
        assert_eq!((changed.status, changed.etag.as_deref()), (None, Some("\"1&2\"")));
        assert_eq!(changed.name, None, "what is not found is not there");
        assert_eq!((gone.href.as_str(), gone.status), ("/work/b.ics", Some(404)));
        assert_eq!(truncated.status, Some(507));
    }

    #[test]
    fn what_is_no_multistatus_is_not_read() {
        for other in ["", "<html/>", "<error xmlns=\"DAV:\"/>", "<multistatus/>"] {
            assert_eq!(read(other), None, "{other}");
        }
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aa\">]><multistatus xmlns=\"DAV:\">&a;</multistatus>";
        assert_eq!(read(bomb), None, "a document type is refused");
        let long = format!("<multistatus xmlns=\"DAV:\">{}</multistatus>", "<a/>".repeat(400_000));
        assert_eq!(read(&long), None, "so are more elements than any calendar has");
    }

    #[test]
    fn a_version_longer_than_any_counts_as_none() {
        let long = TRUNCATED.replace("\"1&amp;2\"", &"v".repeat(LONGEST_VERSION + 1));
        assert_eq!(read(&long).unwrap().entries[0].etag, None);
    }

    #[test]
    fn an_invalid_token_is_told_by_its_precondition() {
        assert!(is_invalid_token(r#"<D:error xmlns:D="DAV:"><D:valid-sync-token/></D:error>"#));
        assert!(!is_invalid_token(r#"<D:error xmlns:D="DAV:"><D:need-privileges/></D:error>"#));
        assert!(!is_invalid_token("forbidden"));
    }

    #[test]
    fn what_is_asked_is_escaped() {
        assert!(sync_collection("a<b&c").contains("<D:sync-token>a&lt;b&amp;c</D:sync-token>"));
        assert!(multiget(&["/a&b.ics".to_owned()]).contains("<D:href>/a&amp;b.ics</D:href>"));
    }
}
