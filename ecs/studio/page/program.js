// The program behind the page: requests to it, and the stream of what has changed. The protocol is in docs/guide/src/studio.md.
"use strict";

const token = new URLSearchParams(location.search).get("token");

/** Sends a request; throws the sentence with which it is refused. */
async function ask(op, more = {}) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers["X-Token"] = token;
  const response = await fetch("api", { method: "POST", headers, body: JSON.stringify({ op, ...more }) });
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** Sends a request to a panel of the program; throws the sentence with which it is refused. */
async function askPanel(panel, request) {
  return (await ask("panel", { panel, request })).value;
}

// --- what is watched ---

/** The answers that the program has sent, by the text of the request, which is also in their field `asked`. */
const answers = new Map();
/** The last answer to each kind of request. */
const lastAnswers = new Map();
/** The requests of what is being drawn, by their text. */
let wanted = new Map();
/** The texts of the requests that the program knows of, joined; null if it must be told again. */
let watched = null;
let isWatching = false;

/** The answer to a request that only reads, or null before it has come. The panel is drawn again when it changes. */
function read(op, more = {}) {
  const request = { op, ...more };
  const key = JSON.stringify(request);
  wanted.set(key, request);
  const answer = answers.get(key) ?? null;
  if (answer && !answer.error) lastAnswers.set(op, answer);
  return answer;
}

/** As `read`, but the last answer to a request of this kind until the new one has come. */
const readLatest = (op, more) => read(op, more) ?? lastAnswers.get(op) ?? null;

/** What a panel of the program answers to a request that only reads, or null before it has come; throws the sentence of a refusal. */
function readPanel(panel, request) {
  const answer = read("panel", { panel, request });
  if (answer?.error) throw new Error(answer.error);
  return answer?.value ?? null;
}

/** Answers to requests that cost the program time, so that they are not repeated: the last one for each `slot`. */
const asked = new Map();

/** The answer to a request, asked for once for each `key`; null before it has come. */
function readOnce(slot, key, op, more) {
  if (asked.get(slot)?.key !== key) {
    const own = { key, answer: null };
    asked.set(slot, own);
    ask(op, more).catch((error) => ({ error: error.message })).then((answer) => { own.answer = answer; redrawWhenStill(); });
  }
  return asked.get(slot).answer;
}

/** Tells the program what is drawn, if that has changed. */
async function watch() {
  if (isWatching || program.run === null) return;
  isWatching = true;
  while ([...wanted.keys()].join("\n") !== watched && program.isOpen) {
    const requests = [...wanted].map(([key, request]) => ({ key, request }));
    const keys = requests.map(({ key }) => key).join("\n");
    try {
      await ask("watch", { stream: streamName, requests });
      watched = keys;
    } catch (error) {
      // The stream begins again, which tells the program anew.
      if (!(error instanceof TypeError)) say(error.message);
      break;
    }
  }
  isWatching = false;
  if (answers.size > 100) for (const key of answers.keys()) if (!wanted.has(key)) answers.delete(key);
}

// --- the stream ---

/** After so long without a sign the program is halted; it gives one each 0.4 s. */
const SILENCE_MS = 1100;
const RECONNECT_MS = 400;
const streamName = `page${Math.random().toString(36).slice(2)}`;
/** What is known of the program: `looks` counts how often it has looked for requests. */
const program = { run: null, isOpen: false, lastSign: 0, looks: null, stuckBeats: 0, silentChecks: 0, source: null };

/** Shows what has become of the program; nothing if all is well. */
function tellProgram(text, isNotice = false) {
  const box = document.getElementById("program");
  if (box.textContent !== text) box.textContent = text;
  box.className = isNotice ? "notice" : "";
}

function connect() {
  program.source?.close();
  const source = new EventSource(`stream?name=${streamName}${token ? `&token=${token}` : ""}`);
  program.source = source;
  const sign = () => { program.lastSign = performance.now(); program.silentChecks = 0; };
  source.addEventListener("hello", (event) => {
    sign();
    const { run } = JSON.parse(event.data);
    const isRestarted = program.run !== null && program.run !== run;
    if (isRestarted) for (const known of [answers, lastAnswers, asked, knownTypes]) known.clear();
    Object.assign(program, { run, isOpen: true, looks: null, stuckBeats: 0 });
    watched = null;
    tellProgram(isRestarted ? "the program was restarted" : "", true);
    if (isRestarted) setTimeout(() => { if (program.isOpen) tellProgram(""); }, 5000);
    redraw();
  });
  source.addEventListener("answers", (event) => {
    sign();
    Object.assign(program, { looks: null, stuckBeats: 0 });
    if (document.getElementById("program").className !== "notice") tellProgram("");
    for (const [key, answer] of Object.entries(JSON.parse(event.data))) answers.set(key, Object.assign(answer, { asked: key }));
    redrawWhenStill();
  });
  source.addEventListener("beat", (event) => {
    sign();
    const { looks } = JSON.parse(event.data);
    program.stuckBeats = looks === program.looks ? program.stuckBeats + 1 : 0;
    program.looks = looks;
    if (program.stuckBeats >= 3) tellProgram("the program runs no frames: it is busy, or waits for something");
    else if (document.getElementById("program").className !== "notice") tellProgram("");
  });
  source.addEventListener("bye", () => { program.run ??= ""; program.hasEnded = true; });
  source.onerror = async () => {
    source.close();
    if (program.source !== source) return;
    if (program.hasEnded) tellProgram("the program has ended");
    else if (program.isOpen) tellProgram("the program is gone: it was killed, or the connection to it broke");
    else if (program.run === null) {
      // It may refuse this page, for which a stream has no words.
      tellProgram(await ask("status").then(() => "", (error) => (error instanceof TypeError ? "the program is gone, or does not answer" : error.message)));
    }
    Object.assign(program, { isOpen: false, hasEnded: false });
    watched = null;
    if (!document.hidden) setTimeout(() => { if (program.source === source) connect(); }, RECONNECT_MS);
  };
}

setInterval(() => {
  if (!program.isOpen || document.hidden) return;
  // Twice, since signs may wait behind this while the page itself was busy.
  program.silentChecks = performance.now() - program.lastSign > SILENCE_MS ? program.silentChecks + 1 : 0;
  if (program.silentChecks >= 2) tellProgram("the program is halted: there is no sign of it");
}, 150);

// A hidden page has no stream, of which browsers allow few, but lets the program know that it is there.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return connect();
  program.source?.close();
  program.isOpen = false;
});
new Worker("clock.js").addEventListener("message", () => { if (document.hidden) ask("status").catch(() => {}); });
