//! How early a system runs among those that are ready.

use std::fmt;

/// How early a system runs among those whose dependencies have run: the higher, the earlier. Any number is allowed, the
/// constants name some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u16);

impl Priority {
    /// 0
    pub const LOWEST: Self = Self(0);
    /// 100
    pub const LOW: Self = Self(100);
    /// 200, unless a system says otherwise
    pub const NORMAL: Self = Self(200);
    /// 300
    pub const MEDIUM: Self = Self(300);
    /// 400
    pub const HIGH: Self = Self(400);
    /// 65535
    pub const HIGHEST: Self = Self(u16::MAX);
}

impl Default for Priority {
    fn default() -> Self {
        Self::NORMAL
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match *self {
            Self::LOWEST => "lowest",
            Self::LOW => "low",
            Self::NORMAL => "normal",
            Self::MEDIUM => "medium",
            Self::HIGH => "high",
            Self::HIGHEST => "highest",
            Self(number) => return write!(f, "{number}"),
        };
        f.write_str(name)
    }
}
