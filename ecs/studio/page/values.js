// Values of components and resources: shown, and edited in place.
"use strict";

const UNITS = { m: "m", mps: "m/s", mps2: "m/s²", seconds: "s", ms: "ms", ticks: "ticks", radians: "rad", degrees: "°", kg: "kg", hz: "Hz" };
const unitOf = (field) => UNITS[field.split("_").at(-1)] ?? "";
const isEntity = (value) => value && typeof value === "object" && "idx" in value && "version" in value && Object.keys(value).length === 2;

/** The index of an id that names no entity. */
const NO_ENTITY = 2 ** 32 - 1;
const nameOf = ({ idx, version }) => (idx === NO_ENTITY ? "none" : `${idx}v${version}`);
const isColor = (text) => /^#[0-9a-f]{6}$/i.test(text);
const tableNumber = (value) => String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
const number = (value) => value.toFixed(value < 10 ? 2 : 0);
const microseconds = (milliseconds) => (milliseconds === null ? "" : number(milliseconds * 1000));
const kib = (bytes) => (bytes < 10240 ? `${bytes} B` : `${Math.round(bytes / 1024)} KiB`);

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

/** What the type of each value that was pointed at expects, or null before the answer has come. */
const knownTypes = new Map();
const typeKey = (place, path) => JSON.stringify([place.component ?? place.resource, path]);

/** What the type of a value expects, if it is known. */
const expected = (place, path) => knownTypes.get(typeKey(place, path)) ?? null;

/** Asks what the type of a value expects, once. */
function askExpected(place, path) {
  const key = typeKey(place, path);
  if (knownTypes.has(key)) return;
  knownTypes.set(key, null);
  ask("expected", { ...place, path }).then((answer) => { knownTypes.set(key, answer); redrawWhenStill(); }, () => knownTypes.delete(key));
}

/** A selection of the names that an enum may have, once they are known; null if it is none. */
function choiceEditor(name, change, path, place) {
  askExpected(place, path);
  const choices = expected(place, path)?.choices ?? [];
  if (choices.length === 0) return null;
  return el("select", { key: `${path} choice`, value: name, onchange: (event) => change(path, event.target.value) },
    [...new Set([name, ...choices])].map((other) => el("option", { key: other, value: other }, other)));
}

/** Shows the value again that an input had, if the change is refused. */
function orBack(changed, input, field, before) {
  Promise.resolve(changed).then((isDone) => { if (isDone === false) input[field] = before; });
}

