// The panels of resources, systems, events and memory, the graph of events, and the comparison of frames.
"use strict";

panels.Resources = () => {
  const names = readLatest("names");
  if (!names) return [waiting()];
  const list = el("div", { class: "list", key: "list" }, el(Rows, {
    name: "resources", label: "resources", total: names.resources.length, skip: 0, query: "", rows: names.resources, keyOf: (name) => name, chosen: view.resource,
    choose: (name) => { view.resource = name; redraw(); },
    draw: (name, { isChosen, ...more }) => el("div", { ...more, class: isChosen ? "row chosen" : "row" }, name),
  }));
  const detail = (...children) => [list, el("div", { class: "detail", key: `detail ${view.resource}` }, children)];
  if (!view.resource) return detail(el("p", { class: "empty" }, "Choose a resource."));
  const answer = read("resource", { resource: view.resource });
  if (!answer) return detail(waiting());
  if (answer.error) return detail(el("p", { class: "empty" }, answer.error), systemOfTheName(view.resource));
  const set = (path, next) => act("set_resource", { resource: view.resource, path, value: next });
  return detail(valueBox(`resource ${view.resource}`, view.resource, answer.value, null, set, { resource: view.resource },
    el("button", { title: "why it has this value", onclick: () => askWhy({ resource: view.resource, path: "" }) }, "Why")),
    view.whyValue?.resource === view.resource ? whyValue() : null);
};

/** Where the state of a system is found that has the name of a resource; nothing if there is none. */
function systemOfTheName(resource) {
  const plain = (name) => name?.toLowerCase().replaceAll(" ", "");
  const isOfTheName = ({ name, state, state_name }) => state !== null && [name, state_name].some((own) => plain(own) === plain(resource));
  const system = read("systems")?.systems.find(isOfTheName);
  const show = () => { Object.assign(view, { tab: "Systems", system: system.name }); redraw(); };
  return system ? el("p", { class: "empty" }, "The system ", el("button", { class: "link", onclick: show }, system.name), " has a state: see Systems.") : null;
}

/** The phases whose graphs are open. */
const openGraphs = new Set();

function systemButton(system) {
  return el("button", { key: system.name, class: `system${system.enabled ? "" : " off"}${system.name === view.system ? " chosen" : ""}`, onclick: () => { view.system = system.name; redraw(); } }, system.name);
}

panels.Systems = () => {
  const systems = readLatest("systems")?.systems;
  if (!systems) return [waiting()];
  const phases = ["pre-update", "update", "post-update"].map((phase) => {
    const waves = new Map();
    for (const system of systems) {
      for (const place of system.phases.filter((place) => place.phase === phase)) {
        if (!waves.has(place.wave)) waves.set(place.wave, []);
        waves.get(place.wave).push(system);
      }
    }
    if (waves.size === 0) return null;
    const order = [...waves.keys()].sort((a, b) => a - b);
    const toggle = (event) => { openGraphs[event.target.open ? "add" : "delete"](phase); redraw(); };
    return el("div", { key: phase }, el("h3", {}, phase),
      el("div", { class: "waves" }, order.map((wave) => el("div", { class: "wave", key: wave }, el("small", {}, `wave ${wave}`), waves.get(wave).map(systemButton)))),
      el("details", { open: openGraphs.has(phase), ontoggle: toggle }, el("summary", { class: "faint" }, "as a graph: lines lead to the systems of the wave before that one waits for"),
        openGraphs.has(phase) ? el("div", { class: "scrolled" }, workGraph(phase, waves)) : null));
  });
  const chosen = systems.find((system) => system.name === view.system);
  const rows = systems.map((system) => ({
    key: system.name, class: system.enabled ? "" : "off",
    cells: [
      el("button", { class: "link", onclick: () => { view.system = system.name; redraw(); } }, system.name), system.runs,
      system.run_count ?? 0, microseconds(system.run_ms), microseconds(system.listen_ms), microseconds(system.slow_ms), system.most_allocations ?? "not counted",
      el("input", { type: "checkbox", checked: system.enabled, onchange: (event) => act("enable_system", { system: system.name, enabled: event.target.checked }) }),
    ],
  }));
  return [el("div", { class: "whole", key: "whole" }, phases,
    chosen ? systemDetail(chosen) : el("p", { class: "empty" }, "Systems of one wave may run at the same time. Choose one to see why it is where it is."),
    el("h3", {}, "execution order and times"),
    table(["system", "runs", "number of runs", "µs a frame", "µs in listeners", "99 % below µs", "most allocations a frame", "enabled"], rows, [2, 3, 4, 5, 6]))];
};

