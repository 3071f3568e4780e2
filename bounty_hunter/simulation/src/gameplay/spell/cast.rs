//! Casting: runs the effects of requested spells between frames.

use ecs::{Commands, Engine, Entities, EntityId, Error, IncludeDisabled, Query, Res, Sender, With, query::MaskQuery};

use super::{Magnet, Refusal, Spell, SpellCaster};
use crate::data::config::{MatchRules, SpellRules};
use crate::events::{KillGameObject, SpellCast, SpellRefused};
use crate::objects::bounty::Bounty;
use crate::objects::collector::Collector;
use crate::objects::game_object::Life;
use crate::objects::ghost::Ghost;
use crate::objects::team::{Team, are_partners};
use crate::simulation::view::GameState;

/// Casts or refuses the spells requested in the last frame, ordered by seat, then by [`Spell::ALL`]. Drops them if no
/// match runs.
pub fn cast_spells(engine: &mut Engine, state: GameState) {
    let mut requested = Vec::new();
    for (entity, collector, caster) in
        &mut engine.query_filtered::<(EntityId, &Collector, &mut SpellCaster), IncludeDisabled>()
    {
        let requests = std::mem::take(&mut caster.is_asked_for);
        let wanted = Spell::ALL.into_iter().filter(|spell| requests[spell.index()]);
        requested.extend(wanted.map(|spell| (collector.player, spell, entity)));
    }
    requested.sort_unstable();
    for (_, spell, caster) in requested.into_iter().filter(|_| state == GameState::Running) {
        match refusal(engine, caster, spell) {
            Some(reason) => engine.send(SpellRefused { caster, spell, reason }),
            None => cast(engine, caster, spell),
        }
    }
}

fn refusal(engine: &Engine, caster: EntityId, spell: Spell) -> Option<Refusal> {
    let is_alive = engine.get::<Life>(caster).is_some_and(|life| life.is_alive);
    let is_ready = engine.get::<SpellCaster>(caster).is_some_and(|caster| caster.is_ready(spell));
    match (is_alive, is_ready) {
        (false, _) => Some(Refusal::Dead),
        (_, false) => Some(Refusal::CoolingDown),
        _ => None,
    }
}

fn cast(engine: &mut Engine, caster: EntityId, spell: Spell) {
    let rules = engine.resource::<MatchRules>().and_then(|rules| rules.options.spells);
    if let Some((caster, rules)) = engine.get_mut::<SpellCaster>(caster).zip(rules) {
        caster.left_seconds[spell.index()] = spell.cooldown_seconds(&rules);
    }
    engine.send(SpellCast { caster, spell });
    let done = match spell {
        Spell::Purge => engine.run(kill_bounties),
        Spell::Strike => strike(engine, caster),
        Spell::Magnet => attract(engine, caster),
    };
    done.expect("every match with spells has the parameters of the effects");
}

fn kill_bounties(bounties: Query<EntityId, With<Bounty>>, mut kills: Sender<KillGameObject>) {
    bounties.iter().for_each(|entity| kills.send(KillGameObject { entity }));
}

/// Struck collectors lose their load, as in a collision. Partners are spared.
fn strike(engine: &mut Engine, caster: EntityId) -> Result<(), Error> {
    let collectors = MaskQuery::new(engine.mask_of::<(Collector,)>());
    let struck = collectors.without(&engine.mask_of::<(Ghost,)>());
    engine.run(move |entities: Entities, teams: Query<&Team>, mut kills: Sender<KillGameObject>| {
        let is_spared = |entity: EntityId| entity == caster || are_partners(teams.get(caster), teams.get(entity));
        for entity in entities.matching(&struck).filter(|entity| !is_spared(*entity)) {
            kills.send(KillGameObject { entity });
        }
    })
}

fn attract(engine: &mut Engine, caster: EntityId) -> Result<(), Error> {
    engine.run(move |rules: Res<MatchRules>, mut commands: Commands| {
        if let Some(spells) = &rules.options.spells {
            let &SpellRules { magnet_seconds, magnet_range_m, magnet_speed_mps, .. } = spells;
            let magnet = Magnet { left_seconds: magnet_seconds, range_m: magnet_range_m, speed_mps: magnet_speed_mps };
            commands.insert(caster, (magnet,));
        }
    })
}
