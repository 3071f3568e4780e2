//! Colours that prefabs give their objects.

use serde::{Deserialize, Serialize};

/// Component: the appearance of an object beside its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Appearance {
    /// Its colour.
    pub color: Color,
}

/// Red, green and blue; `"#rrggbb"` in files. Black by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Color(pub [u8; 3]);

impl From<Color> for String {
    fn from(Color([red, green, blue]): Color) -> Self {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

impl TryFrom<String> for Color {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] = number.ok_or(format!("it is {text:?}, must be \"#rrggbb\""))?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_is_a_hash_and_six_hex_digits() {
        assert_eq!(Color::try_from("#0a80FF".to_owned()), Ok(Color([10, 128, 255])));
        assert_eq!(String::from(Color([10, 128, 255])), "#0a80ff");
        for wrong in ["", "0a80FF", "#0a80F", "#0a80FFF", "#0a80Fg", "#+12345", "#äää", "red"] {
            let problem = Color::try_from(wrong.to_owned()).unwrap_err();
            assert_eq!(problem, format!("it is {wrong:?}, must be \"#rrggbb\""));
        }
    }
}
