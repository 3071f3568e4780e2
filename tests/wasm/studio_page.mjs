// Uses the page of the studio with a real mouse and real keys beside a match at full speed, without a window:
// node tests/wasm/studio_page.mjs PROGRAM BALLS PICTURES [PART,…]
//
// PROGRAM has the feature `studio`, in a debug build: what is slow there must not lose a click either. BALLS is the example of the package of the
// studio. The pictures are to be looked at.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, openBrowser } from "./chromium.mjs";

const [program, balls, pictures, only] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "studio_page_"));
const all = [];
/** Starts a program with a studio; `address` is that of its page. */
async function start(options, path = program) {
  const started = spawn(path, options,
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } });
  all.push(started);
  const address = await new Promise((found, refuse) => {
    let text = "";
    for (const output of [started.stdout, started.stderr]) {
      output.on("data", (data) => {
        text += data;
        const match = /http:\/\/\S+(?=\s)/.exec(text);
        if (match) found(match[0]);
      });
    }
    started.once("exit", (code) => refuse(new Error(`${options.join(" ")} ended with ${code}`)));
  });
  return { process: started, address };
}
// A match that outlasts this test at any speed.
const assets = join(folder, "assets");
cpSync("assets", assets, { recursive: true });
const mode = join(assets, "modes/sandbox.ron");
writeFileSync(mode, readFileSync(mode, "utf8").replace(/play_seconds: [0-9.]+/, "play_seconds: 86400.0"));
const MATCH = ["simulate", "--seed", "3", "--players", "16", "--mode", "sandbox", "--assets", assets, "--studio"];
const pause = (ms) => new Promise((go) => setTimeout(go, ms));
const { page, ask, until, frames, press, mouse, picture, problems, close } = await openBrowser(pictures, { width: 1280, height: 800 });

/** Presses the mouse on a place of the page, where the pointer is, for so many milliseconds. */
async function clickAt(at, held_ms) {
  await mouse("mousePressed", at);
  await pause(held_ms);
  await mouse("mouseReleased", at);
}

/** Clicks things of several kinds, each held 60, 90 and 200 ms in turn; returns which clicks did nothing. */
async function lostClicks(count, kinds) {
  const lost = [];
  for (let made = 0; made < count; made++) {
    const held_ms = [60, 90, 200][made % 3];
    const { name, find, done, prepare } = kinds[made % kinds.length];
    await prepare?.(made);
    // The pointer comes to the thing, and follows it as a hand would until it is below the pointer.
    let target = null;
    for (let tries = 0; tries < 200; tries++) {
      const found = await ask(`(() => { const found = (${find})(${made}); if (!found) return null; const [element, what] = found;
        if (${target === null}) element.scrollIntoView({ block: "nearest" });
        const area = element.getBoundingClientRect(); return { what, at: [area.left + Math.min(30, area.width / 2), area.top + area.height / 2] }; })()`);
      if (found !== null && target?.what === found.what && String(target.at) === String(found.at)) break;
      if (found === null) await pause(50);
      else await mouse("mouseMoved", found.at, 0);
      target = found;
    }
    expect(`click ${made} has a ${name}`, target !== null);
    await clickAt(target.at, held_ms);
    let isDone = false;
    for (let tries = 0; tries < 20 && !isDone; tries++) {
      isDone = await ask(`(${done})(${JSON.stringify(target.what)})`);
      if (!isDone) await pause(50);
    }
    if (!isDone) lost.push(`${name} ${target.what}, held ${held_ms} ms: ${await ask("heard.slice(-4).join(', ')")}`);
  }
  return lost;
}

/** Rows, tabs and links of the page: what is clicked, and how one sees that it was. */
const nth = (selector, made) => `(made) => { const all = [...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => { const area = one.getBoundingClientRect(); return area.top > 90 && area.bottom < 700; }); const one = all[(made * 7) % all.length]; return one && [one, `;
const KINDS = [
  { name: "tab", find: "(made) => { const one = [...document.querySelectorAll('nav button')].find((tab) => tab.textContent === ['Entities', 'Events', 'Entities', 'AIs'][made % 4]); return [one, one.textContent]; }",
    done: "(what) => view.tab === what" },
  { name: "row", prepare: async () => { await ask(`view.tab === "Entities" || [...document.querySelectorAll("nav button")][0].click()`); await until("entities are listed", "document.querySelector('.list input[name=search]') !== null && document.querySelectorAll('.list .row').length > 5"); },
    find: nth(".list .row", 0) + "one.querySelector('.id')?.textContent]; }", done: "(what) => view.entity === what && document.querySelector('.row.chosen .id')?.textContent === what" },
  { name: "event", prepare: async () => { await ask(`view.tab === "Events" || [...document.querySelectorAll("nav button")][3].click()`); await until("events are listed", "document.querySelector('.list input[name=eventFrame]') !== null && document.querySelectorAll('.list .row').length > 5"); await ask("view.why = null"); },
    find: nth(".list .row", 0) + "one.textContent]; }", done: "(what) => view.why !== null && view.tab === 'Events'" },
  { name: "link", prepare: async () => { await ask("view.entity = null; [...document.querySelectorAll('nav button')].find((tab) => tab.textContent === 'AIs').click()"); await until("links are shown", "view.tab === 'AIs' && document.querySelectorAll('.detail button.link').length > 0"); },
    find: nth(".detail button.link", 0) + "one.textContent]; }", done: "(what) => view.tab === 'Entities' && view.entity === what" },
];

