//! Resolves references between prefabs: overlays variants on their parents, and children on children.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::blueprint::{Blueprint, BlueprintComponent};
use super::definition::{Body, Named, Requirement};
use super::library::Places;
use super::registry::Registry;
use super::ron_text::Fragment;
use crate::error::PrefabError;
use crate::steps::count;

/// The entities of one prefab. Children that are prefabs with children multiply.
const MAX_ENTITIES: usize = 10_000;

/// The definitions of new files, and of those that are loaded already.
pub(super) struct Resolver<'a> {
    pub(super) registry: &'a Registry,
    pub(super) new: &'a Places,
    pub(super) known: &'a Places,
}

/// A definition and the chain of prefabs that led to it, to detect cycles.
#[derive(Clone)]
struct Layer<'a> {
    body: &'a Body,
    trail: Vec<&'a str>,
}

impl<'a> Resolver<'a> {
    pub(super) fn blueprint(&self, prefab: &'a Named<Body>) -> Result<Blueprint, PrefabError> {
        let mut layers = Vec::new();
        self.add_layers(&prefab.name, prefab, &[], &mut layers)?;
        let mut left = MAX_ENTITIES;
        let lineage = layers.iter().filter_map(|layer| layer.trail.last()).map(|&name| name.into()).collect();
        Ok(Blueprint { lineage, ..self.join(prefab, &layers, &mut left)? })
    }

