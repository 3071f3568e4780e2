// Uses the studio beside a match in a real window: node studio.mjs PROGRAM PICTURES
//
// PROGRAM has the feature `studio`; needs xdotool, ImageMagick and a display. Opens the page, selects an entity, edits a value and sees it in
// the window, undoes it, spawns and despawns, goes back in time and returns, stops at an event, reports the match as a replay and opens that,
// edits a level and plays it, and saves a moment. The pictures are to be looked at.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, openBrowser } from "./chromium.mjs";

const [program, pictures] = process.argv.slice(2);
// In place of the program that opens a browser: it writes down what it is to open.
const tools = mkdtempSync(join(tmpdir(), "studio_tools_"));
const opened = join(tools, "opened");
writeFileSync(join(tools, "xdg-open"), `#!/bin/sh\necho "$1" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`, { mode: 0o755 });
const all = [];
/** Starts the program; `address` is that of its studio. */
function start(options) {
  const started = spawn(program, options, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, XDG_DATA_HOME: tools, XDG_CONFIG_HOME: tools, PATH: `${tools}:${process.env.PATH}` } });
  all.push(started);
  const address = new Promise((found, refuse) => {
    started.stderr.pipe(process.stderr);
    for (const output of [started.stdout, started.stderr]) {
      output.on("data", data => {
        const match = /http:\/\/\S+/.exec(data);
        if (match) found(match[0]);
      });
    }
    started.once("exit", code => refuse(new Error(`${options.join(" ")} ended with ${code}`)));
  });
  return { process: started, address };
}
const played = start(["play", "--demo", "--seed", "7", "--players", "4", "--studio", "127.0.0.1:0"]);
const game = played.process;
const address = await played.address;
const { page, ask, until, press, mouse, frames, picture, problems, close } = await openBrowser(pictures, { width: 1280, height: 800 });

/** A request of the protocol, from beside the page. */
async function request(op, more = {}, at = address) {
  const response = await fetch(`${at}/api`, { method: "POST", body: JSON.stringify({ op, ...more }) });
  return response.json();
}
const photograph = name => execFileSync("import", ["-window", "root", join(pictures, `${name}.png`)]);
const click = (selector, text) => ask(`(() => {
  const found = [...document.querySelectorAll(${JSON.stringify(selector)})].find(element => element.textContent.includes(${JSON.stringify(text)}));
  found?.click();
  return found !== undefined;
})()`);

