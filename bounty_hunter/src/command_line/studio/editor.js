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
    await refresh(true);
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
  refresh(true);
}

function editorNodes() {
  const { shown } = editor;
  const list = el("div", { class: "list" });
  list.style.width = "190px";
  list.style.minWidth = "190px";
  let folder = null;
  const isInFolder = ({ path }) => path.includes("/");
  for (const { path, is_changed } of [...shown.files].sort((one, other) => isInFolder(one) - isInFolder(other))) {
    const [of, name] = path.includes("/") ? path.split("/") : ["", path];
    if (of !== folder) list.append(el("h3", {}, of || "match"));
    folder = of;
    list.append(el("div", { class: path === editor.file ? "row chosen" : "row", onclick: () => openFile(path) },
      el("span", { class: shown.error?.file === path ? "alarm" : "" }, name.replace(/\.ron$/, "")), is_changed ? el("span", { class: "faint" }, "changed") : null));
  }
  for (const title of list.querySelectorAll("h3")) title.style.marginLeft = "8px";
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
  const middle = el("div", { class: "whole" }, tools);
  middle.style.flex = "3";
  if (shown.error) middle.append(el("p", { class: "alarm" }, shown.error.sentence));
  if (shown.draft_problem) middle.append(el("p", { class: "alarm" }, `changes are lost when the program ends: ${shown.draft_problem}`));
  if (shown.level) middle.append(levelTools(), levelMap());
  middle.append(textBox());
  const tree = el("div", { class: "detail" }, el("h2", {}, editor.file), ...shown.parts.map(partNode));
  tree.style.flex = "2";
  tree.style.borderLeft = "1px solid var(--line)";
  return [list, middle, tree];
}

function downloadFile() {
  const link = el("a", { href: URL.createObjectURL(new Blob([editor.shown.text])), download: editor.file.split("/").at(-1) });
  link.click();
  URL.revokeObjectURL(link.href);
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
  const box = el("div");
  box.style.margin = "2px 0 2px 12px";
  if (part.comment) box.append(el("div", { class: "faint" }, part.comment));
  const isBad = isErrorAt(part.position) && isLeaf(part);
  const label = el("label", { class: isBad ? "alarm" : "" }, isIndex ? `${Number(part.step) + 1} ` : `${part.step} `);
  if (isLeaf(part)) {
    box.append(label, part.path ? leafInput(part) : el("code", {}, part.text), remove ?? "");
    return box;
  }
  const isOpen = part.parts.length <= 8 || (part.path && editor.chosen?.path?.startsWith(part.path));
  const variant = /^[A-Za-z]\w*/.exec(part.text)?.[0] ?? "";
  const details = el("details", { open: isOpen }, el("summary", {}, label, el("span", { class: "faint" }, `${variant} ${part.text.startsWith("[") ? `${part.parts.length} elements` : ""}`), remove ?? ""));
  details.append(...part.parts.map(partNode));
  if (part.text.startsWith("[") && part.path) {
    const last = part.parts.at(-1)?.text ?? "";
    const added = el("input", { type: "text", value: last, placeholder: "a value in RON" });
    details.append(el("div", { class: "tools" }, added, el("button", { onclick: () => edit("add", { path: part.path, value: added.value }) }, "Add")));
  }
  box.append(details);
  return box;
}

/** What each value must be that was pointed at, by its file and path. */
const expectedOf = new Map();

function leafInput({ path, text }) {
  const set = (value) => edit("set", { path, value });
  if (text === "true" || text === "false") return el("input", { type: "checkbox", checked: text === "true", onchange: (event) => set(String(event.target.checked)) });
  const isText = /^"[^"\\]*"$/.test(text);
  const shown = isText ? text.slice(1, -1) : text;
  const input = el("input", { type: isText && isColor(shown) ? "color" : "text", value: shown });
  input.addEventListener("change", () => set(isText ? JSON.stringify(input.value) : input.value));
  const hint = el("span", { class: "faint" });
  const showExpected = async () => {
    const { file } = editor;
    const key = JSON.stringify([file, path]);
    if (!expectedOf.has(key)) expectedOf.set(key, askPanel("Editor", { do: "expected", file, path }).catch(() => []));
    const limits = await expectedOf.get(key);
    if (limits.length) hint.textContent = ` must be ${limits.join(", ")}`;
  };
  input.addEventListener("mouseenter", showExpected);
  input.addEventListener("focus", showExpected);
  return el("span", {}, input, hint);
}

