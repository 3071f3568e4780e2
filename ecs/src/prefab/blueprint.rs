//! [`Blueprint`]: a resolved prefab, with all layers merged and all values read.

use std::fmt;
use std::sync::Arc;

use super::error::hint;
use crate::error::PrefabError;

use super::order::Texts;
use super::registry::{Kind, Registry, Value};
use super::ron_text::{Fragment, RonText, Span};

/// An entity with its components and children.
#[derive(Clone, Default)]
pub(super) struct Blueprint {
    pub(super) components: Vec<BlueprintComponent>,
    pub(super) children: Vec<(Arc<str>, Blueprint)>,
    /// The prefabs that it consists of, the lowest first: those that it is like, and at the end itself.
    pub(super) lineage: Vec<Arc<str>>,
}

/// A component of a blueprint.
#[derive(Clone)]
pub(super) struct BlueprintComponent {
    pub(super) name: Arc<str>,
    kind: Kind,
    pub(super) layers: Vec<Fragment>,
    pub(super) value: Value,
    /// It was overridden for one entity, so reloading does not change it.
    pub(super) is_override: bool,
}

impl BlueprintComponent {
    pub(super) fn read(name: Arc<str>, kind: Kind, layers: Vec<Fragment>) -> Result<Self, PrefabError> {
        let value = (kind.read)(&name, layers.iter().map(Fragment::span).collect())?;
        Ok(Self { name, kind, layers, value, is_override: false })
    }
}

impl Blueprint {
    /// The number of entities, children included.
    pub(super) fn len(&self) -> usize {
        1 + self.children.iter().map(|(_, child)| child.len()).sum::<usize>()
    }

    /// A copy with texts over some components, or with more components.
    pub(super) fn with_texts(&self, prefab: &str, texts: &Texts<'_>, registry: &Registry) -> Result<Self, PrefabError> {
        let mut changed = self.clone();
        for (path, text) in texts {
            let (children, component) = path.rsplit_once('/').unwrap_or(("", path));
            let blueprint = changed.at(prefab, children)?;
            let source = RonText::new(format!("override of {prefab}/{path}"), &**text);
            let top = Span::whole(&source).trimmed()?.keep();
            let known = blueprint.components.iter_mut().find(|planned| *planned.name == *component);
            if let Some(planned) = known {
                let layers = planned.layers.iter().cloned().chain([top]).collect();
                *planned = BlueprintComponent::read(Arc::clone(&planned.name), planned.kind, layers)?;
                planned.is_override = true;
            } else {
                let Some((name, kind)) = registry.find(component) else {
                    let hint = hint(component, registry.names());
                    let problem = format!("override of {prefab}/{path}: unknown component `{component}`: {hint}");
                    return Err(PrefabError::new(problem));
                };
                let added = BlueprintComponent::read(name, kind, vec![top])?;
                blueprint.components.push(BlueprintComponent { is_override: true, ..added });
            }
        }
        Ok(changed)
    }

    /// The child at a path such as `turret/barrel`; `self` if the path is empty.
    fn at(&mut self, prefab: &str, path: &str) -> Result<&mut Self, PrefabError> {
        let mut at = self;
        for name in path.split('/').filter(|_| !path.is_empty()) {
            let Some(index) = at.children.iter().position(|(child, _)| **child == *name) else {
                let hint = hint(name, at.children.iter().map(|(child, _)| &**child));
                return Err(PrefabError::new(format!("prefab `{prefab}` has no child `{name}`: {hint}")));
            };
            at = &mut at.children[index].1;
        }
        Ok(at)
    }

    fn print(&self, indent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for planned in &self.components {
            writeln!(f, "{:indent$}{}: {}", "", planned.name, planned.value.resolved)?;
        }
        for (name, child) in &self.children {
            writeln!(f, "{:indent$}child {name}", "")?;
            child.print(indent + 2, f)?;
        }
        Ok(())
    }
}

/// One line for each component, with children indented.
impl fmt::Display for Blueprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(0, f)
    }
}
