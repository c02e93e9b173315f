//! JSON values of request bodies, and how they become the types of the interface.
//!
//! The implementations that serde derives take an array for a struct, too, entry by entry, and describe
//! errors with the names of Rust types. Here only an object becomes a struct, at any depth, and errors are
//! sentences for the caller.

use std::fmt::{self, Display};

use serde::{
    Deserialize,
    de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor},
};
use serde_json::Number;

/// How deep lists and objects may be nested: deeper than any body of the interface, and far from the end of
/// the stack.
pub const MAX_DEPTH: usize = 32;

/// The longest text of a caller that is repeated in a sentence about it, in bytes: a body may be one text.
const MAX_SHOWN: usize = 100;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Self>),
    /// All members, also those that have the same name: the types refuse them.
    Object(Vec<(String, Self)>),
}

impl Value {
    /// What it is, for the end of a sentence.
    fn described(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(_) => "a number".to_owned(),
            Self::Text(_) => "a text".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        }
    }

    fn is_not(&self, expected: &str) -> WrongValue {
        WrongValue::new(Fault::Value(format!("must be {expected}, not {}", self.described())))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nested { levels: MAX_DEPTH }.deserialize(deserializer)
    }
}

/// Reads a value that contains at most so many levels of lists and objects. That it has more is the only
/// error of its own.
#[derive(Clone, Copy)]
struct Nested {
    levels: usize,
}

impl Nested {
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1).ok_or_else(|| E::custom("too many levels"))?;
        Ok(Self { levels })
    }
}

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        let number = Number::from_f64(number).ok_or_else(|| E::custom("not a finite number"))?;
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(entry) = entries.next_element_seed(inner)? {
            list.push(entry);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut object = Vec::new();
        while let Some(name) = members.next_key()? {
            object.push((name, members.next_value_seed(inner)?));
        }
        Ok(Value::Object(object))
    }
}

