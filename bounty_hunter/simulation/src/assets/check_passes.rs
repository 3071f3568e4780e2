//! Checks of what prefabs pass through: each name is one of a prefab, and each category has bodies.

use ecs::prefab::{PrefabError, Prefabs};

use crate::data::unknown_name::UnknownName;
use crate::objects::passes::{Passage, Passes};
use crate::objects::power_up::PowerUp;
use crate::physics::Category;

/// Checks the lists of all prefabs.
pub(super) fn check_passes(prefabs: &Prefabs) -> Result<(), PrefabError> {
    for name in prefabs.names() {
        if let Some(PowerUp::Ghost { passes, .. }) = prefabs.component(name) {
            check(prefabs, name, "power-up", passes)?;
        }
        if let Some(passes) = prefabs.component::<Passes>(name) {
            check(prefabs, name, "passes", passes)?;
        }
    }
    Ok(())
}

fn check(prefabs: &Prefabs, name: &str, component: &str, passes: &Passes) -> Result<(), PrefabError> {
    for passage in passes.passages() {
        let problem = match passage {
            Passage::Category(category @ (Category::Radar | Category::Avoider)) => {
                format!("`passes` has {category:?}, the category of a sense, must have one of bodies")
            }
            Passage::Kind(other) | Passage::Material(other) if !prefabs.contains(other) => {
                UnknownName::new("prefab", other, prefabs.names()).to_string()
            }
            _ => continue,
        };
        return Err(prefabs.error_in(name, component, problem));
    }
    Ok(())
}