function systemDetail(system) {
  const facts = [
    ["priority", system.priority], ["runs", system.runs], ["after", system.after.join(", ")], ["sets", system.sets.join(", ")],
    ["runs if", system.conditions.join(", ")], ["place", system.reason ?? "no other system was ready at the same time"],
    ["reads", system.reads.join(", ")], ["writes", system.writes.join(", ")],
    ["listens to", system.listens.join(", ")], ["sends", system.sends.join(", ")], ["looks up", system.extras.join(", ")],
  ].filter(([, text]) => text);
  const conflicts = system.phases.flatMap((place) => place.conflicts.map((earlier) => ({
    cells: [place.phase, `${earlier.system} (wave ${earlier.wave})`, earlier.reasons.join(", ")],
  })));
  const runOnce = () => act("run_once", { system: system.name });
  return el("div", {}, el("h2", {}, system.name),
    el("div", { class: "tools" }, el("button", { onclick: runOnce, disabled: !status.paused || status.past !== null, title: "a frame in which only this system is enabled" }, "Run once")),
    el("div", { class: "fields" }, facts.flatMap(([name, text]) => [el("label", {}, name), el("span", {}, text)])),
    system.state === null ? null : [el("h3", { key: "state" }, "state"), el("div", { key: "state fields", class: "fields" }, readOnlyValue(system.state, { system: system.state_name }))],
    view.whyValue?.system && view.whyValue.system === system.state_name ? whyValue() : null,
    conflicts.length ? el("h3", {}, "waits for") : null,
    conflicts.length ? table(["phase", "system", "because of"], conflicts) : null);
}

panels.Events = () => {
  const query = { event: view.event, search: view.eventSearch, ...(/^\d+$/.test(view.eventFrame) ? { frame: Number(view.eventFrame) } : {}) };
  const found = readLatest("events", { ...query, ...sightOf("events") });
  const routes = readLatest("event_graph")?.routes ?? [];
  const { events = [], skip = 0, searched_to = null, has_more = false, known_from = 0 } = found ?? {};
  const types = el("select", { value: view.event, title: "the type of the events", onchange: (event) => { view.event = event.target.value; redraw(); } },
    el("option", { value: "" }, "all types"), routes.map(({ event }) => el("option", { key: event, value: event }, event)));
  const stop = el("button", { disabled: !view.event, title: "pause when such an event comes", onclick: () => act("break", { event: view.event, search: view.eventSearch }) }, "Stop at next");
  const draw = (event, { isChosen, ...more }) => el("div", { ...more, class: isChosen ? "row chosen" : "row" },
    el("span", { class: "id" }, String(event.frame)), event.name, el("span", { class: "faint" }, `${event.by.system ?? event.by.kind} ${shortValue(event.value)}`));
  const list = el("div", { class: "list", key: "list" },
    el("div", { class: "tools" }, types, textInput("eventSearch", "Value contains, or an entity such as 3v7"), textInput("eventFrame", "Of frame"), stop,
      status.breaks.length ? el("button", { onclick: () => act("clear_breaks") }, `Clear ${status.breaks.length} stop${status.breaks.length > 1 ? "s" : ""}`) : null,
      searched_to === null ? null : el("span", { class: "alarm" }, `searched back to frame ${searched_to}, for more there was no time: name a type`)),
    found && events.length === 0 && skip === 0 ? el("p", { class: "empty" }, `No such event from frame ${known_from} on.${known_from > (status.oldest ?? 0) + 1 ? " Show an earlier frame to see what was sent there." : ""}`) : null,
    el(Rows, {
      name: "events", key: "events", label: "events", total: skip + events.length + (has_more ? 100 : 0), skip, query: found?.asked, rows: events, draw,
      keyOf: ({ event }) => event, chosen: view.why?.event, choose: ({ event, name, frame }) => { view.why = { event, name, frame }; redraw(); },
    }));
  if (!view.why) return [list, el("div", { class: "detail", key: "detail" }, el("p", { class: "empty" }, "Choose an event to see its chain of causes."))];
  const route = routes.find(({ event }) => event === view.why.name);
  return [list, el("div", { class: "detail", key: "detail" }, el("h2", {}, "Why?"), chains({ event: view.why.event }),
    route ? el("h3", {}, "listeners") : null, route ? el("p", {}, route.listeners.join(" → ") || "none") : null)];
};

