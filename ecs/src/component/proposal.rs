//! Proposes groups from the required components and the iterated rows of the queries of systems.

use std::fmt;

use super::ComponentMask;

/// A query of a system and the rows that its iterations visited without a cached alignment: the most look-ups that it made.
pub(crate) struct Iterated {
    pub(crate) system: &'static str,
    pub(crate) required: ComponentMask,
    pub(crate) rows: u64,
}

/// A group that would save look-ups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupProposal {
    /// Names of the components whose pools the group would own.
    pub components: Vec<&'static str>,
    /// The most look-ups that a frame would save, on average. Rows with a cached alignment do not count; rows that are iterated after a
    /// change of structure do.
    pub lookups_saved_per_frame: u64,
    /// The systems that iterate these components together, in execution order.
    pub systems: Vec<&'static str>,
    /// A declared group, or a proposed one that saves more, that rules this one out.
    pub conflict: Option<String>,
}

/// The groups that would help; [`Engine::propose_groups`](crate::Engine::propose_groups) makes it, `Display` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupProposals {
    /// The number of measured frames.
    pub frames: u64,
    /// The groups, by falling savings; then those that conflict with one of them.
    pub proposals: Vec<GroupProposal>,
}

impl fmt::Display for GroupProposals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.frames == 0 {
            return writeln!(f, "no frame was measured yet: run some before asking for groups");
        }
        let frames = if self.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", self.frames) };
        if self.proposals.is_empty() {
            return writeln!(f, "no further group would help: no query looked anything up in {frames}");
        }
        writeln!(f, "groups that would help, measured in {frames}")?;
        for GroupProposal { components, lookups_saved_per_frame, systems, conflict } in &self.proposals {
            let (names, systems) = (components.join(", "), systems.join(", "));
            match conflict {
                None => {
                    writeln!(
                        f,
                        "  engine.group::<({names})>()?: up to {lookups_saved_per_frame} look-ups less in a frame"
                    )?;
                    writeln!(f, "       owns the pools of {names}; iterated together by {systems}")?;
                }
                Some(other) => {
                    writeln!(f, "  not ({names}), up to {lookups_saved_per_frame} look-ups in a frame of {systems}:")?;
                    writeln!(f, "       it shares a pool with group {other}, and neither contains the other")?;
                }
            }
        }
        Ok(())
    }
}

/// A possible group and the look-ups that it would save.
pub(crate) struct Saving {
    pub(crate) mask: ComponentMask,
    pub(crate) lookups: u64,
    /// A group that rules it out.
    pub(crate) conflict: Option<ComponentMask>,
}

/// The groups to add to the declared ones. Greedy: the next one is always the one that saves most.
/// O(q⁴) for q different sets of required components.
pub(crate) fn savings(declared: &[ComponentMask], iterated: &[Iterated]) -> Vec<Saving> {
    let mut chosen = declared.to_vec();
    let mut savings = Vec::new();
    let candidates = candidates(iterated);
    loop {
        let free = candidates.iter().filter(|mask| conflict(mask, &chosen).is_none());
        // Of equal savings the first, so that the result is deterministic.
        let best = free.map(|mask| (saved(mask, &chosen, iterated), mask)).rev().max_by_key(|(lookups, _)| *lookups);
        let Some((lookups, mask)) = best.filter(|(lookups, _)| *lookups > 0) else { break };
        chosen.push(mask.clone());
        savings.push(Saving { mask: mask.clone(), lookups, conflict: None });
    }
    let mut refused: Vec<Saving> = Vec::new();
    for Iterated { required, .. } in iterated {
        let Some(other) = conflict(required, &chosen) else { continue };
        let lookups = saved(required, &chosen, iterated);
        if lookups > 0 && refused.iter().all(|known| known.mask != *required) {
            refused.push(Saving { mask: required.clone(), lookups, conflict: Some(other.clone()) });
        }
    }
    savings.extend(refused);
    savings
}

/// The candidates: what a query requires, and what two queries both require.
fn candidates(iterated: &[Iterated]) -> Vec<ComponentMask> {
    let mut candidates: Vec<ComponentMask> = Vec::new();
    let mut add = |mask: ComponentMask| {
        if mask.len() > 1 && !candidates.contains(&mask) {
            candidates.push(mask);
        }
    };
    iterated.iter().for_each(|query| add(query.required.clone()));
    for (at, one) in iterated.iter().enumerate() {
        for other in &iterated[..at] {
            add(one.required.iter().filter(|id| other.required.contains(*id)).collect());
        }
    }
    candidates
}

/// A chosen set that shares a pool with `mask` although neither contains the other.
fn conflict<'a>(mask: &ComponentMask, chosen: &'a [ComponentMask]) -> Option<&'a ComponentMask> {
    chosen.iter().find(|other| !mask.is_disjoint(other) && !mask.is_subset(other) && !other.is_subset(mask))
}

/// The look-ups that a group of `mask` saves beside the chosen ones: one for each row and each pool except the first.
fn saved(mask: &ComponentMask, chosen: &[ComponentMask], iterated: &[Iterated]) -> u64 {
    let queries = iterated.iter().filter(|query| mask.is_subset(&query.required));
    queries
        .map(|query| {
            let known = chosen.iter().filter(|other| other.is_subset(&query.required)).map(ComponentMask::len).max();
            query.rows * mask.len().saturating_sub(known.unwrap_or(1)) as u64
        })
        .sum()
}
