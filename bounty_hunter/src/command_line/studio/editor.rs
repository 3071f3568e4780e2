//! The panel `Editor`: changes levels, rules, prefabs and AIs in their files, and plays them at once.

use std::cell::RefCell;
use std::rc::Rc;

use bounty_hunter::arena::{Pose, clearance_m};
use bounty_hunter::assets::{AssetEditor, Assets};
use bounty_hunter::level::{Level, Place, StashPlaces};
use bounty_hunter::physics::Shape;
use bounty_hunter::role::{Role, half_extent_m};
use bounty_hunter::scale;
use bounty_hunter::simulation::Simulation;
use ecs::prefab::{PrefabError, Prefabs, RonPart};
use ecs_studio::PanelAnswer;
use glam::Vec2;
use serde::Deserialize;
use serde_json::{Value, json};

use super::context::PanelContext;

/// Larger files, such as the weights of a network, are shown as text only.
const MAX_LISTED_BYTES: usize = 1 << 17;
/// Shown after a new file was removed.
const FIRST_FILE: &str = "game.ron";
/// Places of stashes that take the place of a ring.
const FIXED_STASHES: u32 = 16;

/// A request of the page.
#[derive(Deserialize)]
pub(super) struct Request {
    /// The file that is edited and shown.
    file: String,
    #[serde(flatten)]
    action: Action,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Action {
    /// Only shows the file.
    Show,
    /// Replaces the value at a path by a text in RON.
    Set {
        path: String,
        value: String,
    },
    /// Adds an element to the list at a path, which may be missing.
    Add {
        path: String,
        value: String,
    },
    Remove {
        path: String,
    },
    /// Replaces the whole text.
    Write {
        text: String,
    },
    /// Turns the ring of stashes of a level into fixed places.
    FixStashes,
    Undo,
    Redo,
    /// Takes back all changes since the file was saved; a new file is removed.
    Discard,
    Save,
    /// Makes the file, as a copy of another.
    Copy {
        from: String,
    },
    /// What a value in the file must be.
    Expected {
        path: String,
    },
    /// Gives the present match the changed prefabs.
    Reload,
    /// Begins the present match again with all changes, in the level of the file if it is one.
    Play,
}

pub(super) fn answer(
    shared: &Rc<RefCell<PanelContext>>,
    Request { file, action }: Request,
) -> Result<PanelAnswer<Simulation>, String> {
    let context = &mut *shared.borrow_mut();
    let editor = &mut context.editor;
    let changed: Result<(), PrefabError> = match &action {
        Action::Show => Ok(()),
        Action::Set { path, value } => editor.change(&file, |text| text.with(path, value)),
        Action::Add { path, value } => editor.change(&file, |text| text.with_element(path, value)),
        Action::Remove { path } => editor.change(&file, |text| text.without(path)),
        Action::Write { text } => editor.change(&file, |old| Ok(old.with_text(&**text))),
        Action::FixStashes => editor.change(&file, |text| {
            let level: Level = text.read()?;
            let half_extent_m = level.half_extent_m(FIXED_STASHES);
            let clearance_m = widest_m(&context.valid);
            let poses = level.stash_poses(FIXED_STASHES, half_extent_m, clearance_m);
            let places =
                poses.iter().map(|pose| format!("        ({:.1}, {:.1}),\n", pose.position.x, pose.position.y));
            text.with("stashes", &format!("Places(at_m: [\n{}    ])", places.collect::<String>()))
        }),
        Action::Undo => undone(editor.undo(&file), "undo"),
        Action::Redo => undone(editor.redo(&file), "redo"),
        Action::Discard => match editor.discard(&file) {
            Ok(true) => Ok(()),
            Ok(false) => return Ok(PanelAnswer::from(shown(context, FIRST_FILE)?)),
            Err(error) => Err(error),
        },
        Action::Save => editor.save(&file),
        Action::Copy { from } => editor.add(&file, from),
        Action::Expected { path } => {
            let expected = expected(&context.editor, &file, path).map_err(|error| error.to_string())?;
            return Ok(PanelAnswer::from(json!(expected)));
        }
        Action::Reload | Action::Play => {
            // What would fail after the change is refused before it.
            editor.text(&file).map_err(|error| error.to_string())?;
            let (shared, is_reload) = (Rc::clone(shared), matches!(action, Action::Reload));
            return Ok(PanelAnswer::change(move |simulation: &mut Simulation| {
                let context = &mut *shared.borrow_mut();
                match is_reload {
                    true => context.reload(simulation)?,
                    false => context.play(simulation, AssetEditor::level_name(&file))?,
                }
                shown(context, &file)
            }));
        }
    };
    changed.map_err(|error| error.to_string())?;
    Ok(PanelAnswer::from(shown(context, &file)?))
}

/// What a value must be, in the words with which a wrong one is refused; none if that is not known.
fn expected(editor: &AssetEditor, file: &str, path: &str) -> Result<Vec<String>, PrefabError> {
    let parts = editor.text(file)?.parts();
    let Some(RonPart { text, .. }) = part_at(&parts, path) else { return Ok(Vec::new()) };
    let wrong = match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(_), _) => &["-1", "0", "4294967295"][..],
        (_, Ok(_)) => &["-1e30", "0.0", "1e30"],
        _ => &["Unknown"],
    };
    let mut found: Vec<String> = Vec::new();
    for wrong in wrong {
        let Some(error) = editor.try_change(file, |text| text.with(path, wrong))? else { continue };
        let sentence = error.to_string();
        let Some((_, limit)) = sentence.split_once("must be ").or_else(|| sentence.split_once("expected ")) else {
            continue;
        };
        let limit = limit.split_once(", not ").map_or(limit, |(limit, _)| limit);
        if !found.iter().any(|known| known == limit) {
            found.push(limit.to_owned());
        }
    }
    Ok(found)
}

