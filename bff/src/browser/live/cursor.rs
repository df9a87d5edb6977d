//! How far a browser has read each log.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};

/// The logs followed, in the order of a cursor's positions.
pub const LOGS: [&str; 4] = ["auth", "tenancy", "scheduling", "telemetry"];

/// Which log, as an index into [`LOGS`].
pub type Log = usize;

/// A position in each log; `None` while the log has not been heard of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor(pub [Option<i64>; LOGS.len()]);

impl Cursor {
    /// Reads what [`Cursor::write`] wrote.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let decoded = String::from_utf8(B64.decode(text).ok()?).ok()?;
        let mut parts = decoded.split('.');
        let mut cursor = Self::default();
        for position in &mut cursor.0 {
            *position = match parts.next()? {
                "-" => None,
                number => Some(number.parse().ok()?),
            };
        }
        parts.next().is_none().then_some(cursor)
    }

    /// The cursor as browsers keep it.
    #[must_use]
    pub fn write(&self) -> String {
        let parts = self.0.map(|position| position.map_or_else(|| "-".to_owned(), |at| at.to_string()));
        B64.encode(parts.join("."))
    }

    /// Whether this reader has yet to see what is at `position` of `log`; then it has.
    pub fn advance(&mut self, log: Log, position: i64) -> bool {
        let news = self.0[log].is_none_or(|at| position > at);
        if news {
            self.0[log] = Some(position);
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was_written() {
        let cursor = Cursor([Some(7), None, Some(0), Some(i64::MAX)]);
        assert_eq!(Cursor::read(&cursor.write()), Some(cursor));
    }

    #[test]
    fn what_was_never_written_is_no_cursor() {
        for text in ["", "%", "MS4yLjM", "MS4yLjMuNC41", "YS5iLmMuZA"] {
            assert_eq!(Cursor::read(text), None, "{text}");
        }
    }

    #[test]
    fn nothing_is_read_twice() {
        let mut cursor = Cursor::default();
        assert!(cursor.advance(2, 5));
        assert!(!cursor.advance(2, 5));
        assert!(!cursor.advance(2, 4));
        assert!(cursor.advance(1, 4));
    }
}