panels.Graph = () => {
  const answer = readLatest("event_graph");
  if (!answer) return [waiting()];
  const { routes, issues } = answer;
  const show = (event) => () => { Object.assign(view, { tab: "Events", event }); redraw(); };
  return [el("div", { class: "whole", key: "whole" }, issues.map((issue) => el("p", { class: "alarm", key: issue }, issue)),
    el("div", { class: "scrolled", key: "graph" }, graphOf(routes)),
    el("h3", {}, "counters"), table(["event", "senders", "listeners", "sent", "delivered", "peak a frame"], routes.map((route) => ({
      key: route.event,
      cells: [el("button", { class: "link", onclick: show(route.event) }, route.event),
        [...(route.from_outside ? ["(outside)"] : []), ...route.senders].join(", "), route.listeners.join(", "), route.sent, route.delivered, route.peak],
    })), [3, 4, 5]))];
};

panels.Memory = () => {
  const answer = readLatest("memory", { pool: view.pool ?? "" });
  if (!answer) return [waiting()];
  const { bytes, history, pool_history, pools, buffers, kinds } = answer;
  const legend = Object.entries(MEMORY_COLORS).map(([part, color]) => el("span", { class: "faint" }, colored("■", color), ` ${part} ${kib(history.at(-1)[part])} `));
  const choosePool = (pool) => () => { view.pool = pool.component === view.pool ? null : pool.component; redraw(); };
  return [el("div", { class: "whole", key: "whole" },
    el("h2", {}, `${kib(bytes)} on the heap`), memoryGraph("bytes on the heap over the last frames", 80, history, MEMORY_COLORS), el("div", {}, legend, `since frame ${history[0].frame}`),
    view.pool && pool_history.length ? el("div", { key: `pool ${view.pool}` }, el("h3", {}, `${view.pool}: ${kib(pool_history.at(-1))}, values and index`),
      memoryGraph(`bytes of ${view.pool} over the last frames`, 60, pool_history.map((pool) => ({ pool })), { pool: "#5aa9ff" })) : null,
    el("h3", {}, "pools"), table(["component", "count", "enabled", "peak", "values", "index"], pools.map((pool) => ({
      key: pool.component, class: pool.component === view.pool ? "chosen" : "",
      cells: [el("button", { class: "link", title: "over time", onclick: choosePool(pool) }, pool.component), pool.count, pool.enabled, pool.peak, kib(pool.value_bytes), kib(pool.index_bytes)],
    })), [1, 2, 3, 4, 5]),
    el("h3", {}, "buffers of systems"), table(["system", "events", "most in a frame", "commands"], buffers.map((buffer) => ({
      cells: [buffer.system, kib(buffer.event_bytes), kib(buffer.event_bytes_peak), kib(buffer.command_bytes)],
    })), [1, 2, 3]),
    el("h3", {}, "kinds of entities"), kinds.length ? table(["made with", "entities", "with extras"], kinds.map((kind) => ({
      cells: [kind.components.join(", ") || "nothing", kind.entities, kind.with_extras],
    })), [1, 2]) : el("p", { class: "faint" }, "none"))];
};

/** Where the shown branch and another one part; nothing while there is only one. */
function branchComparison() {
  const branches = answers.get(BRANCHES)?.branches ?? [];
  const own = branches.find(({ current }) => current);
  const others = branches.filter(({ current }) => !current);
  if (!own || others.length === 0) return null;
  const set = (field, value) => { Object.assign(view, { [field]: value }); redraw(); };
  const chosen = others.find(({ branch }) => branch === view.compareWith);
  const tools = el("div", { class: "tools", key: "branch tools" }, `branch ${own.name} with`,
    el("select", { name: "compareWith", "aria-label": "other branch", value: String(chosen?.branch ?? ""), onchange: (event) => set("compareWith", Number(event.target.value)) },
      el("option", { value: "" }, "none"), others.map(({ branch, name }) => el("option", { key: branch, value: String(branch) }, name))),
    "fold numbers that are at most", el("input", { type: "number", min: 0, step: "any", name: "compareBound", "aria-label": "bound", value: view.compareBound ?? 0, onchange: (event) => set("compareBound", Math.max(0, event.target.valueAsNumber || 0)) }), "apart");
  return el("div", { key: "branch comparison" }, el("h3", {}, "two branches"), tools, chosen ? branchDifferences(own, chosen) : null, el("h3", {}, "two frames"));
}

