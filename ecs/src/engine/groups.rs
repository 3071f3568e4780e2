//! Owning groups: declared by the application, proposed by the engine.

use super::Engine;
use crate::component::{Bundle, ComponentMask, GroupProposal, GroupProposals, Saving, Walked, savings};
use crate::error::Error;
use crate::system::SystemNode;

/// Groups.
impl Engine {
    /// Keeps the pools of the components of `B`, a tuple of two or more, in the same order from now on: an *owning group*.
    ///
    /// Entities that have all of them, enabled, lie at the front of each pool. Queries that require these components, and
    /// maybe more, walk the group by themselves, without a look-up for what it owns, and [`Query::slices_mut`] hands it out
    /// as slices. Inserting, removing and toggling one of the components cost a little more. Does nothing if the group was
    /// declared before. O(number of the rarest of the components), so best done at set-up.
    ///
    /// # Errors
    /// - [`GroupError::Conflict`] if it shares a component with a group of which it is neither a part nor the whole.
    /// - [`GroupError::TooSmall`] if it does not name two different components.
    ///
    /// [`Query::slices_mut`]: crate::Query::slices_mut
    /// [`GroupError::Conflict`]: crate::GroupError::Conflict
    /// [`GroupError::TooSmall`]: crate::GroupError::TooSmall
    pub fn group<B: Bundle>(&mut self) -> Result<&mut Self, Error> {
        self.world.components.group::<B>()?;
        Ok(self)
    }

    /// Which further groups would help, from what the queries of systems have looked up so far: each with the pools that it
    /// would own and the look-ups that it would save. Those that are declared and work are not named any more.
    ///
    /// Inserting and removing a component that a group owns costs about twice as much, which is not weighed here.
    ///
    /// # Errors
    /// As [`Engine::order`].
    ///
    /// # Example
    /// ```
    /// # use ecs::{Engine, Query, Setup, System};
    /// # struct Position(f32);
    /// # struct Velocity(f32);
    /// # struct Movement;
    /// # impl System for Movement {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(Self::update);
    /// #     }
    /// # }
    /// impl Movement {
    ///     fn update(&mut self, mut movers: Query<(&mut Position, &Velocity)>) {
    ///         movers.iter_mut().for_each(|(position, velocity)| position.0 += velocity.0);
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add(Movement)?;
    /// engine.spawn_many((0..100).map(|n| (Position(0.0), Velocity(n as f32))));
    /// engine.update(std::time::Duration::ZERO)?;
    /// let proposal = &engine.propose_groups()?.proposals[0];
    /// assert_eq!((proposal.components.as_slice(), proposal.lookups_saved_per_frame), (&["Position", "Velocity"][..], 100));
    /// engine.group::<(Position, Velocity)>()?;
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn propose_groups(&mut self) -> Result<GroupProposals, Error> {
        self.order()?;
        let frames = self.executor.frames_begun;
        let walked: Vec<Walked> = self.systems.in_work_order().flat_map(walks).collect();
        let declared = self.world.components.group_masks();
        let proposal = |Saving { mask, lookups, conflict }: Saving| GroupProposal {
            lookups_saved_per_frame: lookups / frames.max(1),
            systems: {
                let mut systems: Vec<_> =
                    walked.iter().filter(|walk| mask.is_subset(&walk.required)).map(|walk| walk.system).collect();
                systems.dedup();
                systems
            },
            components: self.names(&mask),
            conflict: conflict.map(|other| format!("({})", self.names(&other).join(", "))),
        };
        let proposals = savings(&declared, &walked).into_iter().map(proposal).collect();
        Ok(GroupProposals { frames, proposals })
    }

    fn names(&self, mask: &ComponentMask) -> Vec<&'static str> {
        mask.iter().map(|id| self.world.components.name(id)).collect()
    }
}

/// What the queries of a system have walked with look-ups.
fn walks(node: &SystemNode) -> impl Iterator<Item = Walked> + '_ {
    let queries = node.accesses.iter().flat_map(|(_, access)| &access.queries);
    queries.filter(|query| !query.with_disabled && query.rows() > 0).map(|query| Walked {
        system: node.name,
        required: query.required.clone(),
        rows: query.rows(),
    })
}
