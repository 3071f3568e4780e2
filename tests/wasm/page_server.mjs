// The page as `cargo run -p web -- --serve` serves it, at a free port.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts the server; returns the address of the page, and how to end it. */
export async function servePage() {
  const server = spawn("cargo", ["run", "--quiet", "--package", "web", "--", "--serve", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit").then(([code]) => {
    throw new Error(`the server of the page has ended with ${code}`);
  });
  // An end before the address is known is an error; a later one is on purpose.
  ended.catch(() => {});
  let said = "";
  const address = new Promise(found => {
    server.stdout.on("data", data => {
      said += data;
      const url = said.match(/http:\/\/\S+/);
      if (url) found(url[0]);
    });
  });
  return { address: await Promise.race([address, ended]), close: () => server.kill() };
}
