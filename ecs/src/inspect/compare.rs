//! [`Comparison`]: where two runs part.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{FieldDifference, StateDump};
use crate::error::TypeKind;
use crate::snapshot::{HashPart, StateHash};

/// Owners of values that are listed, and values of each.
const MOST_OWNERS: usize = 8;
const MOST_VALUES: usize = 4;

/// A run that is compared with another one: an engine in this process, or one behind a pipe.
pub trait ComparedRun {
    /// Why it cannot go on.
    type Error;

    /// Goes on to a frame; returns the hash of its state, or `None` if the run ends before. The frames are asked for
    /// one by one, from 0, which is the state before the first.
    ///
    /// # Errors
    /// Why it cannot.
    fn hash_at(&mut self, frame: u64) -> Result<Option<StateHash>, Self::Error>;

    /// The state in that frame.
    ///
    /// # Errors
    /// Why it cannot be told.
    fn dump(&mut self) -> Result<StateDump, Self::Error>;
}

/// What a comparison folds besides what it always folds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folding {
    /// Numbers that are at most this far apart.
    pub bound: f64,
    /// Components, resources and systems of these stable names, and parts of the engine such as "events".
    pub names: Vec<String>,
}

impl Folding {
    /// Whether it folds a difference: also one without values, and the states of random streams.
    #[must_use]
    pub fn folds(&self, difference: &FieldDifference) -> bool {
        !difference.has_values() || difference.is_noise(self.bound) || self.names.contains(&difference.name)
    }
}

/// Where two runs part, also of different builds of a program; [`Comparison::of`] finds it.
///
/// What says little is folded, and the search goes on behind it: what differs before the first frame in resources and
/// in the states of systems, such as the number that a mending changed; the states of random streams; what a
/// [`Folding`] says; and parts of the engine that no value shows, such as the timers of a build with one more system.
/// Types that only one build knows are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The frames that both runs have.
    pub frames: u64,
    /// The first frame in which values differ that are not folded.
    pub frame: Option<u64>,
    /// These values.
    pub differences: Vec<FieldDifference>,
    /// What is folded: the first difference of each type, with its frame.
    pub folded: Vec<(u64, FieldDifference)>,
    /// Types that only one of the runs knows, as "component `shield`".
    pub unknown: [Vec<String>; 2],
    /// Which of the runs goes on behind the end of the other one, if they do not differ before: 0 or 1.
    pub longer: Option<usize>,
}

type PartName = (Option<TypeKind>, String);

/// The hashes of a part in two states.
fn hashes_of((kind, name): &PartName, own: &StateHash, others: &StateHash) -> [Option<u64>; 2] {
    [own, others].map(|hash| {
        let part = hash.parts.iter().find(|part| part.kind == *kind && *part.name == **name);
        part.map(|part| part.hash)
    })
}