/** A value, with an input for each part; `change` gets the path of the part (RFC 6901) and its new value, `place` names what has it. */
function valueEditor(value, change, place, path = "", field = "") {
  if (value === null || value === undefined) {
    // What an option holds is written as JSON: its type is not known here.
    const set = (event) => {
      try { return change(path, JSON.parse(event.target.value)); } catch (error) { say(error.message); }
    };
    return el("input", { key: "none", type: "text", value: "", placeholder: "none, or a value as JSON", onchange: set });
  }
  if (isEntity(value)) return value.idx === NO_ENTITY ? el("span", {}, "none") : entityLink(nameOf(value));
  if (typeof value === "boolean") {
    return el("input", { key: "flag", type: "checkbox", checked: value, onchange: (event) => orBack(change(path, event.target.checked), event.target, "checked", value) });
  }
  if (typeof value === "number") {
    // JavaScript rounds larger integers, so that they are only shown.
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isInteger(value)) return el("span", { class: "faint" }, `about ${value}`);
    const set = (event) => orBack(Number.isFinite(event.target.valueAsNumber) && change(path, event.target.valueAsNumber), event.target, "value", String(shortNumber(value)));
    const title = expected(place, path)?.limits.map((limit) => `must be ${limit}`).join(", ") ?? "";
    return el("span", { key: "number" }, el("input", { type: "number", step: "any", value: String(shortNumber(value)), title, onchange: set, onmouseenter: () => askExpected(place, path) }),
      el("span", { class: "unit" }, unitOf(field)));
  }
  if (typeof value === "string") {
    return choiceEditor(value, change, path, place)
      ?? el("input", { key: "text", type: isColor(value) ? "color" : "text", value, onchange: (event) => orBack(change(path, event.target.value), event.target, "value", value) });
  }
  const entries = Array.isArray(value) ? value.map((item, place) => [place, item]) : Object.entries(value);
  if (entries.length === 0) return el("span", { class: "faint" }, Array.isArray(value) ? "empty list" : "no fields");
  // A few numbers are a place or a colour, not a list.
  const isList = Array.isArray(value) && !isRounded(value) && (value.length > 4 || value.some((item) => typeof item !== "number"));
  // An enum with content is an object with its name as the only field.
  const variant = !Array.isArray(value) && entries.length === 1 && /^[A-Z]/.test(entries[0][0]) ? choiceEditor(entries[0][0], change, path, place) : null;
  const fields = variant ? [el("label", { key: "kind" }, "kind"), variant] : [];
  for (const [key, item] of entries.slice(0, 200)) {
    const below = `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const isWhy = (place.entity || place.resource) && (typeof item !== "object" || item === null);
    const why = () => askWhy({ ...place, path: below });
    const label = isWhy ? el("button", { key: `${key} name`, class: "link name", title: "why it has this value", onclick: why }, String(key)) : el("label", { key: `${key} name` }, String(key));
    fields.push(label, el("div", { key: `${key} value`, class: "part", onmouseenter: () => item !== null && askExpected(place, below) },
      valueEditor(item, change, place, below, String(key)),
      // An item of a list can be left out.
      isList && item !== null ? el("button", { title: "remove this item", onclick: () => change(path, value.toSpliced(key, 1)) }, "×") : null,
      // An option is emptied by a button, which comes when the value is pointed at.
      item !== null && expected(place, below)?.option ? el("button", { title: "make it empty", onclick: () => change(below, null) }, "none") : null));
  }
  if (isList) fields.push(el("span", { key: "add name" }), el("button", { key: "add", class: "add", title: "add a copy of the last item", onclick: () => change(path, [...value, value.at(-1)]) }, "+"));
  if (entries.length > 200) fields.push(el("span", { key: "more", class: "faint" }, `and ${entries.length - 200} more`));
  return el("div", { key: "fields", class: "fields" }, fields);
}

/** The parts of a value that nobody can set, each with the question why it is so; `place` names what has it. */
function readOnlyValue(value, place, path = "", name = "value") {
  if (typeof value === "object" && value !== null && !isEntity(value) && Object.keys(value).length > 0) {
    const entries = Object.entries(value).slice(0, 200);
    return entries.map(([key, item]) => readOnlyValue(item, place, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, path ? `${name}.${key}` : key));
  }
  const why = () => askWhy({ ...place, path });
  return [el("button", { key: `${path} name`, class: "link name", title: "why it has this value", onclick: why }, name),
    el("span", { key: `${path} value`, class: "code" }, isEntity(value) && value.idx !== NO_ENTITY ? entityLink(nameOf(value)) : shortValue(value))];
}

/** The value as JSON, which is set as a whole. */
function jsonEditor(value, set) {
  const apply = (event) => {
    try { set("", JSON.parse(event.target.parentElement.querySelector("textarea").value)); } catch (error) { say(error.message); }
  };
  const cannot = isRounded(value) ? "it has numbers that a browser rounds: change its fields" : "";
  return el("div", { key: "json" }, el("textarea", { value: JSON.stringify(value, null, 2) }), el("button", { onclick: apply, disabled: cannot !== "", title: cannot }, "Apply"));
}

/** A component or a resource: a title, buttons, and its value as fields or as JSON. `set` gets a path and a value. */
function valueBox(key, title, value, problem, set, place, ...buttons) {
  const isRaw = view.raw.has(key);
  const toggle = el("button", { onclick: () => { isRaw ? view.raw.delete(key) : view.raw.add(key); redraw(); } }, isRaw ? "Fields" : "JSON");
  const body = problem ? el("span", { class: "faint" }, problem) : isRaw ? jsonEditor(value, set) : valueEditor(value, set, place);
  return el("section", { class: "component", key }, el("div", {}, el("strong", {}, title), problem ? null : toggle, ...buttons), el("div", { class: "body" }, body));
}