impl<'de> Deserializer<'de> for Value {
    type Error = WrongValue;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), ..) => visitor.visit_u64(number),
                (None, Some(number), _) => visitor.visit_i64(number),
                (None, None, number) => visitor.visit_f64(number.expect("a number is one of the three")),
            },
            Self::Text(text) => visitor.visit_string(text),
            Self::List(list) => visitor.visit_seq(Entries(list.into_iter().enumerate())),
            Self::Object(object) => visitor.visit_map(Members { rest: object.into_iter(), value: None }),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        if matches!(self, Self::Bool(_)) {
            self.deserialize_any(visitor)
        } else {
            Err(self.is_not("true or false"))
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        if matches!(self, Self::Text(_)) { self.deserialize_any(visitor) } else { Err(self.is_not("a text")) }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        self.deserialize_string(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        if matches!(self, Self::List(_)) { self.deserialize_any(visitor) } else { Err(self.is_not("a list")) }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        if matches!(self, Self::Object(_)) {
            self.deserialize_any(visitor)
        } else {
            Err(self.is_not("an object"))
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongValue> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongValue> {
        match self {
            Self::Text(text) => visitor.visit_enum(text.into_deserializer()),
            other => Err(other.is_not("a text")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        if self == Self::Null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, WrongValue> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple
        tuple_struct identifier ignored_any
    }
}

/// The entries of a list that have not been read yet.
struct Entries<I>(I);

impl<'de, I: Iterator<Item = (usize, Value)>> SeqAccess<'de> for Entries<I> {
    type Error = WrongValue;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, WrongValue> {
        let Some((index, entry)) = self.0.next() else { return Ok(None) };
        seed.deserialize(entry).map(Some).map_err(|wrong| wrong.within(Step::Entry(index)))
    }
}

/// The members of an object that have not been read yet.
struct Members<I> {
    rest: I,
    /// The member whose name has been read.
    value: Option<(String, Value)>,
}

impl<'de, I: Iterator<Item = (String, Value)>> MapAccess<'de> for Members<I> {
    type Error = WrongValue;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, WrongValue> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        let key = seed.deserialize(name.as_str().into_deserializer())?;
        self.value = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, WrongValue> {
        let (name, value) = self.value.take().expect("serde asks for a value after its name");
        seed.deserialize(value).map_err(|wrong| wrong.within(Step::Member(name)))
    }
}

/// A value is not what is needed at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongValue {
    /// Where, innermost step first.
    path: Vec<Step>,
    fault: Fault,
}

/// The way from a value to one that it contains.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    Entry(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    /// The value at the place; the rest of a sentence about it.
    Value(String),
    /// The object at the place has no member with this name.
    Missing(&'static str),
    /// It has one that it must not have; which it may have.
    Unknown(String, &'static [&'static str]),
    /// It has more than one with this name.
    Twice(&'static str),
}

impl WrongValue {
    const fn new(fault: Fault) -> Self {
        Self { path: Vec::new(), fault }
    }

    fn within(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    /// The member of the body that is wrong; nothing if it is the whole body.
    pub fn parameter(&self) -> Option<&str> {
        match (self.path.last(), &self.fault) {
            (Some(Step::Member(name)), _) | (None, Fault::Unknown(name, _)) => Some(name),
            (None, Fault::Missing(name) | Fault::Twice(name)) => Some(name),
            (Some(Step::Entry(_)) | None, _) => None,
        }
    }

    /// Which entry is wrong, if the member is a list.
    pub fn entry(&self) -> Option<usize> {
        match self.path[..] {
            [.., Step::Entry(index), Step::Member(_)] => Some(index),
            _ => None,
        }
    }

    /// The place as programmers write it: `moves[1]`.
    fn place(&self) -> String {
        let mut place = String::new();
        for step in self.path.iter().rev() {
            match step {
                Step::Member(name) if place.is_empty() => place.push_str(name),
                Step::Member(name) => place.extend([".", name]),
                Step::Entry(index) => place.extend(["[", &index.to_string(), "]"]),
            }
        }
        place
    }
}

/// A sentence; with `{:#}` the name of the parameter stands before it, if there is one.
impl Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.parameter().filter(|_| f.alternate()) {
            write!(f, "{name}: ")?;
        }
        let place = self.place();
        let within = if place.is_empty() { String::new() } else { format!(" in '{place}'") };
        match (&self.fault, self.path.first()) {
            (Fault::Value(predicate), None) => write!(f, "the body {predicate}"),
            (Fault::Value(predicate), Some(Step::Member(_))) => write!(f, "the member '{place}' {predicate}"),
            (Fault::Value(predicate), Some(Step::Entry(_))) => write!(f, "the entry '{place}' {predicate}"),
            (Fault::Missing(name), _) => write!(f, "the member '{name}' is missing{within}"),
            (Fault::Unknown(name, known), _) => {
                write!(f, "there is no member '{name}'{within} here, only {}", known.join(", "))
            }
            (Fault::Twice(name), _) => write!(f, "the member '{name}' is given more than once{within}"),
        }
    }
}

impl std::error::Error for WrongValue {}

impl de::Error for WrongValue {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Fault::Value(format!("is wrong: {message}")))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_value(unexpected, expected)
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = match unexpected {
            Unexpected::Bool(value) => value.to_string(),
            Unexpected::Unsigned(number) => number.to_string(),
            Unexpected::Signed(number) => number.to_string(),
            Unexpected::Float(number) => number.to_string(),
            Unexpected::Str(text) if text.len() <= MAX_SHOWN => format!("the text '{text}'"),
            Unexpected::Str(_) => "a text".to_owned(),
            Unexpected::Seq => "a list".to_owned(),
            Unexpected::Map => "an object".to_owned(),
            // Of what JSON has, only null is left.
            _ => "null".to_owned(),
        };
        Self::new(Fault::Value(format!("must be {expected}, not {found}")))
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        let found = if name.len() <= MAX_SHOWN { format!("'{name}'") } else { "another text".to_owned() };
        Self::new(Fault::Value(format!("must be one of {}, not {found}", known.join(", "))))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::new(Fault::Unknown(name.chars().take(MAX_SHOWN).collect(), known))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::new(Fault::Missing(name))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::new(Fault::Twice(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::RepetitionLimit;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        name: String,
        #[serde(default)]
        inner: Vec<Inner>,
        limit: Option<RepetitionLimit>,
        flag: Option<bool>,
        side: Option<Side>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        text: String,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Side {
        Left,
        Right,
    }

    fn read(text: &str) -> Result<Outer, WrongValue> {
        Outer::deserialize(serde_json::from_str::<Value>(text).unwrap())
    }

    #[test]
    fn an_object_becomes_what_it_says() {
        let read = read(
            r#"{"inner":[{"text":"\u00e4"},{"text":""}],"limit":3.0,"flag":true,"side":"left","name":"x"}"#,
        );
        let inner = ["ä", ""].map(|text| Inner { text: text.to_owned() }).into();
        let limit = RepetitionLimit::deserialize(Value::Number(3.into())).ok();
        let expected = Outer { name: "x".to_owned(), inner, limit, flag: Some(true), side: Some(Side::Left) };
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence_with_its_place() {
        for (body, sentence, parameter, entry) in [
            ("3", "the body must be an object, not a number", None, None),
            (r#"["x",[]]"#, "the body must be an object, not a list", None, None),
            ("null", "the body must be an object, not null", None, None),
            ("{}", "the member 'name' is missing", Some("name"), None),
            (r#"{"name":1}"#, "the member 'name' must be a text, not a number", Some("name"), None),
            (r#"{"name":"","name":""}"#, "the member 'name' is given more than once", Some("name"), None),
            (
                r#"{"name":"","more":1}"#,
                "there is no member 'more' here, only name, inner, limit, flag, side",
                Some("more"),
                None,
            ),
            (r#"{"inner":{}}"#, "the member 'inner' must be a list, not an object", Some("inner"), None),
            (
                r#"{"inner":[["x"]]}"#,
                "the entry 'inner[0]' must be an object, not a list",
                Some("inner"),
                Some(0),
            ),
            (
                r#"{"inner":[{"text":""},{"text":null}]}"#,
                "the member 'inner[1].text' must be a text, not null",
                Some("inner"),
                Some(1),
            ),
            (r#"{"inner":[{}]}"#, "the member 'text' is missing in 'inner[0]'", Some("inner"), Some(0)),
            (
                r#"{"limit":11}"#,
                "the member 'limit' must be a whole number from 2 to 10, not 11",
                Some("limit"),
                None,
            ),
            (
                r#"{"limit":-2.5}"#,
                "the member 'limit' must be a whole number from 2 to 10, not -2.5",
                Some("limit"),
                None,
            ),
            (
                r#"{"limit":"3"}"#,
                "the member 'limit' must be a whole number from 2 to 10, not the text '3'",
                Some("limit"),
                None,
            ),
            (r#"{"flag":0}"#, "the member 'flag' must be true or false, not a number", Some("flag"), None),
            (
                r#"{"side":"up"}"#,
                "the member 'side' must be one of left, right, not 'up'",
                Some("side"),
                None,
            ),
            (
                r#"{"side":{"left":null}}"#,
                "the member 'side' must be a text, not an object",
                Some("side"),
                None,
            ),
        ] {
            let wrong = read(body).unwrap_err();
            assert_eq!(
                (&*wrong.to_string(), wrong.parameter(), wrong.entry()),
                (sentence, parameter, entry),
                "{body}"
            );
        }
    }

    #[test]
    fn long_texts_are_not_repeated() {
        let long = "x".repeat(10_000);
        for body in [
            format!(r#"{{"{long}":1}}"#),
            format!(r#"{{"side":"{long}"}}"#),
            format!(r#"{{"limit":"{long}"}}"#),
        ] {
            assert!(read(&body).unwrap_err().to_string().len() < 300, "{}", &body[..20]);
        }
    }

    #[test]
    fn nesting_ends_at_its_limit() {
        let nested = |levels| "[".repeat(levels) + &"]".repeat(levels);
        assert!(serde_json::from_str::<Value>(&nested(MAX_DEPTH)).is_ok());
        assert!(serde_json::from_str::<Value>(&nested(MAX_DEPTH + 1)).unwrap_err().is_data());
    }
}
