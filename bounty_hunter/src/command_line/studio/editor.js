// The panel `Editor`: levels on a map, and every file as a tree of values and as text.

const editor = { file: "levels/crossing.ron", shown: null, nodes: null, chosen: null, tool: null, prefab: "rock", drag: null, typed: null };
const STASH_COLORS = ["#ff6b6b", "#5aa9ff", "#69d58c", "#ffc857"];
const SNAP_M = 0.5;
const TURN_RAD = Math.PI / 12;

let editing = Promise.resolve();

/**
 * Sends a change of the file after all earlier ones, and shows the result; returns whether it was made. `more` may be a function of the
 * state at that time, which returns null for no change.
 */
function edit(what, more = {}) {
  editing = editing.then(() => editNow(what, typeof more === "function" ? more() : more));
  return editing;
}

async function editNow(what, more) {
  if (more === null) return false;
  try {
    editor.shown = await askPanel("Editor", { do: what, file: editor.file, ...more });
    editor.file = editor.shown.file;
    if (editor.chosen && editor.shown.level) editor.chosen = things().find(({ path }) => path === editor.chosen.path) ?? null;
    say("");
    return true;
  } catch (error) {
    say(error.message);
    return false;
  } finally {
    editor.nodes = null;
    await refresh();
  }
}

panels.Editor = async () => {
  if (!editor.nodes) {
    editor.shown ??= await askPanel("Editor", { do: "show", file: editor.file });
    editor.nodes = editorNodes();
  }
  return editor.nodes;
};

keysOf.Editor = (event, isTyping) => {
  if (event.ctrlKey && event.key === "s") edit("save");
  else if (isTyping) return false;
  else if (event.ctrlKey && event.key === "z") edit("undo");
  else if (event.ctrlKey && event.key === "y") edit("redo");
  else if (event.key === "Escape" && editor.tool) chooseTool(null);
  else if (event.ctrlKey || event.altKey || !editor.chosen) return false;
  else if (event.key === "Delete" || event.key === "Backspace") removeChosen();
  else if (event.key.toLowerCase() === "r") turnChosen(event.shiftKey ? -TURN_RAD : TURN_RAD);
  else if (event.key === "Escape") chooseThing(null);
  else return false;
  event.preventDefault();
  return true;
};

function openFile(file) {
  Object.assign(editor, { file, shown: null, nodes: null, chosen: null, tool: null, typed: null });
  say("");
  redraw();
}

function editorNodes() {
  const { shown } = editor;
  const listed = [];
  let folder = null;
  const isInFolder = ({ path }) => path.includes("/");
  for (const { path, is_changed } of [...shown.files].sort((one, other) => isInFolder(one) - isInFolder(other))) {
    const [of, name] = path.includes("/") ? path.split("/") : ["", path];
    if (of !== folder) listed.push(el("h3", { key: `${of}/`, style: { marginLeft: "8px" } }, of || "match"));
    folder = of;
    const isChosen = path === editor.file;
    listed.push(el("div", { key: path, class: isChosen ? "row chosen" : "row", tabIndex: 0, role: "option", "aria-selected": isChosen, onclick: () => openFile(path), onkeydown: (event) => event.key === "Enter" && openFile(path) },
      el("span", { class: shown.error?.file === path ? "alarm" : "" }, name.replace(/\.ron$/, "")), is_changed ? el("span", { class: "faint" }, "changed") : null));
  }
  const list = el("div", { class: "list files", key: "files", role: "listbox", "aria-label": "files" }, listed);
  const tools = el("div", { class: "tools" },
    el("button", { onclick: () => edit("play"), disabled: shown.error !== null, title: "begin the match again with all changes" }, "Play"),
    editor.file.startsWith("prefabs/") ? el("button", { onclick: () => edit("reload"), disabled: shown.error !== null, title: "give the present match the changed prefabs; it goes on, but has no replay" }, "Apply to match") : null,
    el("button", { onclick: () => edit("save"), disabled: shown.error?.file === editor.file || !shown.can_save, title: shown.can_save ? "Ctrl+S" : "start with --assets DIRECTORY to save" }, "Save"),
    el("button", { onclick: downloadFile }, "Download"),
    shown.can_save ? null : shown.keeps_drafts ? el("span", { class: "faint" }, "without --assets, changes stay drafts: download them to keep a file")
      : el("span", { class: "alarm" }, "without --assets, changes end with the program: download them"),
    el("button", { onclick: () => edit("undo"), disabled: shown.undo === 0, title: "Ctrl+Z: the last change of this file" }, `Undo in file ${shown.undo || ""}`),
    el("button", { onclick: () => edit("redo"), disabled: shown.redo === 0, title: "Ctrl+Y" }, "Redo in file"),
    shown.is_changed ? el("button", { onclick: () => edit("discard"), title: "take back all changes since it was saved; a new file is removed" }, "Discard") : null,
    editor.file.includes("/") ? el("button", { onclick: copyFile }, "Copy as…") : null);
  const middle = el("div", { class: "whole", key: `middle ${editor.file}`, style: { flex: "3" } }, tools,
    shown.error ? el("p", { class: "alarm" }, shown.error.sentence) : null,
    shown.draft_problem ? el("p", { class: "alarm" }, `changes are lost when the program ends: ${shown.draft_problem}`) : null,
    shown.level ? [levelTools(), levelMap()] : null, textBox());
  const tree = el("div", { class: "detail", key: `tree ${editor.file}`, style: { flex: "2", borderLeft: "1px solid var(--line)" } }, el("h2", {}, editor.file), shown.parts.map(partNode));
  return [list, middle, tree];
}

