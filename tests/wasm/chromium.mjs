// A headless Chromium, driven through a pipe by its debugging protocol.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIZE = { width: 1280, height: 720 };

export function expect(what, holds) {
  if (!holds) {
    throw new Error(`not so: ${what}`);
  }
  console.log(`ok: ${what}`);
}

/** Opens a browser with an empty page; its pictures go to a folder. */
export async function openBrowser(pictures, size = SIZE) {
  mkdirSync(pictures, { recursive: true });
  const profile = mkdtempSync(join(tmpdir(), "bounty_hunter_browser_"));
  const browser = spawn(
    process.env.CHROMIUM ?? "chromium",
    ["--headless", "--no-sandbox", "--hide-scrollbars", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
     `--window-size=${size.width},${size.height}`, `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank"],
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
  // A browser that is gone is not waited for.
  let hasEnded = false;
  browser.once("exit", code => {
    hasEnded = true;
    waiting.forEach(({ refuse }) => refuse(new Error(`the browser has ended with ${code}`)));
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

  // Presses, moves or releases the left button of the mouse; with `buttons` 0 it moves without a pressed one.
  const mouse = (type, [x, y], buttons = type === "mouseReleased" ? 0 : 1) =>
    page("Input.dispatchMouseEvent", { type, x, y, button: type === "mouseMoved" && buttons === 0 ? "none" : "left", buttons, clickCount: 1 });

  // The window of a phone, which has only fingers.
  async function becomePhone({ width, height }) {
    await page("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 2, mobile: true });
    await page("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 });
  }

  // Sets all fingers that are on the screen, by their numbers: those that are new press, and those that are gone release.
  let touching = false;
  async function fingers(places) {
    const touchPoints = Object.entries(places).map(([id, [x, y]]) => ({ x, y, id: Number(id) }));
    const type = touchPoints.length === 0 ? "touchEnd" : touching ? "touchMove" : "touchStart";
    touching = touchPoints.length > 0;
    await page("Input.dispatchTouchEvent", { type, touchPoints });
    await frames(2);
  }

  async function tap(place) {
    await fingers({ 0: place });
    await fingers({});
    await frames(4);
  }

  async function close() {
    const closed = new Promise(done => (hasEnded ? done() : browser.once("exit", done)));
    browser.kill();
    await closed;
    rmSync(profile, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }

  await page("Page.enable");
  await page("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false });
  await page("Runtime.enable");
  return { page, ask, until, frames, press, mouse, becomePhone, fingers, tap, picture, problems, close };
}
