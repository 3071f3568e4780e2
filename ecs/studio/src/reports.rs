//! Reports of the engine as JSON: systems, the event graph, memory.

use std::time::Duration;

use ecs::Engine;
use ecs::component::ComponentInfo;
use ecs::engine::BufferMemory;
use ecs::event::EventRoute;
use ecs::system::{KindInfo, Reason, ScheduledSystem, SystemInPhase};
use serde_json::{Value, json};

use crate::costs::{Costs, MemorySample};
use crate::edits::Place;
use crate::values::Answer;

/// The execution order, with reasons, waves, conflicts and times.
pub(crate) fn systems(engine: &mut Engine, costs: &Costs) -> Answer {
    let explained = engine.explain().map_err(|error| error.to_string())?;
    let states: Vec<_> = {
        let inspector = engine.inspector();
        let state = |name: String| Some((Place::System(name.clone()).value(&inspector)?, name));
        inspector.state_names().into_iter().map(|name| name.and_then(state)).collect()
    };
    let infos: Vec<_> = engine.systems().iter().collect();
    let phase = |place: &SystemInPhase| {
        let conflicts: Vec<_> = place
            .conflicts
            .iter()
            .map(|earlier| {
                let reasons: Vec<_> = earlier.reasons.iter().map(ToString::to_string).collect();
                json!({ "system": earlier.system, "wave": earlier.wave, "reasons": reasons })
            })
            .collect();
        json!({
            "phase": place.phase, "wave": place.wave, "waves": place.waves, "beside": place.beside,
            "conflicts": conflicts,
        })
    };
    let system = |(place, state): (&ScheduledSystem, Option<(Value, String)>)| {
        let (state, state_name) = state.unzip();
        let info = infos.iter().find(|info| info.name == place.system);
        let cost = costs.of_system(place.system);
        let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
        let reason = place.ahead_of.map(|(other, reason)| match reason {
            Reason::Priority => format!("before {other}: its priority is higher"),
            Reason::AddedEarlier => format!("before {other}: it was added earlier"),
        });
        json!({
            "name": place.system,
            "enabled": place.is_enabled,
            "state": state,
            "state_name": state_name,
            "priority": place.priority.to_string(),
            "runs": place.runs,
            "after": place.after,
            "sets": place.sets,
            "conditions": place.conditions,
            "reason": reason,
            "phases": place.phases.iter().map(phase).collect::<Vec<_>>(),
            "listens": place.listens,
            "sends": place.sends,
            "reads": place.reads,
            "writes": place.writes,
            "extras": place.extras,
            "run_count": info.map(|info| info.runs),
            "run_ms": cost.map(|cost| milliseconds(cost.running)),
            "listen_ms": cost.map(|cost| milliseconds(cost.listening)),
            "slow_ms": cost.map(|cost| milliseconds(cost.slow)),
            "most_allocations": cost.and_then(|cost| cost.most_allocations),
        })
    };
    let systems: Vec<_> = explained.systems.iter().zip(states).map(system).collect();
    Ok(json!({ "systems": systems }))
}

/// The senders and listeners of each event type.
pub(crate) fn event_graph(engine: &mut Engine) -> Answer {
    let graph = engine.event_graph().map_err(|error| error.to_string())?;
    let route = |route: &EventRoute| {
        json!({
            "event": route.event, "senders": route.senders, "from_outside": route.comes_from_outside,
            "listeners": route.listeners, "sent": route.counters.sent, "delivered": route.counters.delivered,
            "bytes": route.counters.bytes, "peak": route.counters.peak,
        })
    };
    let routes: Vec<_> = graph.routes.iter().map(route).collect();
    let issues: Vec<_> = graph.issues().iter().map(ToString::to_string).collect();
    Ok(json!({ "routes": routes, "issues": issues }))
}

/// Bytes of pools and buffers, now and over time, and the kinds of entities.
pub(crate) fn memory(engine: &mut Engine, costs: &Costs, pool: &str) -> Answer {
    let report = engine.memory();
    let of_pool = |pool: &ComponentInfo| {
        json!({
            "component": pool.name, "count": pool.len, "enabled": pool.enabled, "peak": pool.peak,
            "value_bytes": pool.value_bytes_held, "index_bytes": pool.index_bytes_held,
        })
    };
    let buffer = |buffer: &BufferMemory| {
        json!({
            "system": buffer.system, "event_bytes": buffer.event_bytes_held, "event_bytes_peak": buffer.event_bytes_peak,
            "command_bytes": buffer.command_bytes_held,
        })
    };
    let kinds = engine.explain().map_err(|error| error.to_string())?.kinds;
    let kind = |kind: &KindInfo| json!({ "components": kind.components, "entities": kind.entities, "with_extras": kind.with_extras });
    let sample = |sample: &MemorySample| {
        json!({
            "frame": sample.frame, "values": sample.values, "indices": sample.indices, "buffers": sample.buffers,
            "other": sample.other,
        })
    };
    Ok(json!({
        "history": costs.memory().map(sample).collect::<Vec<_>>(),
        "pool_history": costs.memory().map(|sample| sample.of_pool(pool)).collect::<Vec<_>>(),
        "bytes": report.held_bytes(),
        "entity_bytes": report.entities.held_bytes,
        "other_bytes": report.other_bytes_held,
        "pools": report.pools.iter().map(of_pool).collect::<Vec<_>>(),
        "buffers": report.buffers.iter().map(buffer).collect::<Vec<_>>(),
        "kinds": kinds.iter().map(kind).collect::<Vec<_>>(),
    }))
}
