//! Whole numbers with a range, which is documented and checked in one place.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Error as _},
};

/// The largest integer that every reader of JSON reads exactly.
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// A whole number in a range, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranged<const MIN: u64, const MAX: u64>(u64);

/// What makes chance reproducible.
pub type Seed = Ranged<0, MAX_SAFE_INTEGER>;

impl<const MIN: u64, const MAX: u64> Ranged<MIN, MAX> {
    /// The number.
    #[must_use]
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
    /// The number.
    pub number: u64,
    /// The least that it may be.
    pub min: u64,
    /// The most that it may be.
    pub max: u64,
}

impl<const MIN: u64, const MAX: u64> TryFrom<u64> for Ranged<MIN, MAX> {
    type Error = OutOfRange;

    fn try_from(number: u64) -> Result<Self, OutOfRange> {
        let is_in_range = (MIN..=MAX).contains(&number);
        if is_in_range { Ok(Self(number)) } else { Err(OutOfRange { number, min: MIN, max: MAX }) }
    }
}

impl<const MIN: u64, const MAX: u64> Serialize for Ranged<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Ranged<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = |_| D::Error::custom(format_args!("expected a whole number from {MIN} to {MAX}"));
        deserializer.deserialize_u64(InRange::<MIN, MAX>).map_err(expected)
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

/// Reads a number that is in a range.
struct InRange<const MIN: u64, const MAX: u64>;

impl<const MIN: u64, const MAX: u64> de::Visitor<'_> for InRange<MIN, MAX> {
    type Value = Ranged<MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {MIN} to {MAX}")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        number.try_into().map_err(E::custom)
    }

    /// To JSON, `3.0` is the whole number 3.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "up to MAX_SAFE_INTEGER, which no range exceeds, all conversions are exact"
    )]
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
        if number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER as f64).contains(&number) {
            self.visit_u64(number as u64)
        } else {
            Err(E::invalid_value(de::Unexpected::Float(number), &self))
        }
    }
}
