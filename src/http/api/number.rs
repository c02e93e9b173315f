//! Whole numbers with a range, which is documented and checked in one place.

use std::{fmt, ops::RangeInclusive};

use serde::{Deserialize, Deserializer, de};
use utoipa::ToSchema;

/// The largest integer that every reader of JSON reads exactly.
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// Defines a type for the whole numbers in a range.
macro_rules! number {
    ($(#[$doc:meta])+ $name:ident: $min:tt to $max:tt) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
        #[schema(minimum = $min, maximum = $max)]
        pub struct $name(u64);

        impl $name {
            /// The number.
            #[must_use]
            pub const fn get(self) -> u64 {
                self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_u64(InRange($min..=$max)).map(Self)
            }
        }
    };
}

number! {
    /// How often a position may occur before the game is drawn.
    RepetitionLimit: 2 to 10
}

number! {
    /// What makes chance reproducible.
    Seed: 0 to 9_007_199_254_740_991_u64
}

number! {
    /// Time, in milliseconds.
    TimeMs: 1 to 600_000
}

number! {
    /// Plies to look ahead.
    Depth: 1 to 100
}

number! {
    /// Positions to visit.
    Nodes: 1 to 1_000_000_000
}

number! {
    /// How many moves are wanted.
    LineCount: 1 to 10
}

number! {
    /// How well to play.
    LevelNumber: 1 to 8
}

/// Reads a number that is in a range.
struct InRange(RangeInclusive<u64>);

impl de::Visitor<'_> for InRange {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.0.start(), self.0.end())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        if self.0.contains(&number) {
            Ok(number)
        } else {
            Err(E::invalid_value(de::Unexpected::Unsigned(number), &self))
        }
    }

    /// To JSON, `3.0` is the whole number 3.
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<u64, E> {
        // All bounds are at most `MAX_SAFE_INTEGER`, up to which the conversions are exact.
        if number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER as f64).contains(&number) {
            self.visit_u64(number as u64)
        } else {
            Err(E::invalid_value(de::Unexpected::Float(number), &self))
        }
    }
}
