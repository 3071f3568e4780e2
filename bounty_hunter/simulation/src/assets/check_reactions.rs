//! Checks of the reactions of a level: each name stands for one place, and each action can be done to its object.

use std::collections::BTreeMap;

use ecs::prefab::{PrefabError, Prefabs, RonText};

use crate::data::level::Level;
use crate::data::name::AssetName;
use crate::data::reaction::{Action, By, MAX_REACTIONS, Reaction, When};
use crate::data::unknown_name::UnknownName;
use crate::objects::game_object::Life;
use crate::objects::health::Toughness;
use crate::objects::lifetime::Lifespan;
use crate::physics::{Body, Category, Mobility};

/// Checks the names of places and all reactions of a level.
pub(super) fn check_reactions(source: &RonText, level: &Level, prefabs: &Prefabs) -> Result<(), PrefabError> {
    let kinds = named_kinds(source, level)?;
    let count = level.reactions.len();
    if count > MAX_REACTIONS {
        let problem = format!("reactions has {count} elements, must have at most {MAX_REACTIONS}");
        return Err(source.error_at("reactions", problem));
    }
    let check = Check { level, prefabs, kinds };
    for (index, reaction) in level.reactions.iter().enumerate() {
        let found = [
            ("when", check.cause(reaction)),
            ("by", check_touchers(reaction)),
            ("to", check.target(reaction)),
            ("do", check.action(reaction)),
        ];
        for (field, problem) in found {
            if let Err(problem) = problem {
                return Err(source.error_at(&format!("reactions.{index}.{field}"), problem));
            }
        }
    }
    Ok(())
}

/// The prefab of each place that has a name.
fn named_kinds<'a>(source: &RonText, level: &'a Level) -> Result<BTreeMap<&'a str, &'a str>, PrefabError> {
    let mut kinds = BTreeMap::new();
    for (index, place) in level.places.iter().enumerate() {
        let Some(name) = &place.name else { continue };
        let refuse = |problem: String| Err(source.error_at(&format!("places.{index}.name"), problem));
        match AssetName::new(name) {
            Ok(shown) if shown.as_str() == name => {}
            Ok(_) => return refuse("name has a blank at an end: leave it out".to_owned()),
            Err(problem) => return refuse(format!("name {problem}")),
        }
        if kinds.insert(name.as_str(), place.prefab.as_str()).is_some() {
            return refuse(format!("name is {name:?}, which another place has too: give each its own"));
        }
    }
    Ok(kinds)
}

struct Check<'a> {
    level: &'a Level,
    prefabs: &'a Prefabs,
    /// The prefabs of the places, by the names of these.
    kinds: BTreeMap<&'a str, &'a str>,
}

