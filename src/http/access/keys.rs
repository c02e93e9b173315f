//! Keys that callers show.

use std::{fs, io, path::Path};

use actix_web::http::header::{self, HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::{config::ApiKey, http::problem::Problem};

/// How a key is shown: `Authorization: Bearer KEY`.
pub const SCHEME: &str = "Bearer";

/// The longest header in which a key is looked for.
const MAX_HEADER: usize = 512;

type Hash = [u8; 32];

/// The keys that open the service, as hashes: nothing here can be shown, and all are equally long.
#[derive(Clone)]
pub struct Keys(Vec<Hash>);

/// Which of the keys a caller has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyNumber(u32);

impl Keys {
    /// The keys of the settings and of a file; nothing if there are no settings for keys.
    ///
    /// # Errors
    /// The file cannot be read, has a line that is not a key, or has none.
    pub fn new(given: &[ApiKey], file: Option<&Path>) -> io::Result<Option<Self>> {
        let mut keys: Vec<Hash> = given.iter().map(|key| hash(key.secret())).collect();
        if let Some(path) = file {
            let wrong = |what: &str| io::Error::other(format!("the keys in {}: {what}", path.display()));
            let text = fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
            for (i, line) in text.lines().map(str::trim).enumerate() {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let key: ApiKey = line.parse().map_err(|error| wrong(&format!("line {}: {error}", i + 1)))?;
                keys.push(hash(key.secret()));
            }
            if keys.is_empty() {
                return Err(wrong("there are none"));
            }
        }
        Ok((!keys.is_empty()).then_some(Self(keys)))
    }

    /// The key that a caller has shown.
    ///
    /// # Errors
    /// The caller has shown none, or one that does not open the service.
    pub fn of(&self, headers: &HeaderMap) -> Result<KeyNumber, Problem> {
        let Some(value) = headers.get(header::AUTHORIZATION) else {
            let detail = "the header Authorization is missing; it must be Bearer and a key of this service";
            return Err(Problem::unauthorized(detail));
        };
        let unknown = || Problem::unauthorized("the header Authorization has no key that this service knows");
        self.find(bearer(value).ok_or_else(unknown)?).ok_or_else(unknown)
    }

    /// Compares with every key, in a time that does not depend on which it is.
    fn find(&self, shown: &str) -> Option<KeyNumber> {
        let shown = hash(shown);
        let (mut found, mut number) = (Choice::from(0), 0_u32);
        for (i, key) in self.0.iter().enumerate() {
            let same = shown.ct_eq(key);
            number.conditional_assign(&(i as u32), same);
            found |= same;
        }
        bool::from(found).then_some(KeyNumber(number))
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Keys({} of them)", self.0.len())
    }
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
            keys().of(&headers).ok()
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
        assert!(keys().of(&HeaderMap::new()).is_err());
    }

    #[test]
    fn no_settings_mean_no_keys_and_keys_are_not_shown() {
        assert!(Keys::new(&[], None).unwrap().is_none());
        assert_eq!(format!("{:?}", keys()), "Keys(2 of them)");
    }
}
