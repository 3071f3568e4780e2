//! Reactions of a level during a match: a lever that opens a distant door.
//!
//! Each reaction is an entity. It is linked to the object that it [`Watches`] and to the one that it [`ActsOn`].
//! Listeners note what has happened in [`Progress`]; the next step acts. So two reactions that cause each other
//! alternate, and no dispatch runs without end.

use ecs::relation::{LinkedFrom, Links, Relation};
use ecs::snapshot::{StableHash, StateHasher};
use ecs::{Commands, Engine, EntityId, IncludeDisabled, Query, Res, ResMut, Sender, Setup, System, Time, With};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::{Block, Pose};
use crate::data::config::MatchRules;
use crate::data::reaction::{Action, By, Happening, Reaction, When};
use crate::events::{
    BountyCollected, BountyStashed, CollisionBegin, CollisionEnd, CrownClaimed, DamageTaken, GameObjectKilled,
    GameObjectSpawned, KillGameObject, PlayerEliminated, PowerUpTaken, SignalSent, SpawnGameObject, StashFull,
};
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::objects::health::{Damage, Health, Toughness, grace_seconds};
use crate::objects::motion::Motion;
use crate::objects::switch::Switch;
use crate::objects::wall::SolidWalls;
use crate::physics::{Body, Category, Physics, Shape};

/// Relation from a reaction to the object whose contacts, deaths and spawns it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watches;

impl Relation for Watches {
    const EXCLUSIVE: bool = true;
}

impl StableHash for Watches {
    fn stable_hash(&self, _: &mut StateHasher) {}
}

/// Relation from a reaction to the object that it acts on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActsOn {
    /// Where the object stood when the match began; [`Action::Spawn`] brings it back there.
    pub place: Pose,
}

impl Relation for ActsOn {
    const EXCLUSIVE: bool = true;
}

impl StableHash for ActsOn {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.printed(self);
    }
}

/// Component of a reaction: what it waits for now. Written by [`React`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The number of contacts of the watched object that count.
    pub touching: u32,
    /// Seconds until its time; `None` for other causes, and after the only time.
    pub clock_seconds: Option<f32>,
    /// What happened and is not yet answered.
    pub due: Vec<Due>,
}

/// An action that will be done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Due {
    /// Seconds until it is done.
    pub left_seconds: f32,
    /// The object for which it happened, if the reaction acts on that.
    pub object: Option<EntityId>,
}

impl Progress {
    /// The progress of a reaction at the beginning of a match.
    #[must_use]
    pub fn at_the_start(reaction: &Reaction) -> Self {
        let clock_seconds = match reaction.when {
            When::At { seconds } | When::Every { seconds } => Some(seconds),
            _ => None,
        };
        Self { clock_seconds, ..Self::default() }
    }

    /// Notes that the cause happened, for `object` if the reaction has no other target.
    fn begin(&mut self, reaction: &Reaction, object: Option<EntityId>) {
        let object = object.filter(|_| reaction.to.is_none());
        if self.due.iter().all(|due| due.object != object) {
            self.due.push(Due { left_seconds: reaction.after_seconds, object });
        }
    }

    /// Lets time pass for [`When::At`] and [`When::Every`].
    fn count_down(&mut self, reaction: &Reaction, delta_seconds: f32) {
        let Some(left_seconds) = self.clock_seconds.as_mut() else { return };
        *left_seconds -= delta_seconds;
        if *left_seconds <= 0.0 {
            self.clock_seconds = match reaction.when {
                When::Every { seconds } => Some((*left_seconds + seconds).max(0.0)),
                _ => None,
            };
            self.begin(reaction, None);
        }
    }
}

impl By {
    /// Whether a body of this category counts.
    fn counts(self, category: Category) -> bool {
        match self {
            Self::Collector => category == Category::Collector,
            Self::Bounty => category == Category::Bounty,
            Self::Object => category == Category::Default,
            Self::Any => matches!(category, Category::Collector | Category::Bounty | Category::Default),
        }
    }
}

/// An action that is done in this step, and the object.
#[derive(Clone, Debug)]
struct Deed {
    action: Action,
    object: EntityId,
}

/// Does what the reactions of a level say.
#[derive(Clone, Debug, Default)]
pub struct React {
    /// What is done in this step. The list is rebuilt in each step and keeps its memory.
    deeds: Vec<Deed>,
}

impl System for React {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .after_type::<Motion>()
            // Before the contacts of the step, so that what it kills neither collects nor unloads in this step.
            .pre_update(Self::decide)
            // After the bodies have moved, so that a jump is seen as one.
            .update(Self::act)
            .listen(Self::on_begin)
            .listen(Self::on_end)
            .listen(Self::on_killed)
            .listen(Self::on_spawned)
            .listen(Self::on_signal)
            .listen(Self::on_collected)
            .listen(Self::on_stashed)
            .listen(Self::on_power_up)
            .listen(Self::on_claimed)
            .listen(Self::on_full)
            .listen(Self::on_eliminated);
    }
}

