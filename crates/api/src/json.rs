//! The JSON of questions and answers, and how members are read: objects, words, numbers with a range, and
//! lists of moves.

use std::{fmt, iter, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{
        self, Error as _, IgnoredAny, IntoDeserializer as _, MapAccess, SeqAccess, Visitor,
        value::MapAccessDeserializer,
    },
};

use super::{Failure, limits::MOST_LEGAL_MOVES};
use cublino_rules::game::{Notation, Record, Refusal};

/// An answer in JSON.
///
/// # Panics
/// If the value has a map whose keys are not strings; no answer has one.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("answers have no maps with odd keys")
}

/// A `T` that is read from an object only: derived implementations also accept an array of its members.
///
/// ```
/// use cublino_api::{Object, PositionQuestion};
///
/// assert!(serde_json::from_str::<Object<PositionQuestion>>(r#"{"state":"M-o22O"}"#).is_ok());
/// assert!(serde_json::from_str::<Object<PositionQuestion>>(r#"["M-o22O",[]]"#).is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// Reads a member that is an object, or null.
pub(super) fn optional_object<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.map(|Object(value)| value))
}

/// Reads a member that is one of some words, or null: serde also accepts an object for a word.
pub(super) fn optional_word<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let word = Option::<String>::deserialize(deserializer)?;
    word.map(|word| T::deserialize(word.into_deserializer())).transpose()
}

/// Reads a list of at most `MAX` entries. Of a longer one no more are held.
pub(super) fn at_most<'de, const MAX: usize, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_seq(ListVisitor::<MAX, T>(PhantomData))
}

struct ListVisitor<const MAX: usize, T>(PhantomData<T>);

impl<'de, const MAX: usize, T: Deserialize<'de>> Visitor<'de> for ListVisitor<MAX, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Vec<T>, A::Error> {
        let entry = || entries.next_element().transpose();
        let list = iter::from_fn(entry).take(MAX).collect::<Result<Vec<_>, _>>()?;
        let mut count = list.len();
        while list.len() == MAX && entries.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        if count == list.len() {
            return Ok(list);
        }
        Err(A::Error::custom(format_args!("it has {count} entries, but the limit is {MAX}")))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}

/// The largest integer that every reader of JSON reads exactly.
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// A whole number in a range, both ends included.
///
/// ```
/// use cublino_api::Ranged;
///
/// let number: Ranged<2, 10> = 3.try_into()?;
/// assert_eq!(number.get(), 3);
/// let error = Ranged::<2, 10>::try_from(11).unwrap_err();
/// assert_eq!(error.to_string(), "11 is not a whole number from 2 to 10");
/// # Ok::<(), cublino_api::OutOfRange>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ranged<const MIN: u64, const MAX: u64>(u64);

/// The seed of a random number generator.
pub type Seed = Ranged<0, MAX_SAFE_INTEGER>;

impl Seed {
    /// The given seed, or a random one that every reader of JSON reads exactly.
    pub fn or_drawn(given: Option<Self>) -> u64 {
        let random = || getrandom::u64().expect("the system has random numbers");
        // The numbers up to the largest are all that have so many bits.
        given.map_or_else(|| random() & MAX_SAFE_INTEGER, Self::get)
    }
}

impl<const MIN: u64, const MAX: u64> Ranged<MIN, MAX> {
    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number as another type, which holds all numbers in the range.
    pub(super) fn to<T: TryFrom<u64, Error: fmt::Debug>>(self) -> T {
        self.0.try_into().expect("the type holds all numbers in the range")
    }
}

/// A number is not in the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{number} is not a whole number from {min} to {max}")]
pub struct OutOfRange {
    number: u64,
    min: u64,
    max: u64,
}

impl<const MIN: u64, const MAX: u64> TryFrom<u64> for Ranged<MIN, MAX> {
    type Error = OutOfRange;

    fn try_from(number: u64) -> Result<Self, OutOfRange> {
        let is_in_range = (MIN..=MAX).contains(&number);
        if is_in_range { Ok(Self(number)) } else { Err(OutOfRange { number, min: MIN, max: MAX }) }
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Ranged<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = whole_number(deserializer).ok().and_then(|number: u64| number.try_into().ok());
        number.ok_or_else(|| D::Error::custom(format_args!("expected a whole number from {MIN} to {MAX}")))
    }
}