/** The whole text; what is typed there stays until it is applied. */
function textBox() {
  const lines = editor.shown.text.split("\n");
  const area = el("textarea", { value: editor.typed ?? editor.shown.text, rows: Math.min(lines.length + 1, 30), spellcheck: false });
  const note = el("span", { class: "faint" }, editor.typed === null ? "" : " not applied yet");
  area.addEventListener("input", () => {
    editor.typed = area.value;
    note.textContent = " not applied yet";
  });
  const apply = async () => {
    const text = area.value;
    if (await edit("write", { text })) editor.typed = null;
    editor.nodes = null;
    await refresh(true);
  };
  const box = el("details", { open: !editor.shown.level || editor.typed !== null }, el("summary", {}, "Text"), area, el("button", { onclick: apply }, "Apply text"), note);
  const line = editor.shown.error?.position?.[0];
  if (line) box.prepend(el("p", { class: "alarm code" }, `line ${line}: ${(lines[line - 1] ?? "").trim()}`));
  return box;
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
  refresh(true);
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
  refresh(true);
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
  const prefab = el("select", { disabled: is_ring, onchange: (event) => { editor.prefab = event.target.value; } }, ...editor.shown.prefabs.map((name) => el("option", { value: name, selected: name === editor.prefab }, name)));
  const hint = is_ring ? "Walls and objects need stashes that are placed by hand." : editor.tool ? "Click where it stands." : editor.chosen ? "Drag it; R turns, Delete removes; a corner of a wall resizes it." : "Click a thing to choose it, drag it to move it; Alt: do not snap.";
  const tools = el("div", { class: "tools" },
    is_ring ? el("button", { onclick: () => edit("fix_stashes") }, "Place stashes by hand") : null,
    tool("wall", "+ Wall", "a wall of 8 m by 2 m"), tool("object", "+ Object", "an object of a prefab"), prefab, tool("stash", "+ Stash", "a place for one more player"),
    editor.chosen ? el("button", { onclick: removeChosen }, "Remove") : null,
    editor.chosen && editor.chosen.kind !== "stash" ? el("button", { onclick: () => turnChosen(TURN_RAD) }, "Turn") : null,
    el("span", { class: "faint" }, hint));
  tools.style.position = "static";
  return tools;
}

function levelMap() {
  const canvas = el("canvas", { id: "level-map", tabIndex: 0 });
  Object.assign(canvas.style, { width: "min(100%, 70vh)", aspectRatio: "1", display: "block", border: "1px solid var(--line)", touchAction: "none" });
  canvas.width = canvas.height = 1200;
  const { half_extent } = editor.shown.level;
  const scale = canvas.width / (2 * half_extent * 1.04);
  const toMap = ([x, y]) => [canvas.width / 2 + x * scale, canvas.height / 2 - y * scale];
  const toWorld = (event) => {
    const box = canvas.getBoundingClientRect();
    const ratio = canvas.width / box.width;
    return [((event.clientX - box.left) * ratio - canvas.width / 2) / scale, (canvas.height / 2 - (event.clientY - box.top) * ratio) / scale];
  };
  let all = things();
  if (editor.chosen) editor.chosen = all.find(({ path }) => path && path === editor.chosen.path) ?? null;
  const draw = () => drawLevel(canvas.getContext("2d"), canvas.width, scale, toMap, all);
  const moved = (thing, [dx, dy]) => ({ ...thing, at: [thing.at[0] + dx, thing.at[1] + dy], corners: thing.corners.map(([x, y]) => [x + dx, y + dy]) });

  canvas.addEventListener("pointerdown", (event) => {
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
    draw();
  });
  canvas.addEventListener("pointermove", (event) => {
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
    draw();
  });
  canvas.addEventListener("pointerup", () => {
    const { drag, chosen } = editor;
    editor.drag = null;
    if (!drag?.hasMoved) chooseThing(chosen);
    else if (drag.resizes) edit("set", { path: `${chosen.path}.half_extents_m`, value: pair(chosen.half) });
    else edit("set", { path: chosen.placePath, value: pair(chosen.at) });
  });
  canvas.addEventListener("wheel", (event) => {
    if (editor.chosen?.kind !== "object") return;
    event.preventDefault();
    turnChosen(event.deltaY < 0 ? TURN_RAD : -TURN_RAD);
  }, { passive: false });
  draw();
  return canvas;
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