fn part_at<'p>(parts: &'p [RonPart], path: &str) -> Option<&'p RonPart> {
    let mut steps = path.split('.');
    let mut part = parts.iter().find(|part| Some(&*part.step) == steps.clone().next())?;
    steps.next();
    for step in steps {
        part = part.parts.iter().find(|part| part.step == step)?;
    }
    Some(part)
}

fn undone(is_done: bool, what: &str) -> Result<(), PrefabError> {
    if is_done { Ok(()) } else { Err(PrefabError::new(format!("there is nothing to {what}"))) }
}

/// A file, what is wrong with it, and the places of a level.
fn shown(context: &mut PanelContext, file: &str) -> Result<Value, String> {
    let assets = context.editor.assets();
    let error = assets.as_ref().err().cloned();
    if let Ok(assets) = assets {
        context.valid = assets;
    }
    let PanelContext { editor, valid, .. } = context;
    let files: Vec<Value> =
        editor.texts().paths().map(|path| json!({ "path": path, "is_changed": editor.is_changed(path) })).collect();
    let text = editor.text(file).map_err(|error| error.to_string())?;
    let wrong = error.as_ref().and_then(|error| error.file()).and_then(|name| {
        editor.texts().paths().find(|path| editor.texts().get(path).is_some_and(|text| text.name() == name))
    });
    let position = error.as_ref().filter(|_| wrong == Some(file)).and_then(|error| error.line_and_column());
    let (undo, redo) = editor.undo_and_redo_counts(file);
    let level = AssetEditor::level_name(file).and_then(|_| text.read::<Level>().ok());
    let parts = if text.text().len() <= MAX_LISTED_BYTES { text.parts() } else { Vec::new() };
    Ok(json!({
        "files": files,
        "file": file,
        "text": text.text(),
        "error": error.as_ref().map(|error| json!({ "sentence": error.to_string(), "position": position, "file": wrong })),
        "draft_problem": editor.draft_problem(),
        "undo": undo,
        "redo": redo,
        "is_changed": editor.is_changed(file),
        "can_save": editor.can_save(),
        "keeps_drafts": editor.keeps_drafts(),
        "parts": parts.iter().map(|part| listed(part, Some(""))).collect::<Vec<_>>(),
        "level": level.map(|level| geometry(&level, &parts, valid)),
        "prefabs": valid.prefabs.names().filter(|name| can_stand(&valid.prefabs, name)).collect::<Vec<_>>(),
    }))
}

