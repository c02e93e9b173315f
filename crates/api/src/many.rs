//! Questions about many positions at once, and their answers.

use std::{cell::Cell, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{
        self, DeserializeOwned, DeserializeSeed, Error as _, IntoDeserializer, MapAccess, Visitor,
        value::MapAccessDeserializer,
    },
    ser,
};
use utoipa::ToSchema;

use super::{Entry, PositionQuestion, problem::ProblemBody};

/// A question about many positions: what is asked about one, but for its state.
///
/// In JSON it has the member `positions` instead of `state`.
#[derive(Clone, Debug, Default)]
pub struct Many<Q> {
    /// The positions.
    pub positions: Vec<Entry>,
    /// What is asked about each; its state means nothing.
    pub question: Q,
}

impl<Q> Many<Q> {
    /// A question about some positions.
    pub fn new(positions: impl IntoIterator<Item = PositionQuestion>, question: Q) -> Self {
        Self { positions: positions.into_iter().map(Into::into).collect(), question }
    }
}

/// Fails for an entry that could not be read.
impl<Q: Serialize> Serialize for Many<Q> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |error| ser::Error::custom(error);
        let positions = serde_json::to_value(&self.positions).map_err(value)?;
        let mut question = serde_json::to_value(&self.question).map_err(value)?;
        let members =
            question.as_object_mut().ok_or_else(|| ser::Error::custom("a question is an object"))?;
        members.retain(|name, member| name != "state" && !member.is_null());
        members.insert("positions".to_owned(), positions);
        question.serialize(serializer)
    }
}

impl<'de, Q: DeserializeOwned> Deserialize<'de> for Many<Q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ManyVisitor(PhantomData))
    }
}

struct ManyVisitor<Q>(PhantomData<Q>);

impl<'de, Q: DeserializeOwned> Visitor<'de> for ManyVisitor<Q> {
    type Value = Many<Q>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with positions")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Many<Q>, A::Error> {
        let mut positions = None;
        let rest = Rest { members, known: names::<Q>(), positions: &mut positions, has_state: false };
        let question = Q::deserialize(MapAccessDeserializer::new(rest))?;
        let positions = positions.ok_or_else(|| A::Error::missing_field("positions"))?;
        Ok(Many { positions, question })
    }
}

/// The members of a question but for `positions`, and in the end an empty state.
struct Rest<'a, A> {
    members: A,
    known: &'static [&'static str],
    positions: &'a mut Option<Vec<Entry>>,
    has_state: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(name) = self.members.next_key::<String>()? {
            if name == "positions" {
                if self.positions.is_some() {
                    return Err(A::Error::duplicate_field("positions"));
                }
                *self.positions = Some(self.members.next_value()?);
            } else if name != "state" && self.known.contains(&name.as_str()) {
                return seed.deserialize(name.into_deserializer()).map(Some);
            } else {
                return Err(A::Error::unknown_field(&name, of_many(self.known)));
            }
        }
        if std::mem::replace(&mut self.has_state, true) {
            return Ok(None);
        }
        seed.deserialize("state".into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        if self.has_state {
            seed.deserialize("".into_deserializer())
        } else {
            self.members.next_value_seed(seed)
        }
    }
}

/// The names of the members of a question about many positions, by those about one, of which the first is the
/// state. Each list is made once.
fn of_many(known: &'static [&'static str]) -> &'static [&'static str] {
    use std::sync::{Mutex, PoisonError};
    type Names = &'static [&'static str];
    static LISTS: Mutex<Vec<(Names, Names)>> = Mutex::new(Vec::new());
    let mut lists = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, of_many)) = lists.iter().find(|(of_one, _)| *of_one == known) {
        return of_many;
    }
    let others = known.iter().copied().filter(|&name| name != "state");
    let names: Vec<_> = std::iter::once("positions").chain(others).collect();
    lists.push((known, names.leak()));
    lists[lists.len() - 1].1
}

/// The names of the members of a struct, in their order: what serde asks a deserializer for.
#[must_use]
pub fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    struct Asked<'a>(&'a Cell<&'static [&'static str]>);

    impl<'de> Deserializer<'de> for Asked<'_> {
        type Error = de::value::Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
            Err(Self::Error::custom("there is no value"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.0.set(fields);
            self.deserialize_any(visitor)
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let names = Cell::new([].as_slice());
    drop(T::deserialize(Asked(&names)));
    names.get()
}

/// What the answers about many positions are in one JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Results<A> {
    /// One for each position, in their order.
    #[schema(max_items = 1000)]
    pub results: Vec<PositionResult<A>>,
}

/// The answer about a position or, if it has none, why not; a problem of one spoils no other. One has the
/// member `answer`, the other `problem`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum PositionResult<A> {
    /// There is an answer.
    Answered(Answered<A>),
    /// There is none.
    Unanswered(Unanswered<'static>),
}

/// The answer about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Answered<A> {
    /// What the same question about this position alone is answered with.
    pub answer: A,
}

/// Why there is no answer, where others of the same request may have one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Unanswered<'a> {
    /// The problem, with places in the state of this position and in the moves since.
    pub problem: ProblemBody<'a>,
}
