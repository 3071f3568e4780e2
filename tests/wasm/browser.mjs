// Plays the game in a headless Chromium by real keys: node browser.mjs FOLDER PICTURES PROGRAM
//
// FOLDER is what `cargo run -p web` makes. From the title to a match, a save, a pause and the end, with pictures. The match that was
// played in the browser must repeat in the program, step by step.
import { execFileSync, spawn } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const [folder, pictures, program] = process.argv.slice(2);
const SIZE = { width: 1280, height: 720 };
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

function expect(what, holds) {
  if (!holds) {
    throw new Error(`not so: ${what}`);
  }
  console.log(`ok: ${what}`);
}

// The folder, as any web server serves it.
const server = createServer((request, response) => {
  const name = normalize(new URL(request.url, "http://x").pathname).replace(/^[/\\.]+/, "") || "index.html";
  const file = join(folder, name);
  if (!existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
});
await new Promise(ready => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}/`;

// The browser, driven through a pipe by its debugging protocol.
const profile = mkdtempSync(join(tmpdir(), "bounty_hunter_browser_"));
const browser = spawn(
  process.env.CHROMIUM ?? "chromium",
  ["--headless", "--no-sandbox", "--hide-scrollbars", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
   `--window-size=${SIZE.width},${SIZE.height}`, `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank"],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
);
let last = 0;
const waiting = new Map();
const problems = [];
let unread = "";
browser.stdio[4].on("data", data => {
  const parts = (unread + data).split("\0");
  unread = parts.pop();
  for (const message of parts.map(part => JSON.parse(part))) {
    if (message.id !== undefined) {
      const { answer, refuse } = waiting.get(message.id);
      waiting.delete(message.id);
      message.error ? refuse(new Error(message.error.message)) : answer(message.result);
    } else if (message.method === "Runtime.exceptionThrown") {
      problems.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
    } else if (message.method === "Runtime.consoleAPICalled" && message.params.type === "error") {
      problems.push(message.params.args.map(argument => argument.value ?? argument.description).join(" "));
    }
  }
});
function send(method, params = {}, sessionId = undefined) {
  const id = ++last;
  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  return new Promise((answer, refuse) => waiting.set(id, { answer, refuse }));
}
const { targetInfos } = await send("Target.getTargets");
const { targetId } = targetInfos.find(target => target.type === "page");
const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
const page = (method, params) => send(method, params, sessionId);

async function ask(expression) {
  const { result, exceptionDetails } = await page("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) {
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }
  return result.value;
}

// Waits until an expression holds in the page, frame by frame.
async function until(what, expression, frames = 1200) {
  const held = await ask(`new Promise(done => {
    let left = ${frames};
    const look = () => (${expression}) ? done(true) : left-- > 0 ? requestAnimationFrame(look) : done(false);
    look();
  })`);
  expect(what, held);
}

const frames = count => ask(`new Promise(done => {
  let left = ${count};
  const next = () => left-- > 0 ? requestAnimationFrame(next) : done(true);
  next();
})`);

async function press(code, key, keyCode, hold = 3) {
  const about = { code, key, windowsVirtualKeyCode: keyCode, nativeVirtualKeyCode: keyCode };
  await page("Input.dispatchKeyEvent", { type: "rawKeyDown", ...about });
  await frames(hold);
  await page("Input.dispatchKeyEvent", { type: "keyUp", ...about });
  await frames(3);
}

async function picture(name) {
  const { data } = await page("Page.captureScreenshot", { format: "png" });
  writeFileSync(join(pictures, `${name}.png`), Buffer.from(data, "base64"));
  return data;
}

async function open(query) {
  await page("Page.navigate", { url: address + query });
  await until(`${query || "the page"} is loaded`, "document.readyState === 'complete'");
  const started = "typeof wasm_exports !== 'undefined' && wasm_exports !== undefined && wasm_memory !== undefined";
  await until("the game has started", started);
  await frames(30);
}

// Notes what the page plays and when it first draws.
const OBSERVE = `
  window.observed = { sounds: 0, silent: 0, firstFrame: null };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...rest) {
    const isHeard = this.buffer.getChannelData(0).some(sample => Math.abs(sample) > 0.01);
    observed[isHeard ? "sounds" : "silent"] += 1;
    return start.apply(this, rest);
  };
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const clear = prototype.clear;
    prototype.clear = function (...rest) {
      observed.firstFrame ??= performance.now();
      return clear.apply(this, rest);
    };
  }`;

// A touch of one of the page's buttons, and the keys that it presses.
const touch = (action, frames) => ask(`new Promise(done => {
  const pressed = [];
  const note = event => pressed.push(event.code);
  document.getElementById("glcanvas").addEventListener("keydown", note);
  const button = document.querySelector('[data-action="${action}"]');
  button.dispatchEvent(new PointerEvent("pointerdown"));
  let left = ${frames};
  const next = () => left-- > 0 ? requestAnimationFrame(next) : end();
  const end = () => {
    button.dispatchEvent(new PointerEvent("pointerup"));
    document.getElementById("glcanvas").removeEventListener("keydown", note);
    done(pressed.join(" "));
  };
  next();
})`);