    /// Adds the layers of the prefab `name`, the lowest first. One that is there already stays where it is: it came by
    /// another of several prefabs that are varied. Errors point at `at`.
    fn add_layers<T>(
        &self,
        name: &str,
        at: &Named<T>,
        trail: &[&'a str],
        layers: &mut Vec<Layer<'a>>,
    ) -> Result<(), PrefabError> {
        let Some((prefabs, place)) = self.new.get(name).or_else(|| self.known.get(name)) else {
            let all: BTreeSet<&str> = self.new.keys().chain(self.known.keys()).map(|name| &**name).collect();
            return Err(at.unknown("prefab", all.into_iter()));
        };
        let prefab = &prefabs[*place];
        if let Some(start) = trail.iter().position(|met| *met == name) {
            let circle = [&trail[start..], &[name]].concat().join(" → ");
            return Err(at.error(format!("prefab `{name}` would consist of itself: {circle}")));
        }
        count(1);
        if layers.iter().any(|layer| std::ptr::eq(layer.body, &prefab.what)) {
            return Ok(());
        }
        let trail: Vec<_> = trail.iter().copied().chain([prefab.name.as_str()]).collect();
        for like in &prefab.what.like {
            self.add_layers(&like.name, like, &trail, layers)?;
        }
        layers.push(Layer { body: &prefab.what, trail });
        Ok(())
    }

    /// `left` is the number of entities that may still be added.
    fn join(&self, prefab: &Named<Body>, layers: &[Layer<'a>], left: &mut usize) -> Result<Blueprint, PrefabError> {
        let Some(fewer) = left.checked_sub(1) else {
            return Err(prefab.error(format!("prefab `{}` consists of more than {MAX_ENTITIES} entities", prefab.name)));
        };
        *left = fewer;
        let mut components: Vec<(&str, Vec<&Named<Fragment>>)> = Vec::new();
        let mut children: Vec<(&str, Vec<Layer<'a>>)> = Vec::new();
        let mut requirements: Vec<&Requirement> = Vec::new();
        for layer in layers {
            keep_required(&components, &requirements, &layer.body.without)?;
            requirements.extend(&layer.body.requires);
            take_out("component", &mut components, &layer.body.without)?;
            take_out("child", &mut children, &layer.body.without_children)?;
            for component in &layer.body.components {
                entry(&mut components, &component.name).push(component);
            }
            for child in &layer.body.children {
                let under = entry(&mut children, &child.name);
                if !child.what.like.is_empty() {
                    // A child with its own `like` starts from those prefabs.
                    under.clear();
                }
                for like in &child.what.like {
                    self.add_layers(&like.name, like, &layer.trail, under)?;
                }
                under.push(Layer { body: &child.what, trail: layer.trail.clone() });
            }
        }
        self.add_required(&mut components, &requirements)?;
        let components = components.into_iter().map(|(_, layers)| self.plan(&layers));
        let components = components.collect::<Result<_, _>>()?;
        let children = children.into_iter().map(|(name, layers)| Ok((name.into(), self.join(prefab, &layers, left)?)));
        Ok(Blueprint { components, children: children.collect::<Result<_, _>>()?, lineage: Vec::new() })
    }

    /// Adds what the components require, and what that requires in turn: first what the first component requires.
    /// Required values lie below the prefab's own.
    fn add_required<'l>(
        &self,
        components: &mut Vec<(&'l str, Vec<&'l Named<Fragment>>)>,
        requirements: &[&'l Requirement],
    ) -> Result<(), PrefabError> {
        for requirement in requirements {
            let needed = requirement.what.iter().map(|needed| (&needed.name, &needed.key));
            for (name, key) in needed.clone().chain([(&requirement.name, &requirement.key)]) {
                if self.registry.find(name).is_none() {
                    let named = Named { name: name.clone(), key: key.clone(), what: () };
                    return Err(named.unknown("component", self.registry.names()));
                }
            }
            if let Some(own) = requirement.what.iter().find(|needed| needed.name == requirement.name) {
                return Err(own.error(format!("`{}` cannot require itself", own.name)));
            }
        }
        // For each component, how many of its layers are required.
        let mut required: Vec<usize> = vec![0; components.len()];
        let mut at = 0;
        while let Some(&(name, _)) = components.get(at) {
            let of_this = requirements.iter().filter(|requirement| requirement.name == name);
            for needed in of_this.flat_map(|requirement| &requirement.what) {
                count(1);
                let known = components.iter().position(|(other, _)| *other == needed.name);
                let index = known.unwrap_or_else(|| {
                    components.push((&needed.name, Vec::new()));
                    required.push(0);
                    components.len() - 1
                });
                components[index].1.insert(required[index], needed);
                required[index] += 1;
            }
            at += 1;
        }
        Ok(())
    }

    fn plan(&self, layers: &[&Named<Fragment>]) -> Result<BlueprintComponent, PrefabError> {
        let top = layers.last().expect("a component comes from at least one layer");
        let Some((name, kind)) = self.registry.find(&top.name) else {
            return Err(layers[0].unknown("component", self.registry.names()));
        };
        BlueprintComponent::read(Arc::clone(&name), kind, layers.iter().map(|layer| layer.what.clone()).collect())
    }
}

/// The entry of a name, which may be new.
fn entry<'l, 'a, T>(all: &'l mut Vec<(&'a str, Vec<T>)>, name: &'a str) -> &'l mut Vec<T> {
    let at = all.iter().position(|(other, _)| *other == name).unwrap_or_else(|| {
        all.push((name, Vec::new()));
        all.len() - 1
    });
    &mut all[at].1
}

/// Refuses to do without a component that is there only because another one requires it.
fn keep_required(
    components: &[(&str, Vec<&Named<Fragment>>)],
    requirements: &[&Requirement],
    without: &[Named<()>],
) -> Result<(), PrefabError> {
    let is_there = |name: &str| components.iter().any(|(other, _)| *other == name);
    for unwanted in without.iter().filter(|unwanted| !is_there(&unwanted.name)) {
        let needs_it = |requirement: &&&Requirement| {
            is_there(&requirement.name) && requirement.what.iter().any(|needed| needed.name == unwanted.name)
        };
        if let Some(by) = requirements.iter().find(needs_it) {
            let problem = format!("`{}` is required by `{}`: do without that one", unwanted.name, by.name);
            return Err(unwanted.error(problem));
        }
    }
    Ok(())
}

fn take_out<T>(what: &str, all: &mut Vec<(&str, Vec<T>)>, without: &[Named<()>]) -> Result<(), PrefabError> {
    for unwanted in without {
        let Some(at) = all.iter().position(|(name, _)| *name == unwanted.name) else {
            return Err(unwanted.unknown(&format!("{what} to do without"), all.iter().map(|(name, _)| *name)));
        };
        all.remove(at);
    }
    Ok(())
}
