// The frame around the panels: what is chosen, the address, time, keys, and when the panel is drawn.
"use strict";

/** The last status of the program. */
let status = null;

// --- what is chosen, and the address ---

/** What this page shows. Another page of the same program has its own. */
const view = {
  tab: "Entities", entity: null, search: "", with: "", sort: null, descending: false, resource: null, system: null,
  event: "", eventSearch: "", eventFrame: "", why: null, whyValue: null, pool: null, from: null, to: null, after: null, raw: new Set(),
};
/** The parts of the view that the address carries, with what they are without it. */
const addressed = {};
/** Parts that are typed, or change by themselves: the way back does not lead through each of their values. */
const passing = ["search", "with", "eventSearch", "eventFrame", "from", "to", "frame", "branch"];

/** Lets the address carry parts of the view, which are these without it. */
function address(parts) {
  for (const [name, value] of Object.entries(parts)) {
    addressed[name] = value;
    view[name] ??= value;
  }
}

address({
  tab: "Entities", entity: null, search: "", with: "", sort: null, descending: false, resource: null, system: null, event: "", eventSearch: "",
  eventFrame: "", why: null, whyValue: null, pool: null,
});

/** The frame that the address carries: the shown one, unless the program runs. */
const shownFrame = () => (status.paused || status.past !== null ? status.frame : null);

