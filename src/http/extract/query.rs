//! The query: form-encoded parameters, each at most once, none that is not known.

use std::{
    borrow::Cow,
    fmt::{self, Display},
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use serde::{
    Deserialize,
    de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, Visitor},
};

use crate::{http::problem::Problem, service::Code};

/// The parameters in the query.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

/// The query of a request that takes no parameters in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::read(request.query_string()))
    }
}

impl<T: DeserializeOwned> Query<T> {
    /// What a query says.
    ///
    /// # Errors
    /// A parameter is wrong.
    pub fn read(query: &str) -> Result<Self, Problem> {
        let parameters = Parameters { rest: query, value: None };
        let read = T::deserialize(de::value::MapAccessDeserializer::new(parameters));
        read.map(Self).map_err(Into::into)
    }
}

/// The parameters that have not been read yet.
struct Parameters<'a> {
    rest: &'a str,
    /// Name and value of the parameter whose name has been read.
    value: Option<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'de> de::MapAccess<'de> for Parameters<'de> {
    type Error = WrongParameter;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, WrongParameter> {
        while !self.rest.is_empty() {
            let (parameter, rest) = self.rest.split_once('&').unwrap_or((self.rest, ""));
            self.rest = rest;
            if parameter.is_empty() {
                continue;
            }
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let name = decode(name)?;
            let value = decode(value).map_err(|wrong| wrong.in_parameter(&name))?;
            let key = seed.deserialize(name.as_ref().into_deserializer())?;
            self.value = Some((name, value));
            return Ok(Some(key));
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, WrongParameter> {
        let (name, value) = self.value.take().expect("serde asks for a value after its name");
        let wrong = |WrongParameter { detail, .. }| {
            WrongParameter::new(format!("the parameter '{name}' is wrong: {detail}")).in_parameter(&name)
        };
        seed.deserialize(Value(value)).map_err(wrong)
    }
}

/// The value of a parameter: text, from which numbers and truth values are read where they are expected.
struct Value<'a>(Cow<'a, str>);

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = WrongParameter;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongParameter> {
        match self.0 {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongParameter> {
        visitor.visit_some(self)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongParameter> {
        match self.0.parse() {
            Ok(number) => visitor.visit_u64(number),
            Err(_) => Err(de::Error::invalid_value(de::Unexpected::Str(&self.0), &visitor)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongParameter> {
        match self.0.parse() {
            Ok(truth) => visitor.visit_bool(truth),
            Err(_) => Err(WrongParameter::new(format!("'{}' is neither true nor false", self.0))),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongParameter> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Decodes a name or value: `+` is a space, and `%` and two hexadecimal digits are a byte of UTF-8.
fn decode(encoded: &str) -> Result<Cow<'_, str>, WrongParameter> {
    // To look at all bytes takes less than to stop at the first of these: the processor looks at many at a
    // time.
    if !encoded.bytes().fold(false, |found, byte| found | matches!(byte, b'%' | b'+')) {
        return Ok(Cow::Borrowed(encoded));
    }
    let mut decoded = Vec::with_capacity(encoded.len());
    let mut bytes = encoded.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [bytes.next(), bytes.next()].map(|byte| byte.and_then(hex_digit));
                let [Some(high), Some(low)] = digits else {
                    let detail =
                        format!("'{encoded}' in the query has a % that two hexadecimal digits do not follow");
                    return Err(WrongParameter::new(detail));
                };
                high << 4 | low
            }
            other => other,
        });
    }
    let wrong = |_| WrongParameter::new(format!("'{encoded}' in the query is not percent-encoded UTF-8"));
    String::from_utf8(decoded).map(Cow::Owned).map_err(wrong)
}

fn hex_digit(byte: u8) -> Option<u8> {
    u8::try_from(char::from(byte).to_digit(16)?).ok()
}

/// What is wrong with the query.
#[derive(Debug)]
struct WrongParameter {
    /// The name of the parameter, if it can be read.
    name: Option<String>,
    /// A sentence about it.
    detail: String,
}

impl WrongParameter {
    const fn new(detail: String) -> Self {
        Self { name: None, detail }
    }

    fn in_parameter(self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..self }
    }
}

impl From<WrongParameter> for Problem {
    fn from(WrongParameter { name, detail }: WrongParameter) -> Self {
        match name {
            Some(name) => Self::invalid_parameter(name, detail),
            None => Self::new(Code::InvalidParameter, detail),
        }
    }
}

impl Display for WrongParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for WrongParameter {}

impl de::Error for WrongParameter {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_value(unexpected, expected)
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(match unexpected {
            de::Unexpected::Str(text) => format!("'{text}' is not {expected}"),
            de::Unexpected::Unsigned(number) => format!("{number} is not {expected}"),
            other => format!("{other} is not {expected}"),
        })
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Self::new(format!("'{name}' is not one of {}", known.join(", ")))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        let detail = match known {
            [] => format!("there is no parameter '{name}' here, nor any other"),
            _ => format!("there is no parameter '{name}' here, only {}", known.join(", ")),
        };
        Self::new(detail).in_parameter(name)
    }

    fn missing_field(name: &'static str) -> Self {
        Self::new(format!("the parameter '{name}' is missing")).in_parameter(name)
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::new(format!("the parameter '{name}' is given more than once")).in_parameter(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::{RepetitionLimit, legal_moves::Spellings};

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Example {
        state: String,
        limit: Option<RepetitionLimit>,
        #[serde(default)]
        flip: bool,
        #[serde(default)]
        spellings: Spellings,
    }

    fn read(query: &str) -> Result<(String, Option<u64>), String> {
        let parameters = Parameters { rest: query, value: None };
        let read = Example::deserialize(de::value::MapAccessDeserializer::new(parameters));
        read.map(|Example { state, limit, .. }| (state, limit.map(RepetitionLimit::get)))
            .map_err(|wrong| wrong.detail)
    }

    #[test]
    fn texts_and_numbers_are_read_in_any_order() {
        assert_eq!(read("limit=3&state=P%20%c3%A4+"), Ok(("P ä ".to_owned(), Some(3))));
        assert_eq!(read("&state=&"), Ok((String::new(), None)));
        assert_eq!(read("state"), Ok((String::new(), None)));
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        let wrong = |query| read(query).unwrap_err();
        assert_eq!(wrong(""), "the parameter 'state' is missing");
        assert_eq!(wrong("state=P&state=P"), "the parameter 'state' is given more than once");
        assert_eq!(
            wrong("state=P&start=P"),
            "there is no parameter 'start' here, only state, limit, flip, spellings"
        );
        assert_eq!(
            wrong("state=P&limit=11"),
            "the parameter 'limit' is wrong: 11 is not a whole number from 2 to 10"
        );
        assert_eq!(
            wrong("state=P&limit=-1"),
            "the parameter 'limit' is wrong: '-1' is not a whole number from 2 to 10"
        );
        assert_eq!(wrong("state=P&flip=1"), "the parameter 'flip' is wrong: '1' is neither true nor false");
        let spellings = "the parameter 'spellings' is wrong: 'some' is not one of usual, all";
        assert_eq!(wrong("state=P&spellings=some"), spellings);
        for cut in ["state=%", "state=%4", "state=%zz", "%=P"] {
            assert!(wrong(cut).ends_with("has a % that two hexadecimal digits do not follow"), "{cut}");
        }
        assert_eq!(wrong("state=%ff"), "'%ff' in the query is not percent-encoded UTF-8");
    }
}
