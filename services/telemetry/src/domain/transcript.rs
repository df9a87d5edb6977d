//! What was said.

/// Who spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Speaker {
    /// The voice agent.
    Agent,
    /// The person on the line.
    Caller,
}

impl Speaker {
    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "AGENT",
            Self::Caller => "CALLER",
        }
    }

    /// The speaker of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Agent, Self::Caller].into_iter().find(|speaker| speaker.name() == name)
    }
}

/// Something said.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// Who said it.
    pub speaker: Speaker,
    /// The words.
    pub text: String,
    /// Milliseconds after the start of the call, where the platform says so.
    pub offset_ms: Option<i32>,
    /// Milliseconds from the end of what the caller said to the first words of the agent's answer, where they were measured.
    pub latency_ms: Option<i32>,
    /// The caller spoke into it: the words are those spoken until then.
    pub interrupted: bool,
}

/// All that was said up to some moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript(Vec<Turn>);

impl Transcript {
    /// A transcript of these turns; turns without words are left out.
    #[must_use]
    pub fn new(turns: Vec<Turn>) -> Self {
        Self(turns.into_iter().filter(|turn| !turn.text.is_empty()).collect())
    }

    /// The turns, in order.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.0
    }

    /// Whether the caller said anything.
    #[must_use]
    pub fn caller_spoke(&self) -> bool {
        self.0.iter().any(|turn| turn.speaker == Speaker::Caller)
    }

    /// The longer one. Platforms send the whole transcript again and again, and
    /// deliveries overtake each other. Between two of one length the content decides,
    /// so that the order of arrival never does.
    #[must_use]
    pub fn longer(self, other: Self) -> Self {
        if (other.length(), &other.0) > (self.length(), &self.0) { other } else { self }
    }

    /// How many first turns it has in common with another.
    #[must_use]
    pub fn common(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).take_while(|(one, two)| one == two).count()
    }

    fn length(&self) -> usize {
        self.0.iter().map(|turn| turn.text.chars().count()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(speaker: Speaker, text: &str) -> Turn {
        Turn { speaker, text: text.to_owned(), offset_ms: None, latency_ms: None, interrupted: false }
    }

    #[test]
    fn the_longer_transcript_stays_whichever_comes_first() {
        let early = Transcript::new(vec![said(Speaker::Agent, "Hello")]);
        let late = Transcript::new(vec![said(Speaker::Agent, "Hello"), said(Speaker::Caller, "Hi")]);
        assert_eq!(early.clone().longer(late.clone()), late);
        assert_eq!(late.clone().longer(early.clone()), late);
        assert_eq!(late.common(&early), 1);
    }

    #[test]
    fn what_was_measured_later_stays_whichever_comes_first() {
        let told = Transcript::new(vec![said(Speaker::Agent, "Hello")]);
        let turn = Turn { latency_ms: Some(640), interrupted: true, ..said(Speaker::Agent, "Hello") };
        let measured = Transcript::new(vec![turn]);
        assert_eq!(told.clone().longer(measured.clone()), measured);
        assert_eq!(measured.clone().longer(told), measured);
    }

    #[test]
    fn a_caller_who_only_breathes_has_not_spoken() {
        assert!(
            !Transcript::new(vec![said(Speaker::Agent, "Hello"), said(Speaker::Caller, "")]).caller_spoke()
        );
        assert!(Transcript::new(vec![said(Speaker::Caller, "Hi")]).caller_spoke());
    }
}
