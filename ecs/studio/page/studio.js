// The page of the studio: a client of the protocol in docs/guide/src/studio.md. No library, no build step.
"use strict";

const token = new URLSearchParams(location.search).get("token");

/** Sends a request; throws the sentence with which it is refused. */
async function ask(op, more = {}) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers["X-Token"] = token;
  const response = await fetch("api", { method: "POST", headers, body: JSON.stringify({ op, ...more }) });
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** Sends a request to a panel of the program; throws the sentence with which it is refused. */
async function askPanel(panel, request) {
  return (await ask("panel", { panel, request })).value;
}

/** Makes an element: el("div", { class: "row" }, "text", child…). */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list") element[key === "class" ? "className" : key] = value;
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const $ = (id) => document.getElementById(id);
const panel = $("panel");
let status = null;
/** The chosen tab, entity and so on. */
const view = {
  tab: "Entities", entity: null, search: "", with: "", sort: null, descending: false, resource: null, system: null,
  event: "", eventSearch: "", eventFrame: "", why: null, whyValue: null, pool: null, from: null, to: null, after: null, raw: new Set(),
};

function say(text, isNotice = false) {
  $("message").textContent = text;
  $("message").className = isNotice ? "notice" : "";
}

/** Carries out something that changes the program, then shows the new state. */
async function act(op, more) {
  try {
    await ask(op, more);
    say("");
  } catch (error) {
    say(error.message);
  }
  await refresh(true);
}

// --- values ---

const UNITS = { m: "m", mps: "m/s", mps2: "m/s²", seconds: "s", ms: "ms", ticks: "ticks", radians: "rad", degrees: "°", kg: "kg", hz: "Hz" };
const unitOf = (field) => UNITS[field.split("_").at(-1)] ?? "";
const isEntity = (value) => value && typeof value === "object" && "idx" in value && "version" in value && Object.keys(value).length === 2;

/** The index of an id that names no entity. */
const NO_ENTITY = 2 ** 32 - 1;
const nameOf = ({ idx, version }) => (idx === NO_ENTITY ? "none" : `${idx}v${version}`);

function entityLink(id) {
  return el("button", { class: "link", onclick: () => choose(id) }, id);
}

function choose(id) {
  Object.assign(view, { tab: "Entities", entity: id });
  act("select", { entity: id });
}

/** The entity that was last marked, here or in the window of the program. */
let marked = null;

/** Shows an entity that was marked in the window. */
function followMark() {
  if (status.selected === marked) return;
  marked = status.selected;
  if (marked && marked !== view.entity) Object.assign(view, { tab: "Entities", entity: marked });
}

async function saveMoment() {
  try {
    const { frame, moment } = await ask("save");
    const link = el("a", { href: URL.createObjectURL(new Blob([moment])), download: `frame_${frame}.moment` });
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    say(error.message);
  }
}

function loadMoment() {
  if (!confirm("A moment takes the place of the present, and of all kept frames. Load one?")) return;
  const input = el("input", { type: "file" });
  input.addEventListener("change", async () => {
    await act("load", { moment: (await input.files[0].text()).trim() });
  });
  input.click();
}

const isColor = (text) => /^#[0-9a-f]{6}$/i.test(text);

/** What the type of each value that was pointed at expects. */
const knownTypes = new Map();

/** What the type of a value expects, which is asked for once, or only if it `isKnown`. */
function expected(place, path, isKnown = false) {
  const key = JSON.stringify([place.component ?? place.resource, path]);
  if (!knownTypes.has(key) && !isKnown) {
    const nothing = { choices: [], limits: [], option: false };
    const asked = { known: null, answer: null };
    asked.answer = ask("expected", { ...place, path }).catch(() => { knownTypes.delete(key); return nothing; }).then((answer) => { asked.known = answer; return answer; });
    knownTypes.set(key, asked);
  }
  return knownTypes.get(key);
}

/** A selection of the names that an enum may have, once they are known; null if it is none. */
function choiceEditor(name, change, path, place) {
  const { known, answer } = expected(place, path);
  if (known === null) answer.then(({ choices }) => choices.length && refresh(true));
  if (!known?.choices.length) return null;
  return el("select", { onchange: (event) => change(path, event.target.value) },
    ...[...new Set([name, ...known.choices])].map((other) => el("option", { value: other, selected: other === name }, other)));
}

