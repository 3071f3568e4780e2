// Drawings: graphs of names with lines, and bars of memory.
"use strict";

const GRAPH_ROW = 18;
const GRAPH_COLUMN = 326;
const WAVE_COLUMN = 190;

/**
 * Columns of names with lines from [column, name] to [column, name]. What is pointed at, or has the focus, is lit with its lines; a click, or
 * Enter, calls `choose`. `wiring` changes when the graph does.
 */
class Graph extends preact.Component {
  shouldComponentUpdate({ wiring }) { return wiring !== this.props.wiring; }

  render({ columns, links, choose, width = GRAPH_COLUMN }) {
    const height = Math.max(...columns.map((names) => names.length)) * GRAPH_ROW + 8;
    const x = (side) => 8 + side * width;
    const y = (side, name) => (columns[side].indexOf(name) + 0.5) * (height / columns[side].length);
    const lines = links.map(([side, from, to]) => {
      // About where the text ends.
      const [left, right] = [x(side) + Math.min(260, 7 * from.length + 6), x(side + 1) - 8];
      const [start, end] = [y(side, from), y(side + 1, to)];
      return el("path", { d: `M${left} ${start} C${left + 60} ${start} ${right - 60} ${end} ${right} ${end}` });
    });
    const light = (side, name, isLit) => () => links.forEach(([of, from, to], place) => {
      if ((of === side && from === name) || (of + 1 === side && to === name)) this.base.children[place].classList.toggle("lit", isLit);
    });
    const names = columns.flatMap((names, side) => names.map((name) => {
      const act = () => { choose(side, name); redraw(); };
      return el("text", {
        x: x(side), y: y(side, name) + 4, tabIndex: 0, role: "link", onclick: act, onkeydown: (event) => event.key === "Enter" && act(),
        onmouseenter: light(side, name, true), onmouseleave: light(side, name, false), onfocus: light(side, name, true), onblur: light(side, name, false),
      }, name, el("title", {}, name));
    }));
    return el("svg", { class: "graph", width: x(columns.length - 1) + 240, height }, lines, names);
  }
}

/** Senders at the left, events in the middle, listeners at the right. */
function graphOf(routes) {
  const used = routes.filter(({ senders, listeners, from_outside }) => senders.length || listeners.length || from_outside);
  const sendersOf = (route) => [...(route.from_outside ? ["(outside)"] : []), ...route.senders];
  // Those of the first events stand first, so that few lines cross.
  const column = (of) => [...new Set(used.flatMap(of))];
  const columns = [column(sendersOf), used.map(({ event }) => event), column(({ listeners }) => listeners)];
  const links = used.flatMap((route) => [...sendersOf(route).map((sender) => [0, sender, route.event]), ...route.listeners.map((listener) => [1, route.event, listener])]);
  const choose = (side, name) => {
    if (side === 1) Object.assign(view, { tab: "Events", event: name });
    else if (name !== "(outside)") Object.assign(view, { tab: "Systems", system: name });
  };
  return el(Graph, { columns, links, choose, wiring: JSON.stringify([columns, links]) });
}

/** The waves of a phase from left to right, each system with lines to those of the wave before that it waits for. */
function workGraph(phase, waves) {
  const order = [...waves.keys()].sort((a, b) => a - b);
  const columns = order.map((wave) => waves.get(wave).map(({ name }) => name));
  const links = order.slice(1).flatMap((wave, side) => waves.get(wave).flatMap(({ name, phases }) =>
    phases.filter((place) => place.phase === phase).flatMap(({ conflicts }) => conflicts.filter((earlier) => earlier.wave === order[side]).map(({ system }) => [side, system, name]))));
  return el(Graph, { columns, links, choose: (_, name) => { view.system = name; }, width: WAVE_COLUMN, wiring: JSON.stringify([columns, links]) });
}

/** The parts of the memory, from the bottom of the graph to its top. */
const MEMORY_COLORS = { values: "#5aa9ff", indices: "#69d58c", buffers: "#f2c14e", other: "#8793a8" };

/** Bars of the parts of each sample, one above the other. */
function memoryGraph(title, height, history, colors) {
  const draw = (canvas) => {
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
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
  };
  return el(Canvas, { width: 600, height, title, draw });
}
