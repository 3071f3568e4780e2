// The panel of entities, and why they are as they are.
"use strict";

/** The order of entities by their names. */
const BY_NAME = "(name)";

panels.Entities = () => {
  const names = readLatest("names") ?? { components: [], prefabs: [] };
  const named = criteriaIn(view.with);
  const wanted = named.filter((name) => !name.startsWith("!"));
  const without = named.filter((name) => name.startsWith("!")).map((name) => name.slice(1));
  const columns = [...new Set(wanted.flatMap((text) => componentsIn(text, names.components)))];
  const order = { tree: columns.length === 0, by_label: columns.length > 0 && view.sort === BY_NAME, sort: sortOf(columns), descending: view.descending };
  const query = { with: wanted, without, search: view.search, columns, ...order };
  const found = readLatest("entities", { ...query, ...sightOf("entities") });
  const { total = 0, searched, is_search_cut, is_sort_cut, error } = found ?? {};
  return [
    el("div", { class: columns.length ? "list wide" : "list", key: "list" },
      el("div", { class: "tools" },
        textInput("search", "Search ids, names, components and values"),
        textInput("with", "With, such as: ball, ball.height_m > 2 and not mark", "component-names"),
        el("datalist", { id: "component-names" }, names.components.map((name) => el("option", { key: name, value: name }))),
        spawnTools(names.prefabs),
        el("span", { class: "faint count" }, found ? `${total}` : "…"),
        error ? el("span", { class: "alarm" }, error) : null,
        is_search_cut ? el("span", { class: "alarm" }, `the first ${searched} entities are searched, for more there was no time: name a component`) : null,
        is_sort_cut ? el("span", { class: "alarm" }, "not all are sorted, for which there was no time") : null),
      found && !error ? entityRows(found, columns) : null),
    entityDetail(names),
  ];
};