const parts = {
  async clicks() {
    const { address } = await start([...MATCH, "127.0.0.1:0"]);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
    await ask(`(() => {
      window.heard = [];
      for (const kind of ["pointermove", "pointerdown", "pointerup", "click"]) addEventListener(kind, (event) => heard.push(kind + " on " + event.target.tagName + " " + event.target.textContent.slice(0, 20) + " at " + Math.round(performance.now())), true);
    })()`);
    for (const latency of [0, 300]) {
      await page("Network.enable");
      await page("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });
      const lost = await lostClicks(100, KINDS);
      expect(`${lost.length} of 100 clicks are lost with ${latency} ms of latency: ${lost.join("; ")}`, lost.length === 0);
    }
    await page("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  },

  // What does not change is not touched, however often the panel is drawn.
  async stays() {
    const { address } = await start([...MATCH, "127.0.0.1:0"]);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
    await ask("[...document.querySelectorAll('.list .row')].find((row) => row.textContent.includes('collector,')).click()");
    await until("its values are shown", "[...document.querySelectorAll('.component strong')].some((title) => title.textContent === 'pocket')");
    await ask(`(() => {
      window.detail = document.querySelector(".detail");
      window.before = [...document.querySelectorAll("nav button, .list .row, .component, .component input")];
      window.picked = [...document.querySelectorAll(".component strong")].find((title) => title.textContent === "pocket");
      getSelection().selectAllChildren(picked);
      detail.scrollTop = 120;
      window.drawn = 0;
      const drawn = preact.options.diffed;
      preact.options.diffed = (node) => { drawn?.(node); drawn_once(); };
      window.drawn_once = () => window.drawn++;
    })()`);
    const first = await ask("status.frame");
    await until("the match has gone on", `status.frame > ${first} + 200`);
    expect("the panel was drawn", (await ask("drawn")) > 100);
    expect("the selected text stays selected", (await ask("getSelection().toString()")) === "pocket");
    expect("what was scrolled stays scrolled", (await ask("detail.isConnected && detail.scrollTop")) === 120);
    const [there, all] = await ask("[before.filter((node) => node.isConnected).length, before.length]");
    expect(`${there} of ${all} nodes are the same`, there >= all * 0.8 && (await ask("picked.isConnected")));
    // A field that is being changed stays as it is, while others follow the match.
    const number = ".component input[type=number]";
    await ask(`(() => { window.field = document.querySelector(${JSON.stringify(number)}); field.focus(); field.select(); })()`);
    await page("Input.insertText", { text: "12345" });
    const second = await ask("status.frame");
    await until("the match has gone on", `status.frame > ${second} + 200`);
    expect("a field keeps what is typed, and the focus", await ask("field.isConnected && field.value === '12345' && document.activeElement === field"));
    await press("Escape", "Escape", 27);
    expect("Escape leaves it as it was", await ask("field.value !== '12345' && document.activeElement !== field"));
    // A selection of names stays open: its node and its options are the same.
    await ask("(() => { window.select = document.querySelector('.spawn select'); window.options = [...select.options]; select.focus(); })()");
    const third = await ask("status.frame");
    await until("the match has gone on", `status.frame > ${third} + 200`);
    expect("an open field stays open", await ask("select.isConnected && document.activeElement === select && options.every((option, place) => option === select.options[place])"));
  },

  // What is chosen belongs to the page, and the address carries it.
  async address() {
    const { address } = await start([...MATCH, "127.0.0.1:0"]);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
    const other = await openBrowser(pictures, { width: 1280, height: 800 });
    await other.page("Page.navigate", { url: address });
    await other.until("the other page lists entities", "document.querySelectorAll('.list .row').length > 10");
    await ask("[...document.querySelectorAll('.list .row')].find((row) => row.textContent.includes('collector,')).click()");
    await until("an entity is chosen", "view.entity !== null && document.querySelector('.detail .component') !== null");
    const entity = await ask("view.entity");
    await ask("act('pause')");
    await until("it is paused", "status.paused && location.hash.includes('frame=')");
    const frame = await ask("status.frame");
    await ask("chooseTab('Events')");
    await until("the tab is in the address", "location.hash.includes('tab=Events') && location.hash.includes('entity=')");
    await ask("(() => { const input = document.querySelector('input[name=eventSearch]'); input.focus(); })()");
    await page("Input.insertText", { text: "Collector" });
    await until("the query is in the address", "location.hash.includes('eventSearch=Collector')");
    await other.until("the other page chose nothing", "view.tab === 'Entities' && view.entity === null && status.paused");
    // A sent link.
    const link = await ask("location.href");
    await other.page("Page.navigate", { url: "about:blank" });
    await other.page("Page.navigate", { url: link });
    await other.until("a sent link shows the same", `status?.frame === ${frame} && view.tab === 'Events' && view.eventSearch === 'Collector' && view.entity === ${JSON.stringify(entity)}`);
    await other.close();
    await page("Page.reload");
    await until("a reload shows the same", `typeof status === "object" && status?.frame === ${frame} && view.tab === 'Events' && document.querySelector('input[name=eventSearch]')?.value === 'Collector'`);
    // The way back.
    await ask("history.back()");
    await until("the way back leads to the tab before", "view.tab === 'Entities' && document.querySelector('.detail .component') !== null");
    await ask("act('seek', { frame: status.frame - 5 })");
    await until("an earlier frame is in the address", `location.hash.includes('frame=${frame - 5}') && status.past === ${frame - 5}`);
    await ask("history.back()");
    await until("the way back leads to the frame before", `status.frame === ${frame} && view.tab === 'Entities'`);
    await ask("history.forward()");
    await until("and on again", `status.past === ${frame - 5}`);
    await ask("act('run')");
    await until("it runs, and no frame is in the address", "!status.paused && !location.hash.includes('frame=')");
    // Choosing an AI marks its collector and stays in the panel.
    await ask("chooseTab('AIs')");
    await until("AIs are listed", "document.querySelectorAll('.list .row').length === 16");
    await ask("document.querySelectorAll('.list .row')[5].click()");
    await until("an AI is chosen", "document.querySelector('.detail h2')?.textContent.startsWith('Player #5')");
    await frames(60);
    expect("its panel stays", await ask("view.tab === 'AIs' && view.player === 5 && status.selected !== null"));
  },

  // What becomes of the program is told within two seconds.
  async program() {
    const port = 20000 + Math.floor(Math.random() * 20000);
    const options = [...MATCH, `127.0.0.1:${port}`, "--studio-token", "word"];
    const first = await start(options);
    expect("the address that is printed has the token", first.address === `http://127.0.0.1:${port}/?token=word`);
    await page("Page.navigate", { url: first.address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
    await ask("view.entity = '6v1'; redraw()");
    const told = async (what, text) => {
      const begun = Date.now();
      while (!(await ask(`document.getElementById('program').textContent.includes(${JSON.stringify(text)})`)) && Date.now() - begun < 10000) await pause(20);
      expect(`${what} is told after ${Date.now() - begun} ms`, Date.now() - begun < 2000);
    };
    process.kill(first.process.pid, "SIGSTOP");
    await told("a halted program", "is halted");
    process.kill(first.process.pid, "SIGCONT");
    await until("it goes on", "document.getElementById('program').textContent === ''");
    first.process.removeAllListeners("exit");
    const gone = new Promise((end) => first.process.once("exit", end));
    first.process.kill("SIGKILL");
    await told("a killed program", "is gone");
    await gone;
    await start(options);
    await told("a restarted program", "was restarted");
    await until("its entities are shown, and the same one is chosen", "document.querySelectorAll('.list .row').length > 10 && view.entity === '6v1' && document.querySelector('.detail h2')?.textContent.includes('6v1')");
    expect("there is a favicon", (await fetch(`http://127.0.0.1:${port}/favicon.svg`)).headers.get("content-type") === "image/svg+xml");
  },

  // Lists of any length have few elements.
  async rows() {
    const { address } = await start(["100000", "127.0.0.1:0"], balls);
    await page("Page.navigate", { url: address });
    await until("all are counted", "document.querySelector('.count')?.textContent === '100000'", 3000);
    expect("few rows are elements", (await ask("document.querySelectorAll('.list .row').length")) < 200);
    await ask("document.querySelector('.rows').focus()");
    await press("End", "End", 35);
    await until("the last of 100,000 rows is chosen and in sight", `(() => { const row = document.querySelector('.row.chosen'); const list = document.querySelector('.rows').getBoundingClientRect();
      return row !== null && view.entity.startsWith("100000v") && row.getBoundingClientRect().bottom <= list.bottom + 1 && row.getBoundingClientRect().top >= list.top; })()`, 3000);
    await press("ArrowUp", "ArrowUp", 38);
    await until("the row before is chosen", "view.entity.startsWith('99999v') && document.querySelector('.row.chosen') !== null", 3000);
    await press("Home", "Home", 36);
    await until("the first row is chosen", "view.entity.startsWith('1v') && document.querySelector('.row.chosen') !== null", 3000);
    await ask("view.with = 'ball'; redraw()");
    await until("they are a table", "document.querySelectorAll('.rows tr.row').length > 10 && document.querySelectorAll('.rows tr.row').length < 200", 3000);
  },

  // A question goes through the frames of the history, by keys and by the mouse, and has a curve.
  async questions() {
    const { address } = await start(["20", "127.0.0.1:0"], balls);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10 && status.latest > 400", 3000);
    const press_on = async (name) => clickAt(await ask(`(() => { const box = document.querySelector('#questions button[name=${name}]').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()`), 60);
    const told = (what, text) => until(`the line tells ${what}`, `document.querySelector('#questions output').textContent.includes(${JSON.stringify(text)})`, 3000);
    await press("KeyQ", "q", 81);
    expect("q goes to the question", await ask("document.activeElement.name === 'question'"));
    await page("Input.insertText", { text: "frame = 33" });
    await press_on("find-before");
    await until("the frame is shown", "status.past === 33 && document.querySelector('#shown').textContent.includes('frame 33')", 3000);
    await told("which it is", "frame 33: frame = 33");
    await ask("document.querySelector('#questions input').select()");
    await page("Input.insertText", { text: "sent(Bounced) > 0" });
    await press("Enter", "Enter", 13);
    await until("the next one is shown", "status.past > 33 && status.search.stage === 'found'", 3000);
    const first = await ask("status.past");
    await press_on("find-behind");
    await until("and the one behind it", `status.past > ${first}`, 3000);
    await page("Page.bringToFront");
    await press_on("find-before");
    await until("and the one before that", `status.past === ${first}`, 3000);
    await ask("document.querySelector('#questions input').select()");
    await page("Input.insertText", { text: "bal.height_m > 0" });
    await press_on("find-before");
    await told("that a name is misspelt", "`ball` may be meant");
    await ask("document.querySelector('#questions input').select()");
    await page("Input.insertText", { text: "most(ball.height_m)" });
    await press_on("curve");
    await until("the curve is filled in", "!document.getElementById('curve').hidden && curveAnswer()?.looked_from === 0 && curveAnswer().columns.every((column) => column !== null)", 3000);
    expect("it is in the address", await ask("location.hash.includes('curve=most')"));
    await ask("view.with = 'ball.height_m > 1 and sent(Bounced) >= 0'; redraw()");
    await until("the table is filtered by a question", "document.querySelectorAll('.rows tr.row').length > 0", 3000);
    await frames(30);
    await picture("page_questions");
  },

  // Everything is done by keys.
  async keys() {
    const { address } = await start([...MATCH, "127.0.0.1:0"]);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
    await press("Digit4", "4", 52);
    await until("a digit chooses a tab", "view.tab === 'Events'");
    await ask("document.querySelector('nav .chosen').focus()");
    await press("ArrowLeft", "ArrowLeft", 37);
    await until("arrows go from tab to tab", "view.tab === 'Systems' && document.activeElement.textContent === 'Systems'");
    await press("Digit1", "1", 49);
    await until("entities are listed", "view.tab === 'Entities' && document.querySelectorAll('.list .row').length > 10");
    await press("Slash", "/", 191);
    expect("/ goes to the search", await ask("document.activeElement.name === 'search'"));
    await press("Escape", "Escape", 27);
    await ask("document.querySelector('.rows').focus()");
    await press("ArrowDown", "ArrowDown", 40);
    await press("ArrowDown", "ArrowDown", 40);
    await until("arrows choose rows", "document.querySelector('.row.chosen') === document.querySelectorAll('.list .row')[1]");
    await press("Space", " ", 32);
    await until("space pauses", "status.paused");
    const frame = await ask("status.frame");
    await press("ArrowRight", "ArrowRight", 39);
    await until("the right arrow steps", `status.frame === ${frame} + 1`);
    await press("ArrowLeft", "ArrowLeft", 37);
    await until("the left arrow goes back", `status.past === ${frame}`);
    await press("KeyF", "f", 70);
    await until("f makes a branch there, which is paused", `status.past === null && status.paused && status.branch.branch === 2 && status.latest === ${frame}`);
    await press("Slash", "?", 191);
    expect("? shows all keys", await ask("document.getElementById('keys').open"));
    await press("Escape", "Escape", 27);
    expect("Escape closes them", !(await ask("document.getElementById('keys').open")));
    // Nothing that is clicked is out of reach of the keys.
    for (const tab of await ask("Object.keys(panels)")) {
      await ask(`chooseTab(${JSON.stringify(tab)})`);
      await frames(20);
      const mute = await ask(`[...document.querySelectorAll("#panel *")].filter((one) => getComputedStyle(one).cursor === "pointer" && one.tabIndex < 0 && !one.closest("[tabindex], button, summary, label, select, input")).map((one) => one.outerHTML.slice(0, 80))`);
      expect(`all of ${tab} is reached by keys: ${mute.join(" ")}`, mute.length === 0);
    }
  },

  // Any frame is shown, by its number and by the arrow keys, also from before the page; branches are listed, named and chosen; all of it outlives the page.
  async history() {
    const assets_of = MATCH.filter((option) => option !== "--studio");
    const { address } = await start([...assets_of, "--wait", "--speed", "20", "--studio", "127.0.0.1:0"]);
    const moment = async () => (await (await fetch(`${address}/api`, { method: "POST", body: JSON.stringify({ op: "save" }) })).json()).moment;
    const count = (count) => until(`there are ${count} branches`, `document.querySelectorAll("#branches option").length === ${count}`);
    await page("Page.navigate", { url: address });
    await until("the match waits for the page", "status?.paused && status.frame === 0 && document.getElementById('message').textContent === 'the match waits: let it run'");
    await ask("act('run')");
    await until("it has run for a while", "status.frame > 700", 3000);
    await press("Space", " ", 32);
    await until("it is paused", "status.paused");
    const latest = await ask("status.frame");
    // All frames are on record, so no earlier one is told of.
    await ask("Object.assign(view, { tab: 'Events', eventSearch: 'no event has this' }); redraw()");
    await until("that no event came is told once", "document.querySelector('.list .empty')?.textContent === 'No such event from frame 1 on.'");
    await ask("Object.assign(view, { tab: 'Entities', eventSearch: '' }); redraw()");
    // The number of a frame, by keys.
    await press("KeyG", "g", 71);
    await page("Input.insertText", { text: "457" });
    await press("Enter", "Enter", 13);
    await until("a frame is shown by its number", "status.frame === 457 && status.past === 457 && document.getElementById('frame').value === '457'");
    const first = await moment();
    await press("ArrowRight", "ArrowRight", 39);
    await until("the right arrow shows the next one", "status.past === 458");
    await press("ArrowLeft", "ArrowLeft", 37);
    await until("the left arrow the one before", "status.past === 457");
    expect("it is the same moment", (await moment()) === first);
    await ask("act('seek', { frame: 3 })");
    await until("an early frame is shown", "status.past === 3");
    await ask("act('seek', { frame: 457 })");
    await until("it is shown again", "status.past === 457");
    expect("it is the same moment, from elsewhere", (await moment()) === first);
    await ask("act('seek', { frame: 999999 })");
    await until("a frame that is not there is refused", `document.getElementById("message").textContent === "there is no frame 999999: this branch has frames 0 to ${latest}"`);
    // A branch, with a name.
    await press("KeyF", "f", 70);
    await until("a branch begins there, which is paused", "status.branch.branch === 2 && status.past === null && status.paused && status.latest === 457");
    await press("Space", " ", 32);
    await until("it goes on", "status.latest > 460");
    await press("Space", " ", 32);
    await until("it is paused", "status.paused");
    await count(2);
    await ask("(() => { const input = document.querySelector('#branches input'); input.focus(); input.select(); })()");
    await page("Input.insertText", { text: "what if" });
    await press("Enter", "Enter", 13);
    await until("it has its name", "document.querySelector('#branches option:nth-child(2)').textContent.startsWith('what if: 457 to ')");
    expect("it is the chosen one", await ask("document.querySelector('#branches select').value === '2'"));
    await picture("page_branches");
    // What is changed in it is found, and what it leads to is told beside the other branch.
    const { entities } = await (await fetch(`${address}/api`, { method: "POST", body: JSON.stringify({ op: "entities", with: ["pocket"], limit: 1 }) })).json();
    const pocket = { entity: entities[0].entity, component: "pocket", path: "/carried", value: 33.25 };
    const changedAt = await ask("status.frame");
    await ask(`act('set_component', ${JSON.stringify(pocket)})`);
    await ask("act('step', { frames: 30 })");
    await until("it has gone on", `status.frame === ${changedAt} + 30`);
    await ask("[...document.querySelectorAll('nav button')].find((tab) => tab.textContent === 'Compare').click()");
    await until("the other branch is offered", "document.querySelector('select[name=compareWith]') !== null");
    await ask("(() => { const select = document.querySelector('select[name=compareWith]'); select.value = '1'; select.dispatchEvent(new Event('change', { bubbles: true })); })()");
    await until("the frame in which they part is named", `document.getElementById('panel').textContent.includes('They part at frame 457, and frame ${changedAt} is the first in which values differ')`);
    expect("with the value that was changed", await ask("[...document.querySelectorAll('#panel tr')].some((row) => row.textContent.includes('pocket.carried') && row.textContent.includes('33.25'))"));
    await picture("page_branches_compared");
    // Nothing was deleted.
    await ask("(() => { const select = document.querySelector('#branches select'); select.value = '1'; select.dispatchEvent(new Event('change', { bubbles: true })); })()");
    await until("the first branch is shown, at its latest frame", `status.branch.branch === 1 && status.frame === ${latest} && status.past === null`);
    await ask("act('seek', { frame: 600 })");
    await until("and its frames", "status.past === 600");
    // A link carries the frame and the branch; the page is left and opened again.
    await ask("act('branch', { branch: 2, frame: 458 })");
    await until("the branch is in the address", "location.hash.includes('branch=2') && location.hash.includes('frame=458')");
    const link = await ask("location.href");
    await page("Page.navigate", { url: "about:blank" });
    await fetch(`${address}/api`, { method: "POST", body: JSON.stringify({ op: "branch", branch: 1 }) });
    await page("Page.navigate", { url: link });
    await until("a link shows the frame of its branch, and it is still paused", "typeof status === 'object' && status?.branch?.branch === 2 && status.past === 458 && status.paused");
    await count(2);
    // A match waits at its end until the page ends it.
    const short = await start(["simulate", "--seed", "3", "--players", "2", "--ticks", "200", "--studio", "127.0.0.1:0"]);
    short.process.removeAllListeners("exit");
    const ended = new Promise((end) => short.process.once("exit", end));
    await page("Page.navigate", { url: short.address });
    await until("it waits at its end", "typeof status === 'object' && status?.at_end && status.frame === 200 && !document.getElementById('end').hidden");
    await ask("act('seek', { frame: 20 })");
    await until("its history is there", "status.past === 20");
    const [x, y] = await ask("(() => { const area = document.getElementById('end').getBoundingClientRect(); return [area.left + area.width / 2, area.top + area.height / 2]; })()");
    await mouse("mouseMoved", [x, y], 0);
    await clickAt([x, y], 60);
    expect("End ends it", (await ended) === 0);
  },

  // The state of a system is shown, and its last change is blamed.
  async states() {
    const { address } = await start(["20", "127.0.0.1:0"], balls);
    await page("Page.navigate", { url: address });
    await until("a ball was replaced", "status?.frame > 600");
    await ask("chooseTab('Systems')");
    await until("the systems are listed", "[...document.querySelectorAll('table button.link')].some((one) => one.textContent === 'Renewal')");
    await ask("[...document.querySelectorAll('table button.link')].find((one) => one.textContent === 'Renewal').click()");
    await until("its state is shown", "[...document.querySelectorAll('button.name')].some((one) => one.textContent === 'replaced')");
    await ask("act('pause')");
    await until("it is paused", "status.paused");
    const [x, y] = await ask("(() => { const area = [...document.querySelectorAll('button.name')].find((one) => one.textContent === 'replaced').getBoundingClientRect(); return [area.left + 5, area.top + area.height / 2]; })()");
    await mouse("mouseMoved", [x, y], 0);
    await clickAt([x, y], 60);
    await until("it is asked why", "document.querySelector('.chain h3')?.textContent.includes('why renewal.replaced')");
    await until("what could have written it is told, or what did", "document.querySelector('.chain .change') !== null");
    await ask("[...document.querySelectorAll('.chain button')].find((one) => one.textContent === 'Last change')?.click()");
    await until("its last change is found", "document.querySelector('.chain .change')?.textContent.includes('for Bounced')");
    await picture("page_states");
  },

  // The way back to the present, branches and searches leave the program as one expects it: paused, or running.
  async pace() {
    const { address } = await start(["20", "127.0.0.1:0"], balls);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10 && status.latest > 400", 3000);
    await press("ArrowLeft", "ArrowLeft", 37);
    await until("the past is shown", "status.past !== null && document.getElementById('run').textContent === 'Back to now'");
    await press("Space", " ", 32);
    await until("back in the present it runs on, as before", "status.past === null && !status.paused");
    await press("Space", " ", 32);
    await until("it is paused", "status.paused && status.past === null");
    await press("ArrowLeft", "ArrowLeft", 37);
    await until("the past is shown again", "status.past !== null");
    await press("Space", " ", 32);
    await until("back in the present it is paused, as before", "status.past === null && status.paused");
    const frame = await ask("status.frame");
    await frames(20);
    expect("and it stays paused", await ask(`status.frame === ${frame}`));
    // A list below the pointer shows the frame that was asked for.
    await ask("view.with = 'ball.height_m > 1'; redraw()");
    await until("there is a table", "document.querySelectorAll('.rows tr.row').length > 0");
    await mouse("mouseMoved", await ask("(() => { const box = document.querySelector('.rows').getBoundingClientRect(); return [box.left + 100, box.top + 80]; })()"), 0);
    const rows = "[...document.querySelectorAll('.rows tr.row .id')].map((id) => id.textContent).join()";
    const before = await ask(rows);
    await ask("act('seek', { frame: 2 })");
    await until("the rows are those of the frame that was asked for", `status.past === 2 && document.querySelector('.held') === null && ${rows} !== ${JSON.stringify(before)} && document.querySelector('.count').textContent === String(document.querySelectorAll('.rows tr.row').length)`);
    // A search ahead lets the program run.
    await press("Space", " ", 32);
    await until("the present is shown", "status.past === null && status.paused");
    await press("KeyQ", "q", 81);
    await page("Input.insertText", { text: "frame < 0" });
    await press("Enter", "Enter", 13);
    await until("it runs, and says so", "!status.paused && document.querySelector('#questions output').textContent.includes('the program runs until')");
    await ask("document.activeElement.blur()");
    await press("Space", " ", 32);
    await until("a pause is told", "status.paused && document.querySelector('#questions output').textContent.includes('this waits until the program runs')");
  },

  // What is opened is in sight, and nothing covers it.
  async whys() {
    const { address } = await start([...MATCH, "127.0.0.1:0"]);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10 && status.latest > 400", 3000);
    await ask("act('pause')");
    await ask("[...document.querySelectorAll('.list .row')].find((row) => row.textContent.includes('collector,')).click()");
    await until("its values are shown", "status.paused && document.querySelectorAll('.detail .component').length > 5");
    await ask("document.querySelector('.detail').scrollTop = 100000");
    const [heading, first] = await ask("(() => { const tops = [...document.querySelectorAll('.detail .heading > *')].map((one) => one.getBoundingClientRect()); const box = document.querySelector('.detail').getBoundingClientRect(); return [tops.every((one) => one.top >= box.top && one.bottom < box.top + 90), tops.length]; })()");
    expect("the name of the entity and its buttons stay together", heading && first === 2);
    await ask("document.querySelector('.detail').scrollTop = 0");
    // The Why of the last component that is in sight opens below the pane.
    const [x, y] = await ask(`(() => { const bottom = document.querySelector(".detail").getBoundingClientRect().bottom;
      const all = [...document.querySelectorAll(".detail .component button")].filter((one) => one.textContent === "Why" && one.getBoundingClientRect().bottom < bottom);
      const area = all.at(-1).getBoundingClientRect(); return [area.left + 5, area.top + area.height / 2]; })()`);
    await mouse("mouseMoved", [x, y], 0);
    await clickAt([x, y], 60);
    await until("its answer is in sight, below the name", `(() => { const why = document.querySelector(".detail .why .change")?.closest(".why"); if (!why) return false;
      const [area, box, head] = [why, why.closest(".detail"), document.querySelector(".detail .heading")].map((one) => one.getBoundingClientRect()); return area.top >= head.bottom && (area.bottom <= box.bottom || area.top < head.bottom + 40); })()`);
    await picture("page_why");
    // An edit of the past is refused, and does not stay on the screen as if it was the value.
    await ask("act('seek', { frame: 300 })");
    await until("the past is shown", "status.past === 300 && document.querySelector('.detail .component input[type=number]') !== null");
    const number = "document.querySelector('.detail .component input[type=number]')";
    const shown = await ask(`${number}.value`);
    await ask(`(() => { const input = ${number}; input.value = "12345"; input.dispatchEvent(new Event("change", { bubbles: true })); })()`);
    await until("a refused value goes back", `document.getElementById("message").textContent.includes("this is the past") && ${number}.value === ${JSON.stringify(shown)}`);
    await ask("chooseTab('Resources')");
    await until("resources are listed", "[...document.querySelectorAll('.list .row')].some((row) => row.textContent === 'rules')");
    await ask("[...document.querySelectorAll('.list .row')].find((row) => row.textContent === 'rules').click()");
    await until("the system of the name is named, whose state can be asked", "document.querySelector('.detail').textContent.includes('The system Rules has a state: see Systems.')");
    await ask("document.querySelector('.detail button.link').click()");
    await until("a click shows it", "view.tab === 'Systems' && view.system === 'Rules'");
  },

  // The curve stands over the time line, and leads to its frames.
  async curves() {
    const { address } = await start(["2000", "127.0.0.1:0"], balls);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10 && status.latest > 700", 6000);
    await ask("act('pause')");
    await until("it is paused", "status.paused");
    await ask("window.told = new Set(); view.curve = 'most(ball.height_m)'; (function look() { told.add(document.querySelector('#questions output')?.textContent.replace(/\\d+/g, 'N')); requestAnimationFrame(look); })(); redraw()");
    await until("the curve is filled in", "curveAnswer()?.looked_from === 0 && !document.querySelector('#questions output').textContent.includes('so far')", 6000);
    expect("it was told how far it was", await ask("told.has('the curve is drawn from frame N so far; ')"));
    const [curve, line] = await ask("['curve', 'timeline'].map((id) => { const { left, width, top } = document.getElementById(id).getBoundingClientRect(); return { left, width, top }; })");
    expect("it is as wide as the way of the time line's knob", curve.left === line.left + 8 && curve.width === line.width - 16 && curve.top < line.top);
    const at = [curve.left + curve.width * 0.25, curve.top + 20];
    await mouse("mouseMoved", at, 0);
    await clickAt(at, 60);
    await until("a click shows the frame", "Math.abs(status.past - status.latest * 0.25) < 3");
    await frames(10);
    await picture("page_curve");
  },

  // At 1280×800 nothing is wrapped, cut or out of reach.
  async layout() {
    const { address } = await start([...MATCH.filter((option) => option !== "--studio"), "--studio", "127.0.0.1:0"]);
    await page("Page.navigate", { url: address });
    await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
    const fits = () => ask(`(() => {
      const wrong = [];
      const header = document.querySelector("header");
      if (header.scrollWidth > header.clientWidth || header.offsetHeight > 46) wrong.push("the header is wrapped or cut");
      for (const line of document.querySelectorAll("footer > div")) if (line.scrollWidth > line.clientWidth || line.offsetHeight > 46) wrong.push("the footer is wrapped or cut");
      if (document.documentElement.scrollWidth > 1280) wrong.push("the page is wider than the window");
      const pen = document.createElement("canvas").getContext("2d");
      for (const field of document.querySelectorAll("#panel input[placeholder]")) {
        pen.font = getComputedStyle(field).font;
        if (field.value === "" && pen.measureText(field.placeholder).width > field.clientWidth - 16) wrong.push("cut: " + field.placeholder);
      }
      for (const table of document.querySelectorAll("#panel table")) {
        const box = table.closest(".scrolled, .rows");
        const area = box.getBoundingClientRect();
        if (area.right > 1281) wrong.push("a table ends at " + area.right);
        if (table.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== "auto") wrong.push("a table loses its right side");
      }
      return wrong;
    })()`);
    for (const tab of await ask("Object.keys(panels)")) {
      await ask(`chooseTab(${JSON.stringify(tab)})`);
      await frames(60);
      const wrong = await fits();
      await picture(`page_${tab.toLowerCase()}`);
      expect(`${tab} fits: ${wrong.join("; ")}`, wrong.length === 0);
    }
    await ask("Object.assign(view, { tab: 'Entities', with: 'collector, transform, pocket, drive, capacity, life' }); redraw()");
    await until("a wide table is shown", "document.querySelectorAll('.rows th').length > 10");
    const wrong = await fits();
    await picture("page_table");
    expect(`a wide table fits: ${wrong.join("; ")}`, wrong.length === 0);
    await ask("document.querySelector('.rows').scrollLeft = 100000");
    await frames(10);
    expect("its right side is reached", await ask("(() => { const last = [...document.querySelectorAll('.rows th')].at(-1).getBoundingClientRect(); const box = document.querySelector('.rows').getBoundingClientRect(); return last.right <= box.right + 1 && last.left > box.left; })()"));
  },
};

try {
  for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only.split(",").includes(name)) await part();
  }
  expect(`no errors in the console: ${problems.join("; ")}`, problems.length === 0);
} finally {
  await close();
  for (const started of all) {
    started.removeAllListeners("exit");
    started.kill("SIGKILL");
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
