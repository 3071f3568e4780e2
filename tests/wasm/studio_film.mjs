// Makes the moving picture of the README: node studio_film.mjs PROGRAM PICTURE.gif
//
// PROGRAM has the feature `studio`; needs xdotool, ImageMagick and a display of 1280×720. A match runs beside the studio: a collector loses its
// load, a question finds the step, the page says what wrote it, the match goes on from before with a shield, and the two branches are compared.
// To be looked at:
//
//   xvfb-run --auto-servernum --server-args="-screen 0 1280x720x24" node tests/wasm/studio_film.mjs PROGRAM assets/pictures/studio.gif
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "./chromium.mjs";

const [program, film] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "studio_film_"));
const game = spawn(program, ["play", "--demo", "--seed", "7", "--players", "6", "--mode", "power-ups", "--studio", "127.0.0.1:0"],
  { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } });
const address = await new Promise((found, refuse) => {
  game.stdout.on("data", data => {
    const match = /http:\/\/\S+/.exec(data);
    if (match) found(match[0]);
  });
  game.once("exit", code => refuse(new Error(`the game ended with ${code}`)));
});
const { page, ask, until, frames, picture, mouse, close } = await openBrowser(folder, { width: 880, height: 720 });

// A picture of both, with its time in hundredths of a second.
const made = [];
async function shoot(hundredths = 10) {
  const name = join(folder, `${String(made.length).padStart(3, "0")}.png`);
  await ask(`${seen}?.scrollIntoView({ block: "center" })`);
  await frames(2);
  await picture("page");
  execFileSync("import", ["-window", "root", join(folder, "window.png")]);
  execFileSync("convert", [join(folder, "window.png"), "-crop", "720x720+449+0", "+repage", join(folder, "page.png"), "+append", "-resize", "900x", name]);
  made.push("-delay", String(hundredths), name);
}
// The match stands still while a picture is made, and goes on by steps, so that a slow machine makes the same film.
async function play(shots, steps) {
  for (let shot = 0; shot < shots; shot++) {
    for (let step = 0; step < steps; step++) {
      await click("button", "Step");
      await frames(1);
    }
    await shoot();
  }
}
const click = (selector, text) => ask(`[...document.querySelectorAll(${JSON.stringify(selector)})].find(element => element.textContent.includes(${JSON.stringify(text)}))?.click()`);

const component = (name) => `[...document.querySelectorAll('.component')].find(x => x.querySelector('strong').textContent === '${name}')`;
/** What the film shows of a long page. */
let seen = "null";

try {
  await page("Page.navigate", { url: address });
  await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
  // A question stops the match at the step in which somebody loses a load.
  await ask("document.querySelector('input[name=question]').focus()");
  await page("Input.insertText", { text: "delta(pocket.carried) < -20 and life.is_alive = false" });
  await shoot(80);
  await ask("document.querySelector('button[name=find-behind]').click()");
  await until("it is found", "status.search?.stage === 'found' && status.paused", 6000);
  const entity = await ask("/entity (\\d+v\\d+)/.exec(status.search.sentence)[1]");
  const found = await ask("status.frame");
  await ask(`(() => { view.entity = '${entity}'; view.tab = 'Entities'; redraw(); })()`);
  await until("its pocket is shown", `${component("pocket")} !== undefined`);
  seen = component("pocket");
  for (const before of [60, 48, 36, 24, 12, 6, 0]) {
    await ask(`act('seek', { frame: ${found - 60} + ${60 - before} })`);
    await until("the frame is shown", `status.frame === ${found - before}`);
    await frames(8);
    await shoot(before === 0 ? 100 : 15);
  }
  // What wrote it, and what that followed from.
  await ask(`[...${component("pocket")}.querySelectorAll("button.name")].find(x => x.textContent === "carried").click()`);
  await until("it is told what wrote it", "document.querySelector('.change') !== null && document.querySelector('.detail').textContent.includes('LoseLoads')");
  seen = "document.querySelector('.change')";
  await shoot(300);
  // From a second before, with a shield.
  await ask("view.whyValue = null; redraw()");
  seen = component("powers");
  await ask(`act('seek', { frame: ${found - 60} })`);
  await until("a second before is shown", `status.frame === ${found - 60}`);
  await frames(10);
  await shoot(60);
  await ask("act('begin_branch')");
  await until("it is a branch", "status.branch.branch === 2 && status.paused && status.past === null");
  await ask(`act('set_component', { entity: '${entity}', component: 'powers', path: '/shield_seconds', value: 8.0 })`);
  await until("it has a shield", `${component("powers")}.textContent !== "" && [...${component("powers")}.querySelectorAll("input")].some(x => x.value === "8")`);
  await shoot(120);
  seen = component("pocket");
  while (await ask(`status.frame < ${found + 30}`)) {
    await ask("act('step', { frames: 6 })");
    await until("it has gone on", "status.paused");
    await frames(12);
    await shoot();
  }
  await shoot(60);
  // Where the two branches part.
  seen = "null";
  await click("nav button", "Compare");
  await until("the other branch is offered", "document.querySelector('select[name=compareWith]') !== null");
  await ask("(() => { const select = document.querySelector('select[name=compareWith]'); select.value = '1'; select.dispatchEvent(new Event('change', { bubbles: true })); })()");
  await until("they are compared", "document.getElementById('panel').textContent.includes('is the first in which values differ')");
  await shoot(150);
  // The shield itself is folded: what it leads to.
  await ask("(() => { const input = document.querySelector('input[name=compareBound]'); input.value = '8'; input.dispatchEvent(new Event('change', { bubbles: true })); })()");
  await until("what it leads to is told", "document.getElementById('panel').textContent.includes('is_alive')", 6000);
  await shoot(300);
  execFileSync("convert", [...made, "-loop", "0", "+dither", "-colors", "32", "-layers", "Optimize", film]);
} finally {
  await close();
  game.removeAllListeners("exit");
  game.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