function downloadFile() {
  download([editor.shown.text], editor.file.split("/").at(-1));
}

async function copyFile() {
  const folder = editor.file.split("/")[0];
  const name = prompt(`The name of the copy in ${folder}/: letters, digits, - and _`, "mine");
  if (!name) return;
  const from = editor.file;
  editor.file = `${folder}/${name}.ron`;
  if (!(await edit("copy", { from }))) openFile(from);
}

// --- values ---

const isErrorAt = (position) => position && String(editor.shown.error?.position) === String(position);
const isNumber = (part) => /^\d+$/.test(part.step) && part.parts.length === 0 && Number.isFinite(Number(part.text));
/** A pair of numbers is one value. */
const isLeaf = ({ parts, text }) => text !== "[]" && (parts.length === 0 || (parts.length === 2 && parts.every(isNumber)));

/** A value with its comment: a leaf as an input, others with their parts. */
function partNode(part) {
  const isIndex = /^\d+$/.test(part.step);
  const remove = isIndex && part.path ? el("button", { title: "remove it", onclick: () => edit("remove", { path: part.path }) }, "×") : null;
  const box = (...children) => el("div", { key: part.path, style: { margin: "2px 0 2px 12px" } }, part.comment ? el("div", { class: "faint" }, part.comment) : null, children);
  const isBad = isErrorAt(part.position) && isLeaf(part);
  const label = el("label", { class: isBad ? "alarm" : "" }, isIndex ? `${Number(part.step) + 1} ` : `${part.step} `);
  if (isLeaf(part)) {
    return box(label, part.path ? el(LeafInput, part) : el("code", {}, part.text), remove);
  }
  const isOpen = part.parts.length <= 8 || (part.path && editor.chosen?.path?.startsWith(part.path));
  const variant = /^[A-Za-z]\w*/.exec(part.text)?.[0] ?? "";
  const last = part.parts.at(-1)?.text ?? "";
  const add = (event) => edit("add", { path: part.path, value: event.target.previousSibling.value });
  // The value that was added is the next one to begin with.
  const adds = part.text.startsWith("[") && part.path ? el("div", { class: "tools", key: `add ${part.parts.length}` },
    el("input", { type: "text", value: last, placeholder: "a value in RON" }), el("button", { onclick: add }, "Add")) : null;
  return box(el(Opening, { isOpen }, el("summary", {}, label, el("span", { class: "faint" }, `${variant} ${part.text.startsWith("[") ? `${part.parts.length} elements` : ""}`), remove), part.parts.map(partNode), adds));
}

/** Details that are open at first if `isOpen`, and then as they were left. */
class Opening extends preact.Component {
  render({ isOpen, children }, { left }) {
    return el("details", { open: left ?? isOpen, ontoggle: (event) => this.setState({ left: event.target.open }) }, children);
  }
}

/** What each value must be that was pointed at, by its file and path. */
const expectedOf = new Map();