/// What reactions kill, hurt and heal, while it is alive.
type Mortal<'q> = (&'q Life, Option<&'q mut Health>, Option<&'q Toughness>);
/// What reactions switch and move.
type Switchable<'q> = (Option<(&'q RigidBody, &'q Body, &'q Shape)>, &'q mut Transform, Option<&'q mut Switch>);
type Reactions<'q> = (&'q Reaction, &'q mut Progress);

impl React {
    /// Lets time pass, kills, spawns, hurts and heals, sends signals, and notes the deeds that concern bodies.
    #[allow(clippy::too_many_arguments)]
    fn decide(
        &mut self,
        time: Time,
        mut reactions: Query<(EntityId, Reactions<'_>, Option<&Links<ActsOn>>)>,
        mut mortals: Query<Mortal<'_>>,
        rules: Res<MatchRules>,
        mut taken: Sender<DamageTaken>,
        mut kills: Sender<KillGameObject>,
        mut spawns: Sender<SpawnGameObject>,
        mut signals: Sender<SignalSent>,
    ) {
        self.deeds.clear();
        let delta_seconds = time.delta_seconds();
        for (entity, (reaction, progress), target) in &mut reactions {
            progress.count_down(reaction, delta_seconds);
            progress.due.iter_mut().for_each(|due| due.left_seconds -= delta_seconds);
            let target = target.map(|links| links.first());
            for due in progress.due.extract_if(.., |due| due.left_seconds <= 0.0) {
                if let Action::Send(signal) = &reaction.action {
                    signals.send(SignalSent { signal: signal.clone() });
                }
                let Some(object) = target.map_or(due.object, |(object, _)| Some(object)) else { continue };
                match &reaction.action {
                    Action::Kill | Action::Damage { .. } | Action::Heal { .. } => {
                        let Some((life, health, toughness)) = mortals.get_mut(object) else { continue };
                        let is_fatal = match (&reaction.action, health) {
                            (Action::Kill, _) => true,
                            (&Action::Damage { points }, Some(health)) => {
                                if health.take(Damage { points }, grace_seconds(toughness, &rules)) {
                                    taken.send(DamageTaken { entity: object, by: entity, points });
                                }
                                health.left <= 0.0
                            }
                            (&Action::Heal { points }, Some(health)) => {
                                health.heal(points);
                                false
                            }
                            _ => false,
                        };
                        if is_fatal && life.is_alive {
                            kills.send(KillGameObject { entity: object });
                        }
                    }
                    Action::Spawn => {
                        if let Some((_, ActsOn { place })) = target {
                            spawns.send(SpawnGameObject { entity: object, pose: *place });
                        }
                    }
                    action => self.deeds.push(Deed { action: action.clone(), object }),
                }
            }
        }
    }

    /// Opens, closes, takes away, puts back and moves objects.
    fn act(
        &mut self,
        mut objects: Query<Switchable<'_>, IncludeDisabled>,
        mut physics: ResMut<Physics>,
        mut walls: ResMut<SolidWalls>,
        mut commands: Commands,
    ) {
        for Deed { action, object } in self.deeds.drain(..) {
            let Some((solid, transform, switch)) = objects.get_mut(object) else { continue };
            if let Action::Teleport { at_m, heading_rad } = action {
                let Some((body, ..)) = solid else { continue };
                let pose = Pose::new(Vec2::from(at_m), heading_rad.unwrap_or(transform.pose.heading));
                physics.set_pose(body.0, pose);
                *transform = Transform::at(pose);
                continue;
            }
            let Some(switch) = switch else { continue };
            let before = *switch;
            match action {
                Action::Open => switch.is_open = true,
                Action::Close => switch.is_open = false,
                Action::Enable => switch.is_away = false,
                Action::Disable => switch.is_away = true,
                _ => {}
            }
            if before.is_away != switch.is_away {
                if switch.is_away { commands.disable(object) } else { commands.enable(object) }
            }
            // A camera has no body.
            if let Some((body, kind, shape)) = solid.filter(|_| before.is_present() != switch.is_present()) {
                physics.set_enabled(body.0, switch.is_present());
                if kind.is_obstacle() {
                    walls.change(Block::around(shape.corners(transform.pose)), switch.is_present());
                }
            }
        }
    }

    fn on_begin(
        &mut self,
        event: &CollisionBegin,
        watched: Query<&LinkedFrom<Watches>, IncludeDisabled>,
        mut reactions: Query<Reactions<'_>>,
    ) {
        for (object, other, category) in [(event.a, event.b, event.category_b), (event.b, event.a, event.category_a)] {
            for &reaction in watched.get(object).into_iter().flat_map(|from| from.iter()) {
                let Some((reaction, progress)) = reactions.get_mut(reaction) else { continue };
                if !reaction.by.counts(category) {
                    continue;
                }
                match reaction.when {
                    When::Touched(_) => progress.begin(reaction, Some(other)),
                    When::Left(_) => progress.touching += 1,
                    _ => {}
                }
            }
        }
    }

    fn on_end(
        &mut self,
        event: &CollisionEnd,
        watched: Query<&LinkedFrom<Watches>, IncludeDisabled>,
        mut reactions: Query<Reactions<'_>>,
    ) {
        for (object, other, category) in [(event.a, event.b, event.category_b), (event.b, event.a, event.category_a)] {
            for &reaction in watched.get(object).into_iter().flat_map(|from| from.iter()) {
                let Some((reaction, progress)) = reactions.get_mut(reaction) else { continue };
                if matches!(reaction.when, When::Left(_)) && reaction.by.counts(category) && progress.touching > 0 {
                    progress.touching -= 1;
                    if progress.touching == 0 {
                        progress.begin(reaction, Some(other));
                    }
                }
            }
        }
    }

    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        watched: Query<&LinkedFrom<Watches>, IncludeDisabled>,
        mut reactions: Query<Reactions<'_>>,
    ) {
        for &reaction in watched.get(event.entity).into_iter().flat_map(|from| from.iter()) {
            if let Some((reaction, progress)) = reactions.get_mut(reaction)
                && matches!(reaction.when, When::Killed(_))
            {
                progress.begin(reaction, None);
            }
        }
    }

    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        watched: Query<&LinkedFrom<Watches>, IncludeDisabled>,
        mut reactions: Query<Reactions<'_>>,
    ) {
        for &reaction in watched.get(event.entity).into_iter().flat_map(|from| from.iter()) {
            if let Some((reaction, progress)) = reactions.get_mut(reaction)
                && matches!(reaction.when, When::Spawned(_))
            {
                progress.begin(reaction, None);
            }
        }
    }

    fn on_signal(&mut self, event: &SignalSent, mut reactions: Query<Reactions<'_>>) {
        for (reaction, progress) in &mut reactions {
            if matches!(&reaction.when, When::Heard(signal) if *signal == event.signal) {
                progress.begin(reaction, None);
            }
        }
    }

    fn on_collected(&mut self, event: &BountyCollected, mut reactions: Query<Reactions<'_>>) {
        happened(Happening::BountyCollected, Some(event.collector), &mut reactions);
    }

    fn on_stashed(&mut self, event: &BountyStashed, mut reactions: Query<Reactions<'_>>) {
        happened(Happening::BountyStashed, Some(event.collector), &mut reactions);
    }

    fn on_power_up(&mut self, event: &PowerUpTaken, mut reactions: Query<Reactions<'_>>) {
        happened(Happening::PowerUpTaken, Some(event.collector), &mut reactions);
    }

    fn on_claimed(&mut self, event: &CrownClaimed, mut reactions: Query<Reactions<'_>>) {
        happened(Happening::CrownClaimed, Some(event.hunter), &mut reactions);
    }

    fn on_full(&mut self, _: &StashFull, mut reactions: Query<Reactions<'_>>) {
        happened(Happening::StashFull, None, &mut reactions);
    }

    fn on_eliminated(&mut self, _: &PlayerEliminated, mut reactions: Query<Reactions<'_>>) {
        happened(Happening::PlayerEliminated, None, &mut reactions);
    }
}

