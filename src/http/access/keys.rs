//! Keys that callers show.

use std::{fmt, fs, io, path::Path};

use actix_web::http::header::{self, HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::{
    config::{ApiKey, NotAnApiKey},
    http::problem::Problem,
};

/// How a key is shown: `Authorization: Bearer KEY`.
const SCHEME: &str = "Bearer";

/// The longest header in which a key is looked for.
const MAX_HEADER: usize = 512;

type Hash = [u8; 32];

/// The keys that open the service, as hashes: nothing here can be shown, and all are equally long.
#[derive(Clone)]
pub struct Keys(Vec<Hash>);

/// Which of the keys a caller has shown: those of the settings come first, then those of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyNumber(u32);

/// Counted from 1.
impl fmt::Display for KeyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u64::from(self.0) + 1)
    }
}

impl Keys {
    /// The keys of the settings and of a file; nothing if there are no settings for keys.
    ///
    /// # Errors
    /// The file cannot be read, has a line that is not a key, or has none.
    pub fn new(given: &[ApiKey], file: Option<&Path>) -> io::Result<Option<Self>> {
        let mut keys: Vec<Hash> = given.iter().map(|key| hash(key.secret())).collect();
        if let Some(path) = file {
            let wrong = |what: &str| {
                let setting = "--api-keys-file, CUBLINO_API_KEYS_FILE";
                io::Error::other(format!("the keys in {} ({setting}): {what}", path.display()))
            };
            let text = fs::read(path).map_err(|error| wrong(&error.to_string()))?;
            for (i, line) in text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).enumerate() {
                if line.is_empty() || line.starts_with(b"#") {
                    continue;
                }
                let key = str::from_utf8(line).map_err(|_| NotAnApiKey).and_then(str::parse::<ApiKey>);
                let key = key.map_err(|error| wrong(&format!("line {}: {error}", i + 1)))?;
                keys.push(hash(key.secret()));
            }
            if keys.is_empty() {
                return Err(wrong("there are none"));
            }
        }
        Ok((!keys.is_empty()).then_some(Self(keys)))
    }

    /// The key that a caller has shown, if it opens the service.
    pub fn of(&self, headers: &HeaderMap) -> Option<KeyNumber> {
        self.find(bearer(headers.get(header::AUTHORIZATION)?)?)
    }

    /// Compares with every key, in a time that does not depend on which it is.
    fn find(&self, shown: &str) -> Option<KeyNumber> {
        let shown = hash(shown);
        let (mut found, mut number) = (Choice::from(0), 0);
        for (i, key) in (0_u32..).zip(&self.0) {
            let same = shown.ct_eq(key);
            number.conditional_assign(&i, same);
            found |= same;
        }
        bool::from(found).then_some(KeyNumber(number))
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({} of them)", self.0.len())
    }
}

/// The problem of a caller who has shown no key, or one that does not open the service.
pub fn refusal(headers: &HeaderMap) -> Problem {
    let detail = if headers.contains_key(header::AUTHORIZATION) {
        "the header Authorization has no key that this service knows"
    } else {
        "the header Authorization is missing; it must be Bearer and a key of this service"
    };
    Problem::unauthorized(detail, SCHEME)
}

/// What stands after the name of the scheme, which may be written in any case.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let text = value.to_str().ok().filter(|text| text.len() <= MAX_HEADER)?;
    let (scheme, key) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case(SCHEME).then(|| key.trim())
}

fn hash(key: &str) -> Hash {
    Sha256::digest(key).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "one-key-of-several";
    const TWO: &str = "two-key-of-several";

    fn keys() -> Keys {
        Keys::new(&[ONE.parse().unwrap(), TWO.parse().unwrap()], None).unwrap().unwrap()
    }

    #[test]
    fn each_of_several_keys_opens_and_nothing_else_does() {
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::try_from(text).unwrap());
            keys().of(&headers)
        };
        assert_eq!(of(&format!("Bearer {ONE}")), Some(KeyNumber(0)));
        assert_eq!(of(&format!("bearer  {TWO}")), Some(KeyNumber(1)));
        for wrong in [
            ONE,
            "Bearer",
            "Bearer ",
            &format!("Basic {ONE}"),
            &format!("Bearer {ONE}{TWO}"),
            &format!("Bearer {}", &ONE[1..]),
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(keys().of(&HeaderMap::new()), None);
    }

    #[test]
    fn a_key_is_named_by_its_place_counted_from_one() {
        assert_eq!(KeyNumber(0).to_string(), "1");
    }

    #[test]
    fn no_settings_mean_no_keys_and_keys_are_not_shown() {
        assert!(Keys::new(&[], None).unwrap().is_none());
        assert_eq!(format!("{:?}", keys()), "Keys(2 of them)");
    }
}