class LeafInput extends preact.Component {
  async showExpected() {
    const { file } = editor;
    const { path } = this.props;
    const key = JSON.stringify([file, path]);
    if (!expectedOf.has(key)) expectedOf.set(key, askPanel("Editor", { do: "expected", file, path }).catch(() => []));
    this.setState({ limits: await expectedOf.get(key) });
  }

  render({ path, text }, { limits = [] }) {
    const set = (value) => edit("set", { path, value });
    if (text === "true" || text === "false") return el("input", { type: "checkbox", checked: text === "true", onchange: (event) => set(String(event.target.checked)) });
    const isText = /^"[^"\\]*"$/.test(text);
    const shown = isText ? text.slice(1, -1) : text;
    const onchange = (event) => set(isText ? JSON.stringify(event.target.value) : event.target.value);
    return el("span", {},
      el("input", { type: isText && isColor(shown) ? "color" : "text", value: shown, onchange, onmouseenter: () => this.showExpected(), onfocus: () => this.showExpected() }),
      el("span", { class: "faint" }, limits.length ? ` must be ${limits.join(", ")}` : ""));
  }
}

/** The whole text; what is typed there stays until it is applied. */
function textBox() {
  const lines = editor.shown.text.split("\n");
  const typed = (event) => { editor.typed = event.target.value; editor.nodes = null; redraw(); };
  const apply = async () => {
    if (await edit("write", { text: editor.typed ?? editor.shown.text })) editor.typed = null;
    editor.nodes = null;
    redraw();
  };
  const line = editor.shown.error?.position?.[0];
  return el(Opening, { key: `text ${editor.file}`, isOpen: !editor.shown.level || editor.typed !== null }, el("summary", {}, "Text"),
    line ? el("p", { class: "alarm code" }, `line ${line}: ${(lines[line - 1] ?? "").trim()}`) : null,
    el("textarea", { value: editor.typed ?? editor.shown.text, rows: Math.min(lines.length + 1, 30), spellcheck: false, oninput: typed }),
    el("button", { onclick: apply }, "Apply text"), el("span", { class: "faint" }, editor.typed === null ? "" : " not applied yet"));
}

// --- the map ---

const ron = (value) => (Number.isInteger(value) ? `${value}.0` : String(Number(value.toFixed(3))));
const pair = ([x, y]) => `(${ron(x)}, ${ron(y)})`;
const snapped = (value, isFree) => (isFree ? value : Math.round(value / SNAP_M) * SNAP_M);

/** Everything on the map that can be chosen. */
function things() {
  const { walls, places, stashes, is_ring, stash_half } = editor.shown.level;
  const square = ([x, y], half) => [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]];
  return [
    ...stashes.map((stash, n) => ({ kind: "stash", path: is_ring ? null : `stashes.at_m.${n}`, placePath: `stashes.at_m.${n}`, corners: square(stash.at, stash_half), number: n + 1, ...stash })),
    ...walls.map((wall, n) => ({ kind: "wall", path: `walls.${n}`, placePath: `walls.${n}.at_m`, ...wall })),
    ...places.map((place, n) => ({ kind: "object", path: `places.${n}`, placePath: `places.${n}.at_m`, ...place })),
  ];
}

function chooseThing(thing) {
  editor.chosen = thing;
  editor.nodes = null;
  redraw();
}

function removeChosen() {
  return edit("remove", () => {
    if (!editor.chosen?.path) return null;
    const { path } = editor.chosen;
    editor.chosen = null;
    return { path };
  });
}

function turnChosen(by) {
  return edit("set", () => {
    const { chosen } = editor;
    if (chosen?.kind === "wall") {
      const [width, height] = chosen.half;
      return width === height ? null : { path: `${chosen.path}.half_extents_m`, value: pair([height, width]) };
    }
    if (chosen?.kind !== "object") return null;
    return { path: `${chosen.path}.heading_rad`, value: ron(Math.round(((chosen.heading + by) % (2 * Math.PI)) * 1000) / 1000) };
  });
}

function chooseTool(tool) {
  editor.tool = tool;
  editor.nodes = null;
  redraw();
}