impl<const MIN: u64, const MAX: u64> utoipa::PartialSchema for Ranged<MIN, MAX> {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(MIN))
            .maximum(Some(MAX))
            .into()
    }
}

impl<const MIN: u64, const MAX: u64> utoipa::ToSchema for Ranged<MIN, MAX> {}

/// Reads a whole number.
pub(super) fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = deserializer.deserialize_u64(Whole).ok();
    number.ok_or_else(|| D::Error::custom("expected a whole number"))
}

struct Whole;

impl Visitor<'_> for Whole {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    /// To JSON, `3.0` is the whole number 3.
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<u64, E> {
        // A number without a fraction is written like an integer; the sum makes 0 of -0.
        (number + 0.0).to_string().parse().map_err(E::custom)
    }
}

/// Moves, as they were written.
///
/// ```
/// use cublino_api::MoveList;
/// use cublino_rules::games::Wari;
///
/// let moves = MoveList::from("5,A(3,4)").resolve(&Wari::default().into())?;
/// assert_eq!(moves.len(), 2);
/// # Ok::<(), cublino_api::Failure>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveList(pub Vec<String>);

impl MoveList {
    /// The moves that the texts stand for, each once, in a position with a move to play.
    ///
    /// # Errors
    /// The list is empty, or a move is not legal: the failure names the first one.
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
}

/// The move that a text stands for, in a position with a move to play.
pub(super) fn resolve<G: Notation>(position: &G, text: &str) -> Result<G::Move, Failure> {
    let spelling = spelling::<G>(text)?;
    position.resolve(&spelling).map_err(|fault| Failure::from(Refusal::Illegal(fault)))
}

/// A move as it is written, perhaps an illegal one.
pub(super) fn spelling<G: Notation>(text: &str) -> Result<G::Spelling, Failure> {
    text.parse().map_err(|fault| Failure::from(Refusal::Malformed(fault)))
}

/// Splits a text at commas, except for those in brackets, which moves of Wari have.
impl From<&str> for MoveList {
    fn from(text: &str) -> Self {
        Self(split(text).map(str::to_owned).collect())
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    let parts = text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// The moves and rolls in a text that people have written: separated by blanks or commas, perhaps numbered.
///
/// ```
/// let moves: Vec<_> = cublino_api::moves_in("1. e1e2 e7e6 2.d1d2, 3... A(5,4)").collect();
/// assert_eq!(moves, ["e1e2", "e7e6", "d1d2", "A(5,4)"]);
/// ```
pub fn moves_in(text: &str) -> impl Iterator<Item = &str> {
    fn without_number(part: &str) -> &str {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < part.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { part }
    }
    split(text).flat_map(str::split_whitespace).map(without_number).filter(|part| !part.is_empty())
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

    fn visit_str<E: de::Error>(self, text: &str) -> Result<MoveList, E> {
        collect(split(text).map(|part| Ok(part.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<MoveList, A::Error> {
        collect(iter::from_fn(|| entries.next_element().transpose()))
    }
}

/// Collects a list of at most `MOST_LEGAL_MOVES` moves.
fn collect<E: de::Error>(texts: impl Iterator<Item = Result<String, E>>) -> Result<MoveList, E> {
    let moves = texts.take(MOST_LEGAL_MOVES + 1).collect::<Result<Vec<_>, E>>()?;
    if moves.len() > MOST_LEGAL_MOVES {
        return Err(E::custom(format_args!("more than {MOST_LEGAL_MOVES} moves")));
    }
    Ok(MoveList(moves))
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
    fn a_list_of_moves_has_a_bound_however_it_is_written() {
        for (count, is_taken) in [(MOST_LEGAL_MOVES, true), (MOST_LEGAL_MOVES + 1, false)] {
            let texts = vec!["5"; count];
            let written = [serde_json::to_string(&texts), serde_json::to_string(&texts.join(","))];
            for json in written.map(Result::unwrap) {
                let read = serde_json::from_str::<MoveList>(&json);
                assert_eq!(read.is_ok_and(|list| list.0.len() == count), is_taken, "{json:.9}");
            }
        }
    }

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
