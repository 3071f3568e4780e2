//! How many commands of a system may wait.

use std::cell::{RefCell, RefMut};

use super::CommandBuffer;
use crate::limits::break_off;

/// A buffer, for one more command.
///
/// # Panics
/// If as many commands wait as the limit allows.
pub(super) fn recording(buffer: &RefCell<CommandBuffer>) -> RefMut<'_, CommandBuffer> {
    let buffer = buffer.borrow_mut();
    if buffer.order.len() >= buffer.most {
        buffer.reach_limit();
    }
    buffer
}

impl CommandBuffer {
    /// # Panics
    /// If more commands wait than the limit allows.
    pub(crate) fn check_limit(&self) {
        if self.order.len() > self.most {
            self.reach_limit();
        }
    }

    #[cold]
    fn reach_limit(&self) -> ! {
        let bundles = self.queues.iter().map(|(_, queue)| (queue.len(), queue.bundle()));
        let most = bundles.max_by(|one, other| one.0.cmp(&other.0).then_with(|| other.1.cmp(one.1)));
        let limit = format_args!("{} commands that wait", self.most);
        match most.filter(|(count, _)| *count > 0) {
            Some((count, bundle)) => break_off(limit, format_args!("with {count} of {bundle}"), true),
            None => break_off(limit, "none with components", true),
        }
    }
}