impl Check<'_> {
    /// The prefab of a named place.
    fn kind(&self, name: &str) -> Result<&str, String> {
        match self.kinds.get(name) {
            Some(kind) => Ok(kind),
            None if self.kinds.is_empty() => Err(format!("there is no place {name:?}, no place has a name")),
            None => Err(UnknownName::new("place", name, self.kinds.keys()).to_string()),
        }
    }

    fn cause(&self, reaction: &Reaction) -> Result<(), String> {
        match &reaction.when {
            When::Killed(name) | When::Spawned(name) => {
                let kind = self.kind(name)?;
                can_die(self.prefabs, kind).then_some(()).ok_or_else(|| cannot_die(name, kind))
            }
            When::Touched(name) | When::Left(name) => {
                let kind = self.kind(name)?;
                match self.prefabs.component::<Body>(kind) {
                    Some(_) => Ok(()),
                    None => Err(format!("nothing touches {name:?}: its prefab {kind:?} has no `body`")),
                }
            }
            When::Heard(signal) => {
                let sent: Vec<&String> =
                    self.level.reactions.iter().filter_map(|other| sent_by(&other.action)).collect();
                match sent.contains(&signal) {
                    true => Ok(()),
                    false if sent.is_empty() => {
                        Err(format!("no reaction sends the signal {signal:?}, must be sent by `do: Send({signal:?})`"))
                    }
                    false => Err(UnknownName::new("signal", signal, sent.into_iter()).to_string()),
                }
            }
            When::At { .. } | When::Every { .. } | When::Happened(_) => Ok(()),
        }
    }

    /// Checks what the reaction acts on.
    fn target(&self, reaction: &Reaction) -> Result<(), String> {
        let Reaction { when, action, to, .. } = reaction;
        let verb = name_of(action);
        let Some(name) = to else {
            return match action {
                Action::Send(_) => Ok(()),
                Action::Kill | Action::Teleport { .. } | Action::Damage { .. } | Action::Heal { .. } => {
                    if when.has_an_object() {
                        return Ok(());
                    }
                    Err(format!("{verb} needs `to`, the name of a place, for this happens to no object"))
                }
                _ => Err(format!("{verb} needs `to`, the name of a place")),
            };
        };
        if matches!(action, Action::Send(_)) {
            return Err(format!("to is {name:?}, must be left out: {verb} acts on no object"));
        }
        let kind = self.kind(name)?;
        let (mobility, category) = self
            .prefabs
            .component::<Body>(kind)
            .map_or((Mobility::Fixed, Category::Default), |body| (body.mobility, body.category));
        let can_die = can_die(self.prefabs, kind);
        let refuse = |problem: &str| Err(format!("{verb} cannot act on {name:?}: its prefab {kind:?} {problem}"));
        match action {
            Action::Open | Action::Close if self.prefabs.component::<Body>(kind).is_none() => refuse("has no `body`"),
            Action::Open | Action::Close if category.is_sensor() => refuse("is a sensor, which stops nothing"),
            Action::Open | Action::Close | Action::Enable | Action::Disable if can_die => {
                refuse("can die, which Kill and Spawn are for")
            }
            Action::Kill | Action::Spawn if !can_die => Err(cannot_die(name, kind)),
            Action::Damage { .. } | Action::Heal { .. } if self.prefabs.component::<Toughness>(kind).is_none() => {
                refuse("has no `health`")
            }
            Action::Teleport { .. } if mobility == Mobility::Fixed => refuse("is fixed"),
            _ => Ok(()),
        }
    }

    fn action(&self, reaction: &Reaction) -> Result<(), String> {
        let world_m = self.level.world_half_extent_m;
        match &reaction.action {
            Action::Teleport { at_m: (x, y), .. } if x.abs().max(y.abs()) > world_m => {
                Err(format!("at_m is ({x}, {y}), must lie within world_half_extent_m, {world_m}"))
            }
            Action::Send(signal) => {
                let heard = |other: &Reaction| matches!(&other.when, When::Heard(heard) if heard == signal);
                match self.level.reactions.iter().any(heard) {
                    true => Ok(()),
                    false => Err(format!(
                        "no reaction hears the signal {signal:?}, must be heard by `when: Heard({signal:?})`"
                    )),
                }
            }
            _ => Ok(()),
        }
    }
}

fn check_touchers(Reaction { when, by, .. }: &Reaction) -> Result<(), String> {
    if *by == By::default() || matches!(when, When::Touched(_) | When::Left(_)) {
        return Ok(());
    }
    Err(format!("by is {by:?}, must be left out: it is for Touched and Left"))
}

/// Whether the objects of a prefab can die.
fn can_die(prefabs: &Prefabs, kind: &str) -> bool {
    let moves = prefabs.component::<Body>(kind).is_some_and(|body| body.mobility == Mobility::Moving);
    let is_tough = prefabs.component::<Toughness>(kind).is_some();
    moves || is_tough || prefabs.component::<Life>(kind).is_some() || prefabs.component::<Lifespan>(kind).is_some()
}

fn cannot_die(name: &str, kind: &str) -> String {
    format!("{name:?} cannot die: give its prefab {kind:?} a `life`")
}

fn sent_by(action: &Action) -> Option<&String> {
    if let Action::Send(signal) = action { Some(signal) } else { None }
}

fn name_of(action: &Action) -> &'static str {
    match action {
        Action::Open => "Open",
        Action::Close => "Close",
        Action::Enable => "Enable",
        Action::Disable => "Disable",
        Action::Spawn => "Spawn",
        Action::Kill => "Kill",
        Action::Damage { .. } => "Damage",
        Action::Heal { .. } => "Heal",
        Action::Teleport { .. } => "Teleport",
        Action::Send(_) => "Send",
    }
}