/** The parts of the view that differ from what they are without an address, as text. */
function partsOfView() {
  const parts = new Map();
  for (const [name, usual] of Object.entries(addressed)) {
    const value = view[name];
    if (value !== usual && value !== null && value !== undefined) parts.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return parts;
}

/** The parts that the address carries now. */
const partsOfAddress = () => new Map(new URLSearchParams(location.hash.slice(1)));

/** Set while the program is asked for the frame of the address. */
let isGoing = false;
/** Whether the frame that is shown next is one that the way back leads to. */
let isFrameChosen = false;

/** Brings the address up to what is shown. */
function noteAddress() {
  if (isGoing) return;
  const [now, parts] = [partsOfAddress(), partsOfView()];
  const frame = shownFrame();
  if (frame !== null) parts.set("frame", String(frame));
  // Without a word it is the first one.
  if (frame !== null && status.branch !== null && status.branch.branch !== 1) parts.set("branch", String(status.branch.branch));
  const differs = [...new Set([...now.keys(), ...parts.keys()])].filter((name) => now.get(name) !== parts.get(name));
  if (differs.length === 0) return;
  const isPassing = differs.every((name) => passing.includes(name)) && !isFrameChosen;
  isFrameChosen = false;
  const url = `${location.pathname}${location.search}${parts.size ? `#${new URLSearchParams([...parts])}` : ""}`;
  history[isPassing ? "replaceState" : "pushState"](null, "", url);
}

/** Shows what the address says. */
function followAddress() {
  const parts = partsOfAddress();
  for (const [name, usual] of Object.entries(addressed)) {
    const text = parts.get(name);
    if (text === undefined) view[name] = usual;
    else if (typeof usual === "boolean") view[name] = text === "true";
    else if (typeof usual === "number") view[name] = Number(text);
    else if (/^why/.test(name)) {
      try { view[name] = JSON.parse(text); } catch { view[name] = usual; }
    } else view[name] = text;
  }
  if (!(view.tab in panels)) view.tab = addressed.tab;
}

/** Goes to the frame that the address carries. An address without one that one comes back to was that of the present. */
async function followFrame(isBack) {
  const [text, branch] = [partsOfAddress().get("frame"), Number(partsOfAddress().get("branch") ?? 1)];
  const isShown = Number(text) === shownFrame() && branch === status.branch?.branch;
  if (text === undefined ? !isBack || status.past === null : isShown) return;
  isGoing = true;
  if (text === undefined) await act("now");
  else if (!/^\d+$/.test(text)) say(`"${text}" in the address is no number of a frame`);
  else await act("branch", { branch, frame: Number(text) });
  isGoing = false;
  redraw();
}

window.addEventListener("popstate", () => {
  followAddress();
  // First, so that the frame that is still shown is not noted.
  followFrame(true);
  redraw();
});

/** Shows an entity, and marks it in the window of the program. */
function choose(id) {
  Object.assign(view, { tab: "Entities", entity: id });
  redraw();
  act("select", { entity: id });
}

/** How many entities were marked in the window of the program so far. */
let knownPicks = null;

/** Shows an entity that was marked in the window. */
function followPick() {
  const isNew = knownPicks === null ? status.picked !== null && view.entity === null : status.picks > knownPicks;
  knownPicks = status.picks;
  if (isNew && status.picked !== null) Object.assign(view, { tab: "Entities", entity: status.picked });
}

// --- what one does ---

function say(text, isNotice = false) {
  const box = document.getElementById("message");
  if (box.textContent !== text) box.textContent = text;
  box.title = text;
  box.className = isNotice ? "notice" : "";
}

/** Carries out something that changes the program, then shows the new state. */
async function act(op, more) {
  const { isPassing, ...fields } = more ?? {};
  // Before the request: the stream may bring the frame before its answer comes.
  isFrameChosen ||= op === "seek" && !isPassing;
  try {
    await ask(op, fields);
    say("");
  } catch (error) {
    isFrameChosen = false;
    say(error instanceof TypeError ? "the program is gone, or does not answer" : error.message);
    return false;
  }
  await refresh();
  return true;
}

/** Shows the present state of the program, which the stream would bring a little later. */
async function refresh() {
  try {
    answers.set(STATUS, await ask("status"));
    answers.set(BRANCHES, await ask("branches"));
  } catch { /* The stream tells what has become of the program. */ }
  redrawWhenStill();
}

async function saveMoment() {
  try {
    const { frame, moment } = await ask("save");
    download([moment], `frame_${frame}.moment`);
  } catch (error) {
    say(error.message);
  }
}

function loadMoment() {
  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", async () => act("load", { moment: (await input.files[0].text()).trim() }));
  input.click();
}

let seeking = null;
let nextSeek = null;

/** Goes to the frame of the time line; of those that it is dragged over while the program is asked, to the last. */
async function drag(frame) {
  nextSeek = frame;
  seeking ??= (async () => {
    while (nextSeek !== null) {
      const frame = nextSeek;
      nextSeek = null;
      await act("seek", { frame, isPassing: true });
    }
    seeking = null;
  })();
}

// --- drawing ---

const STATUS = JSON.stringify({ op: "status" });
const BRANCHES = JSON.stringify({ op: "branches" });
let isDrawing = false;
let isDue = false;
/** While a button of the mouse is held on the panel, it stands still, so that what was pressed is what is released. */
let isPressed = false;

/** Draws the panel for what was done on the page, now or as soon as it may. */
async function redraw() {
  isDue = true;
  if (isDrawing || isPressed) return;
  isDrawing = true;
  while (isDue && !isPressed) {
    isDue = false;
    try {
      await draw();
    } catch (error) {
      say(error.message);
    }
  }
  isDrawing = false;
}

async function draw() {
  status = answers.get(STATUS) ?? null;
  wanted = new Map([[STATUS, { op: "status" }], [BRANCHES, { op: "branches" }]]);
  if (status?.error) throw new Error(status.error);
  if (status) {
    const isFirst = knownPicks === null;
    followPick();
    showStatus();
    if (isFirst) followFrame(false);
    noteAddress();
    const tab = view.tab;
    try {
      const shown = await panels[tab]();
      if (tab !== view.tab) isDue = true;
      else if (isPressed) isDue = true;
      else preact.render(el(preact.Fragment, { key: tab }, shown), document.getElementById("panel"));
    } finally {
      if (tab === view.tab) watch();
    }
  } else watch();
}

/** So long after its last move the pointer may still be on its way to a button, and no longer than that it is waited for. */
const AIM_MS = 400;
const MAX_AIM_MS = 3000;
/** When the pointer began to move on the panel, and when it moved last; null if it is still. */
let aim = null;
let stillness = null;

/** Draws the panel for what the program has answered or sent, which waits until the pointer is still: nothing moves away from below it. */
function redrawWhenStill() {
  const now = performance.now();
  const left = aim && Math.min(aim.last + AIM_MS, aim.begun + MAX_AIM_MS) - now;
  if (left > 0) stillness ??= setTimeout(() => { stillness = null; redrawWhenStill(); }, left);
  else {
    aim = null;
    redraw();
  }
}

const panelBox = document.getElementById("panel");
panelBox.addEventListener("pointermove", () => {
  const now = performance.now();
  aim = { begun: aim && now - aim.last < AIM_MS ? aim.begun : now, last: now };
});
panelBox.addEventListener("pointerleave", () => { aim = null; });
panelBox.addEventListener("pointerdown", ({ target, offsetX, offsetY }) => {
  // A selection and a map follow the pointer themselves, and what is scrolled must be drawn.
  const isScrollbar = target.matches(".rows, .detail, .whole, .scrolled") && (offsetX >= target.clientWidth || offsetY >= target.clientHeight);
  isPressed = !isScrollbar && !target.closest("select, option, canvas");
});
function release() {
  // After the click, which is shown at once.
  setTimeout(() => { isPressed = false; aim = null; if (isDue) redraw(); }, 0);
}
for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, release);
window.addEventListener("pointermove", (event) => { if (isPressed && event.buttons === 0) release(); });