impl Comparison {
    /// Runs two runs side by side up to the first frame in which values differ that are not folded.
    ///
    /// O(frames × values). The values themselves are compared in frames whose hashes differ only.
    ///
    /// # Errors
    /// Of the runs.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    /// use ecs::inspect::{Comparison, ComparedRun, Folding, StateDump};
    /// use ecs::snapshot::StateHash;
    ///
    /// struct Run(Engine);
    ///
    /// impl ComparedRun for Run {
    ///     type Error = ecs::Error;
    ///
    ///     fn hash_at(&mut self, frame: u64) -> Result<Option<StateHash>, ecs::Error> {
    ///         if frame > 0 {
    ///             self.0.update(Duration::from_millis(16))?;
    ///         }
    ///         Ok((frame <= 60).then_some(self.0.state_hash()?))
    ///     }
    ///
    ///     fn dump(&mut self) -> Result<StateDump, ecs::Error> {
    ///         self.0.inspector().dump()
    ///     }
    /// }
    ///
    /// fn new() -> Result<Engine, ecs::Error> {
    ///     let mut engine = Engine::new();
    ///     engine.types_mut().component::<u32>("heat")?.save::<u32>(1)?;
    ///     engine.spawn((7_u32,));
    ///     Ok(engine)
    /// }
    ///
    /// let mut one = new()?;
    /// one.add(|mut heat: Query<&mut u32>| heat.iter_mut().for_each(|heat| *heat += 1))?;
    /// let mut mended = new()?;
    /// mended.add(|mut heat: Query<&mut u32>| heat.iter_mut().for_each(|heat| *heat = (*heat + 1).min(20)))?;
    ///
    /// let found = Comparison::of(&mut Run(one), &mut Run(mended), &Folding::default())?;
    /// assert_eq!(found.frame, Some(14));
    /// assert_eq!(found.differences[0].to_string(), "heat of entity 1v1: 21 | 20");
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn of<E>(
        one: &mut impl ComparedRun<Error = E>,
        other: &mut impl ComparedRun<Error = E>,
        folding: &Folding,
    ) -> Result<Self, E> {
        let mut found = Self::default();
        let (mut ignored, mut folded) = (BTreeSet::<PartName>::new(), BTreeSet::<PartName>::new());
        let mut compared = BTreeMap::<PartName, [Option<u64>; 2]>::new();
        let mut at_beginning = BTreeSet::new();
        for frame in 0.. {
            let hashes = [one.hash_at(frame)?, other.hash_at(frame)?];
            let [Some(own), Some(others)] = &hashes else {
                found.longer = hashes.iter().position(Option::is_some);
                break;
            };
            found.frames = frame;
            // What differed before and has not changed since differs in the same values.
            let is_new = |part: &HashPart| {
                let name = (part.kind, part.name.to_string());
                !ignored.contains(&name) && compared.get(&name) != Some(&hashes_of(&name, own, others))
            };
            if frame > 0 && !own.differing_parts(others).any(is_new) {
                continue;
            }
            let parts = own.differing_parts(others).map(|part| (part.kind, part.name.to_string()));
            compared = parts.map(|name| (name.clone(), hashes_of(&name, own, others))).collect();
            let (own, others) = (one.dump()?, other.dump()?);
            if frame == 0 {
                found.unknown = [own.types_unknown_to(&others), others.types_unknown_to(&own)];
                // They have hashes whenever they have values.
                ignored.extend(own.types_not_of(&others).chain(others.types_not_of(&own)));
            }
            let mut differences = own.differences(&others);
            let name = |difference: &FieldDifference| (difference.kind, difference.name.clone());
            let of_beginning = |difference: &FieldDifference| {
                at_beginning.contains(&(difference.kind, difference.name.clone(), difference.path.clone()))
            };
            differences.retain(|difference| !ignored.contains(&name(difference)) && !of_beginning(difference));
            let is_folded = |difference: &FieldDifference| {
                let is_component = matches!(difference.kind, Some(TypeKind::Component)) || difference.entity.is_some();
                folding.folds(difference) || frame == 0 && !is_component
            };
            let (little, much): (Vec<_>, Vec<_>) = differences.into_iter().partition(is_folded);
            for difference in little {
                // Values that are equal in another order, and numbers within the bound, may differ by more later.
                let never_has_values = matches!(difference.kind, None | Some(TypeKind::Event | TypeKind::Local));
                if never_has_values || folding.names.contains(&difference.name) {
                    ignored.insert(name(&difference));
                } else if frame == 0 && matches!(difference.kind, Some(TypeKind::Resource | TypeKind::System)) {
                    at_beginning.insert((difference.kind, difference.name.clone(), difference.path.clone()));
                }
                if folded.insert(name(&difference)) {
                    found.folded.push((frame, difference));
                }
            }
            if !much.is_empty() {
                (found.frame, found.differences) = (Some(frame), much);
                break;
            }
        }
        Ok(found)
    }

    /// The values in which two states of one frame differ.
    #[must_use]
    pub fn of_states(one: &StateDump, other: &StateDump, folding: &Folding) -> Self {
        let all = one.differences(other).into_iter();
        let (mut little, differences): (Vec<_>, Vec<_>) = all.partition(|difference| folding.folds(difference));
        let mut names = BTreeSet::new();
        little.retain(|difference| names.insert((difference.kind, difference.name.clone())));
        Self {
            frame: (!differences.is_empty()).then_some(one.frame),
            differences,
            folded: little.into_iter().map(|difference| (one.frame, difference)).collect(),
            unknown: [one.types_unknown_to(other), other.types_unknown_to(one)],
            ..Self::default()
        }
    }
}

impl Comparison {
    /// As [`Comparison`] is shown, of a program that calls its frames something else, such as "step".
    pub fn told<'a>(&'a self, unit: &'a str) -> impl fmt::Display + 'a {
        Told { comparison: self, unit }
    }
}

/// Several lines: the frame, its values, and what is folded.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.told("frame").fmt(f)
    }
}

struct Told<'a> {
    comparison: &'a Comparison,
    unit: &'a str,
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { comparison: Comparison { frames, frame, differences, folded, unknown, longer }, unit } = self;
        match frame {
            Some(0) => write!(f, "before the first {unit}, values already differ:")?,
            Some(frame) => write!(f, "{unit} {frame} is the first in which they differ:")?,
            None => write!(f, "all {frames} {unit}s are equal")?,
        }
        if let Some(longer) = longer {
            write!(f, "; only the {} goes on", if *longer == 0 { "first" } else { "second" })?;
        }
        let owners: Vec<_> = differences.chunk_by(|one, next| one.owner() == next.owner()).collect();
        for values in owners.iter().take(MOST_OWNERS) {
            write!(f, "\n  {}", values[0].owner())?;
            for difference in values.iter().take(MOST_VALUES) {
                write!(f, "\n    {}", difference.value())?;
            }
            if values.len() > MOST_VALUES {
                write!(f, "\n    and {} more values", values.len() - MOST_VALUES)?;
            }
        }
        if owners.len() > MOST_OWNERS {
            let values: usize = owners[MOST_OWNERS..].iter().map(|values| values.len()).sum();
            write!(f, "\n  and {values} values of {} more", owners.len() - MOST_OWNERS)?;
        }
        for (frame, difference) in folded {
            write!(f, "\nfolded, from {unit} {frame} on: {difference}")?;
        }
        for (names, which) in unknown.iter().zip(["first", "second"]) {
            if !names.is_empty() {
                write!(f, "\nonly the {which} knows {}", names.join(", "))?;
            }
        }
        Ok(())
    }
}