/** Adds a thing with the chosen tool, and chooses it. */
async function addThing(place) {
  const kind = editor.tool;
  const path = { wall: "walls", object: "places", stash: "stashes.at_m" }[kind];
  const value = {
    wall: `(at_m: ${pair(place)}, half_extents_m: (4.0, 1.0))`,
    object: `(prefab: ${JSON.stringify(editor.prefab)}, at_m: ${pair(place)})`,
    stash: pair(place),
  }[kind];
  editor.tool = null;
  if (await edit("add", { path, value })) chooseThing(things().filter((thing) => thing.kind === kind).at(-1) ?? null);
}

function levelTools() {
  const { is_ring } = editor.shown.level;
  const tool = (name, text, title) => el("button", { class: editor.tool === name ? "chosen" : "", disabled: is_ring, title, onclick: () => chooseTool(editor.tool === name ? null : name) }, text);
  const prefab = el("select", { value: editor.prefab, disabled: is_ring, onchange: (event) => { editor.prefab = event.target.value; } }, ...editor.shown.prefabs.map((name) => el("option", { key: name, value: name }, name)));
  const hint = is_ring ? "Walls and objects need stashes that are placed by hand." : editor.tool ? "Click where it stands." : editor.chosen ? "Drag it; R turns, Delete removes; a corner of a wall resizes it." : "Click a thing to choose it, drag it to move it; Alt: do not snap.";
  return el("div", { class: "tools", style: { position: "static" } },
    is_ring ? el("button", { onclick: () => edit("fix_stashes") }, "Place stashes by hand") : null,
    tool("wall", "+ Wall", "a wall of 8 m by 2 m"), tool("object", "+ Object", "an object of a prefab"), prefab, tool("stash", "+ Stash", "a place for one more player"),
    editor.chosen ? el("button", { onclick: removeChosen }, "Remove") : null,
    editor.chosen && editor.chosen.kind !== "stash" ? el("button", { onclick: () => turnChosen(TURN_RAD) }, "Turn") : null,
    el("span", { class: "faint" }, hint));
}

/** Points of the map on each side. */
const MAP_SIZE = 1200;

function levelMap() {
  const { half_extent } = editor.shown.level;
  const scale = MAP_SIZE / (2 * half_extent * 1.04);
  const toMap = ([x, y]) => [MAP_SIZE / 2 + x * scale, MAP_SIZE / 2 - y * scale];
  const toWorld = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const ratio = MAP_SIZE / box.width;
    return [((event.clientX - box.left) * ratio - MAP_SIZE / 2) / scale, (MAP_SIZE / 2 - (event.clientY - box.top) * ratio) / scale];
  };
  let all = things();
  if (editor.chosen) editor.chosen = all.find(({ path }) => path && path === editor.chosen.path) ?? null;
  const draw = (canvas) => drawLevel(canvas.getContext("2d"), MAP_SIZE, scale, toMap, all);
  const moved = (thing, [dx, dy]) => ({ ...thing, at: [thing.at[0] + dx, thing.at[1] + dy], corners: thing.corners.map(([x, y]) => [x + dx, y + dy]) });

  const onpointerdown = (event) => {
    const canvas = event.currentTarget;
    // Scrolling would move what is under the pointer.
    canvas.focus({ preventScroll: true });
    const at = toWorld(event);
    const place = at.map((value) => snapped(value, event.altKey));
    if (editor.tool) {
      addThing(place);
      return;
    }
    const chosen = editor.chosen;
    const corner = chosen?.kind === "wall" ? chosen.corners.find(([x, y]) => Math.hypot(x - at[0], y - at[1]) * scale < 18) : null;
    const hit = corner ? chosen : all.filter(({ path, corners }) => path && isInside(at, corners, 8 / scale)).at(-1) ?? null;
    editor.chosen = hit;
    editor.drag = hit && { from: at, thing: hit, resizes: Boolean(corner), hasMoved: false };
    canvas.setPointerCapture(event.pointerId);
    draw(event.currentTarget);
  };
  const onpointermove = (event) => {
    const { drag } = editor;
    if (!drag) return;
    const at = toWorld(event);
    drag.hasMoved ||= Math.hypot(at[0] - drag.from[0], at[1] - drag.from[1]) * scale > 4;
    if (!drag.hasMoved) return;
    let { thing } = drag;
    if (drag.resizes) {
      const half = [0, 1].map((axis) => Math.max(0.5, snapped(Math.abs(at[axis] - thing.at[axis]), event.altKey)));
      const [x, y] = thing.at;
      thing = { ...thing, half, corners: [[x - half[0], y - half[1]], [x + half[0], y - half[1]], [x + half[0], y + half[1]], [x - half[0], y + half[1]]] };
    } else thing = moved(thing, [0, 1].map((axis) => snapped(thing.at[axis] + at[axis] - drag.from[axis], event.altKey) - thing.at[axis]));
    editor.chosen = thing;
    all = all.map((other) => (other.path === thing.path ? thing : other));
    draw(event.currentTarget);
  };
  const onpointerup = () => {
    const { drag, chosen } = editor;
    editor.drag = null;
    if (!drag?.hasMoved) chooseThing(chosen);
    else if (drag.resizes) edit("set", { path: `${chosen.path}.half_extents_m`, value: pair(chosen.half) });
    else edit("set", { path: chosen.placePath, value: pair(chosen.at) });
  };
  const onwheel = (event) => {
    if (editor.chosen?.kind !== "object") return;
    event.preventDefault();
    turnChosen(event.deltaY < 0 ? TURN_RAD : -TURN_RAD);
  };
  const style = { width: "min(100%, 70vh)", aspectRatio: "1", display: "block", border: "1px solid var(--line)", touchAction: "none" };
  return el(Canvas, { key: "map", id: "level-map", tabIndex: 0, width: MAP_SIZE, height: MAP_SIZE, style, draw, onpointerdown, onpointermove, onpointerup, onwheel });
}