/// A value and its parts. What is below a key with a dot has no path, so it is changed only in the text.
fn listed(part: &RonPart, parent: Option<&str>) -> Value {
    let path = parent.filter(|_| !part.step.contains('.')).map(|parent| match parent {
        "" => part.step.clone(),
        parent => format!("{parent}.{}", part.step),
    });
    let parts = part.parts.iter().map(|part| listed(part, path.as_deref())).collect::<Vec<_>>();
    json!({
        "step": part.step, "path": path, "text": part.text, "comment": part.comment, "position": part.line_and_column,
        "parts": parts,
    })
}

fn can_stand(prefabs: &Prefabs, name: &str) -> bool {
    Role::Object.refusal(prefabs, name).is_none()
}

/// The radius that a stash and a collector need.
fn widest_m(assets: &Assets) -> f32 {
    let kinds = &assets.game.kinds;
    clearance_m(size_m(&assets.prefabs, &kinds.stash), size_m(&assets.prefabs, &kinds.collector))
}

/// What a level looks like, metres. Each thing has its position in the text, where errors point.
fn geometry(level: &Level, parts: &[RonPart], assets: &Assets) -> Value {
    let players = level.most_players().map_or(FIXED_STASHES, |players| players as u32);
    let half_extent_m = level.half_extent_m(players);
    let positions = |path: &[&str]| {
        let mut found = parts;
        for step in path {
            found = found.iter().find(|part| part.step == *step).map_or(&[], |part| &part.parts);
        }
        found.iter().map(|part| part.line_and_column).collect::<Vec<_>>()
    };
    let corners = |shape: Shape, pose| shape.corners(pose).map(|corner: Vec2| [corner.x, corner.y]);
    let walls = level.walls.iter().zip(positions(&["walls"])).map(|(wall, position)| {
        let shape = Shape::Rectangle(wall.half_extents_m.0, wall.half_extents_m.1);
        let pose = Pose::new(wall.at_m.into(), 0.0);
        json!({ "at": wall.at_m, "half": wall.half_extents_m, "position": position, "corners": corners(shape, pose) })
    });
    let places = level.places.iter().zip(positions(&["places"])).map(|(place, position)| {
        json!({
            "at": place.at_m, "heading": place.heading_rad, "prefab": place.prefab, "position": position,
            "corners": corners(shape_of(&assets.prefabs, place), place.pose()),
        })
    });
    let stash_positions = positions(&["stashes", "at_m"]);
    let poses = level.stash_poses(players, half_extent_m, widest_m(assets));
    let stashes = poses.iter().enumerate().map(
        |(index, pose)| json!({ "at": [pose.position.x, pose.position.y], "position": stash_positions.get(index) }),
    );
    json!({
        "half_extent": half_extent_m,
        "bounties": level.bounty_region_share * half_extent_m,
        "walls": walls.collect::<Vec<_>>(),
        "places": places.collect::<Vec<_>>(),
        "stashes": stashes.collect::<Vec<_>>(),
        "is_ring": matches!(level.stashes, StashPlaces::Ring { .. }),
        "stash_half": size_m(&assets.prefabs, &assets.game.kinds.stash),
    })
}

/// Half the size of a prefab's objects; that of an unknown one is shown as well.
fn size_m(prefabs: &Prefabs, name: &str) -> f32 {
    half_extent_m(prefabs, name).unwrap_or(1.0)
}

fn shape_of(prefabs: &Prefabs, place: &Place) -> Shape {
    let square = || Shape::Square(size_m(prefabs, &place.prefab));
    scale::shape(prefabs, &place.prefab).unwrap_or_else(square).scaled(place.scale)
}
