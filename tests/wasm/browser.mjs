// Plays the game in a headless Chromium by real keys: node browser.mjs FOLDER PICTURES PROGRAM
//
// FOLDER is what `cargo run -p web` makes. From the title to a match, a save, a pause and the end, with pictures. The match that was
// played in the browser must repeat in the program, step by step.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, openBrowser } from "./chromium.mjs";
import { servePage } from "./page_server.mjs";

const [folder, pictures, program] = process.argv.slice(2);
const MOST_MS_TO_FIRST_FRAME = 2000;
const { address, close: closeServer } = await servePage();
const { page, ask, until, frames, press, picture, problems, close } = await openBrowser(pictures);

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

// A gamepad that holds buttons for some frames, and then nothing.
const hold = async (numbers, count) => {
  await ask(`navigator.getGamepads = () => [{ connected: true, axes: [0, 0], buttons: Array.from({ length: 17 }, (_, number) => ({ pressed: ${JSON.stringify(numbers)}.includes(number), value: 0 })) }]`);
  await frames(count);
  await ask("navigator.getGamepads = () => []");
  await frames(3);
};
// The bytes of the replay of the match so far.
const recorded = async () => {
  await ask("localStorage.removeItem('bounty_hunter.save.replay')");
  await press("F4", "F4", 115);
  await until("the match is saved", "localStorage.getItem('bounty_hunter.save.replay') !== null");
  return Buffer.from(await saved("save.replay"), "base64").length;
};

const saved = name => ask(`localStorage.getItem("bounty_hunter.${name}")`);
const isOver = "!document.getElementById('end').hidden";

try {
  await page("Page.addScriptToEvaluateOnNewDocument", { source: OBSERVE });

  await open("?seed=7&players=4&mode=classic");
  const title = await picture("1_title");
  // Other work on the machine slows a browser that draws by the processor, so that the best of three counts.
  const firstFrames = [await ask("observed.firstFrame")];
  while (firstFrames.length < 3) {
    await open("?seed=7&players=4&mode=classic");
    firstFrames.push(await ask("observed.firstFrame"));
  }
  const drawnAfter = firstFrames.map(milliseconds => (milliseconds / 1000).toFixed(2));
  expect(`the first frame was drawn after ${drawnAfter.join(", ")} s`, Math.min(...firstFrames) <= MOST_MS_TO_FIRST_FRAME);
  const { encodedBodySize, decodedBodySize } = await ask("performance.getEntriesByName(new URL('bounty_hunter.wasm', location).href)[0].toJSON()");
  expect(`the game is sent compressed: ${encodedBodySize} of ${decodedBodySize} bytes`, encodedBodySize < decodedBodySize / 2);
  const icon = await ask("fetch(document.querySelector('link[rel=icon]').href).then(icon => [icon.status, icon.headers.get('Content-Type')].join())");
  expect("the page has an icon", icon === "200,image/svg+xml");
  expect("nothing is played before a key or a touch", (await ask("observed.sounds")) === 0);
  // The tutorial is offered at the first visit.
  await press("Escape", "Escape", 27);
  await until("the answer is stored", "localStorage.getItem('bounty_hunter.settings.ron') !== null");
  await press("Enter", "Enter", 13);
  await frames(150);
  await press("KeyW", "w", 87, 60);
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
  // What a gamepad does is in the inputs of the match; `phone.mjs` plays with fingers.
  const before = await recorded();
  await frames(60);
  const untouched = await recorded();
  await hold([14], 60);
  const padded = await recorded();
  expect(`recorded are ${untouched - before} bytes, with a pad ${padded - untouched}`, padded - untouched > untouched - before + 2);
  await press("F12", "F12", 123);
  await until("F12 loads the match", "document.getElementById('notice').textContent === ''");
  await press("KeyP", "p", 80);
  // Sparks go on for a while.
  await frames(120);
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
  for (let row = 0; row < 4; row++) {
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
  await picture("6_keys");
  await press("Escape", "Escape", 27);
  await press("Escape", "Escape", 27);
  await until("the settings are stored", "atob(localStorage.getItem('bounty_hunter.settings.ron')).includes('music_percent: 0')");
  const settings = Buffer.from(await saved("settings.ron"), "base64").toString();
  expect("the sounds are off in them", /effects_percent: 0,\s+music_percent: 0,/.test(settings));
  await open("?seed=7&players=4");
  await press("Enter", "Enter", 13);
  await frames(240);
  expect("the next visit is silent", (await ask("observed.sounds + observed.silent")) === 0);
  const still = await recorded();
  await press("KeyW", "w", 87, 60);
  const unbound = (await recorded()) - still;
  await press("KeyY", "y", 89, 60);
  const bound = (await recorded()) - still - unbound;
  expect(`and has the new key: ${unbound} bytes by the old one, ${bound} by the new one`, bound > unbound);
  await ask("localStorage.removeItem('bounty_hunter.settings.ron')");

  // A gamepad alone: down and up in the title, into the match, pause, and out again.
  await open("?seed=7&players=4");
  const atRest = await picture("6_pad_title");
  await hold([13], 2);
  expect("the cross moves in the title", (await picture("6_pad_down")) !== atRest);
  await hold([12], 2);
  await hold([0], 2);
  await frames(240);
  expect("a button begins the match", (await recorded()) > 100);
  await hold([9], 2);
  await frames(120);
  const padPause = await picture("6_pad_pause");
  await hold([13], 2);
  expect("the cross moves in the pause", (await picture("6_pad_pause_down")) !== padPause);

  // A replay that is named in the address, and one that is dropped onto the page.
  await ask("sessionStorage.clear()");
  const replayed = Buffer.from(await saved("save.replay"), "base64");
  writeFileSync(join(folder, "shown.replay"), replayed);
  await open("?replay=shown.replay");
  await frames(60);
  const shown = await picture("6_replay");
  await frames(30);
  expect("a replay is shown", shown !== (await picture("6_replay_later")) && !(await ask(isOver)));
  const dropped = replayed.toString("base64");
  await ask(`(() => {
    const bytes = Uint8Array.from(atob("${dropped}"), letter => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "dropped.replay"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);
  // While the page is left, it does not answer.
  const isThere = "location.search === '?replay=dropped' && document.readyState === 'complete' && typeof wasm_exports !== 'undefined'";
  let isLoaded = false;
  for (let tries = 0; tries < 20000 && !isLoaded; tries++) isLoaded = await ask(isThere).catch(() => false);
  expect("the dropped replay is loaded", isLoaded);
  await frames(90);
  expect("and shown", (await picture("6_replay_dropped")) !== atRest && !(await ask(isOver)));

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
  await close();
  closeServer();
}