/** A value, with an input for each part; `change` gets the path of the part (RFC 6901) and its new value, `place` names what has it. */
function valueEditor(value, change, place, path = "", field = "") {
  if (value === null || value === undefined) {
    // What an option holds is written as JSON: its type is not known here.
    const input = el("input", { type: "text", placeholder: "none, or a value as JSON" });
    input.addEventListener("change", () => {
      try { change(path, JSON.parse(input.value)); } catch (error) { say(error.message); }
    });
    return input;
  }
  if (isEntity(value)) return value.idx === NO_ENTITY ? el("span", {}, "none") : entityLink(nameOf(value));
  if (typeof value === "boolean") {
    return el("input", { type: "checkbox", checked: value, onchange: (event) => change(path, event.target.checked) });
  }
  if (typeof value === "number") {
    // JavaScript rounds larger integers, so that they are only shown.
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isInteger(value)) return el("span", { class: "faint" }, `about ${value}`);
    const input = el("input", { type: "number", step: "any", value: shortNumber(value) });
    input.addEventListener("change", () => Number.isFinite(input.valueAsNumber) && change(path, input.valueAsNumber));
    input.addEventListener("mouseenter", async () => {
      const { limits } = await expected(place, path).answer;
      input.title = limits.map((limit) => `must be ${limit}`).join(", ");
    });
    return el("span", {}, input, el("span", { class: "unit" }, unitOf(field)));
  }
  if (typeof value === "string") {
    return choiceEditor(value, change, path, place)
      ?? el("input", { type: isColor(value) ? "color" : "text", value, onchange: (event) => change(path, event.target.value) });
  }
  const entries = Array.isArray(value) ? value.map((item, place) => [place, item]) : Object.entries(value);
  const fields = el("div", { class: "fields" });
  // A few numbers are a place or a colour, not a list.
  const isList = Array.isArray(value) && !isRounded(value) && (value.length > 4 || value.some((item) => typeof item !== "number"));
  // An enum with content is an object with its name as the only field.
  const variant = !Array.isArray(value) && entries.length === 1 && /^[A-Z]/.test(entries[0][0]) ? choiceEditor(entries[0][0], change, path, place) : null;
  if (variant) fields.append(el("label", {}, "kind"), variant);
  for (const [key, item] of entries.slice(0, 200)) {
    const below = `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const isWhy = place.entity && (typeof item !== "object" || item === null);
    const why = () => { view.whyValue = { ...place, path: below }; refresh(true); };
    const label = isWhy ? el("button", { class: "link name", title: "why it has this value", onclick: why }, String(key)) : el("label", {}, String(key));
    // An item of a list can be left out.
    const without = isList && item !== null ? el("button", { title: "remove this item", onclick: () => change(path, value.toSpliced(key, 1)) }, "×") : null;
    const part = el("div", { class: "part" }, valueEditor(item, change, place, below, String(key)), without);
    if (item !== null) {
      // An option is emptied by a button, which comes when the value is pointed at.
      const empty = el("button", { title: "make it empty", hidden: !expected(place, below, true)?.known?.option, onclick: () => change(below, null) }, "none");
      part.append(empty);
      part.addEventListener("mouseenter", async () => { empty.hidden = !(await expected(place, below).answer).option; });
    }
    fields.append(label, part);
  }
  if (isList && value.length > 0) {
    fields.append(el("span", {}, ""), el("button", { class: "add", title: "add a copy of the last item", onclick: () => change(path, [...value, value.at(-1)]) }, "+"));
  }
  if (entries.length > 200) fields.append(el("span", { class: "faint" }, `and ${entries.length - 200} more`));
  if (entries.length === 0) return el("span", { class: "faint" }, Array.isArray(value) ? "empty list" : "no fields");
  return fields;
}

/** A 32-bit number without the digits that it does not have. */
function shortNumber(value) {
  return Math.fround(value) === value && !Number.isInteger(value) ? Number(value.toPrecision(8)) : value;
}

/** A value on one line, with ids as people read them. */
function shortValue(value) {
  const short = (_, item) => (typeof item === "number" ? shortNumber(item) : isEntity(item) ? nameOf(item) : item);
  return JSON.stringify(value, short);
}

/** Whether JavaScript rounds a number in a value, so that the whole must not be sent back. */
const isRounded = (value) => (typeof value === "object" && value !== null ? Object.values(value).some(isRounded) : Number.isInteger(value) && !Number.isSafeInteger(value));

/** A component or a resource: a title, buttons, and its value as fields or as JSON. `set` gets a path and a value. */
function valueBox(key, title, value, problem, set, place, ...buttons) {
  const isRaw = view.raw.has(key);
  const toggle = el("button", { onclick: () => { isRaw ? view.raw.delete(key) : view.raw.add(key); refresh(true); } }, isRaw ? "Fields" : "JSON");
  let body;
  if (problem) body = el("span", { class: "faint" }, problem);
  else if (isRaw) {
    const text = el("textarea", { value: JSON.stringify(value, null, 2) });
    const apply = () => {
      try { set("", JSON.parse(text.value)); } catch (error) { say(error.message); }
    };
    const cannot = isRounded(value) ? "it has numbers that a browser rounds: change its fields" : "";
    body = el("div", {}, text, el("button", { onclick: apply, disabled: cannot !== "", title: cannot }, "Apply"));
  } else body = valueEditor(value, set, place);
  return el("section", { class: "component" }, el("div", {}, el("strong", {}, title), problem ? null : toggle, ...buttons), el("div", { class: "body" }, body));
}

// --- panels ---

const panels = {
  async Entities() {
    const named = view.with.split(",").map((name) => name.trim()).filter(Boolean);
    const wanted = named.filter((name) => !name.startsWith("!"));
    const without = named.filter((name) => name.startsWith("!")).map((name) => name.slice(1));
    // A condition such as "pocket.carried > 5" names its component first.
    const columns = [...new Set(wanted.map((text) => text.split(/[.<>=!]/)[0].trim()))];
    const sort = sortOf(columns);
    const [{ entities, total, searched, is_search_cut, is_sort_cut }, names] = await Promise.all([
      ask("entities", { with: wanted, without, search: view.search, columns, sort, descending: view.descending }), ask("names"),
    ]);
    const list = el("div", { class: "list" });
    list.append(el("div", { class: "tools" },
      textInput("search", "Search ids, names, components and values"),
      textInput("with", "With, such as: ball, !mark, ball.height_m > 2", "component-names"),
      el("datalist", { id: "component-names" }, ...names.components.map((name) => el("option", { value: name }))),
      spawnTools(names.prefabs),
      el("span", { class: "faint" }, entities.length < total ? `the first ${entities.length} of ${total}` : `${total}`),
      is_search_cut ? el("span", { class: "alarm" }, `the first ${searched} entities are searched, for more there was no time: name a component`) : null,
      is_sort_cut ? el("span", { class: "alarm" }, "not all are sorted, for which there was no time") : null));
    list.append(columns.length ? entityTable(entities, columns) : entityTree(entities));
    return [list, await entityDetail(names)];
  },

  async Resources() {
    const { resources } = await ask("names");
    const list = el("div", { class: "list" });
    for (const name of resources) {
      list.append(el("div", { class: name === view.resource ? "row chosen" : "row", onclick: () => { view.resource = name; refresh(true); } }, name));
    }
    const detail = el("div", { class: "detail" });
    if (view.resource) {
      try {
        const { value } = await ask("resource", { resource: view.resource });
        const set = (path, next) => act("set_resource", { resource: view.resource, path, value: next });
        detail.append(valueBox(`resource ${view.resource}`, view.resource, value, null, set, { resource: view.resource }));
      } catch (error) {
        detail.append(el("p", { class: "empty" }, error.message));
      }
    } else detail.append(el("p", { class: "empty" }, "Choose a resource."));
    return [list, detail];
  },

  async Systems() {
    const { systems } = await ask("systems");
    const whole = el("div", { class: "whole" });
    for (const phase of ["pre-update", "update", "post-update"]) {
      const waves = new Map();
      for (const system of systems) {
        for (const place of system.phases.filter((place) => place.phase === phase)) {
          if (!waves.has(place.wave)) waves.set(place.wave, []);
          waves.get(place.wave).push(system);
        }
      }
      if (waves.size === 0) continue;
      whole.append(el("h3", {}, phase));
      whole.append(el("div", { class: "waves" }, ...[...waves.keys()].sort((a, b) => a - b).map((wave) =>
        el("div", { class: "wave" }, el("small", {}, `wave ${wave}`), ...waves.get(wave).map((system) => systemButton(system))))));
      whole.append(el("details", { open: openGraphs.has(phase), ontoggle: (event) => openGraphs[event.target.open ? "add" : "delete"](phase) },
        el("summary", { class: "faint" }, "as a graph: lines lead to the systems of the wave before that one waits for"), workGraph(phase, waves)));
    }
    const chosen = systems.find((system) => system.name === view.system);
    whole.append(chosen ? systemDetail(chosen) : el("p", { class: "empty" }, "Systems of one wave may run at the same time. Choose one to see why it is where it is."));
    whole.append(el("h3", {}, "execution order and times"), table(
      ["system", "runs", "number of runs", "µs a frame", "µs in listeners", "99 % below µs", "most allocations a frame", "enabled"],
      systems.map((system) => ({
        class: system.enabled ? "" : "off",
        cells: [
          el("button", { class: "link", onclick: () => { view.system = system.name; refresh(true); } }, system.name), system.runs,
          system.run_count ?? 0, microseconds(system.run_ms), microseconds(system.listen_ms), microseconds(system.slow_ms),
          system.most_allocations ?? "not counted",
          el("input", { type: "checkbox", checked: system.enabled, onchange: (event) => act("enable_system", { system: system.name, enabled: event.target.checked }) }),
        ],
      })), [2, 3, 4, 5, 6]));
    return [whole];
  },

  async Events() {
    const [{ events, searched_to }, { routes }] = await Promise.all([
      ask("events", { event: view.event, search: view.eventSearch, limit: 300, ...(/^\d+$/.test(view.eventFrame) ? { frame: Number(view.eventFrame) } : {}) }),
      ask("event_graph"),
    ]);
    const list = el("div", { class: "list" });
    const types = el("select", { onchange: (event) => { view.event = event.target.value; refresh(true); } },
      el("option", { value: "" }, "all types"), ...routes.map(({ event }) => el("option", { value: event, selected: event === view.event }, event)));
    const stop = el("button", { disabled: !view.event, title: "pause when such an event comes", onclick: () => act("break", { event: view.event, search: view.eventSearch }) }, "Stop at next");
    list.append(el("div", { class: "tools" }, types, textInput("eventSearch", "Value contains, or an entity such as 3v7"), textInput("eventFrame", "Of frame"), stop,
      status.breaks.length ? el("button", { onclick: () => act("clear_breaks") }, `Clear ${status.breaks.length} stop${status.breaks.length > 1 ? "s" : ""}`) : null));
    for (const event of events) {
      const isChosen = view.why?.event === event.event;
      list.append(el("div", { class: isChosen ? "row chosen" : "row", onclick: () => { view.why = { event: event.event }; refresh(true); } },
        el("span", { class: "id" }, String(event.frame)), event.name, el("span", { class: "faint" }, `${event.by.system ?? event.by.kind} ${shortValue(event.value)}`)));
    }
    if (searched_to !== null) list.append(el("p", { class: "alarm" }, `searched back to frame ${searched_to}, for more there was no time: name a type`));
    if (events.length === 0) list.append(el("p", { class: "empty" }, "No such event since the studio was opened."));
    const detail = el("div", { class: "detail" });
    if (view.why) {
      detail.append(el("h2", {}, "Why?"), ...(await chains(view.why)));
      const shown = events.find((event) => event.event === view.why.event);
      const route = routes.find(({ event }) => event === shown?.name);
      if (route) detail.append(el("h3", {}, "listeners"), el("p", {}, route.listeners.join(" → ") || "none"));
    } else detail.append(el("p", { class: "empty" }, "Choose an event to see its chain of causes."));
    return [list, detail];
  },

  async Graph() {
    const { routes, issues } = await ask("event_graph");
    const whole = el("div", { class: "whole" });
    for (const issue of issues) whole.append(el("p", { class: "alarm" }, issue));
    const wiring = JSON.stringify(routes.map(({ event, senders, listeners, from_outside }) => [event, senders, listeners, from_outside]));
    // The same graph stays, with what is lit in it.
    if (drawnGraph?.wiring !== wiring) drawnGraph = { wiring, graph: graphOf(routes) };
    whole.append(drawnGraph.graph, el("h3", {}, "counters"), table(["event", "senders", "listeners", "sent", "delivered", "peak a frame"], routes.map((route) => ({
      cells: [
        el("button", { class: "link", onclick: () => { Object.assign(view, { tab: "Events", event: route.event }); refresh(true); } }, route.event),
        [...(route.from_outside ? ["(outside)"] : []), ...route.senders].join(", "), route.listeners.join(", "), route.sent, route.delivered, route.peak,
      ],
    })), [3, 4, 5]));
    return [whole];
  },

  async Memory() {
    const { bytes, history, pool_history, pools, buffers, kinds } = await ask("memory", { pool: view.pool ?? "" });
    const whole = el("div", { class: "whole" });
    const graph = el("canvas", { width: 600, height: 80, title: "bytes on the heap over the last frames" });
    const legend = Object.entries(MEMORY_COLORS).map(([part, color]) => el("span", { class: "faint" }, colored("■", color), ` ${part} ${kib(history.at(-1)[part])} `));
    whole.append(el("h2", {}, `${kib(bytes)} on the heap`), graph, el("div", {}, ...legend, `since frame ${history[0].frame}`));
    drawMemory(graph, history, MEMORY_COLORS);
    if (view.pool) {
      const ofPool = el("canvas", { width: 600, height: 60, title: `bytes of ${view.pool} over the last frames` });
      drawMemory(ofPool, pool_history.map((pool) => ({ pool })), { pool: "#5aa9ff" });
      whole.append(el("h3", {}, `${view.pool}: ${kib(pool_history.at(-1))}, values and index`), ofPool);
    }
    whole.append(el("h3", {}, "pools"), table(["component", "count", "enabled", "peak", "values", "index"], pools.map((pool) => ({
      class: pool.component === view.pool ? "chosen" : "",
      cells: [el("button", { class: "link", title: "over time", onclick: () => { view.pool = pool.component === view.pool ? null : pool.component; refresh(true); } }, pool.component), pool.count, pool.enabled, pool.peak, kib(pool.value_bytes), kib(pool.index_bytes)],
    })), [1, 2, 3, 4, 5]));
    whole.append(el("h3", {}, "buffers of systems"), table(["system", "events", "most in a frame", "commands"], buffers.map((buffer) => ({
      cells: [buffer.system, kib(buffer.event_bytes), kib(buffer.event_bytes_peak), kib(buffer.command_bytes)],
    })), [1, 2, 3]));
    whole.append(el("h3", {}, "kinds of entities"), kinds.length ? table(["made with", "entities", "with extras"], kinds.map((kind) => ({
      cells: [kind.components.join(", ") || "nothing", kind.entities, kind.with_extras],
    })), [1, 2]) : el("p", { class: "faint" }, "none"));
    return [whole];
  },

  async Compare() {
    const whole = el("div", { class: "whole" });
    const shown = status.past ?? status.latest;
    view.from ??= status.oldest;
    view.to ??= shown;
    const frame = (field) => el("input", { type: "number", value: view[field], onchange: (event) => { Object.assign(view, { [field]: event.target.valueAsNumber, after: null }); refresh(true); } });
    const here = (field) => el("button", { onclick: () => { Object.assign(view, { [field]: shown, after: null }); refresh(true); } }, "shown frame");
    whole.append(el("div", { class: "tools" }, "from frame", frame("from"), here("from"), "to frame", frame("to"), here("to")));
    // Looking at other frames costs the program time, so that is not repeated.
    const key = JSON.stringify([view.from, view.to, view.after, status.paused ? [status.undo, status.redo] : null]);
    if (compared?.key !== key) compared = { key, answer: await ask("compare", { from: view.from ?? 0, to: view.to ?? 0, after: view.after }) };
    const { from, to, entities, compared_to } = compared.answer;
    if (from !== view.from || to !== view.to) whole.append(el("p", { class: "alarm" }, `compared are the kept frames before: ${from} and ${to}`));
    const rows = entities.flatMap(({ entity, spawned, despawned, differences }) => {
      if (spawned || despawned) return [{ cells: [entityLink(entity), spawned ? "spawned" : "despawned", "", ""] }];
      return differences.map(({ path, before, after, added, removed }) => ({
        cells: [entityLink(entity), path.slice(1), el("code", {}, added ? "absent" : shortValue(before)), el("code", {}, removed ? "absent" : shortValue(after))],
      }));
    });
    whole.append(rows.length ? table(["entity", "field", "before", "after"], rows) : el("p", { class: "empty" }, "Nothing differs."));
    const goOn = (after) => () => { view.after = after; refresh(true); };
    if (view.after) whole.append(el("p", { class: "faint" }, `these follow entity ${view.after} `, el("button", { onclick: goOn(null) }, "From the first")));
    if (compared_to) whole.append(el("p", { class: "faint" }, `compared up to entity ${compared_to} `, el("button", { onclick: goOn(compared_to) }, "Go on")));
    return [whole];
  },
};

let compared = null;

/** Functions of panels that handle a key, and return whether they did. */
const keysOf = {};

let spawned = { prefab: "", arguments: '{ "at_m": [0.0, 0.0] }' };

/** Spawns an entity, from a prefab if the program has some. */
function spawnTools(prefabs) {
  const spawn = async () => {
    try {
      const more = spawned.prefab ? { prefab: spawned.prefab, arguments: JSON.parse(spawned.arguments) } : {};
      choose((await ask("spawn", more)).entity);
    } catch (error) {
      say(error.message);
    }
  };
  const tools = el("span", {}, el("button", { onclick: spawn }, "Spawn"));
  if (prefabs.length === 0) return tools;
  tools.append(" ", el("select", { onchange: (event) => { spawned.prefab = event.target.value; refresh(true); } },
    el("option", { value: "" }, "empty"), ...prefabs.map((name) => el("option", { value: name, selected: name === spawned.prefab }, name))));
  if (spawned.prefab) tools.append(" ", el("input", { type: "text", name: "spawn-arguments", title: "where, as JSON", value: spawned.arguments, oninput: (event) => { spawned.arguments = event.target.value; } }));
  return tools;
}

let drawnGraph = null;
const GRAPH_ROW = 18;
const GRAPH_COLUMN = 326;
const WAVE_COLUMN = 190;

/** Columns of names with lines from [column, name] to [column, name]. What is pointed at is lit with its lines; a click calls `choose`. */
function drawGraph(columns, links, choose, width = GRAPH_COLUMN) {
  const shape = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const height = Math.max(...columns.map((names) => names.length)) * GRAPH_ROW + 8;
  const x = (side) => 8 + side * width;
  const graph = shape("svg", { class: "graph", width: x(columns.length - 1) + 240, height });
  const y = (side, name) => (columns[side].indexOf(name) + 0.5) * (height / columns[side].length);
  const lines = [];
  for (const [side, from, to] of links) {
    // About where the text ends.
    const [left, right] = [x(side) + Math.min(260, 7 * from.length + 6), x(side + 1) - 8];
    const [start, end] = [y(side, from), y(side + 1, to)];
    const line = shape("path", { d: `M${left} ${start} C${left + 60} ${start} ${right - 60} ${end} ${right} ${end}` });
    lines.push({ line, ends: [`${side} ${from}`, `${side + 1} ${to}`] });
    graph.append(line);
  }
  columns.forEach((names, side) => names.forEach((name) => {
    const label = shape("text", { x: x(side), y: y(side, name) + 4 }, name);
    label.append(shape("title", {}, name));
    const light = (isLit) => () => lines.filter(({ ends }) => ends.includes(`${side} ${name}`)).forEach(({ line }) => line.classList.toggle("lit", isLit));
    label.addEventListener("mouseenter", light(true));
    label.addEventListener("mouseleave", light(false));
    label.addEventListener("click", () => { choose(side, name); refresh(true); });
    graph.append(label);
  }));
  return graph;
}

/** Senders at the left, events in the middle, listeners at the right. */
function graphOf(routes) {
  const used = routes.filter(({ senders, listeners, from_outside }) => senders.length || listeners.length || from_outside);
  const sendersOf = (route) => [...(route.from_outside ? ["(outside)"] : []), ...route.senders];
  // Those of the first events stand first, so that few lines cross.
  const column = (of) => [...new Set(used.flatMap(of))];
  const columns = [column(sendersOf), used.map(({ event }) => event), column(({ listeners }) => listeners)];
  const links = used.flatMap((route) => [...sendersOf(route).map((sender) => [0, sender, route.event]), ...route.listeners.map((listener) => [1, route.event, listener])]);
  return drawGraph(columns, links, (side, name) => {
    if (side === 1) Object.assign(view, { tab: "Events", event: name });
    else if (name !== "(outside)") Object.assign(view, { tab: "Systems", system: name });
  });
}

/** The phases whose graphs are open, and what was drawn for each. */
const openGraphs = new Set();
const drawnWaves = new Map();

/** The waves of a phase from left to right, each system with lines to those of the wave before that it waits for. */
function workGraph(phase, waves) {
  const order = [...waves.keys()].sort((a, b) => a - b);
  const columns = order.map((wave) => waves.get(wave).map(({ name }) => name));
  const links = order.slice(1).flatMap((wave, side) => waves.get(wave).flatMap(({ name, phases }) =>
    phases.filter((place) => place.phase === phase).flatMap(({ conflicts }) => conflicts.filter((earlier) => earlier.wave === order[side]).map(({ system }) => [side, system, name]))));
  const key = JSON.stringify([columns, links]);
  // The same graph stays, with what is lit in it.
  if (drawnWaves.get(phase)?.key !== key) drawnWaves.set(phase, { key, graph: drawGraph(columns, links, (_, name) => { view.system = name; }, WAVE_COLUMN) });
  return drawnWaves.get(phase).graph;
}

/** The parts of the memory, from the bottom of the graph to its top. */
const MEMORY_COLORS = { values: "#5aa9ff", indices: "#69d58c", buffers: "#f2c14e", other: "#8793a8" };

function drawMemory(canvas, history, colors) {
  const context = canvas.getContext("2d");
  const parts = Object.keys(colors);
  const most = Math.max(1, ...history.map((sample) => parts.reduce((sum, part) => sum + sample[part], 0)));
  history.forEach((sample, place) => {
    let bottom = canvas.height;
    for (const part of parts) {
      const height = (sample[part] / most) * canvas.height;
      context.fillStyle = colors[part];
      context.fillRect(place * 2, bottom - height, 2, height);
      bottom -= height;
    }
  });
}

function colored(text, color) {
  const element = el("span", {}, text);
  element.style.color = color;
  return element;
}

const tableNumber = (value) => String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
const number = (value) => value.toFixed(value < 10 ? 2 : 0);
const microseconds = (milliseconds) => (milliseconds === null ? "" : number(milliseconds * 1000));
const kib = (bytes) => (bytes < 10240 ? `${bytes} B` : `${Math.round(bytes / 1024)} KiB`);

function textInput(field, placeholder, list) {
  const input = el("input", { type: "text", placeholder, value: view[field], name: field });
  if (list) input.setAttribute("list", list);
  input.addEventListener("input", () => { view[field] = input.value; refreshSoon(); });
  return input;
}

function table(heads, rows, numbers = []) {
  const kind = (place) => (numbers.includes(place) ? "number" : "");
  return el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map((head, place) => el("th", { class: kind(place) }, head)))),
    el("tbody", {}, ...rows.map(({ cells, class: of = "" }) => el("tr", { class: of }, ...cells.map((cell, place) => el("td", { class: kind(place) }, cell instanceof Node ? cell : String(cell)))))));
}

function entityRow(entity, depth) {
  const row = el("div", { class: `row${entity.entity === view.entity ? " chosen" : ""}${entity.enabled ? "" : " off"}`, onclick: () => choose(entity.entity) },
    el("span", { class: "id" }, entity.entity), entity.label ? el("strong", {}, entity.label) : null,
    el("span", { class: "faint" }, entity.components.join(", ")));
  row.style.paddingLeft = `${8 + 16 * depth}px`;
  return row;
}

/** Entities below their parents. One whose parent is not listed is a root. */
function entityTree(entities) {
  const listed = new Set(entities.map(({ entity }) => entity));
  const children = Map.groupBy(entities, ({ parent }) => (listed.has(parent) ? parent : null));
  const tree = el("div");
  const add = (entity, depth) => {
    tree.append(entityRow(entity, depth));
    for (const child of children.get(entity.entity) ?? []) add(child, depth + 1);
  };
  for (const root of children.get(null) ?? []) add(root, 0);
  if (entities.length === 0) tree.append(el("p", { class: "empty" }, "No entity is found."));
  return tree;
}

/** The order by the names of entities, which the page makes; the program makes that by a value. */
const BY_NAME = Symbol("name");

/** What the program sorts a table of these components by: a component, or a part of it such as "ball/height_m". */
function sortOf(components) {
  if (view.sort === null || view.sort === BY_NAME || components.length === 0) return "";
  const steps = view.sort === "" ? [] : view.sort.split(".");
  if (components.length === 1) return [components[0], ...steps].join("/");
  return components.includes(steps[0]) ? steps.join("/") : "";
}

/** Entities with a column for each value of the wanted components. */
function entityTable(entities, wanted) {
  const flat = (value, path, into) => {
    if (value && typeof value === "object" && !isEntity(value)) for (const [key, item] of Object.entries(value)) flat(item, path ? `${path}.${key}` : key, into);
    else into[path] = isEntity(value) ? nameOf(value) : value;
    return into;
  };
  const rows = entities.map((entity) => ({ entity, values: flat(wanted.length === 1 ? entity.values[wanted[0]] : entity.values, "", {}) }));
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))].slice(0, 24);
  if (view.sort === BY_NAME) rows.sort((one, other) => one.entity.label.localeCompare(other.entity.label) * (view.descending ? -1 : 1));
  const sortBy = (column) => () => { Object.assign(view, { descending: view.sort === column && !view.descending, sort: column }); refresh(true); };
  const isNumber = (column) => rows.every(({ values }) => values[column] === undefined || typeof values[column] === "number");
  return el("table", {},
    el("thead", {}, el("tr", {}, el("th", {}, "entity"), el("th", { onclick: sortBy(BY_NAME) }, "name"), ...columns.map((column) => el("th", { class: isNumber(column) ? "number" : "", onclick: sortBy(column) }, column || "value")))),
    el("tbody", {}, ...rows.map(({ entity, values }) => el("tr", { class: entity.enabled ? "" : "off" }, el("td", {}, entityLink(entity.entity)), el("td", {}, entity.label),
      ...columns.map((column) => el("td", { class: isNumber(column) ? "number" : "" }, typeof values[column] === "number" ? tableNumber(values[column]) : shortValue(values[column]) ?? ""))))));
}

async function entityDetail(names) {
  const detail = el("div", { class: "detail" });
  if (!view.entity) {
    detail.append(el("p", { class: "empty" }, "Choose an entity."));
    return detail;
  }
  let entity;
  try {
    entity = await ask("entity", { entity: view.entity });
  } catch (error) {
    detail.append(el("h2", {}, view.entity), el("p", { class: "faint" }, error.message), el("h3", {}, "why"), ...(await chains({ entity: view.entity })));
    return detail;
  }
  const id = entity.entity;
  detail.append(el("h2", {}, `${entity.label || "Entity"} `, el("span", { class: "id" }, id)));
  detail.append(el("div", { class: "tools" },
    el("label", {}, el("input", { type: "checkbox", checked: entity.enabled, onchange: (event) => act("enable_entity", { entity: id, enabled: event.target.checked }) }), " enabled"),
    entity.parent ? el("span", {}, "child of ", entityLink(entity.parent)) : null,
    el("button", { onclick: () => act("despawn", { entity: id }) }, "Despawn")));
  for (const component of entity.components) {
    const name = component.name;
    const set = (path, value) => act("set_component", { entity: id, component: name, path, value });
    const buttons = name ? [
      el("label", { title: "enabled" }, el("input", { type: "checkbox", checked: component.enabled, onchange: (event) => act("enable_component", { entity: id, component: name, enabled: event.target.checked }) })),
      el("button", { title: "remove the component", onclick: () => act("remove_component", { entity: id, component: name }) }, "×"),
    ] : [];
    detail.append(valueBox(`${id} ${name}`, name ?? component.type, component.value, component.problem, set, { entity: id, component: name }, ...buttons));
    if (view.whyValue?.entity === id && view.whyValue.component === name) detail.append(await whyValue());
  }
  const has = new Set(entity.components.map(({ name }) => name));
  const added = el("select", {}, ...names.components.filter((name) => !has.has(name)).map((name) => el("option", { value: name }, name)));
  const value = el("input", { type: "text", placeholder: "value as JSON, such as {\"height_m\": 1.0}" });
  const add = () => {
    try { act("set_component", { entity: id, component: added.value, value: JSON.parse(value.value) }); } catch (error) { say(error.message); }
  };
  detail.append(el("h3", {}, "add a component"), el("div", { class: "tools" }, added, value, el("button", { onclick: add }, "Add")));
  detail.append(el("h3", {}, "why: the commands that changed it"), ...(await chains({ entity: id })));
  return detail;
}

/** Chains of causes, each link clickable. */
async function chains(of) {
  try {
    const { chains: found } = await ask("why", of);
    if (found.length === 0) return [el("p", { class: "faint" }, "No command or event is on record: it was spawned or changed by the program itself, or before the studio was opened.")];
    return found.slice(0, 50).map((chain) => el("div", { class: "chain" }, ...chain.map((link) => el("div", {},
      el("button", { class: "link", title: "show this frame", onclick: () => act("seek", { frame: link.frame }) }, `frame ${link.frame}`), " ",
      link.event === undefined ? el("strong", {}, link.name)
        : el("button", { class: "link", title: "show this event", onclick: () => { Object.assign(view, { tab: "Events", event: link.name, eventFrame: String(link.frame), why: { event: link.event } }); refresh(true); } }, link.name),
      ` by ${link.by.system ?? (link.by.kind === "engine" ? "the engine" : link.by.kind)} `,
      link.value ? el("span", { class: "code" }, shortValue(link.value)) : null,
      ...(link.entities ?? []).slice(0, 8).map((entity) => el("span", {}, " ", entityLink(entity)))))));
  } catch (error) {
    return [el("p", { class: "faint" }, error.message)];
  }
}

let foundWhy = null;

/** Why a part of a component has its value: its last changes, the systems that write it, and what happened then. */
async function whyValue() {
  const { entity, component, path } = view.whyValue;
  const close = el("button", { onclick: () => { view.whyValue = null; refresh(true); } }, "×");
  const box = el("div", { class: "chain" }, el("h3", {}, `why ${component}${path.replaceAll("/", ".")}`, " ", close));
  // Looking at other frames costs the program time, so that is done once for each shown frame while it is paused, and once while it runs.
  const key = JSON.stringify([entity, component, path, status.paused ? status.frame : null]);
  try {
    if (foundWhy?.key !== key) foundWhy = { key, frame: status.past ?? status.frame, answer: await ask("why_value", view.whyValue) };
  } catch (error) {
    box.append(el("p", { class: "faint" }, error.message));
    return box;
  }
  const { changes, writers, oldest, is_cut } = foundWhy.answer;
  box.append(el("p", { class: "faint" }, `up to frame ${foundWhy.frame}`));
  const system = (name) => el("button", { class: "link", onclick: () => { Object.assign(view, { tab: "Systems", system: name }); refresh(true); } }, name);
  box.append(el("p", {}, writers.length ? "written by " : "no enabled system writes it", ...writers.flatMap((name, place) => [place ? ", " : "", system(name)])));
  if (changes.length === 0) box.append(el("p", { class: "faint" }, `It has not changed since frame ${oldest}.`));
  if (is_cut) box.append(el("p", { class: "alarm" }, `looked back to frame ${oldest}, for more there was no time`));
  for (const { frame, before, after, events, commands } of changes) {
    box.append(el("div", { class: "change" },
      el("button", { class: "link", title: "show this frame", onclick: () => act("seek", { frame }) }, `frame ${frame}`),
      el("code", {}, ` ${before === null ? "absent" : shortValue(before)} → ${after === null ? "absent" : shortValue(after)} `),
      ...events.map((event) => el("span", {}, " ", el("button", { class: "link", title: "show this event", onclick: () => { Object.assign(view, { tab: "Events", event: event.name, eventFrame: String(event.frame), why: { event: event.event } }); refresh(true); } }, event.name))),
      ...commands.map((command) => el("span", { class: "faint" }, ` ${command.name}`))));
  }
  return box;
}

function systemButton(system) {
  return el("button", { class: `system${system.enabled ? "" : " off"}${system.name === view.system ? " chosen" : ""}`, onclick: () => { view.system = system.name; refresh(true); } }, system.name);
}

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
    el("div", { class: "fields" }, ...facts.flatMap(([name, text]) => [el("label", {}, name), el("span", {}, text)])),
    conflicts.length ? el("h3", {}, "waits for") : null,
    conflicts.length ? table(["phase", "system", "because of"], conflicts) : null);
}

// --- the frame around the panels ---

function drawTimes(times) {
  const canvas = $("times");
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const most = Math.max(20, ...times);
  const worst = Math.max(...times);
  times.forEach((time, place) => {
    const height = Math.max(1, (time / most) * canvas.height);
    context.fillStyle = time === worst ? "#ff6b6b" : "#69d58c";
    context.fillRect(place * (canvas.width / 240), canvas.height - height, 1, height);
  });
  context.fillStyle = "#8793a8";
  context.fillRect(0, canvas.height - (16.7 / most) * canvas.height, canvas.width, 1);
}

function showStatus() {
  const { frame, seconds, entities, paused, past, oldest, latest, notice, no_history, undo, redo } = status;
  const times = status.frame_ms;
  const mean = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
  const sorted = [...times].sort((one, other) => one - other);
  const slow = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  $("facts").textContent = `${entities} entities · ${mean.toFixed(2)} ms a frame, 99 % below ${slow.toFixed(2)} ms`;
  drawTimes(times);
  const timeline = $("timeline");
  Object.assign(timeline, { min: oldest ?? 0, max: latest ?? 0, disabled: oldest === null });
  if (document.activeElement !== timeline || !isDragging) timeline.value = past ?? latest ?? 0;
  $("shown").textContent = past === null ? `frame ${frame} · ${seconds.toFixed(2)} s` : `frame ${past} · ${seconds.toFixed(2)} s · the past`;
  $("shown").className = past === null ? "" : "past";
  $("run").textContent = past !== null ? "Back to now" : paused ? "Run" : "Pause";
  $("from-here").hidden = past === null;
  $("step").disabled = !paused;
  $("step-system").disabled = !paused || past !== null;
  if (status.middle) {
    $("shown").textContent = `frame ${frame}, ${status.middle.systems} of ${status.middle.of} systems, the last: ${status.middle.last}`;
    $("shown").className = "past";
    $("run").textContent = "Run";
  }
  $("undo").disabled = undo === 0;
  $("redo").disabled = redo === 0;
  if (notice) say(notice, true);
  else if (no_history) say(`there is no way back: ${no_history}`, true);
  else if ($("message").className === "notice") say("");
  $("tabs").replaceChildren(...Object.keys(panels).map((tab) => el("button", { class: tab === view.tab ? "chosen" : "", onclick: () => { view.tab = tab; refresh(true); } }, tab)));
}

let isDragging = false;
let refreshing = null;

/** Fetches and shows everything; leaves a panel alone in which something is being typed, unless `force` is true. */
async function refresh(force = false) {
  if (refreshing) {
    await refreshing;
    if (!force) return;
  }
  refreshing = show(force);
  await refreshing;
  refreshing = null;
}

async function show(force) {
  try {
    status = await ask("status");
    followMark();
    showStatus();
    const typed = panel.contains(document.activeElement) && document.activeElement.matches("input:not([type=checkbox]), textarea, select") ? document.activeElement : null;
    // Numbers have no caret that could be set again.
    if (typed && !force && (typed.name === "" || typed.type === "number")) return;
    const scrolled = [...panel.children].map((child) => child.scrollTop);
    const caret = typed?.name && typed.selectionStart !== null ? [typed.name, typed.selectionStart] : null;
    const children = await panels[view.tab]();
    // A panel that returns the same elements is left alone, with what is being done in it.
    const isSame = children.length === panel.children.length && children.every((child, place) => child === panel.children[place]);
    if (!isSame) panel.replaceChildren(...children);
    [...panel.children].forEach((child, place) => { child.scrollTop = scrolled[place] ?? 0; });
    if (caret) {
      const input = panel.querySelector(`input[name="${caret[0]}"]`);
      input?.focus();
      input?.setSelectionRange(caret[1], caret[1]);
    }
    if ($("message").className !== "notice" && $("message").dataset.lost) { say(""); delete $("message").dataset.lost; }
  } catch (error) {
    say(error instanceof TypeError ? "the program is gone, or does not answer" : error.message);
    $("message").dataset.lost = "yes";
  }
}

let soon = null;
function refreshSoon() {
  clearTimeout(soon);
  soon = setTimeout(() => refresh(true), 150);
}

const run = () => act(status?.past !== null ? "run" : status.paused ? "run" : "pause");
const back = () => act("seek", { frame: Math.max(0, (status.past ?? status.latest) - 1) });
$("run").addEventListener("click", run);
$("step-system").addEventListener("click", () => act("step_system"));
$("step").addEventListener("click", () => act("step"));
$("back").addEventListener("click", back);
$("from-here").addEventListener("click", () => act("run", { from_here: true }));
$("save").addEventListener("click", saveMoment);
$("load").addEventListener("click", loadMoment);
$("undo").addEventListener("click", () => act("undo"));
$("redo").addEventListener("click", () => act("redo"));
$("timeline").addEventListener("pointerdown", () => { isDragging = true; });
$("timeline").addEventListener("pointerup", () => { isDragging = false; });
$("timeline").addEventListener("input", (event) => act("seek", { frame: event.target.valueAsNumber }));
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input:not([type=checkbox]):not([type=range]), textarea, select");
  if (keysOf[view.tab]?.(event, isTyping)) { /* The panel has done it. */ }
  else if (event.ctrlKey && event.key === "z" && !isTyping) act("undo");
  else if (event.ctrlKey && event.key === "y" && !isTyping) act("redo");
  else if (isTyping || event.ctrlKey || event.altKey || event.target.matches("button, input")) return;
  else if (event.key === " ") run();
  else if (event.key === "ArrowRight" && status?.paused) act("step");
  else if (event.key === "ArrowLeft") back();
  else if (event.key === "s" && status?.paused) act("step_system");
  else return;
  event.preventDefault();
});

refresh(true);
new Worker("clock.js").addEventListener("message", () => refresh());
