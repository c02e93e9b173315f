//! Numbers in hexadecimal digits.

/// The digits of a number in base 16.
pub type Digits = [u8; 32];

/// Writes a number with all its digits. Formatting does the same at several times the price, for every
/// request.
pub fn digits(number: u128) -> Digits {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let bytes = number.to_be_bytes();
    std::array::from_fn(|i| {
        let byte = bytes[i / 2];
        DIGITS[usize::from(if i % 2 == 0 { byte >> 4 } else { byte & 0xf })]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_formatting() {
        for number in [0, 1, u128::MAX, 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978] {
            assert_eq!(str::from_utf8(&digits(number)).unwrap(), format!("{number:032x}"));
        }
    }
}
