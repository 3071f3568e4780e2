//! How many datagrams of each sender are read in a step, so that one that floods does not push out the others.

use super::transport::Address;

/// Maximum datagrams read in a step; the rest waits in the socket, which drops the excess.
pub(super) const MAX_DATAGRAMS: usize = 512;
/// Maximum of them from one member, and from all strangers.
const MAX_FROM_A_MEMBER: u32 = 64;
const MAX_FROM_STRANGERS: u32 = 32;

/// The datagrams that are still read in this step.
#[derive(Default)]
pub(super) struct Budgets {
    of_strangers: u32,
    /// There are only a few members.
    of_members: Vec<(Address, u32)>,
}

impl Budgets {
    /// Begins a step.
    pub(super) fn begin_step(&mut self) {
        self.of_strangers = MAX_FROM_STRANGERS;
        self.of_members.clear();
    }

    /// Whether one more datagram is read: from the member at this address, or from a stranger.
    pub(super) fn take(&mut self, member: Option<Address>) -> bool {
        let budget = match member {
            None => &mut self.of_strangers,
            Some(address) => {
                let known = self.of_members.iter().position(|(member, _)| *member == address);
                let index = known.unwrap_or_else(|| {
                    self.of_members.push((address, MAX_FROM_A_MEMBER));
                    self.of_members.len() - 1
                });
                &mut self.of_members[index].1
            }
        };
        let is_left = *budget > 0;
        *budget = budget.saturating_sub(1);
        is_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_floods_takes_nothing_from_the_others() {
        let [flooding, other] = [1, 2].map(|port| Some(Address::from(([10, 0, 0, 1], port))));
        let mut budgets = Budgets::default();
        for _ in 0..2 {
            budgets.begin_step();
            let read = |budgets: &mut Budgets, from| (0..1_000).filter(|_| budgets.take(from)).count();
            assert_eq!(read(&mut budgets, None), 32);
            assert_eq!(read(&mut budgets, flooding), 64);
            assert_eq!(read(&mut budgets, other), 64);
            assert_eq!(read(&mut budgets, flooding), 0);
        }
    }
}
