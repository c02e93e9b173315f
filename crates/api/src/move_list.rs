//! A list of moves in a question: separated by commas in a query, a list in a body.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, SeqAccess, Visitor},
};

use super::Failure;
use cublino_rules::game::{Notation, Record, Refusal};

/// The most moves in a list: more than are legal in any position.
const MAX_MOVES: usize = 2_000;

/// Moves, as they were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveList(Vec<String>);

impl MoveList {
    /// The moves that the texts stand for in a position where there is a move to play, each once.
    ///
    /// # Errors
    /// There is none, or the failure names the first that is not legal.
    pub fn resolve<G: Notation>(&self, record: &Record<G>) -> Result<Vec<G::Move>, Failure> {
        if self.0.is_empty() {
            return Err(Failure::invalid_parameter("moves", "'moves' must name at least one move"));
        }
        let mut moves = Vec::new();
        for (i, text) in self.0.iter().enumerate() {
            let m = resolve(record.position(), text).map_err(|failure| failure.at(i))?;
            if !moves.contains(&m) {
                moves.push(m);
            }
        }
        Ok(moves)
    }

    /// The texts.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.0
    }
}

fn resolve<G: Notation>(position: &G, text: &str) -> Result<G::Move, Failure> {
    let spelling = text.parse().map_err(|fault| Failure::from(Refusal::Malformed(fault)))?;
    position.resolve(&spelling).map_err(|fault| Failure::from(Refusal::Illegal(fault)))
}

/// The moves of a text: at commas, but not at those in brackets, where a move of Wari has one.
impl From<&str> for MoveList {
    fn from(text: &str) -> Self {
        let mut depth = 0_u32;
        let parts = text.split(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        });
        Self(parts.map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect())
    }
}

impl<T: Into<String>> FromIterator<T> for MoveList {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        Self(texts.into_iter().map(Into::into).collect())
    }
}

impl<'de> Deserialize<'de> for MoveList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MoveListVisitor)
    }
}

struct MoveListVisitor;

impl<'de> Visitor<'de> for MoveListVisitor {
    type Value = MoveList;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of moves")
    }

    fn visit_str<E>(self, text: &str) -> Result<MoveList, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<MoveList, A::Error> {
        let mut moves = Vec::new();
        while let Some(text) = entries.next_element()? {
            if moves.len() == MAX_MOVES {
                return Err(de::Error::custom(format_args!("more than {MAX_MOVES} moves")));
            }
            moves.push(text);
        }
        Ok(MoveList(moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;
    use cublino_rules::{
        game::Game,
        games::{Pur, Wari},
    };

    #[test]
    fn a_text_is_split_at_commas_that_are_in_no_brackets() {
        let texts = |text: &str| MoveList::from(text).0;
        assert_eq!(texts("e1e2,d1d2"), ["e1e2", "d1d2"]);
        assert_eq!(texts("A(5,4),3, 2,"), ["A(5,4)", "3", "2"]);
        assert_eq!(texts(")a,(b,c"), [")a", "(b,c"]);
        assert_eq!(texts(","), [""; 0]);
    }

    #[test]
    fn moves_are_resolved_once_each_and_the_first_that_is_wrong_is_named() {
        let wari = Record::from(Wari::default());
        assert_eq!(MoveList::from("A(5,4),3,5").resolve(&wari).unwrap().len(), 2);
        let pur = Record::from(Pur::read("PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7").unwrap());
        for (text, code, at) in [
            ("e1e2,e1e3", Code::IllegalMove, Some(1)),
            ("e1e2,x", Code::MalformedMove, Some(1)),
            ("", Code::InvalidParameter, None),
        ] {
            let failure = MoveList::from(text).resolve(&pur).unwrap_err();
            assert_eq!((failure.code, failure.at), (code, at), "{text}");
        }
    }
}
