//! Roles of prefabs in levels and modes, and the places of dealt objects.

use bounty_hunter::arena::Block;
use bounty_hunter::arena::Pose;
use bounty_hunter::assets::Assets;
use bounty_hunter::level::Place;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use tests::match_in;

/// The message about a classic match with an object of this prefab in its level.
fn refused(prefabs: &str, prefab: &str) -> String {
    let mut assets = Assets::built_in();
    assets.prefabs.load("test.ron", prefabs).unwrap();
    let place = Place { name: None, prefab: prefab.to_owned(), at_m: (0.0, 10.0), heading_rad: 0.0, scale: 1.0 };
    assets.levels.get_mut("arena").unwrap().places.push(place);
    let refusal = Simulation::new(&assets, &MatchSetup::of_ais(1, 2, "normal"));
    refusal.map_or_else(|error| error.to_string(), |_| "nothing".to_owned())
}

#[test]
fn prefab_that_does_not_fit_its_role_is_refused() {
    for kind in ["Collector", "Stash", "Wall", "PlayerSpawn", "BountySpawn"] {
        let prefab = format!("{{ \"it\": (like: \"rock\", components: {{ \"game object\": (kind: {kind}) }}) }}");
        assert_eq!(
            refused(&prefab, "it"),
            format!(
                "prefab \"it\" has {kind} as `object.kind`, objects in the arena must have Bounty, PowerUp or none"
            )
        );
    }
    for category in ["Collector", "Bounty", "Stash", "Wall", "Radar", "Avoider", "PowerUp"] {
        let prefab = format!("{{ \"it\": (like: \"rock\", components: {{ \"body\": (category: {category}) }}) }}");
        assert_eq!(
            refused(&prefab, "it"),
            format!("prefab \"it\" has {category} as `body.category`, an object needs Default")
        );
    }
    assert_eq!(
        refused("{}", "ghost power-up"),
        "prefab \"ghost power-up\" is a power-up, which needs the rule set `power_ups`"
    );
    let part = |what: &str| format!("{{ \"it\": ({what}) }}");
    assert_eq!(
        refused(&part("like: \"rock\", without: [\"shape\"]"), "it"),
        "prefab \"it\" has no `shape`, which an object needs"
    );
    assert_eq!(
        refused(&part("like: \"bounty\", without: [\"game object\"]"), "it"),
        "prefab \"it\" has no `game object`, which a bounty needs"
    );
    assert_eq!(
        refused(&part("like: \"rock\", children: { \"moss\": (like: \"rock\") }"), "it"),
        "prefab \"it\" has a child, \"moss\", which prefabs of a match cannot have"
    );
    assert_eq!(refused("{}", "golden bounty"), "nothing");
}

#[test]
fn power_up_of_a_level_needs_a_mode_with_power_ups() {
    let level = r#"(world_half_extent_m: 60.0, bounty_region_share: 0.5, stashes: Places(at_m: [(40.0, 0.0), (-40.0, 0.0)]),
        places: [(prefab: "ghost power-up", at_m: (0.0, 20.0))])"#;
    let mode = r#"(title: "Mine", description: "My own.",
game: (players: 2, level: "haunted"RULES))"#;
    let in_mode = |rules: &str| {
        let mode = mode.replace("RULES", rules);
        Assets::with_texts([("levels/haunted.ron", level), ("modes/mine.ron", mode.as_str())])
    };
    assert_eq!(
        in_mode("").unwrap_err().to_string(),
        "modes/mine.ron:2:20: level is \"haunted\", of which object 1 is refused: prefab \"ghost power-up\" is a power-up, which needs the rule set `power_ups`"
    );
    let rules =
        r#", rules: (power_ups: Some((prefabs: ["ghost power-up"], power_ups_per_player: 0.0, least_power_ups: 0)))"#;
    let assets = in_mode(rules).unwrap().in_mode("mine").unwrap();
    let simulation = match_in(&assets, &MatchSetup::of_ais(1, 2, "normal"), GameState::Running);
    assert_eq!(simulation.view().power_ups.len(), 1);
}

#[test]
fn dealt_objects_keep_clear_of_stashes_walls_and_other_objects() {
    let level = r#"(world_half_extent_m: 50.0, stashes: Places(at_m: [(12.0, 0.0), (-12.0, 0.0)]), bounty_region_share: 0.9,
        walls: [(at_m: (0.0, 20.0), half_extents_m: (10.0, 1.0))], places: [(prefab: "boulder", at_m: (0.0, -20.0))])"#;
    let mode = r#"(title: "Mine", description: "My own.", game: (players: 2, level: "stony",
        deals: [(prefab: "rock", objects_per_player: 10.0, least_objects: 1),
            (prefab: "boulder", objects_per_player: 10.0, least_objects: 1)]))"#;
    let assets = Assets::with_texts([("levels/stony.ron", level), ("modes/mine.ron", mode)]).unwrap();
    let assets = assets.in_mode("mine").unwrap();
    let clearance_m = bounty_hunter::arena::clearance_m(1.875, 1.5);
    for seed in 0..20 {
        let simulation = match_in(&assets, &MatchSetup::of_ais(seed, 2, "normal"), GameState::Running);
        let view = simulation.view();
        assert_eq!(view.objects.len(), 41);
        let blocks: Vec<Block> =
            view.objects.iter().map(|it| Block::around(it.shape.corners(Pose::new(it.position, 0.0)))).collect();
        for (index, block) in blocks.iter().enumerate() {
            assert!(view.stashes.iter().all(|stash| !block.grown(clearance_m).contains(stash.position)), "{block:?}");
            assert!(view.walls.iter().all(|wall| {
                let wall = Block { center: wall.position, half_extents_m: wall.half_extents };
                !wall.overlaps(*block)
            }));
            assert!(blocks[..index].iter().all(|other| !other.overlaps(*block)), "{block:?}");
        }
    }
}