const saved = name => ask(`localStorage.getItem("bounty_hunter.${name}")`);
const isOver = "!document.getElementById('end').hidden";

try {
  mkdirSync(pictures, { recursive: true });
  await page("Page.enable");
  await page("Emulation.setDeviceMetricsOverride", { ...SIZE, deviceScaleFactor: 1, mobile: false });
  await page("Runtime.enable");
  await page("Page.addScriptToEvaluateOnNewDocument", { source: OBSERVE });

  await open("?seed=7&players=4&mode=classic");
  const title = await picture("1_title");
  const firstFrame = await ask("observed.firstFrame");
  expect(`the first frame was drawn after ${(firstFrame / 1000).toFixed(2)} s`, firstFrame !== null);
  expect("nothing is played before a key or a touch", (await ask("observed.sounds")) === 0);
  await press("Enter", "Enter", 13);
  await frames(150);
  await press("KeyW", "w", 87, 60);
  expect("the button for right presses D", (await touch("right", 20)) === "KeyD");
  const match = await picture("2_match");
  expect("the match looks different from the title", match !== title);
  const { sounds, silent } = await ask("observed");
  expect(`${sounds} sounds were played, ${silent} silent ones`, sounds > 10 && silent === 0);
  expect("nothing is saved yet", (await saved("save.replay")) === null);
  await press("F4", "F4", 115);
  await until("the match is saved", "localStorage.getItem('bounty_hunter.save.replay') !== null");
  const replay = Buffer.from(await saved("save.replay"), "base64");
  const file = join(pictures, "browser.replay");
  writeFileSync(file, replay);
  const verdict = execFileSync(program, ["replay", file, "--verify"], { encoding: "utf8" }).trim();
  expect(`the program repeats what was played in the browser: ${verdict}`, /went the same way/.test(verdict));
  await press("F12", "F12", 123);
  await press("KeyP", "p", 80);
  await frames(20);
  const pause = await picture("3_pause");
  await frames(30);
  expect("a paused match stands still", pause === (await picture("3_pause")));
  await press("Digit4", "4", 52);
  await frames(30);
  await picture("4_title_again");
  await press("Escape", "Escape", 27);
  await press("Escape", "Escape", 27);
  await until("the end covers the game", isOver);
  await picture("4_end");

  // The settings: silence, and another key for forward.
  await open("?seed=7&players=4");
  for (let row = 0; row < 3; row++) {
    await press("ArrowDown", "ArrowDown", 40);
  }
  await press("Enter", "Enter", 13);
  for (let percent = 80; percent > 0; percent -= 10) {
    await press("ArrowLeft", "ArrowLeft", 37);
  }
  await press("ArrowDown", "ArrowDown", 40);
  for (let percent = 50; percent > 0; percent -= 10) {
    await press("ArrowLeft", "ArrowLeft", 37);
  }
  await picture("5_settings");
  for (let row = 0; row < 3; row++) {
    await press("ArrowUp", "ArrowUp", 38);
  }
  for (const [code, key, number] of [["Enter", "Enter", 13], ["Enter", "Enter", 13], ["KeyY", "y", 89]]) {
    await press(code, key, number);
  }
  expect("the button for forward presses the new key at once", (await touch("forward", 2)) === "KeyY");
  await picture("6_keys");
  await press("Escape", "Escape", 27);
  await press("Escape", "Escape", 27);
  await until("the settings are stored", "localStorage.getItem('bounty_hunter.settings.ron') !== null");
  const settings = Buffer.from(await saved("settings.ron"), "base64").toString();
  expect("the sounds are off in them", /effects_percent: 0,\s+music_percent: 0,/.test(settings));
  await open("?seed=7&players=4");
  await press("Enter", "Enter", 13);
  await frames(240);
  expect("the next visit is silent", (await ask("observed.sounds + observed.silent")) === 0);
  expect("and has the new key", (await touch("forward", 5)) === "KeyY");
  await ask("localStorage.removeItem('bounty_hunter.settings.ron')");

  await open("?demo&players=200&mode=sandbox&seed=3");
  await frames(60);
  const [count, seconds] = await ask(`new Promise(done => {
    const first = performance.now();
    let count = 0;
    const next = now => now - first > 5000 ? done([count, (now - first) / 1000]) : (count++, requestAnimationFrame(next));
    requestAnimationFrame(next);
  })`);
  console.log(`200 players: ${(count / seconds).toFixed(0)} frames a second, drawn by the processor`);
  await picture("7_two_hundred");

  await open("?mode=nonsense");
  await until("an unknown mode ends in a sentence", isOver);
  const sentence = await ask("document.getElementById('last').textContent");
  expect(`the sentence names it: ${sentence}`, sentence.includes("nonsense"));
  expect(`no errors in the console: ${problems.join("; ")}`, problems.length === 0);
} finally {
  const closed = new Promise(done => browser.once("exit", done));
  browser.kill();
  await closed;
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
