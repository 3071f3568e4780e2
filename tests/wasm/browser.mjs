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

const saved = name => ask(`localStorage.getItem("bounty_hunter.${name}")`);
const isOver = "!document.getElementById('end').hidden";

try {
  mkdirSync(pictures, { recursive: true });
  await page("Page.enable");
  await page("Emulation.setDeviceMetricsOverride", { ...SIZE, deviceScaleFactor: 1, mobile: false });
  await page("Runtime.enable");

  await open("?seed=7&players=4&mode=classic");
  const title = await picture("1_title");
  await press("Enter", "Enter", 13);
  await frames(150);
  await press("KeyW", "w", 87, 60);
  await ask(`document.querySelector('[data-key="KeyD"]').dispatchEvent(new PointerEvent("pointerdown"))`);
  await frames(20);
  await ask(`document.querySelector('[data-key="KeyD"]').dispatchEvent(new PointerEvent("pointerup"))`);
  const match = await picture("2_match");
  expect("the match looks different from the title", match !== title);
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
  await press("Escape", "Escape", 27);
  await until("the end covers the game", isOver);
  await picture("4_end");

  await open("?demo&players=200&mode=sandbox&seed=3");
  await frames(60);
  const [count, seconds] = await ask(`new Promise(done => {
    const first = performance.now();
    let count = 0;
    const next = now => now - first > 5000 ? done([count, (now - first) / 1000]) : (count++, requestAnimationFrame(next));
    requestAnimationFrame(next);
  })`);
  console.log(`200 players: ${(count / seconds).toFixed(0)} frames a second, drawn by the processor`);
  await picture("5_two_hundred");

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
