// Lists of any length, of which only the rows in sight are elements.
"use strict";

const ROW_PX = 24;
/** Rows beyond those in sight are asked for by so many. */
const STEP = 20;
/** What is in sight of each list, by its name. */
const sights = {};

const sightWithin = (name) => (sights[name] ??= { skip: 0, limit: 80, top: 0 });

/** The part of a list to ask for. */
function sightOf(name) {
  const { skip, limit } = sightWithin(name);
  return { skip, limit };
}

/**
 * A list of `total` rows, of which `rows` are known, the first of them at the place `skip`. `query` names the request that the rows answer. `draw` gets a row; with `heads` it is a table. `choose` gets the row that was
 * clicked, or chosen by a key.
 */
class Rows extends Settled {
  componentDidMount() { this.base.scrollTop = sightWithin(this.props.name).top; this.look(); }
  componentDidUpdate() { this.look(); this.chooseAwaited(); }

  /** Notes what is in sight. */
  look() {
    const sight = sightWithin(this.props.name);
    const { scrollTop, clientHeight } = this.base;
    const skip = Math.max(0, Math.floor(scrollTop / ROW_PX / STEP) * STEP - STEP);
    const limit = Math.ceil(clientHeight / ROW_PX / STEP) * STEP + 3 * STEP;
    const isSame = sight.skip === skip && sight.limit === limit;
    Object.assign(sight, { skip, limit, top: scrollTop });
    if (!isSame) redraw();
  }

  chooseAwaited() {
    const row = this.held.rows[this.awaited - this.props.skip];
    if (this.awaited === undefined || row === undefined) return;
    this.awaited = undefined;
    this.props.choose(row);
  }

  /** Chooses the row at a place, and scrolls to it; waits for it if it is not known yet. */
  go(place) {
    const { total } = this.props;
    const at = Math.max(0, Math.min(total - 1, place));
    const [top, bottom] = [at * ROW_PX, (at + 2) * ROW_PX - this.base.clientHeight];
    if (this.base.scrollTop > top) this.base.scrollTop = top;
    else if (this.base.scrollTop < bottom) this.base.scrollTop = bottom;
    this.awaited = at;
    this.chooseAwaited();
  }

  onKey(event) {
    const { skip, chosen, keyOf, choose } = this.props;
    if (!choose || event.target !== this.base || event.ctrlKey || event.altKey) return;
    const place = this.held.rows.findIndex((row) => keyOf(row) === chosen);
    const now = place < 0 ? Math.floor(this.base.scrollTop / ROW_PX) - 1 : skip + place;
    const page = Math.max(1, Math.floor(this.base.clientHeight / ROW_PX) - 1);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + page, PageUp: now - page, Home: 0, End: Infinity }[event.key];
    if (event.key === "Escape") this.base.blur();
    else if (to === undefined) return;
    else this.go(to);
    event.preventDefault();
    event.stopPropagation();
  }

  render(props) {
    const { total, skip, draw, keyOf, choose, chosen, heads, label, query } = props;
    const rows = this.settle(props.rows, keyOf, query);
    const drawn = rows.map((row) => draw(row, {
      key: keyOf(row), role: "option", "aria-selected": keyOf(row) === chosen, isChosen: keyOf(row) === chosen, onclick: choose && (() => choose(row)),
    }));
    const [above, below] = [skip * ROW_PX, Math.max(0, total - skip - rows.length) * ROW_PX];
    const space = (height) => el(heads ? "tr" : "div", { style: { height: `${height}px` }, "aria-hidden": true });
    const body = [space(above), ...drawn, space(below)];
    return el("div", { class: "rows", tabIndex: 0, role: "listbox", "aria-label": label, onscroll: () => this.look(), onkeydown: (event) => this.onKey(event), ...this.pointed() },
      heads ? el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, body)) : body,
      this.isHeld ? el("div", { class: "held" }, "held while the pointer is on it") : null);
  }
}