function branchDifferences(own, chosen) {
  const bound = view.compareBound ?? 0;
  const about = JSON.stringify([own.branch, chosen.branch, bound, status.paused ? [own.latest, chosen.latest, status.undo, status.redo] : null]);
  // Each answer has little time, so the next one goes on behind it.
  let [from, folded, answer] = [null, null, null];
  for (let part = 0; ; part += 1) {
    answer = readOnce(`branches ${part}`, JSON.stringify([about, from]), "compare_branches", { with: chosen.branch, bound, from });
    if (!answer) return el("p", { class: "faint" }, from === null ? "looking…" : `equal up to frame ${from}, looking on…`);
    if (answer.error) return el("p", { class: "alarm" }, answer.error);
    folded ??= answer.folded;
    if (answer.searched_to === null) break;
    from = answer.searched_to;
  }
  const { common, last, frame, differences, count } = answer;
  const told = folded ? el("p", { class: "faint" }, `folded, from frame ${folded.frame} on: ${folded.what}`) : null;
  if (frame === null) return el("div", {}, el("p", { class: "empty" }, `Nothing differs from frame ${common} to ${last}.`), told);
  const show = (branch) => el("button", { title: "show this frame of the branch", onclick: () => act("branch", { branch: branch.branch, frame }) }, branch.name);
  const value = (text) => el("code", {}, text ?? "absent");
  let before = null;
  const rows = differences.map(({ owner, entity, label, field, own: one, other }) => {
    const isSame = owner === before;
    before = owner;
    return { cells: [isSame ? "" : entity ? [entityLink(entity), label ? ` (${label})` : ""] : owner, field, value(one), value(other)] };
  });
  return el("div", {}, el("p", {}, `They part at frame ${common}, and frame ${frame} is the first in which values differ: show it of `, show(own), " or ", show(chosen)), told,
    table(["owner", "field", own.name, chosen.name], rows),
    count > differences.length ? el("p", { class: "faint" }, `and ${count - differences.length} more values`) : null);
}

panels.Compare = () => {
  const shown = status.past ?? status.latest;
  view.from ??= status.oldest;
  view.to ??= shown;
  const set = (field, value) => { Object.assign(view, { [field]: value, after: null }); redraw(); };
  const frame = (field) => el("input", { key: field, type: "number", value: view[field] ?? 0, onchange: (event) => set(field, event.target.valueAsNumber) });
  const here = (field) => el("button", { onclick: () => set(field, shown) }, "shown frame");
  const tools = el("div", { class: "tools", key: "tools" }, "from frame", frame("from"), here("from"), "to frame", frame("to"), here("to"));
  const whole = (...children) => [el("div", { class: "whole", key: "whole" }, branchComparison(), tools, children)];
  // Looking at other frames costs the program time, so that is not repeated.
  const key = JSON.stringify([view.from, view.to, view.after, status.paused ? [status.undo, status.redo] : null]);
  const answer = readOnce("compare", key, "compare", { from: view.from ?? 0, to: view.to ?? 0, after: view.after });
  if (!answer) return whole(waiting());
  if (answer.error) return whole(el("p", { class: "alarm" }, answer.error));
  const { from, to, entities, compared_to } = answer;
  const rows = entities.flatMap(({ entity, spawned, despawned, differences }) => {
    if (spawned || despawned) return [{ cells: [entityLink(entity), spawned ? "spawned" : "despawned", "", ""] }];
    return differences.map(({ path, before, after, added, removed }) => ({
      cells: [entityLink(entity), path.slice(1), el("code", {}, added ? "absent" : shortValue(before)), el("code", {}, removed ? "absent" : shortValue(after))],
    }));
  });
  const goOn = (after) => () => { view.after = after; redraw(); };
  return whole(
    from !== view.from || to !== view.to ? el("p", { class: "alarm" }, `compared are the frames ${from} and ${to}`) : null,
    rows.length ? table(["entity", "field", "before", "after"], rows) : el("p", { class: "empty" }, "Nothing differs."),
    view.after ? el("p", { class: "faint" }, `these follow entity ${view.after} `, el("button", { onclick: goOn(null) }, "From the first")) : null,
    compared_to ? el("p", { class: "faint" }, `compared up to entity ${compared_to} `, el("button", { onclick: goOn(compared_to) }, "Go on")) : null);
};