try {
  await page("Page.navigate", { url: address });
  await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
  expect("the tab of entities is chosen", await ask("document.querySelector('nav .chosen')?.textContent === 'Entities'"));
  const before = await ask("Number(/frame (\\d+)/.exec(document.getElementById('shown').textContent)[1])");
  await frames(60);
  await until("time goes on", `Number(/frame (\\d+)/.exec(document.getElementById('shown').textContent)[1]) > ${before + 10}`);

  /** Drags the time so many frames back with the mouse. */
  async function goBack(count) {
    const [now, then] = await ask(`(() => { const line = document.getElementById('timeline'); const area = line.getBoundingClientRect();
      const share = (Number(line.max) - ${count} - Number(line.min)) / (Number(line.max) - Number(line.min));
      return [1, share].map((share) => [area.left + 8 + share * (area.width - 16), area.top + area.height / 2]); })()`);
    await mouse("mousePressed", now);
    await mouse("mouseMoved", [(now[0] + then[0]) / 2, then[1]]);
    await mouse("mouseMoved", then);
    await mouse("mouseReleased", then);
    await until("the past is shown", "seeking === null && document.getElementById('shown').className === 'past'");
  }

  // A real click into the search, and real keys.
  await click("nav button", "Entities");
  await ask("document.querySelector('input[name=search]').focus()");
  for (const letter of "collector") await page("Input.insertText", { text: letter });
  await until("the search finds the four collectors", "[...document.querySelectorAll('.list .row strong')].filter(x => x.textContent === 'collector').length === 4 && !document.body.textContent.includes('edge')");
  await click(".list .row", "collector");
  await until("its pocket is shown", "[...document.querySelectorAll('.component strong')].some(x => x.textContent === 'pocket')");
  await picture("1_entity");

  // Behind the countdown, whose systems are disabled, on a slow machine too.
  await until("the match is played", "status.frame > 240", 6000);
  await click("button", "Pause");
  await until("the program is paused", "document.getElementById('run').textContent === 'Run'");
  const id = await ask("document.querySelector('.row.chosen .id').textContent");
  const pocket = async () => (await request("entity", { entity: id })).components.find(({ name }) => name === "pocket").value.carried;
  const was = await pocket();
  const input = "[...document.querySelectorAll('.component')].find(x => x.querySelector('strong').textContent === 'pocket').querySelector('input[type=number]')";
  await ask(`(() => { const input = ${input}; input.focus(); input.select(); })()`);
  await page("Input.insertText", { text: "77" });
  await ask("document.activeElement.blur()");
  await frames(30);
  expect("the edited value is in the program", (await pocket()) === 77);
  photograph("2_edited_window");
  await picture("3_edited_page");
  await ask("document.activeElement.blur()");
  await click("footer button", "Undo");
  await frames(30);
  expect("it is undone", (await pocket()) === was);
  await click("footer button", "Redo");
  await frames(30);
  expect("it is made again", (await pocket()) === 77);
  await click("footer button", "Undo");
  await frames(30);

  // Why it has its value: its last changes and the systems that write it.
  await click("button.name", "carried");
  await until("the writers of a value are shown", "[...document.querySelectorAll('.chain h3')].some(x => x.textContent.startsWith('why pocket.carried')) && document.querySelector('.chain').textContent.includes('written by')");
  await picture("3_why_value");
  // Enums have their names to choose from.
  await until("an enum is a selection", "[...document.querySelectorAll('.component select')].length > 0");

  // Entities come and go, and come back.
  const count = async () => (await request("status")).entities;
  const entities = await count();
  await click(".list button", "Spawn");
  await until("an entity is spawned and chosen", "status.selected !== null && document.querySelector('.detail h2')?.textContent.startsWith('Entity')");
  expect("it is one more", (await count()) === entities + 1);
  await ask(`(() => { const tools = [...document.querySelectorAll('.detail .tools')].at(-1); const select = tools.querySelector('select'); select.value = 'pocket'; tools.querySelector('input').value = '{"carried":3.0,"links":0}'; })()`);
  await click(".detail button", "Add");
  await until("a component is added", "[...document.querySelectorAll('.component strong')].some(x => x.textContent === 'pocket')");
  await ask("[...document.querySelectorAll('.component')].find(x => x.querySelector('strong').textContent === 'pocket').querySelector('button[title^=remove]').click()");
  await until("it is removed", "![...document.querySelectorAll('.component strong')].some(x => x.textContent === 'pocket')");
  await click(".detail button", "Despawn");
  await until("the entity is gone", "document.querySelector('.detail').textContent.includes('does not exist at this moment')");
  await click("footer button", "Undo");
  await until("its despawn is undone, with its id", "document.querySelector('.detail h2')?.textContent.startsWith('Entity')");
  for (let undone = 0; undone < 3; undone++) {
    await click("footer button", "Undo");
    await frames(20);
  }
  expect("its spawn is undone", (await count()) === entities);

  // An edit five seconds ago is not there when time goes back to before it.
  await request("set_component", { entity: id, component: "pocket", path: "/carried", value: 66 });
  await click("button", "Run");
  await frames(320);
  const edited = await pocket();
  await goBack(360);
  expect(`before the edit it was ${was}, later ${edited}`, Math.abs((await pocket()) - was) < 60);
  await click("button", "Back to now");
  await until("the present goes on", "document.getElementById('run').textContent === 'Pause'");

  // Step, and go on from the past.
  await click("button", "Pause");
  await until("it is paused", "document.getElementById('run').textContent === 'Run'");
  const paused = (await request("status")).frame;
  await click("#step", "");
  await frames(20);
  expect("a step is one frame", (await request("status")).frame === paused + 1);
  await click("button", "Run");
  await frames(30);

  await click("button", "Run");
  await frames(400);
  const latest = (await request("status")).latest;
  await goBack(300);
  await until("five seconds ago are shown", "document.getElementById('shown').className === 'past'");
  const status = await request("status");
  expect(`frame ${status.past} is shown, ${latest} was the latest`, status.past < latest - 200 && status.frame === status.past);
  await frames(30);
  photograph("4_past_window");
  await picture("5_past_page");
  await ask("document.activeElement.blur()");
  await press("ArrowRight", "ArrowRight", 39);
  await until("the next frame follows", `Number(/frame (\\d+)/.exec(document.getElementById('shown').textContent)[1]) === ${status.past + 1}`);
  await click("button", "Back to now");
  await until("the present goes on", "document.getElementById('shown').className === ''");
  expect("it is later than before", (await request("status")).frame >= latest);

  await click("nav button", "Events");
  await until("events can be chosen", "document.querySelector('.list select option[value=BountyStashed]') !== null");
  await ask("(() => { const types = document.querySelector('.list select'); types.value = 'BountyStashed'; types.dispatchEvent(new Event('change')); })()");
  await until("the type is chosen", "view.event === 'BountyStashed'");
  await frames(30);
  await click(".list button", "Stop at next");
  await until("it stops at the next bounty that is stashed", "document.getElementById('message').textContent.startsWith('stopped at BountyStashed')", 2400);
  await ask("document.activeElement.blur()");
  await click(".list button", "Clear 1 stop");
  await ask("(() => { view.event = ''; refresh(true); })()");
  await until("events are listed", "document.querySelectorAll('.list .row').length > 20");
  await click(".list .row", "BountyStashed");
  await until("its chain of causes is shown", "document.querySelector('.chain')?.textContent.includes('CollisionBegin')");
  await picture("6_events");
  await click(".chain button", "CollisionBegin");
  await until("a link of the chain leads to its event", "view.event === 'CollisionBegin' && view.eventFrame !== ''");
  await ask("Object.assign(view, { event: '', eventFrame: '' })");
  for (const [tab, text] of [["Systems", "wave 1"], ["Graph", "CollisionBegin"], ["Memory", "on the heap"], ["Compare", "before"], ["Resources", "game flow"]]) {
    await click("nav button", tab);
    await until(`the tab ${tab} is shown`, `document.getElementById('panel').textContent.includes(${JSON.stringify(text)})`);
    await picture(`7_${tab.toLowerCase()}`);
  }

  await click("nav button", "Graph");
  await until("the graph has lines from senders to events and on to listeners", "document.querySelectorAll('.graph path').length > 40 && [...document.querySelectorAll('.graph text')].some(x => x.firstChild.textContent === 'BountyStashed')");

  await click("nav button", "Memory");
  await until("pools are listed", "[...document.querySelectorAll('td button')].some(x => x.textContent === 'Pocket')");
  await click("td button", "Pocket");
  await until("the bytes of a pool over time are drawn", "document.querySelectorAll('canvas').length > 2");
  await click("nav button", "Compare");
  await until("frames are compared", "document.getElementById('panel').textContent.includes('before')");

  // A system alone for one frame, and its costs.
  await click("button", "Pause");
  await click("nav button", "Systems");
  await until("costs are shown", "document.querySelector('button.system') !== null && [...document.querySelectorAll('td.number')].some(x => x.textContent !== '' && x.previousElementSibling?.textContent !== '')");
  expect("allocations are counted", !(await ask("document.getElementById('panel').textContent.includes('not counted')")));
  await click("button.system", "Motion");
  await until("a system is chosen", "document.querySelector('.whole h2')?.textContent === 'Motion'");
  await picture("7_system");
  await until("what it reads and writes is shown", "document.querySelector('.whole').textContent.includes('component Transform')");
  await ask("[...document.querySelectorAll('summary')].at(-1).click()");
  await until("the execution order is drawn", "document.querySelectorAll('.graph path').length > 5");
  await picture("7_work_order");
  await ask("[...document.querySelectorAll('summary')].at(-1).click()");
  const frame = (await request("status")).frame;
  await click("button", "Run once");
  await frames(60);
  expect("one frame has run", (await request("status")).frame === frame + 1);
  expect("all systems are enabled again", (await request("systems")).systems.filter(({ enabled }) => !enabled).length < 3);
  await click("button", "Run");
  await frames(60);

  // A report is a replay that repeats, and that the studio opens at a step.
  await page("Page.setDownloadBehavior", { behavior: "allow", downloadPath: tools });
  await click("nav button", "Report");
  await until("the panel of the report is shown", "[...document.querySelectorAll('main button')].some(x => x.textContent === 'Save the replay')");
  await picture("7_report");
  await click("main button", "Save the replay");
  const replays = () => readdirSync(tools).filter((name) => name.endsWith(".replay"));
  for (let tries = 0; tries < 600 && replays().length === 0; tries++) await frames(1);
  const replay = join(tools, replays()[0]);
  const verified = execFileSync(program, ["replay", replay, "--edits", "--verify"], { encoding: "utf8" });
  expect(`the report repeats: ${verified}`, verified.includes("steps went the same way"));
  const steps = Number(/all (\d+) steps/.exec(verified)[1]);
  const opened_report = start(["replay", replay, "--edits", "--studio", "127.0.0.1:0", "--headless", "--at", String(steps - 100)]);
  const of_report = await opened_report.address;
  let shown = await request("status", {}, of_report);
  expect("the report waits at the step", shown.paused && shown.frame === steps - 100);
  await request("run", {}, of_report);
  for (let tries = 0; tries < 600 && (shown.frame < steps || !shown.paused); tries++) {
    await frames(1);
    shown = await request("status", {}, of_report);
  }
  expect("it waits at the end", shown.frame === steps && shown.notice === "the replay has ended");
  const simulated = start(["simulate", "--seed", "3", "--players", "1000", "--mode", "sandbox", "--studio", "127.0.0.1:0"]);
  const of_simulated = await simulated.address;
  await request("pause", {}, of_simulated);
  const first = (await request("status", {}, of_simulated)).frame;
  expect("a simulated match is paused", (await request("status", {}, of_simulated)).frame === first);
  expect("its AIs explain themselves", (await request("panel", { panel: "AIs", request: {} }, of_simulated)).value.ais.length === 64);
  simulated.process.kill();
  const profile = join(tools, "profile.json");
  execFileSync(program, ["simulate", "--seed", "1", "--players", "4", "--ticks", "200", "--profile", profile]);
  const spans = new Set(JSON.parse(readFileSync(profile, "utf8")).map(({ name }) => name));
  const wanted = [/^frame \d+$/, /^dispatch$/, /^Motion$/, /^AiControllers$/, /^init_and_solve$/];
  expect(`a profile has frames, phases and systems: ${[...spans].slice(0, 40).join(", ")}`, wanted.every((name) => [...spans].some((span) => name.test(span))));
  const ended = new Promise((end) => opened_report.process.once("exit", end));
  shown = await request("seek", { frame: 7 }, of_report);
  expect("the steps before are there", shown.frame === 7 && shown.notice === "");
  await request("end", {}, of_report);

  // The level editor: a wall is dragged with the mouse, refused in the way of a stash, put back, and another one is played.
  await click("nav button", "Editor");
  await until("a level is shown on a map", "document.getElementById('level-map') !== null");
  const place = (x, y) => ask(`(() => { const map = document.getElementById('level-map').getBoundingClientRect(); const half = editor.shown.level.half_extent * 1.04;
    return [map.left + (${x} / half + 1) * map.width / 2, map.top + (1 - ${y} / half) * map.height / 2]; })()`);
  async function drag(from, to) {
    const [start, end] = [await place(...from), await place(...to)];
    await mouse("mousePressed", start);
    await mouse("mouseMoved", [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]);
    await mouse("mouseMoved", end);
    await mouse("mouseReleased", end);
    await frames(60);
  }
  await picture("8_editor");
  // What a value must be is shown when it is pointed at.
  await ask("[...document.querySelectorAll('.detail label')].find(({ textContent }) => textContent.startsWith('world_half_extent_m')).parentElement.querySelector('input').dispatchEvent(new MouseEvent('mouseenter')) && true");
  await until("limits of a value are shown", "[...document.querySelectorAll('.detail span.faint')].some(({ textContent }) => /must be .*at most/.test(textContent))");
  await drag([0, 0], [66, 12]);
  await until("a wall on a stash is refused", "document.getElementById('panel').textContent.includes('place 1 overlaps wall 5')");
  await picture("8_editor_refused");
  await ask("document.activeElement.blur()");
  await click("main button", "Undo");
  await until("it is put back", "editor.shown.error === null && !document.getElementById('panel').textContent.includes('overlaps')");
  await drag([0, 0], [0, 30]);
  await until("the wall is moved in the text", "editor.shown.text.includes('(at_m: (0.0, 30.0), half_extents_m: (4.0, 4.0))')");
  await click("main button", "Play");
  await until("the match begins in the edited level", "status.frame < 200 && status.past === null");
  await frames(300);
  photograph("8_edited_level_window");
  await click("nav button", "AIs");
  await until("the decisions of AIs are shown", "document.getElementById('panel').textContent.includes('goes home at')");
  await picture("8_ais");
  await click("nav button", "Balance");
  await until("the panel of the balance is shown", "[...document.querySelectorAll('main button')].some(x => x.textContent === 'Run')");
  await ask("balance.matches = 8");
  await click("main button", "Run");
  await until("matches are played in the background", "document.getElementById('panel').textContent.includes('8 of 8')", 6000);
  await picture("8_balance");

  await click("nav button", "Report");
  await until("the panel of the report is shown", "[...document.querySelectorAll('main button')].some(x => x.textContent === 'Save the replay')");
  await click("main button", "Save the replay");
  await until("a match that was begun again with edited assets has no replay", "document.getElementById('message').textContent.includes('it has no replay')");

  const { moment } = await request("save");
  expect("a moment is saved", moment.length > 1000);
  const hurt = moment.slice(0, -2) + (moment.endsWith("00") ? "11" : "00");
  expect("a damaged moment is refused", typeof (await request("load", { moment: hurt })).error === "string");
  expect("a moment is loaded", (await request("load", { moment })).error === undefined);

  // A real click in the window marks the collector there.
  execFileSync("xdotool", ["mousemove", "356", "61", "click", "1"]);
  await until("the page follows the click in the window", "status.selected !== null");
  photograph("9_marked_window");

  const window = execFileSync("xdotool", ["search", "--name", "^BountyHunter$"], { encoding: "utf8" }).trim();
  execFileSync("xdotool", ["windowfocus", window, "key", "y"]);
  for (let tries = 0; tries < 600 && !existsSync(opened); tries++) await frames(1);
  expect("a key opens the page", readFileSync(opened, "utf8").trim() === address);
  await frames(10);
  photograph("9_opened_window");
  expect("the inspected replay ends when the page ends it", (await ended) === 0);
  expect(`no errors in the console: ${problems.join("; ")}`, problems.length === 0);
} finally {
  await close();
  for (const started of all) {
    started.removeAllListeners("exit");
    started.kill();
  }
  rmSync(tools, { recursive: true });
}
