//! The nine collision categories and the matrix of which of them meet; the drawing below is the data.

use rapier2d::geometry::{Group, InteractionGroups, InteractionTestMode};
use serde::{Deserialize, Serialize};

/// Rows and columns in the order of [`Category::ALL`], each named by its first letter; `x` where two categories meet.
macro_rules! drawing {
    () => {
        "  D C B S W R A P T
D x x x x x . . . x
C x x x x x . x x x
B x x . . . x . . x
S x x . x x . . . .
W x x . x . . . . .
R . . x . . . . . .
A . x . . . . . . .
P . x . . . . . . .
T x x x . . . . . ."
    };
}

/// The category of a hit box, or of a sense of an AI: what it meets.
#[doc = concat!("```text\n", drawing!(), "\n```")]
/// Stashes, walls, power-ups and triggers are fixed sensors, and two fixed bodies never report a contact, although the
/// cells of two stashes and of a stash and a wall are marked. Radar and avoider have no colliders: the system `Senses`
/// finds what they meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Category {
    /// Any other solid object.
    Default,
    /// A collector's hit box.
    Collector,
    /// A bounty's hit box.
    Bounty,
    /// A stash: a sensor.
    Stash,
    /// A wall beyond the edge of the world: a sensor.
    Wall,
    /// The cone in which an AI sees bounties.
    Radar,
    /// The box in which an AI sees other collectors.
    Avoider,
    /// A power-up, or a mine that one has laid: a sensor.
    PowerUp,
    /// A trigger box of a level: a sensor.
    Trigger,
}

impl Category {
    /// All categories in their order.
    pub const ALL: [Self; COUNT] = [
        Self::Default,
        Self::Collector,
        Self::Bounty,
        Self::Stash,
        Self::Wall,
        Self::Radar,
        Self::Avoider,
        Self::PowerUp,
        Self::Trigger,
    ];

    /// Whether the two report contacts where they overlap; symmetric.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        MATRIX[self as usize] & other.bit() != 0
    }

    /// Whether it only detects overlaps and does not push.
    #[must_use]
    pub const fn is_sensor(self) -> bool {
        matches!(self, Self::Stash | Self::Wall | Self::Radar | Self::Avoider | Self::PowerUp | Self::Trigger)
    }

    pub(super) const fn groups(self) -> InteractionGroups {
        let memberships = Group::from_bits_retain(self.bit() as u32);
        let filter = Group::from_bits_retain(MATRIX[self as usize] as u32);
        InteractionGroups::new(memberships, filter, InteractionTestMode::And)
    }

    /// The category at `index` in [`ALL`](Self::ALL).
    pub(super) fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    const fn bit(self) -> u16 {
        1 << self as u8
    }

    const fn letter(self) -> u8 {
        match self {
            Self::Default => b'D',
            Self::Collector => b'C',
            Self::Bounty => b'B',
            Self::Stash => b'S',
            Self::Wall => b'W',
            Self::Radar => b'R',
            Self::Avoider => b'A',
            Self::PowerUp => b'P',
            Self::Trigger => b'T',
        }
    }
}

/// Number of categories.
const COUNT: usize = 9;

/// For each category a bit for every category that it meets. An invalid drawing does not compile.
const MATRIX: [u16; COUNT] = parse(drawing!().as_bytes());

const fn parse(drawing: &[u8]) -> [u16; COUNT] {
    const LINE_LENGTH: usize = 2 * COUNT + 1;
    assert!(
        drawing.len() == (COUNT + 1) * LINE_LENGTH + COUNT,
        "the drawing has a line for its head and each category"
    );
    let mut matrix = [0; COUNT];
    let mut row = 0;
    while row < COUNT {
        let line = (row + 1) * (LINE_LENGTH + 1);
        assert!(drawing[line] == Category::ALL[row].letter(), "the rows stand in the order of the categories");
        let mut column = 0;
        while column < COUNT {
            let offset = 2 + 2 * column;
            assert!(drawing[offset] == Category::ALL[column].letter(), "the columns stand in the order of the rows");
            match drawing[line + offset] {
                b'x' => matrix[row] |= Category::ALL[column].bit(),
                b'.' => {}
                _ => panic!("a cell of the drawing is an x or a dot"),
            }
            column += 1;
        }
        row += 1;
    }
    assert_symmetric(&matrix);
    matrix
}

const fn assert_symmetric(matrix: &[u16; COUNT]) {
    let mut row = 0;
    while row < COUNT {
        let mut column = 0;
        while column < row {
            assert!((matrix[row] >> column) & 1 == (matrix[column] >> row) & 1, "the drawing is symmetric");
            column += 1;
        }
        row += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_equals_the_bits_and_masks_of_the_original_with_power_ups_and_triggers() {
        let bits = [0x01_u16, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x100];
        let masks = [0xFFFF_u16, 0xFFFF, 0xFFE3, 0xFFFF, 0xFFEF, 0x0004, 0x0002, 0x0002, 0x0007];
        for (row, a) in Category::ALL.into_iter().enumerate() {
            for (column, b) in Category::ALL.into_iter().enumerate() {
                let expected = masks[row] & bits[column] != 0 && masks[column] & bits[row] != 0;
                assert_eq!(a.meets(b), expected, "{a:?} and {b:?}");
                assert_eq!(a.groups().test(b.groups()), expected, "{a:?} and {b:?} in rapier's terms");
            }
        }
    }

    #[test]
    fn index_names_its_category() {
        for (index, category) in Category::ALL.into_iter().enumerate() {
            assert_eq!(Category::from_index(index), Some(category));
            assert_eq!(category as usize, index);
        }
        assert_eq!(Category::from_index(COUNT), None);
    }
}
