// Elements of the page. They are descriptions, from which Preact changes what differs in the page and nothing else: a button that is the
// same before and after stays the same node, however often the panel is drawn.
"use strict";

/** The panels by the names of their tabs. Each is a function that returns the elements to show, or a promise of them. */
const panels = {};
/** Functions of panels that handle a key, and return whether they did. */
const keysOf = {};

/** Describes an element: el("div", { class: "row" }, "text", child…). Give those of a list that changes a `key`. */
function el(name, attributes = {}, ...children) {
  const described = children.flat(Infinity).map((child) => (child instanceof Node ? preact.h(Foreign, { node: child }) : child));
  const isField = ["input", "select", "textarea"].includes(name) && attributes.type !== "file";
  return isField ? preact.h(Field, { key: attributes.key, name, attributes }, described) : preact.h(name, attributes, described);
}

/** An element that a script has made itself. */
class Foreign extends preact.Component {
  componentDidMount() { this.base.replaceChildren(this.props.node); }
  componentDidUpdate() { if (this.base.firstChild !== this.props.node) this.base.replaceChildren(this.props.node); }
  render() { return preact.h("div", { style: { display: "contents" } }); }
}

/**
 * A field for a value of the program. While it has the focus, and until what was set is carried out, it shows what was typed; else the value.
 * One without `onchange` and `oninput` keeps what was typed.
 */
class Field extends preact.Component {
  render({ name, attributes, children }, { draft }) {
    const { type, onchange, oninput } = attributes;
    const property = type === "checkbox" ? "checked" : "value";
    const isTyped = type !== "checkbox" && type !== "color" && name !== "select";
    const keepsText = !onchange && !oninput;
    const leave = () => { if (!keepsText && !this.isPending) this.setState({ draft: undefined }); };
    return preact.h(name, {
      ...attributes,
      key: undefined,
      [property]: draft ?? attributes[property],
      onfocus: (event) => { this.isDropped = false; if (isTyped) this.setState({ draft: event.target.value }); attributes.onfocus?.(event); },
      oninput: (event) => { this.setState({ draft: event.target[property] }); oninput?.(event); },
      onchange: async (event) => {
        if (this.isDropped) return;
        const field = event.target;
        this.isPending = true;
        this.setState({ draft: field[property] });
        await onchange?.(event);
        this.isPending = false;
        if (!isTyped || document.activeElement !== field) leave();
      },
      onblur: (event) => { leave(); attributes.onblur?.(event); },
      onkeydown: (event) => {
        if (event.key === "Escape" && isTyped) {
          this.isDropped = onchange !== undefined;
          if (!keepsText) event.target.value = attributes[property] ?? "";
          event.target.blur();
        } else if (event.key === "Enter" && name === "input" && keepsText) event.target.parentElement.querySelector("button")?.click();
        attributes.onkeydown?.(event);
      },
    }, children);
  }
}

/** A canvas; `draw` gets it after each change. */
class Canvas extends preact.Component {
  componentDidMount() { this.props.draw(this.base); }
  componentDidUpdate() { this.props.draw(this.base); }
  render({ draw, ...attributes }) { return preact.h("canvas", attributes); }
}

/**
 * Something with rows that keep their places while the pointer is on it and the program runs, so that what one is about to click does not move:
 * values change, but rows come and go when the pointer leaves. While the program is paused, rows change only when another frame is asked for.
 */
class Settled extends preact.Component {
  /** The rows to draw: the known ones, or those that were there when the pointer came. Other rows are drawn if `query` is another. */
  settle(rows, keyOf, query) {
    const { held } = this;
    if (!this.isPointed || status?.paused || held === undefined || held.query !== query || held.rows.length === 0) {
      this.held = { rows, query };
      this.isHeld = false;
      return rows;
    }
    const known = new Map(rows.map((row) => [keyOf(row), row]));
    held.rows = held.rows.map((row) => known.get(keyOf(row)) ?? row);
    this.isHeld = held.rows.some((row, place) => keyOf(row) !== (rows[place] && keyOf(rows[place])));
    return held.rows;
  }

  /** The attributes of the element that the pointer comes to. */
  pointed() {
    const note = (isPointed) => () => { this.isPointed = isPointed; this.setState({}); };
    return { onpointerenter: note(true), onpointerleave: note(false) };
  }
}

class Table extends Settled {
  render({ heads, rows, numbers }) {
    const kind = (place) => (numbers.includes(place) ? "number" : "");
    const settled = rows.every(({ key }) => key !== undefined) ? this.settle(rows, ({ key }) => key, "") : rows;
    const content = (cell) => (typeof cell === "object" ? cell : String(cell));
    return el("div", { class: "scrolled", ...this.pointed() }, el("table", {},
      el("thead", {}, el("tr", {}, heads.map((head, place) => el("th", { class: kind(place) }, head)))),
      el("tbody", {}, settled.map(({ cells, class: of = "", key }) => el("tr", { class: of, key }, cells.map((cell, place) => el("td", { class: kind(place) }, content(cell))))))));
  }
}

/** A table. Rows are `{ cells, class, key }`; the columns with these places hold numbers. */
const table = (heads, rows, numbers = []) => el(Table, { heads, rows, numbers });

function textInput(field, placeholder, list) {
  return el("input", { key: field, type: "text", placeholder, title: placeholder, value: view[field], name: field, list, oninput: (event) => { view[field] = event.target.value; redraw(); } });
}

function entityLink(id) {
  return el("button", { class: "link", onclick: () => choose(id) }, id);
}

const colored = (text, color) => el("span", { style: { color } }, text);
const waiting = () => el("p", { class: "empty" }, "…");

/** Gives the browser a file to keep. */
function download(parts, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(new Blob(parts)), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