/** Sets what differs. */
function put(id, properties) {
  const element = document.getElementById(id);
  for (const [name, value] of Object.entries(properties)) if (element[name] !== value) element[name] = value;
}

function drawTimes(times) {
  const canvas = document.getElementById("times");
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const most = Math.max(20, ...times);
  const worst = Math.max(...times);
  times.slice(-canvas.width).forEach((time, place) => {
    const height = Math.max(1, (time / most) * canvas.height);
    context.fillStyle = time === worst ? "#ff6b6b" : "#69d58c";
    context.fillRect(place, canvas.height - height, 1, height);
  });
  context.fillStyle = "#8793a8";
  context.fillRect(0, canvas.height - (16.7 / most) * canvas.height, canvas.width, 1);
}

let isDragging = false;

/** The branches to choose from, and the name of the current one, which can be changed. */
function branchList(branches) {
  const current = branches.find((branch) => branch.current);
  if (!current) return null;
  const text = ({ name, from, begin, latest }) => `${name}: ${begin} to ${latest}${from === null ? "" : `, from ${branches.find(({ branch }) => branch === from)?.name ?? "a gone one"}`}`;
  return [
    el("select", { key: "branch", name: "branch", "aria-label": "branch", title: "the branches of the history: choose one to show it", value: String(current.branch), onchange: (event) => act("branch", { branch: Number(event.target.value) }) },
      branches.map((branch) => el("option", { key: branch.branch, value: String(branch.branch) }, text(branch)))),
    el("input", { key: `name ${current.branch}`, type: "text", name: "branchName", "aria-label": "name of the branch", title: "the name of this branch", value: current.name, onkeydown: ({ key, target }) => { if (key === "Enter") target.blur(); }, onchange: (event) => act("name_branch", { branch: current.branch, name: event.target.value }) }),
  ];
}

