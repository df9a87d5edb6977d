//! What a collection has: what changed since a token (RFC 6578), or all of it at a server without tokens.

use jiff::civil::Date;
use reqwest::StatusCode;
use sha2::{Digest, Sha256};

use super::{
    CaldavCalendar, Opened, Reading,
    dav::{self, Entry, Multistatus},
    discover::{DEPTH, XML},
    failed, multistatus, object_id,
};
use crate::{
    domain::busy::{Change, Content},
    outside::ReadError,
};

/// How the digest of a listing begins, which is kept as the token of a server without tokens. A real token is a URI, and so
/// has no space.
const DIGEST: &str = "digest ";
/// Longest token of a server: it is kept, and sent with each request.
const LONGEST_TOKEN: usize = 4_000;

impl CaldavCalendar {
    /// Lists what changed since `token`, or all there is. Removed entries are changes already.
    pub(super) async fn list(
        &self,
        opened: &Opened,
        token: &str,
        whole_on: Date,
    ) -> Result<(Vec<Change>, Reading), ReadError> {
        if token.starts_with(DIGEST) {
            let listed = self.list_all(opened, whole_on).await?;
            // What changed is not said: all is read again and compared with what was told.
            if listed.token != token {
                return Err(ReadError::InvalidToken);
            }
            return Ok((vec![], Reading { pending: vec![], ..listed }));
        }
        let ask = opened.account.ask("REPORT", opened.collection.clone());
        let ask = ask.header(DEPTH, "0").body(XML, dav::sync_collection(token));
        let answer = self.web.send(ask).await?;
        if token.is_empty() && has_no_report(answer.status) {
            return Ok((vec![], self.list_all(opened, whole_on).await?));
        }
        let refused = matches!(
            answer.status,
            StatusCode::FORBIDDEN | StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED
        );
        if refused && !token.is_empty() && dav::is_invalid_token(&answer.body) {
            return Err(ReadError::InvalidToken);
        }
        self.since(multistatus(answer).await?, token, whole_on)
    }

    fn since(
        &self,
        said: Multistatus,
        token: &str,
        whole_on: Date,
    ) -> Result<(Vec<Change>, Reading), ReadError> {
        let server_token = kept_token(said.sync_token)?;
        let (mut gone, mut pending, mut truncated) = (vec![], vec![], false);
        for Entry { href, status, .. } in said.entries {
            match status {
                Some(507) => truncated = true,
                Some(404 | 410) if !token.is_empty() => gone.push(self.gone(&href)),
                // The collection may list itself.
                None | Some(200) if !href.ends_with('/') => pending.push(href),
                _ => {}
            }
        }
        Ok((gone, Reading { whole_on, token: server_token, pending, truncated }))
    }

    /// All entries, by a plain listing.
    async fn list_all(&self, opened: &Opened, whole_on: Date) -> Result<Reading, ReadError> {
        let ask = opened.account.ask("PROPFIND", opened.collection.clone()).header(DEPTH, "1");
        let answer = self.web.send(ask.body(XML, dav::propfind(&["D:getetag"]))).await?;
        let said = multistatus(answer).await?;
        // A listing that is cut off says nothing of what it lacks.
        if said.entries.iter().any(|entry| entry.status == Some(507)) {
            return Err(failed("it lists more than can be read"));
        }
        let mut entries: Vec<(String, String)> = said
            .entries
            .into_iter()
            .filter(|entry| matches!(entry.status, None | Some(200)) && !entry.href.ends_with('/'))
            .map(|entry| (entry.href, entry.etag.unwrap_or_default()))
            .collect();
        entries.sort();
        let token = digest(&entries);
        let pending = entries.into_iter().map(|(href, _)| href).collect();
        Ok(Reading { whole_on, token, pending, truncated: false })
    }

    fn gone(&self, href: &str) -> Change {
        Change { at: self.clock.now(), by: None, id: object_id(href), content: Content::Instances(vec![]) }
    }
}

/// The token that is kept of what a server says.
fn kept_token(said: Option<String>) -> Result<String, ReadError> {
    let token = said.ok_or_else(|| failed("it does not say up to where it was read"))?;
    if token.len() > LONGEST_TOKEN {
        return Err(failed("it says up to where it was read in more words than are kept"));
    }
    Ok(token)
}

/// Whether a server may answer so because it does not know the report (RFC 3253, 3.6). Where it refuses for another reason,
/// it refuses to list as well.
fn has_no_report(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::FORBIDDEN
            | StatusCode::METHOD_NOT_ALLOWED
            | StatusCode::CONFLICT
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::UNPROCESSABLE_ENTITY
            | StatusCode::NOT_IMPLEMENTED
    )
}

/// What entries and their versions come to.
fn digest(entries: &[(String, String)]) -> String {
    let mut hash = Sha256::new();
    for (href, etag) in entries {
        for text in [href, etag] {
            hash.update(text.len().to_be_bytes());
            hash.update(text.as_bytes());
        }
    }
    let bytes = hash.finalize();
    let hex = bytes.iter().map(|byte| format!("{byte:02x}"));
    hex.fold(DIGEST.to_owned(), |token, byte| token + &byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept_unless_it_is_longer_than_any() {
        let kept = |length: usize| kept_token(Some("t".repeat(length))).map(|token| token.len());
        assert!(matches!(kept(LONGEST_TOKEN), Ok(LONGEST_TOKEN)));
        assert!(matches!(kept(LONGEST_TOKEN + 1), Err(ReadError::Failed(_))));
        assert!(matches!(kept_token(None), Err(ReadError::Failed(_))));
    }

    #[test]
    fn a_digest_tells_entries_and_versions_apart() {
        let of = |entries: &[(&str, &str)]| {
            let owned = entries.iter().map(|(href, etag)| ((*href).to_owned(), (*etag).to_owned()));
            digest(&owned.collect::<Vec<_>>())
        };
        let one = of(&[("/a.ics", "1"), ("/b.ics", "1")]);
        assert_eq!(one, of(&[("/a.ics", "1"), ("/b.ics", "1")]));
        for other in [
            of(&[]),
            of(&[("/a.ics", "1")]),
            of(&[("/a.ics", "2"), ("/b.ics", "1")]),
            of(&[("/a.ics", "1/b.ics"), ("1", "")]),
        ] {
            assert_ne!(one, other);
        }
        assert!(one.starts_with(DIGEST));
    }
}