fn happened(what: Happening, object: Option<EntityId>, reactions: &mut Query<Reactions<'_>>) {
    for (reaction, progress) in reactions {
        if reaction.when == When::Happened(what) {
            progress.begin(reaction, object);
        }
    }
}

/// Adds the reactions of a level; `objects` are its named places.
pub fn add_reactions(engine: &mut Engine, reactions: &[Reaction], objects: &[(&str, EntityId)]) {
    let find = |name: &str| objects.iter().find(|(other, _)| *other == name).map(|(_, object)| *object);
    for reaction in reactions {
        let entity = engine.spawn((reaction.clone(), Progress::at_the_start(reaction)));
        if let Some(object) = reaction.when.place().and_then(find) {
            engine.relate(entity, object, Watches).expect("both were spawned just now");
        }
        let Some(object) = reaction.to.as_deref().and_then(find) else { continue };
        let place = engine.get::<Transform>(object).map_or_else(Pose::default, |transform| transform.pose);
        engine.relate(entity, object, ActsOn { place }).expect("both were spawned just now");
        let switches = matches!(reaction.action, Action::Open | Action::Close | Action::Enable | Action::Disable);
        if switches && !engine.has::<Switch>(object) {
            engine.insert(object, (Switch::default(),)).expect("the object was spawned just now");
        }
    }
}

/// Despawns all reactions at the end of a match.
pub fn clear_reactions(engine: &mut Engine) {
    let mut reactions = Vec::new();
    engine.read_filtered::<EntityId, With<Reaction>>().for_each(|entity| reactions.push(entity));
    for reaction in reactions {
        engine.despawn(reaction).expect("the reaction was found just now");
    }
}
