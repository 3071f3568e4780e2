// Plays the game in a headless Chromium as on a phone, by touch alone: node phone.mjs PICTURES PROGRAM
//
// In both directions of the screen: spells while another finger steers, the menu of a pause, then the match of the day from the title to
// its result, whose file the program must accept.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, openBrowser } from "./chromium.mjs";
import { servePage } from "./page_server.mjs";

const [pictures, program] = process.argv.slice(2);
// The longest match of a day, with its countdown and the spotlight on the winner, on a slow machine.
const MOST_SECONDS = 400;

// Where a thumb finds things, in pixels of the page.
const SCREENS = [
  {
    name: "tall", width: 390, height: 844,
    notNow: [195, 262], start: [195, 474], daily: [195, 522], settings: [195, 618], music: { less: [40, 130], more: [350, 130] },
    pause: [335, 30], resume: [195, 381], leave: [195, 525], spells: [[68, 806], [195, 806], [322, 806]],
    watch: [195, 488], download: [195, 536], leaveResult: [195, 584], back: [39, 815],
  },
  {
    name: "wide", width: 844, height: 390,
    notNow: [422, 183], start: [630, 108], daily: [630, 152], settings: [630, 240], music: { less: [40, 123], more: [380, 123] },
    pause: [790, 30], resume: [196, 226], leave: [648, 226], spells: [[780, 228], [780, 290], [780, 352]],
    watch: [272, 309], download: [422, 309], leaveResult: [571, 309], back: [84, 361],
  },
];

const { address, close: closeServer } = await servePage();
const { page, ask, until, frames, becomePhone, fingers, tap, picture, problems, close } = await openBrowser(pictures);

async function open(query) {
  await page("Page.navigate", { url: address + query });
  await until(`${query} is loaded`, "document.readyState === 'complete'");
  const started = "typeof wasm_exports !== 'undefined' && wasm_exports !== undefined && wasm_memory !== undefined";
  await until("the game has started", started);
  await frames(30);
}

const kept = name => ask(`localStorage.getItem("bounty_hunter.${name}")`);
const tries = async () => JSON.parse(await ask("JSON.stringify(Object.entries(localStorage).filter(([key]) => key.includes('daily/')))"));

// Steers to and fro until something holds, and lifts the finger now and then.
async function play(screen, what, isOver) {
  const [x, y] = [0.35 * screen.width, 0.62 * screen.height];
  const begun = Date.now();
  for (let turn = 0; !(await isOver()); turn++) {
    if (Date.now() - begun > MOST_SECONDS * 1000) throw new Error(`not so: ${what}, within ${MOST_SECONDS} s`);
    const angle = 0.9 * turn;
    await fingers({ 0: [x, y] });
    await fingers({ 0: [x + 60 * Math.cos(angle), y + 60 * Math.sin(angle)] });
    await frames(30);
    await fingers({});
  }
  console.log(`ok: ${what}`);
}

async function playSpells(screen) {
  const take = name => picture(`phone_${screen.name}_${name}`);
  await open("?seed=7&players=4&mode=spells");
  await take("1_offer");
  await tap(screen.notNow);
  await until("the answer is stored", "localStorage.getItem('bounty_hunter.settings.ron') !== null");
  await take("2_title");
  await tap(screen.start);
  await take("3_countdown");
  const [x, y] = [0.3 * screen.width, 0.6 * screen.height];
  await frames(200);
  await fingers({ 0: [x, y] });
  await fingers({ 0: [x + 40, y - 40] });
  await frames(30);
  await take("4_steering");
  // A second finger casts while the first goes on, and its release changes nothing.
  const cast = screen.spells[2];
  await fingers({ 0: [x + 40, y - 40], 1: cast });
  await fingers({ 0: [x + 40, y - 40] });
  await fingers({ 0: [x - 40, y - 40] });
  await frames(20);
  await take("5_cast");
  await fingers({});
  await frames(30);
  await take("6_at_rest");
  await tap(screen.pause);
  await frames(60);
  const paused = await take("7_pause");
  await tap(screen.resume);
  await frames(30);
  expect("a tap resumes a paused match", paused !== (await take("8_resumed")));
  await tap(screen.pause);
  await frames(60);
  await tap(screen.leave);
  await frames(30);
  await take("9_title_again");
  await tap(screen.settings);
  await take("10_settings");
  await tap(screen.music.less);
  await tap(screen.music.less);
  await tap(screen.music.more);
  await take("11_settings_changed");
}

async function playDaily(screen, number) {
  const take = name => picture(`phone_${screen.name}_${name}`);
  await open("?players=4");
  await take("20_title");
  await tap(screen.daily);
  await frames(60);
  const begun = await tries();
  expect(`try ${number} has begun`, begun.length === number && begun.every(([, text], index) => (text === "") === (index === number - 1)));
  const [key] = begun[number - 1];
  await play(screen, "the match of the day has a result", async () => (await kept(key.replace("bounty_hunter.", ""))) !== "");
  await take("21_winner");
  // The spotlight, and a while in which a finger that steers chooses nothing.
  await frames(240);
  await take("22_result");
  const file = key.replace("bounty_hunter.daily/", "");
  await tap(screen.download);
  for (let tries = 0; tries < 600 && !readdirSync(pictures).includes(file); tries++) await frames(1);
  const verdict = execFileSync(program, ["daily", "--verify", join(pictures, file)], { encoding: "utf8" }).trim();
  expect(`the program accepts the file: ${verdict}`, verdict.startsWith(`BountyHunter ${file.slice(0, 10)}, `));
  await tap(screen.watch);
  await frames(90);
  await take("23_replay");
  await tap(screen.back);
  await frames(30);
  await take("24_result_again");
  await tap(screen.leaveResult);
  await frames(30);
  await take("25_title_after");
}

try {
  await page("Page.setDownloadBehavior", { behavior: "allow", downloadPath: resolve(pictures) });
  for (const [index, screen] of SCREENS.entries()) {
    await becomePhone(screen);
    if (index > 0) await ask("localStorage.removeItem('bounty_hunter.settings.ron')");
    await playSpells(screen);
    await playDaily(screen, index + 1);
  }
  expect(`no errors in the console: ${problems.join("; ")}`, problems.length === 0);
} finally {
  await close();
  closeServer();
}
