// Compares matches in WebAssembly with those of the program: node compare.mjs MODULE PROGRAM
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Mode, players and seed; steps at most, where the whole match would take long.
const matches = [
  ["classic", 2, "1"],
  ["classic", 16, "7"],
  ["classic", 64, "18446744073709551615", 1200],
  ["brawl", 8, "42"],
  ["gold-rush", 12, "5"],
  ["power-ups", 12, "3"],
  ["spells", 6, "99"],
  ["survival", 5, "12345678901234567"],
  ["teams", 7, "11"],
  ["sandbox", 300, "5", 240],
];

const [modulePath, program] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const { memory, buffer_of, simulate, verify, daily_try, daily_verify } = instance.exports;

// Puts bytes into the buffer of the module, calls it, and returns the bytes that it answers.
function askBytes(bytes, call) {
  const place = buffer_of(bytes.length);
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  const length = call(bytes.length);
  return Buffer.from(Buffer.from(memory.buffer, buffer_of(length), length));
}

const ask = (bytes, call) => askBytes(bytes, call).toString();

function run(...words) {
  return execFileSync(program, words, { encoding: "utf8" });
}

function expect(what, found, expected) {
  if (found !== expected) {
    console.error(`${what}: WebAssembly answers "${found}", and the program "${expected}"`);
    process.exit(1);
  }
  console.log(`${what}: ${found}`);
}

const folder = mkdtempSync(join(tmpdir(), "bounty_hunter-"));
try {
  for (const [mode, players, seed, ticks] of matches) {
    const what = `${mode}, ${players} players, seed ${seed}`;
    const words = ["simulate", "--mode", mode, "--players", `${players}`, "--seed", seed];
    if (ticks) words.push("--ticks", `${ticks}`);
    const file = join(folder, "match.replay");
    run(...words, "--record", file);
    const report = JSON.parse(run(...words, "--json"));
    const expected = `${report.ticks} steps, hash ${report.hash}`;
    const name = Buffer.from(mode);
    expect(what, ask(name, (length) => simulate(length, BigInt(seed), players, ticks ?? 0xffffffff)), expected);
    const replay = readFileSync(file);
    expect(`${what}, replayed`, ask(replay, verify), expected);
    replay[replay.length >> 1] ^= 1;
    expect(`${what}, damaged`, ask(replay, verify), "refused: it is damaged: its checksum does not match its content");
  }
  // Matches of a day that are played here: the program finds the same result, with the same hash.
  for (const day of ["2026-01-02", "2026-01-05"]) {
    const file = join(folder, `${day}-1.replay`);
    const played = askBytes(Buffer.from(day), daily_try);
    writeFileSync(file, played);
    const expected = run("daily", "--verify", file).trim();
    expect(`the match of ${day}`, ask(played, daily_verify), expected);
    played[played.length >> 1] ^= 1;
    expect(`the match of ${day}, damaged`, ask(played, daily_verify), "refused: it is damaged: its checksum does not match its content");
  }
} finally {
  rmSync(folder, { recursive: true });
}
