// Plays the template in a headless Chromium: node template.mjs FOLDER PICTURES, where FOLDER is what its `web/build.sh` makes.
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { expect, openBrowser } from "./chromium.mjs";

const [folder, pictures] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const file = join(folder, request.url === "/" ? "index.html" : request.url.slice(1));
  response.writeHead(existsSync(file) ? 200 : 404, { "Content-Type": TYPES[extname(file)] ?? "text/plain" });
  response.end(existsSync(file) ? readFileSync(file) : "");
});
await new Promise(ready => server.listen(0, "127.0.0.1", ready));

const { page, until, frames, press, picture, problems, close } = await openBrowser(pictures, { width: 800, height: 600 });
try {
  await page("Page.navigate", { url: `http://127.0.0.1:${server.address().port}/` });
  await until("the game has started", "typeof wasm_exports !== 'undefined' && wasm_exports !== undefined && wasm_memory !== undefined");
  await frames(20);
  const before = await picture("template_begun");
  await press("ArrowRight", "ArrowRight", 39, 40);
  expect("the ball has moved", (await picture("template_moved")) !== before);
  const complaints = problems.filter(problem => !problem.includes("favicon"));
  expect(`no errors in the console: ${complaints.join("; ")}`, complaints.length === 0);
} finally {
  await close();
  server.close();
}
