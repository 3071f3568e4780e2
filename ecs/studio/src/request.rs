//! The requests of the protocol, as JSON objects with the field `op`.

use serde::Deserialize;
use serde_json::Value;

/// A request. Ids of entities are texts such as `"3v7"`; component and resource names are those of the type registry.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// The time, the pace and the number of entities.
    Status {},
    /// Entities, each with its label, its parent and the names of its components.
    Entities {
        /// They have all of these components; also conditions such as `pocket.carried > 5`.
        #[serde(default)]
        with: Vec<String>,
        /// They have none of these components.
        #[serde(default)]
        without: Vec<String>,
        /// Their id, label, a component name or a value contains this text.
        #[serde(default)]
        search: String,
        /// The values of these components are sent along.
        #[serde(default)]
        columns: Vec<String>,
        /// They are sorted by this component, or a part of it such as `pocket/carried`; else by their ids.
        #[serde(default)]
        sort: String,
        /// They are sorted by their labels.
        #[serde(default)]
        by_label: bool,
        #[serde(default)]
        descending: bool,
        /// In place of an order: each entity follows its parent, and is sent with its depth.
        #[serde(default)]
        tree: bool,
        /// So many of the first rows are left out.
        #[serde(default)]
        skip: usize,
        #[serde(default)]
        limit: Option<usize>,
    },
    /// One entity with the values of its components.
    Entity {
        entity: String,
    },
    /// The names of all registered components and resources.
    Names {},
    /// The value of a resource.
    Resource {
        resource: String,
    },
    /// The systems in execution order, with reasons and times.
    Systems {},
    /// Events up to the shown frame, the latest first.
    Events {
        /// Only of this type.
        #[serde(default)]
        event: String,
        /// Their value contains this text.
        #[serde(default)]
        search: String,
        /// Only of this frame.
        #[serde(default)]
        frame: Option<u64>,
        /// So many of the latest are left out.
        #[serde(default)]
        skip: usize,
        #[serde(default)]
        limit: Option<usize>,
    },
    /// The senders and listeners of each event type.
    EventGraph {},
    /// What the type expects at a place: the names of an enum, and the limits of a number in its own words; none if
    /// there are none.
    Expected {
        #[serde(default)]
        component: String,
        #[serde(default)]
        entity: String,
        /// In place of a component.
        #[serde(default)]
        resource: String,
        #[serde(default)]
        path: String,
    },
    /// When a component of an entity, or a part of it, changed in the last frames, the latest first; which systems
    /// write it; and what happened to the entity in these frames.
    WhyValue {
        entity: String,
        component: String,
        #[serde(default)]
        path: String,
    },
    /// What wrote a component of an entity, a resource or the state of a system, or a part of it, in the shown frame or
    /// in another one, and where it had the value from; if nothing did, what could have and why it did not.
    Blame {
        #[serde(default)]
        entity: String,
        #[serde(default)]
        component: String,
        /// In place of a component.
        #[serde(default)]
        resource: String,
        /// The state of a system, in place of a component.
        #[serde(default)]
        system: String,
        #[serde(default)]
        path: String,
        #[serde(default)]
        frame: Option<u64>,
        /// Of the last frame, up to this one, in which it changed.
        #[serde(default)]
        last_change: bool,
    },
    /// The chain of causes of an event or a command, or of all commands that changed an entity.
    Why {
        #[serde(default)]
        event: Option<u64>,
        #[serde(default)]
        change: Option<u64>,
        #[serde(default)]
        entity: Option<String>,
    },
    /// Bytes of pools and buffers, and the kinds of entities.
    Memory {
        /// The bytes of this pool over time are sent along.
        #[serde(default)]
        pool: String,
    },
    /// What differs between two frames.
    Compare {
        from: u64,
        to: u64,
        /// Only the entities that follow this one.
        #[serde(default)]
        after: Option<String>,
    },
    /// Where the shown branch and another one part.
    CompareBranches {
        with: u64,
        /// From this frame on, for more than one answer has time for.
        #[serde(default)]
        from: Option<u64>,
        /// Numbers that are at most this far apart are folded.
        #[serde(default)]
        bound: f64,
    },
    /// Stops before the next frame.
    Pause {},
    /// Shows the present again, if the past is shown. The program runs on if it ran when the past was entered.
    Now {},
    /// Makes the shown frame of the past the present of a new branch, which is paused there.
    BeginBranch {},
    /// Goes on: from the present, or from the shown frame of the past, in a new branch.
    Run {
        #[serde(default)]
        from_here: bool,
    },
    /// Runs so many frames; in the past, shows the frame that comes so many later.
    Step {
        #[serde(default = "one")]
        frames: u32,
    },
    /// Shows the state within the next frame, when one more system has run: those that come later in the execution
    /// order do not run, and hear nothing. After the last system the frame is run as a whole.
    StepSystem {},
    /// Runs a frame in which only this system is enabled.
    RunOnce {
        system: String,
    },
    /// Shows this frame of the branch, and stops there.
    Seek {
        frame: u64,
    },
    /// All branches.
    Branches {},
    /// Shows a branch, at its latest frame or at another one, and stops there.
    Branch {
        branch: u64,
        #[serde(default)]
        frame: Option<u64>,
    },
    /// Gives a branch another name.
    NameBranch {
        branch: u64,
        name: String,
    },
    /// Ends a program without a window that waits at its end.
    End {},
    /// Stops after a frame with an event of this type whose value contains a text.
    Break {
        event: String,
        #[serde(default)]
        search: String,
    },
    /// Looks for the next frame in which a question holds, or for the last one before the shown frame, and stops there.
    /// Takes the place of the search before.
    Find {
        question: String,
        #[serde(default)]
        backward: bool,
    },
    /// Ends the search.
    EndSearch {},
    /// The number of a question in each frame of the branch, as far as it is filled in: the least and the greatest one
    /// of each of so many spans.
    Curve {
        question: String,
        columns: usize,
    },
    /// Removes all breaks.
    ClearBreaks {},
    /// Sets a component to a value, or inserts it; or one part of it, if there is a path such as `/pose/position/0`
    /// (RFC 6901).
    SetComponent {
        entity: String,
        component: String,
        #[serde(default)]
        path: String,
        value: Value,
    },
    RemoveComponent {
        entity: String,
        component: String,
    },
    EnableComponent {
        entity: String,
        component: String,
        enabled: bool,
    },
    SetResource {
        resource: String,
        #[serde(default)]
        path: String,
        value: Value,
    },
    /// Spawns an entity without components, or from a prefab, with arguments that the program knows.
    Spawn {
        #[serde(default)]
        prefab: Option<String>,
        #[serde(default)]
        arguments: Value,
    },
    Despawn {
        entity: String,
    },
    EnableEntity {
        entity: String,
        enabled: bool,
    },
    EnableSystem {
        system: String,
        enabled: bool,
    },
    /// A request to a panel of the program.
    Panel {
        panel: String,
        #[serde(default)]
        request: Value,
    },
    /// Sends the answers to these requests to an open stream, now and when they change; they take the place of those
    /// before.
    Watch {
        stream: String,
        requests: Vec<WatchedRequest>,
    },
    Undo {},
    Redo {},
    /// Marks an entity, for the page and for the window of the program; no entity unmarks.
    Select {
        #[serde(default)]
        entity: Option<String>,
    },
    /// The shown moment as a save, in hexadecimal digits.
    Save {},
    /// Begins a branch with a save.
    Load {
        moment: String,
    },
}