/** Whether a point is in the box around a shape, or as near to it as `margin`. */
function isInside([x, y], corners, margin) {
  const xs = corners.map((corner) => corner[0]);
  const ys = corners.map((corner) => corner[1]);
  return x > Math.min(...xs) - margin && x < Math.max(...xs) + margin && y > Math.min(...ys) - margin && y < Math.max(...ys) + margin;
}

function drawLevel(context, size, scale, toMap, all) {
  const { half_extent, bounties } = editor.shown.level;
  context.fillStyle = "#0b0e15";
  context.fillRect(0, 0, size, size);
  const frame = (half, color, dash) => {
    const [left, top] = toMap([-half, half]);
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.setLineDash(dash);
    context.strokeRect(left, top, 2 * half * scale, 2 * half * scale);
    context.setLineDash([]);
  };
  context.strokeStyle = "#1a2130";
  context.lineWidth = 1;
  for (let at = -Math.floor(half_extent / 10) * 10; at <= half_extent; at += 10) {
    for (const [from, to] of [[[at, -half_extent], [at, half_extent]], [[-half_extent, at], [half_extent, at]]]) {
      context.beginPath();
      context.moveTo(...toMap(from));
      context.lineTo(...toMap(to));
      context.stroke();
    }
  }
  frame(half_extent, "#55617a", []);
  frame(bounties, "#6b5a2a", [12, 10]);
  for (const thing of all) {
    const isBad = isErrorAt(thing.position);
    const color = { stash: STASH_COLORS[(thing.number - 1) % 4], wall: "#8793a8", object: "#a9835f" }[thing.kind];
    context.beginPath();
    thing.corners.forEach((corner, n) => (n ? context.lineTo(...toMap(corner)) : context.moveTo(...toMap(corner))));
    context.closePath();
    context.globalAlpha = thing.path ? 0.8 : 0.35;
    context.fillStyle = isBad ? "#ff3b3b" : color;
    context.fill();
    context.globalAlpha = 1;
    if (editor.chosen && thing.path === editor.chosen.path && thing.path) {
      context.strokeStyle = "#ffffff";
      context.lineWidth = 3;
      context.stroke();
      if (thing.kind === "wall") for (const corner of thing.corners) {
        const [x, y] = toMap(corner);
        context.fillStyle = "#ffffff";
        context.fillRect(x - 7, y - 7, 14, 14);
      }
    }
    context.fillStyle = "#ffffff";
    context.font = "20px system-ui";
    context.textAlign = "center";
    const [x, y] = toMap(thing.at);
    if (thing.kind === "stash") context.fillText(String(thing.number), x, y + 7);
  }
}
