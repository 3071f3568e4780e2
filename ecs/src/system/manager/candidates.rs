//! What the work order is made of: the systems with their dependencies as places.

use std::any::TypeId;

use super::SetupError;
use crate::system::SystemNode;
use crate::system::order::Candidate;

/// The systems as the work order sees them; `find` tells the place of a type.
///
/// # Errors
/// [`SetupError::UnknownDependency`]
pub(super) fn candidates(
    nodes: &[&SystemNode],
    find: impl Fn(TypeId) -> Option<usize>,
) -> Result<Vec<Candidate>, SetupError> {
    let mut candidates: Vec<_> =
        nodes.iter().map(|node| Candidate { priority: node.priority, after: Vec::new() }).collect();
    for (index, node) in nodes.iter().enumerate() {
        let unknown = |relation, dependency| SetupError::UnknownDependency { system: node.name, relation, dependency };
        for dependency in &node.after {
            let earlier = find(dependency.system).ok_or_else(|| unknown("after", dependency.name))?;
            candidates[index].after.push(earlier);
        }
        for dependency in &node.before {
            let later = find(dependency.system).ok_or_else(|| unknown("before", dependency.name))?;
            candidates[later].after.push(index);
        }
    }
    Ok(candidates)
}
