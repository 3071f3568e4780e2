// The line of questions below the time line: the next and the last frame in which one holds, and its curve.
"use strict";

address({ question: "", curve: "" });
passing.push("question");

/** The stages of a search, as they are told. */
const searchText = {
  searching: ({ backward, looked_to }) => `searching ${backward ? "back" : "on"}, at frame ${looked_to} …`,
  ahead: ({ sentence }) => sentence,
  found: ({ frame, sentence }) => `frame ${frame}: ${sentence}`,
  nowhere: ({ sentence }) => sentence,
  failed: ({ sentence }) => sentence,
};

/** What was found, with the entity as a link; nothing if another question stands in the field by now. */
function foundText(search) {
  if (!search || search.question !== view.question.trim()) return "";
  const text = searchText[search.stage](search);
  if (search.stage !== "found" || !search.entity || !text.includes(`entity ${search.entity}`)) return text;
  const [before, ...behind] = text.split(`entity ${search.entity}`);
  return [before, "entity ", entityLink(search.entity), behind.join(`entity ${search.entity}`)];
}

/** A question that is refused, with the sentence that says why. It stays beside the field, whatever the program tells meanwhile. */
let refusal = null;

/** Looks for a frame in which the question in the field holds. */
async function find(backward) {
  const question = view.question.trim();
  if (!question) return document.querySelector("#questions input").focus();
  refusal = null;
  try {
    await ask("find", { question, backward });
    say("");
  } catch (error) {
    refusal = { question, sentence: error instanceof TypeError ? "the program is gone, or does not answer" : error.message };
    return redraw();
  }
  return refresh();
}

/** The field, what can be done with the question in it, and what is known of it. */
function questionLine() {
  const { search } = status;
  const isSearching = search?.stage === "searching" || search?.stage === "ahead";
  const toggle = () => { view.curve = view.curve ? "" : view.question.trim(); redraw(); };
  const curve = view.curve ? curveAnswer() : null;
  const isDrawing = curve && !curve.error && !curve.problem && curve.looked_from > curve.oldest;
  const refused = refusal?.question === view.question.trim() ? refusal.sentence : null;
  const told = refused ? refused : curve?.error ? `no curve: ${curve.error}` : curve?.problem ? `the curve begins at frame ${curve.looked_from}: ${curve.problem}` : null;
  return [
    el("input", {
      key: "question", type: "text", name: "question", "aria-label": "question", spellcheck: false, value: view.question,
      placeholder: "A question: count(ball) > 3, delta(ball.height_m) < -5", title: "Enter: the next frame in which it holds; Shift+Enter: the last one before",
      oninput: (event) => { view.question = event.target.value; noteAddress(); },
      onkeydown: (event) => { if (event.key === "Enter") find(event.shiftKey); },
    }),
    el("button", { key: "before", name: "find-before", title: "the last frame before the shown one in which it holds", onclick: () => find(true) }, "◀ Last"),
    el("button", { key: "behind", name: "find-behind", title: "the next frame in which it holds: the program stops there", onclick: () => find(false) }, "Next ▶"),
    isSearching ? el("button", { key: "end", name: "end-search", onclick: () => act("end_search") }, "Stop searching") : null,
    el("button", { key: "curve", name: "curve", class: view.curve ? "chosen" : "", title: view.curve || "draws the number, or how many entities it holds for, above the time line", onclick: toggle }, "Watch"),
    el("output", { key: "told", class: told || search?.stage === "failed" ? "alarm" : "faint", title: search?.question ?? "" }, isDrawing ? `the curve is drawn from frame ${curve.looked_from} so far; ` : null, told ?? foundText(search)),
  ];
}

const curveAnswer = () => read("curve", { question: view.curve, columns: 1000 });
/** What is drawn, so that an equal curve is not drawn again. */
let drawnCurve = "";

/** Draws the curve over the width of the time line, with the place of the shown frame. */
function drawCurve() {
  const canvas = document.getElementById("curve");
  if (canvas.hidden !== !view.curve) canvas.hidden = !view.curve;
  const answer = view.curve && curveAnswer();
  if (!answer || answer.error) return;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const key = JSON.stringify([answer, width, height, status.frame]);
  if (key === drawnCurve) return;
  drawnCurve = key;
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  const { columns, oldest, latest } = answer;
  const known = columns.filter(Boolean);
  const [least, most] = [Math.min(...known.map(([low]) => low)), Math.max(...known.map(([, high]) => high))];
  const y = (value) => height - 3 - ((value - least) / (most - least || 1)) * (height - 6);
  const frames = latest - oldest + 1;
  // As on the time line, the first frame is at the left end and the last one at the right end.
  const x = (frame) => ((frame - oldest) / Math.max(1, frames - 1)) * width;
  context.strokeStyle = "#7db7ff";
  context.beginPath();
  let isDown = false;
  columns.forEach((column, place) => {
    if (column) {
      const at = x(oldest + ((place + 0.5) * frames) / columns.length - 0.5);
      context[isDown ? "lineTo" : "moveTo"](at, y(column[0]));
      context.lineTo(at, y(column[1]));
    }
    isDown = column !== null;
  });
  context.stroke();
  context.fillStyle = "#ffc857";
  context.fillRect(Math.min(width - 1, x(status.frame)), 0, 1, height);
  context.fillStyle = "#8793a8";
  context.font = "11px system-ui, sans-serif";
  if (known.length) {
    context.fillText(String(tableNumber(most)), 4, 11);
    context.fillText(String(tableNumber(least)), 4, height - 4);
  }
  canvas.title = `${view.curve}: ${least} to ${most}; click to show a frame`;
}

const curveBox = document.getElementById("curve");
curveBox.addEventListener("click", ({ offsetX }) => {
  const { oldest, latest } = status;
  act("seek", { frame: Math.round(oldest + Math.min(1, Math.max(0, offsetX / curveBox.clientWidth)) * (latest - oldest)) });
});

function showQuestions() {
  preact.render(questionLine(), document.getElementById("questions"));
  drawCurve();
}
