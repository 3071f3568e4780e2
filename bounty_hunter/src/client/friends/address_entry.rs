//! The address of a host, as a person types it.

/// The most characters of an address.
const MOST: usize = 64;
/// The characters to choose from with a gamepad.
const OF_PAD: &str = "0123456789.:abcdefghijklmnopqrstuvwxyz-";

/// A line of text that can be an address or the name of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddressEntry {
    text: String,
}

impl AddressEntry {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Adds a character; returns whether an address can have it.
    pub(crate) fn add(&mut self, character: char) -> bool {
        let is_usual = character.is_ascii_alphanumeric() || ".:-_[]%".contains(character);
        if is_usual && self.text.len() < MOST {
            self.text.push(character);
        }
        is_usual
    }

    /// Replaces the text by the first word of another one.
    pub(crate) fn paste(&mut self, text: &str) {
        self.text.clear();
        text.split_whitespace().next().unwrap_or_default().chars().for_each(|character| _ = self.add(character));
    }

    pub(crate) fn erase(&mut self) {
        self.text.pop();
    }

    /// Exchanges the last character for the one that is `step` places further in the list of a gamepad.
    pub(crate) fn turn(&mut self, step: i32) {
        let last = self.text.pop().map_or('0', |last| last.to_ascii_lowercase());
        let (all, count) = (OF_PAD.as_bytes(), OF_PAD.len() as i32);
        let now = OF_PAD.find(last).map_or(0, |index| index as i32);
        self.text.push(char::from(all[(now + step).rem_euclid(count) as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> String {
        let mut entry = AddressEntry::default();
        text.chars().for_each(|character| _ = entry.add(character));
        entry.text
    }

    #[test]
    fn addresses_and_names_are_typed_and_nothing_else() {
        for address in ["192.168.1.5", "example.org:7777", "[fe80::1%eth0]:7777", "my-pc_2"] {
            assert_eq!(typed(address), address);
        }
        assert_eq!(typed(" a/b\n\u{e9}!c"), "abc");
        assert_eq!(typed(&"1".repeat(100)).len(), MOST);
    }

    #[test]
    fn first_word_that_is_pasted_replaces_what_was_typed() {
        let mut entry = AddressEntry::default();
        entry.add('7');
        entry.paste("  10.0.0.2:7777\nand more");
        assert_eq!(entry.text(), "10.0.0.2:7777");
        entry.erase();
        assert_eq!(entry.text(), "10.0.0.2:777");
        entry.paste("");
        assert_eq!(entry.text(), "");
    }

    #[test]
    fn gamepad_turns_the_last_character() {
        let mut entry = AddressEntry::default();
        entry.turn(1);
        entry.add('0');
        entry.turn(-1);
        assert_eq!(entry.text(), "1-");
        entry.turn(1);
        assert_eq!(entry.text(), "10");
    }
}
