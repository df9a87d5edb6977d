//! The body of an event that is mostly audio, read piece by piece: `{"type", …, "data": {"conversation_id",
//! "full_audio": "<base64>"}}`. Fields may stand in any order, and other ones beside them; the audio is handed on as it
//! comes, and the rest is kept only as far as it is short.

use base64::{Engine, engine::general_purpose::STANDARD as B64};

/// Objects and lists inside each other.
const DEEPEST: usize = 16;
/// Of a name, an id or a type.
const LONGEST: usize = 100;

/// The body is not of the documented form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

/// What a body is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The event's type.
    pub kind: String,
    /// The platform's id of the call.
    pub conversation: String,
}

/// An object, with the name of the field that is being read, or a list.
#[derive(Debug)]
enum Inside {
    Object { name: String, expects_name: bool },
    List,
}

/// What becomes of the string that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Name,
    Kind,
    Conversation,
    Audio,
    Nothing,
}

/// A body that is being read.
#[derive(Debug, Default)]
pub struct AudioBody {
    inside: Vec<Inside>,
    string: Option<(Target, bool)>,
    text: String,
    /// Characters of base64 that wait for a whole group.
    group: Vec<u8>,
    about: About,
    ended: bool,
}

impl AudioBody {
    /// Reads on; decoded audio is added to `out`.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        for byte in bytes {
            match self.string {
                Some((target, escaped)) => self.in_string(target, escaped, *byte)?,
                None => self.between(*byte)?,
            }
        }
        self.decode(out)
    }

    /// The end of the body.
    ///
    /// # Errors
    /// [`Malformed`] if it broke off, or has no audio's end.
    pub fn finish(self) -> Result<About, Malformed> {
        if !self.ended || !self.group.is_empty() {
            return Err(Malformed("it breaks off"));
        }
        Ok(self.about)
    }

    fn between(&mut self, byte: u8) -> Result<(), Malformed> {
        match byte {
            b'{' => self.enter(Inside::Object { name: String::new(), expects_name: true }),
            b'[' => self.enter(Inside::List),
            b'}' | b']' => {
                self.inside.pop().ok_or(Malformed("it closes what it did not open"))?;
                self.ended = self.inside.is_empty();
                Ok(())
            }
            b',' => {
                if let Some(Inside::Object { expects_name, .. }) = self.inside.last_mut() {
                    *expects_name = true;
                }
                Ok(())
            }
            b'"' => {
                self.string = Some((self.target(), false));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn enter(&mut self, inside: Inside) -> Result<(), Malformed> {
        if self.ended || self.inside.len() == DEEPEST {
            return Err(Malformed("it goes on too long or too deep"));
        }
        self.inside.push(inside);
        Ok(())
    }

    /// What a string is that begins here.
    fn target(&self) -> Target {
        match &self.inside[..] {
            [.., Inside::Object { expects_name: true, .. }] => Target::Name,
            [Inside::Object { name, .. }] if name == "type" => Target::Kind,
            [Inside::Object { name: data, .. }, Inside::Object { name, .. }] if data == "data" => {
                match name.as_str() {
                    "conversation_id" => Target::Conversation,
                    "full_audio" => Target::Audio,
                    _ => Target::Nothing,
                }
            }
            _ => Target::Nothing,
        }
    }

    fn in_string(&mut self, target: Target, escaped: bool, byte: u8) -> Result<(), Malformed> {
        match (escaped, byte) {
            (false, b'"') => {
                self.string = None;
                self.close(target);
                return Ok(());
            }
            (false, b'\\') => {
                self.string = Some((target, true));
                return Ok(());
            }
            // Of all that may be escaped, a slash alone occurs in base64.
            (true, byte) if byte != b'/' && target == Target::Audio => {
                return Err(Malformed("its audio is not base64"));
            }
            _ => {}
        }
        self.string = Some((target, false));
        match target {
            Target::Audio => self.group.push(byte),
            Target::Nothing => {}
            // A longer name is none that is known here, and is told apart by its length.
            Target::Name if self.text.len() > LONGEST => {}
            _ if self.text.len() > LONGEST => return Err(Malformed("an id or a type is too long")),
            _ => self.text.push(char::from(byte)),
        }
        Ok(())
    }

    fn close(&mut self, target: Target) {
        let text = core::mem::take(&mut self.text);
        match target {
            Target::Name => {
                if let Some(Inside::Object { name, expects_name }) = self.inside.last_mut() {
                    (*name, *expects_name) = (text, false);
                }
            }
            Target::Kind => self.about.kind = text,
            Target::Conversation => self.about.conversation = text,
            Target::Audio | Target::Nothing => {}
        }
    }

    fn decode(&mut self, out: &mut Vec<u8>) -> Result<(), Malformed> {
        let whole = self.group.len() - self.group.len() % 4;
        B64.decode_vec(&self.group[..whole], out).map_err(|_| Malformed("its audio is not base64"))?;
        self.group.drain(..whole);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use serde_json::json;

    use super::*;

    fn read(body: &[u8], piece: usize) -> Result<(About, Vec<u8>), Malformed> {
        let (mut scan, mut out) = (AudioBody::default(), vec![]);
        for piece in body.chunks(piece.max(1)) {
            scan.feed(piece, &mut out)?;
        }
        Ok((scan.finish()?, out))
    }

    fn about(kind: &str, conversation: &str) -> About {
        About { kind: kind.to_owned(), conversation: conversation.to_owned() }
    }

    #[test]
    fn fields_may_stand_in_any_order_and_beside_others() {
        let body = br#"{"data":{"agent":{"full_audio":"no","conversation_id":"x"},"full_audio":"SGVs\/bG8",
            "list":[{"type":"t"},"\"}"],"conversation_id":"conv_1"},"other":null,"type":"post_call_audio"}"#;
        let (read, audio) = read(body, 3).unwrap();
        assert_eq!(read, about("post_call_audio", "conv_1"));
        assert_eq!(audio, B64.decode("SGVs/bG8").unwrap());
    }

    #[test]
    fn what_breaks_off_or_is_no_base64_is_refused() {
        let audio = |text: &str| format!(r#"{{"type":"a","data":{{"full_audio":"{text}"}}}}"#);
        for text in ["SGVsbG8", "SGV=bG8=", "S GVsbG8", r"SGVs\nbG8=", "*"] {
            assert!(read(audio(text).as_bytes(), 64).is_err(), "{text}");
        }
        for body in ["", "{", r#"{"type":"a""#, "}", r#"{"a":1}{"b":2}"#, "[[[[[[[[[[[[[[[[[[[["] {
            assert!(read(body.as_bytes(), 64).is_err(), "{body}");
        }
        assert!(read(format!(r#"{{"type":"{}"}}"#, "t".repeat(200)).as_bytes(), 64).is_err());
    }

    proptest! {
        /// However the body is cut, and whatever the audio is, it is read as a parser of the whole would.
        #[test]
        fn any_cut_gives_the_same(audio in vec(any::<u8>(), 0..400), piece in 1_usize..70, id in "[a-z_0-9]{1,40}") {
            let body = json!({"type": "post_call_audio", "event_timestamp": 1, "data":
                {"agent_id": "a", "conversation_id": id, "full_audio": B64.encode(&audio)}});
            let (read, decoded) = read(body.to_string().as_bytes(), piece).unwrap();
            prop_assert_eq!(read, about("post_call_audio", &id));
            prop_assert_eq!(decoded, audio);
        }

        #[test]
        fn no_bytes_break_it(bytes in vec(any::<u8>(), 0..300), piece in 1_usize..20) {
            let _ = read(&bytes, piece);
        }
    }
}