/// A request of [`Request::Watch`], with the name under which its answers are sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchedRequest {
    pub(crate) key: String,
    pub(crate) request: Request,
}

impl Request {
    /// Whether its answer changes nothing, so that it can be asked again and again. What a panel does is the program's
    /// own matter.
    pub(crate) fn only_reads(&self) -> bool {
        matches!(
            self,
            Self::Status {}
                | Self::Entities { .. }
                | Self::Entity { .. }
                | Self::Names {}
                | Self::Branches {}
                | Self::Curve { .. }
                | Self::Resource { .. }
                | Self::Systems {}
                | Self::Events { .. }
                | Self::EventGraph {}
                | Self::Expected { .. }
                | Self::WhyValue { .. }
                | Self::Blame { .. }
                | Self::Why { .. }
                | Self::Memory { .. }
                | Self::Compare { .. }
                | Self::CompareBranches { .. }
                | Self::Panel { .. }
        )
    }

    /// Whether it needs a whole frame.
    pub(crate) fn leaves_the_middle_of_a_frame(&self) -> bool {
        matches!(
            self,
            Self::Run { .. }
                | Self::Step { .. }
                | Self::RunOnce { .. }
                | Self::Seek { .. }
                | Self::Branch { .. }
                | Self::Save {}
                | Self::Load { .. }
        )
    }
}

fn one() -> u32 {
    1
}
