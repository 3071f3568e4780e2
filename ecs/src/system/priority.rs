//! The priority of a system among those that are ready.

use std::fmt;

/// The priority of a system: among systems whose dependencies have run, the higher priority runs first. Any number is
/// allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u16);

impl Priority {
    /// 0
    pub const LOWEST: Self = Self(0);
    /// 100
    pub const LOW: Self = Self(100);
    /// 200, the default
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