/** The names and questions between commas that stand in no brackets and quotes. */
function criteriaIn(text) {
  const parts = text.match(/(?:"[^"]*"?|`[^`]*`?|\((?:[^()"`]|"[^"]*"|`[^`]*`|\([^()]*\))*\)?|[^,("`])+/g) ?? [];
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The components that a question names, which are the columns of its table. */
function componentsIn(text, components) {
  if (components.includes(text)) return [text];
  const words = [...text.matchAll(/"[^"]*"|`([^`]*)`|(?<![\w.])[\p{L}_][\p{L}\d_]*/gu)].map(([word, quoted]) => quoted ?? word);
  return words.filter((word) => components.includes(word));
}

/** What the program sorts a table of these components by: a component, or a part of it such as "ball/height_m". */
function sortOf(components) {
  if (view.sort === null || view.sort === BY_NAME || components.length === 0) return "";
  const steps = view.sort === "" ? [] : view.sort.split(".");
  if (components.length === 1) return [components[0], ...steps].join("/");
  return components.includes(steps[0]) ? steps.join("/") : "";
}

/** Entities below their parents, or with a column for each value of the wanted components. */
function entityRows({ entities, total, skip, asked }, wanted) {
  if (total === 0) return el("p", { class: "empty" }, "No entity is found.");
  const known = { name: "entities", key: "entities", label: "entities", total, skip, query: asked, rows: entities, keyOf: ({ entity }) => entity, choose: ({ entity }) => choose(entity), chosen: view.entity };
  const kind = (entity, isChosen) => `row${isChosen ? " chosen" : ""}${entity.enabled ? "" : " off"}`;
  if (wanted.length === 0) {
    const draw = (entity, { isChosen, ...more }) => el("div", { ...more, class: kind(entity, isChosen), style: { paddingLeft: `${8 + 16 * entity.depth}px` } },
      el("span", { class: "id" }, entity.entity), entity.label ? el("strong", {}, entity.label) : null, el("span", { class: "faint" }, entity.components.join(", ")));
    return el(Rows, { ...known, draw });
  }
  const flat = (value, path, into) => {
    if (value && typeof value === "object" && !isEntity(value)) for (const [key, item] of Object.entries(value)) flat(item, path ? `${path}.${key}` : key, into);
    else into[path] = isEntity(value) ? nameOf(value) : value;
    return into;
  };
  const valuesOf = (entity) => flat(wanted.length === 1 ? entity.values[wanted[0]] : entity.values, "", {});
  const all = entities.map(valuesOf);
  const columns = [...new Set(all.flatMap(Object.keys))].slice(0, 24);
  const numbers = new Set(columns.filter((column) => all.every((values) => (values[column] ?? null) === null || typeof values[column] === "number")));
  const sortBy = (column) => () => { Object.assign(view, { descending: view.sort === column && !view.descending, sort: column }); redraw(); };
  const mark = (column) => (view.sort === column ? (view.descending ? " ▾" : " ▴") : "");
  const head = (column, text) => el("th", { key: column, class: numbers.has(column) ? "number" : "" }, el("button", { class: "head", onclick: sortBy(column) }, text + mark(column)));
  const heads = [el("th", { key: "entity" }, "entity"), head(BY_NAME, "name"), columns.map((column) => head(column, column || "value"))];
  const draw = (entity, { isChosen, ...more }) => {
    const values = valuesOf(entity);
    return el("tr", { ...more, class: kind(entity, isChosen) }, el("td", {}, el("span", { class: "id" }, entity.entity)), el("td", {}, entity.label),
      columns.map((column) => el("td", { key: column, class: numbers.has(column) ? "number" : "" }, typeof values[column] === "number" ? tableNumber(values[column]) : values[column] === null ? "" : shortValue(values[column]) ?? "")));
  };
  return el(Rows, { ...known, key: "table", heads, draw });
}

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
  return el("span", { class: "spawn" }, el("button", { onclick: spawn }, "Spawn"),
    prefabs.length ? el("select", { value: spawned.prefab, title: "what to spawn", onchange: (event) => { spawned.prefab = event.target.value; redraw(); } },
      el("option", { value: "" }, "empty"), prefabs.map((name) => el("option", { key: name, value: name }, name))) : null,
    spawned.prefab ? el("input", { type: "text", name: "spawn-arguments", title: "where, as JSON", value: spawned.arguments, oninput: (event) => { spawned.arguments = event.target.value; } }) : null);
}

function entityDetail(names) {
  const id = view.entity;
  const box = (...children) => el("div", { class: "detail", key: `detail ${id}` }, children);
  if (!id) return box(el("p", { class: "empty" }, "Choose an entity."));
  const entity = read("entity", { entity: id });
  const why = [el("h3", {}, "why: the commands that changed it"), chains({ entity: id })];
  if (!entity) return box(el("h2", {}, id), waiting());
  if (entity.error) return box(el("h2", {}, id), el("p", { class: "faint" }, entity.error), why);
  const components = entity.components.flatMap((component) => {
    const name = component.name;
    const set = (path, value) => act("set_component", { entity: id, component: name, path, value });
    const buttons = name ? [
      el("label", { title: "enabled" }, el("input", { type: "checkbox", checked: component.enabled, onchange: (event) => act("enable_component", { entity: id, component: name, enabled: event.target.checked }) })),
      el("button", { title: "why it has this value", onclick: () => askWhy({ entity: id, component: name, path: "" }) }, "Why"),
      el("button", { title: "remove the component", onclick: () => act("remove_component", { entity: id, component: name }) }, "×"),
    ] : [];
    return [valueBox(`${id} ${name ?? component.type}`, name ?? component.type, component.value, component.problem, set, { entity: id, component: name }, ...buttons),
      view.whyValue?.entity === id && view.whyValue.component === name ? whyValue() : null];
  });
  const has = new Set(entity.components.map(({ name }) => name));
  const add = (event) => {
    const [added, value] = event.target.parentElement.children;
    try { act("set_component", { entity: id, component: added.value, value: JSON.parse(value.value) }); } catch (error) { say(error.message); }
  };
  return box(
    el("div", { class: "heading" }, el("h2", {}, `${entity.label || "Entity"} `, el("span", { class: "id" }, id)),
      el("div", { class: "tools" },
        el("label", {}, el("input", { type: "checkbox", checked: entity.enabled, onchange: (event) => act("enable_entity", { entity: id, enabled: event.target.checked }) }), " enabled"),
        entity.parent ? el("span", {}, "child of ", entityLink(entity.parent)) : null,
        el("button", { onclick: () => act("despawn", { entity: id }) }, "Despawn"))),
    components,
    el("h3", {}, "add a component"),
    el("div", { class: "tools" },
      el("select", {}, names.components.filter((name) => !has.has(name)).map((name) => el("option", { key: name, value: name }, name))),
      el("input", { type: "text", placeholder: "value as JSON, such as {\"height_m\": 1.0}" }), el("button", { onclick: add }, "Add")),
    why);
}

const frameLink = (frame) => el("button", { class: "link", title: "show this frame", onclick: () => act("seek", { frame }) }, `frame ${frame}`);

/** A link to an event in its tab. */
function eventLink({ name, frame, event }) {
  const show = () => { Object.assign(view, { tab: "Events", event: name, eventFrame: String(frame), why: { event } }); redraw(); };
  return el("button", { class: "link", title: "show this event", onclick: show }, name);
}

/** Chains of causes, each link clickable. */
function chains(of) {
  const answer = read("why", of);
  if (!answer) return waiting();
  if (answer.error) return el("p", { class: "faint" }, answer.error);
  if (answer.chains.length === 0) return el("p", { class: "faint" }, "No command or event is on record: it was spawned or changed by the program itself, or before the studio was opened.");
  return answer.chains.slice(0, 50).map((chain) => el("div", { class: "chain", key: JSON.stringify([chain.at(-1).event, chain.at(-1).change, chain.at(-1).frame, chain.length]) }, chain.map((link) => el("div", {},
    frameLink(link.frame), " ", link.event === undefined ? el("strong", {}, link.name) : eventLink(link),
    ` by ${link.by.system ?? (link.by.kind === "engine" ? "the engine" : link.by.kind)} `,
    link.value ? el("span", { class: "code" }, shortValue(link.value)) : null,
    (link.entities ?? []).slice(0, 8).map((entity) => el("span", {}, " ", entityLink(entity)))))));
}

/** What is asked of a value besides its last changes: of the shown frame, or of the last one in which it changed. */
let blamed = { key: "", lastChange: false };

/** What wrote a value in the shown frame and where that had it from, or why nothing did; null before it is known. */
function whoWrote(place) {
  const key = JSON.stringify([place, status.paused ? status.frame : null]);
  if (blamed.key !== key) blamed = { key, lastChange: false };
  const { lastChange } = blamed;
  // Each answer has little time, so the next one goes on behind it.
  let [from, answer] = [null, null];
  for (let part = 0; ; part += 1) {
    answer = readOnce(`blame ${part}`, JSON.stringify([key, lastChange, from]), "blame", { ...place, last_change: lastChange, frame: from });
    if (!answer && from === null) return null;
    if (!answer) return el("p", { class: "faint" }, `it did not change from frame ${from} on, looking further back …`);
    if (answer.error) return el("p", { class: "faint" }, answer.error);
    if (answer.frame !== undefined || !answer.is_cut) break;
    from = answer.looked_to;
  }
  const system = (name) => el("button", { class: "link", onclick: () => { Object.assign(view, { tab: "Systems", system: name }); redraw(); } }, name);
  if (answer.frame === undefined) return el("p", {}, `It did not change from frame ${answer.looked_to} on, the oldest one that can be shown.`);
  const shown = (value) => value ?? "absent";
  const writes = answer.writes.map(({ by, system: name, kind, changes, cause, origins }, place) => el("div", { key: place },
    name ? system(name) : null, ` ${name && by.startsWith(name) ? by.slice(name.length) : by} ${kind} `,
    changes.map(({ name, before, after }) => el("code", { key: name }, ` ${name}: ${shown(before)} → ${shown(after)} `)),
    cause.map(({ frame, what, system }) => el("span", { class: "faint" }, ` ← ${what}${system ? ` by ${system}` : ""} in frame ${frame}`)).reverse(),
    origins.map((origin, number) => el("div", { key: `origin ${number}`, class: "faint" }, origin))));
  const suspects = answer.suspects.map(({ system: name, place, reason }) => el("div", { key: `${name} ${place}` }, system(name), ` ${place}: `, el("span", { class: "faint" }, reason)));
  const none = el("div", {}, answer.suspects.length ? "Nothing changed it. These could have:" : "Nothing changed it, and no system declares that it writes it.",
    lastChange ? null : el("button", { title: "what wrote it in the last frame in which it changed", onclick: () => { blamed.lastChange = isWhyAsked = true; redraw(); } }, "Last change"));
  return el("div", { class: "change", key: "blame" }, el("strong", {}, "in "), frameLink(answer.frame), writes.length ? writes : [none, suspects]);
}

/** Set from the click that asks why a value is as it is until the answer is in sight. */
let isWhyAsked = false;

/** Asks why a part of a component, a resource or a system has its value. */
function askWhy(place) {
  view.whyValue = place;
  isWhyAsked = true;
  redraw();
}

/** The answer to why a value is as it is, which comes in sight after the click that asked for it. */
class Why extends preact.Component {
  componentDidMount() { this.look(); }
  componentDidUpdate() { this.look(); }
  look() {
    if (isWhyAsked) this.base.scrollIntoView({ block: "nearest" });
    if (this.props.isWhole) isWhyAsked = false;
  }
  render({ children }) { return el("div", { class: "chain why" }, children); }
}

/** Why a part of a component has its value: its last changes, the systems that write it, and what happened then. */
function whyValue() {
  const { entity, component, resource, system: ofSystem, path } = view.whyValue;
  const close = el("button", { title: "close", onclick: () => { view.whyValue = null; redraw(); } }, "×");
  const title = el("h3", {}, `why ${component ?? resource ?? ofSystem}${path.replaceAll("/", ".")}`, " ", close);
  const who = whoWrote(view.whyValue);
  const box = (isWhole, ...children) => el(Why, { key: "why value", isWhole: isWhole && who !== null }, title, children);
  if (resource || ofSystem) return box(true, who ?? waiting());
  // Looking at other frames costs the program time, so that is done once for each shown frame while it is paused, and once while it runs.
  const answer = readOnce("why value", JSON.stringify([entity, component, path, status.paused ? status.frame : null]), "why_value", view.whyValue);
  if (!answer) return box(false, waiting());
  if (answer.error) return box(true, el("p", { class: "faint" }, answer.error));
  const { changes, writers, oldest, frame } = answer;
  const system = (name) => el("button", { class: "link", onclick: () => { Object.assign(view, { tab: "Systems", system: name }); redraw(); } }, name);
  return box(true, who ?? waiting(),
    el("p", {}, writers.length ? "written by " : "no enabled system writes it", writers.map((name, place) => [place ? ", " : "", system(name)])),
    // The last change is looked for further back than this.
    blamed.lastChange ? null : el("p", { class: "faint" }, changes.length === 0 ? `It did not change from frame ${oldest} to frame ${frame}.` : `Its changes from frame ${oldest} to frame ${frame}:`),
    changes.map(({ frame, before, after, events, commands }) => el("div", { class: "change", key: frame }, frameLink(frame),
      el("code", {}, ` ${before === null ? "absent" : shortValue(before)} → ${after === null ? "absent" : shortValue(after)} `),
      events.map((event) => el("span", {}, " ", eventLink(event))),
      commands.map((command) => el("span", { class: "faint" }, ` ${command.name}`)))));
}