function showStatus() {
  const { frame, seconds, entities, paused, past, oldest, latest, notice, no_history, undo, redo, middle } = status;
  const times = status.frame_ms;
  const mean = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
  const slow = [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
  put("facts", { textContent: `${entities} entities · ${mean.toFixed(2)} ms`, title: `${mean.toFixed(2)} ms a frame, 99 % of the frames below ${slow.toFixed(2)} ms` });
  drawTimes(times);
  put("timeline", { min: String(oldest ?? 0), max: String(latest ?? 0), disabled: oldest === null });
  if (!isDragging) put("timeline", { value: String(past ?? latest ?? 0) });
  const time = past === null ? `frame ${frame} · ${seconds.toFixed(2)} s` : `frame ${past} · ${seconds.toFixed(2)} s · the past`;
  put("shown", {
    textContent: middle ? `frame ${frame}, ${middle.systems} of ${middle.of} systems, the last: ${middle.last}` : time,
    className: past !== null || middle ? "past" : "",
  });
  put("run", { textContent: past !== null ? "Back to now" : paused ? "Run" : "Pause" });
  put("from-here", { disabled: past === null });
  put("step", { disabled: !paused });
  put("step-system", { disabled: !paused });
  put("end", { hidden: !status.at_end });
  const field = document.getElementById("frame");
  if (document.activeElement !== field) put("frame", { value: String(frame), min: String(oldest ?? 0), max: String(latest ?? 0) });
  preact.render(branchList(answers.get(BRANCHES)?.branches ?? []), document.getElementById("branches"));
  put("undo", { disabled: undo === 0 });
  put("redo", { disabled: redo === 0 });
  if (notice) say(notice, true);
  else if (no_history) say(`there is no way back: ${no_history}`, true);
  else if (document.getElementById("message").className === "notice") say("");
  showQuestions();
  preact.render(Object.keys(panels).map((tab) => el("button", {
    key: tab, class: tab === view.tab ? "chosen" : "", role: "tab", "aria-selected": tab === view.tab, tabIndex: tab === view.tab ? 0 : -1, onclick: () => chooseTab(tab),
  }, tab)), document.getElementById("tabs"));
}

function chooseTab(tab) {
  view.tab = tab;
  redraw();
}

// --- buttons and keys ---

async function run() {
  // The frames that the time line was dragged over do not come after it.
  nextSeek = null;
  await seeking;
  await act(status.past !== null ? "now" : status.paused ? "run" : "pause");
}
const back = () => act("seek", { frame: Math.max(status.oldest ?? 0, (status.past ?? status.latest) - 1), isPassing: true });
const goOnFromHere = () => act("begin_branch");
const onClick = {
  run, back, save: saveMoment, load: loadMoment, "from-here": goOnFromHere, step: () => act("step"), "step-system": () => act("step_system"),
  end: () => act("end"), undo: () => act("undo"), redo: () => act("redo"), help: () => document.getElementById("keys").showModal(),
};
for (const [id, does] of Object.entries(onClick)) document.getElementById(id).addEventListener("click", does);

const timeline = document.getElementById("timeline");
timeline.addEventListener("pointerdown", () => { isDragging = true; });
timeline.addEventListener("pointerup", () => { isDragging = false; });
timeline.addEventListener("input", () => drag(timeline.valueAsNumber));

const frameField = document.getElementById("frame");
frameField.addEventListener("change", () => { if (frameField.value !== "") act("seek", { frame: frameField.valueAsNumber }); });
frameField.addEventListener("keydown", (event) => {
  if (event.key === "Escape") frameField.value = String(status.frame);
  if (event.key === "Escape" || event.key === "Enter") frameField.blur();
});

/** Moves the focus to the tab beside the one that has it. */
function tabBeside(by) {
  const tabs = Object.keys(panels);
  chooseTab(tabs[(tabs.indexOf(view.tab) + by + tabs.length) % tabs.length]);
  setTimeout(() => document.querySelector("nav .chosen")?.focus(), 0);
}

document.addEventListener("keydown", (event) => {
  if (!status || document.getElementById("keys").open) return;
  const { target, key, ctrlKey } = event;
  const isTyping = target.matches("input:not([type=checkbox]):not([type=range]), textarea, select");
  const tabNumber = "1234567890-".indexOf(key);
  if (keysOf[view.tab]?.(event, isTyping)) { /* The panel has done it. */ }
  else if (ctrlKey && key === "z" && !isTyping) act("undo");
  else if (ctrlKey && key === "y" && !isTyping) act("redo");
  else if (isTyping || ctrlKey || event.altKey || event.metaKey) return;
  else if (target.closest("nav") && (key === "ArrowLeft" || key === "ArrowRight")) tabBeside(key === "ArrowLeft" ? -1 : 1);
  // A button, a link and the time line have their own use for these.
  else if (target.matches("button, summary, input") && (key === " " || key === "Enter")) return;
  else if (target === timeline && key.startsWith("Arrow")) return;
  else if (key === " ") run();
  else if (key === "ArrowRight" && status.paused) act("step");
  else if (key === "ArrowLeft") back();
  else if (key === "s" && status.paused) act("step_system");
  else if (key === "g") frameField.select();
  else if (key === "q") document.querySelector("#questions input").select();
  else if (key === "f" && status.past !== null) goOnFromHere();
  else if (key === "/") panelBox.querySelector("input[type=text], input[type=number], textarea")?.focus();
  else if (key === "?") document.getElementById("keys").showModal();
  else if (tabNumber >= 0 && tabNumber < Object.keys(panels).length) chooseTab(Object.keys(panels)[tabNumber]);
  else return;
  event.preventDefault();
});

/** Begins when the scripts of all panels are there. */
function begin() {
  followAddress();
  connect();
}
