// Makes the moving picture of the README: node studio_film.mjs PROGRAM PICTURE.gif
//
// PROGRAM has the feature `studio`; needs xdotool, ImageMagick and a display of 1280×720. A match runs beside the studio; its time is dragged
// back with the mouse, a pocket is filled there, and the match goes on from that moment. To be looked at:
//
//   xvfb-run --auto-servernum --server-args="-screen 0 1280x720x24" node tests/wasm/studio_film.mjs PROGRAM assets/pictures/studio.gif
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "./chromium.mjs";

const [program, film] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "studio_film_"));
const game = spawn(program, ["play", "--demo", "--seed", "7", "--players", "4", "--studio", "127.0.0.1:0"],
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
  await ask(`${pocket}.scrollIntoView({ block: "center" })`);
  await picture("page");
  execFileSync("import", ["-window", "root", join(folder, "window.png")]);
  execFileSync("convert", [join(folder, "window.png"), "-crop", "760x720+0+0", "+repage", join(folder, "page.png"), "+append", "-resize", "900x", name]);
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

const button = text => `[...document.querySelectorAll('button')].find(x => x.textContent === '${text}')`;
const pocket = "[...document.querySelectorAll('.component')].find(x => x.querySelector('strong').textContent === 'pocket').querySelector('input[type=number]')";

try {
  await page("Page.navigate", { url: address });
  await until("the page lists entities", "document.querySelectorAll('.list .row').length > 10");
  await ask("document.querySelector('input[name=search]').focus()");
  await page("Input.insertText", { text: "collector" });
  await until("the search finds the collectors", "[...document.querySelectorAll('.list .row strong')].filter(x => x.textContent === 'collector').length === 4");
  await click(".list .row", "collector");
  await until("its pocket is shown", "[...document.querySelectorAll('.component strong')].some(x => x.textContent === 'pocket')");
  await until("it carries something", `Number(${pocket}.value) > 40`);
  await click("button", "Pause");
  await until("it is paused", `${button("Run")} !== undefined`);
  await play(10, 5);
  // The time is dragged back.
  // Asked for anew, since the timeline gets shorter once it shows the past.
  const place = share => ask(`(() => { const area = document.getElementById('timeline').getBoundingClientRect();
    return [area.left + 8 + ${share} * (area.width - 16), area.top + area.height / 2]; })()`);
  await mouse("mousePressed", await place(0.99));
  for (let shot = 1; shot <= 12; shot++) {
    await mouse("mouseMoved", await place(0.99 - 0.035 * shot));
    await frames(12);
    await shoot();
  }
  await mouse("mouseReleased", await place(0.57));
  await until("the past is shown", "document.getElementById('shown').className === 'past'");
  await frames(30);
  await shoot(60);
  // It is changed there, and goes on from there.
  await click("button", "Go on from here");
  await until("it goes on", `${button("Pause")} !== undefined`);
  await click("button", "Pause");
  await until("it is paused", `${button("Run")} !== undefined`);
  await ask(`(() => { const input = ${pocket}; input.focus(); input.select(); })()`);
  await page("Input.insertText", { text: "99" });
  await shoot(60);
  await ask("document.activeElement.blur()");
  await frames(30);
  await shoot(100);
  await play(20, 5);
  execFileSync("convert", [...made, "-loop", "0", "+dither", "-colors", "32", "-layers", "Optimize", film]);
} finally {
  await close();
  game.removeAllListeners("exit");
  game.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
