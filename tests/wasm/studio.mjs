// Uses the studio beside a match in a real window: node studio.mjs PROGRAM PICTURES
//
// PROGRAM has the feature `studio`; needs xdotool, ImageMagick and a display. Opens the page, selects an entity, edits a value and sees it in
// the window, undoes it, goes back in time and returns, stops at an event, and saves a moment. The pictures are to be looked at.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, openBrowser } from "./chromium.mjs";

const [program, pictures] = process.argv.slice(2);
// In place of the program that opens a browser: it writes down what it is to open.
const tools = mkdtempSync(join(tmpdir(), "studio_tools_"));
const opened = join(tools, "opened");
writeFileSync(join(tools, "xdg-open"), `#!/bin/sh\necho "$1" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`, { mode: 0o755 });
const game = spawn(program, ["play", "--demo", "--seed", "7", "--players", "4", "--studio", "127.0.0.1:0"], {
  stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, PATH: `${tools}:${process.env.PATH}` },
});
const address = await new Promise((found, refuse) => {
  game.stdout.on("data", data => {
    const match = /http:\/\/\S+/.exec(data);
    if (match) found(match[0]);
  });
  game.once("exit", code => refuse(new Error(`the game ended with ${code}`)));
});
const { page, ask, until, press, frames, picture, problems, close } = await openBrowser(pictures, { width: 1280, height: 800 });

/** A request of the protocol, from beside the page. */
async function request(op, more = {}) {
  const response = await fetch(`${address}/api`, { method: "POST", body: JSON.stringify({ op, ...more }) });
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

  // A real click into the search, and real keys.
  await click("nav button", "Entities");
  await ask("document.querySelector('input[name=search]').focus()");
  for (const letter of "collector") await page("Input.insertText", { text: letter });
  await until("the search finds the four collectors", "[...document.querySelectorAll('.list .row strong')].filter(x => x.textContent === 'collector').length === 4 && !document.body.textContent.includes('edge')");
  await click(".list .row", "collector");
  await until("its pocket is shown", "[...document.querySelectorAll('.component strong')].some(x => x.textContent === 'pocket')");
  await picture("1_entity");

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

  await click("button", "Run");
  await frames(400);
  const latest = (await request("status")).latest;
  await ask("(() => { const line = document.getElementById('timeline'); line.value = Number(line.max) - 300; line.dispatchEvent(new Event('input')); })()");
  await until("five seconds ago are shown", "document.getElementById('shown').className === 'past'");
  const status = await request("status");
  expect(`frame ${status.past} is shown, ${latest} was the latest`, status.past < latest - 200 && status.frame === status.past);
  await frames(30);
  photograph("4_past_window");
  await picture("5_past_page");
  await ask("document.activeElement.blur()");
  await press("ArrowRight", "ArrowRight", 39);
  await until("the next kept frame follows", `Number(/frame (\\d+)/.exec(document.getElementById('shown').textContent)[1]) > ${status.past}`);
  await click("button", "Back to now");
  await until("the present goes on", "document.getElementById('shown').className === ''");
  expect("it is later than before", (await request("status")).frame >= latest);

  await request("break", { event: "BountyStashed" });
  await until("it stops at the next bounty that is stashed", "document.getElementById('message').textContent.startsWith('stopped at BountyStashed')", 2400);
  await click("nav button", "Events");
  await until("events are listed", "document.querySelectorAll('.list .row').length > 20");
  await click(".list .row", "BountyStashed");
  await until("its chain of causes is shown", "document.querySelector('.chain')?.textContent.includes('CollisionBegin')");
  await picture("6_events");
  for (const [tab, text] of [["Systems", "wave 1"], ["Graph", "CollisionBegin"], ["Memory", "on the heap"], ["Compare", "before"], ["Resources", "game flow"]]) {
    await click("nav button", tab);
    await until(`the tab ${tab} is shown`, `document.getElementById('panel').textContent.includes(${JSON.stringify(text)})`);
    await picture(`7_${tab.toLowerCase()}`);
  }

  await click("nav button", "Graph");
  await until("the graph has lines from senders to events and on to listeners", "document.querySelectorAll('.graph path').length > 40 && [...document.querySelectorAll('.graph text')].some(x => x.firstChild.textContent === 'BountyStashed')");

  // A system alone for one frame, and its costs.
  await click("button", "Pause");
  await click("nav button", "Systems");
  await until("costs are shown", "document.querySelector('button.system') !== null && [...document.querySelectorAll('td.number')].some(x => x.textContent !== '' && x.previousElementSibling?.textContent !== '')");
  expect("allocations are counted", !(await ask("document.getElementById('panel').textContent.includes('not counted')")));
  await click("button.system", "Motion");
  await until("a system is chosen", "document.querySelector('.whole h2')?.textContent === 'Motion'");
  await picture("7_system");
  const frame = (await request("status")).frame;
  await click("button", "Run once");
  await frames(60);
  expect("one frame has run", (await request("status")).frame === frame + 1);
  expect("all systems are enabled again", (await request("systems")).systems.filter(({ enabled }) => !enabled).length < 3);
  await click("button", "Run");
  await frames(60);

  // The level editor: a wall is dragged with the mouse, refused in the way of a stash, put back, and another one is played.
  await click("nav button", "Editor");
  await until("a level is shown on a map", "document.getElementById('level-map') !== null");
  const place = (x, y) => ask(`(() => { const map = document.getElementById('level-map').getBoundingClientRect(); const half = editor.shown.level.half_extent * 1.04;
    return [map.left + (${x} / half + 1) * map.width / 2, map.top + (1 - ${y} / half) * map.height / 2]; })()`);
  const mouse = (type, [x, y]) => page("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1 });
  async function drag(from, to) {
    const [start, end] = [await place(...from), await place(...to)];
    await mouse("mousePressed", start);
    await mouse("mouseMoved", [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]);
    await mouse("mouseMoved", end);
    await mouse("mouseReleased", end);
    await frames(60);
  }
  await picture("8_editor");
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
  expect(`no errors in the console: ${problems.join("; ")}`, problems.length === 0);
} finally {
  await close();
  game.removeAllListeners("exit");
  game.kill();
  rmSync(tools, { recursive: true });
}
