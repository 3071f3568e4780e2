// The panel `Balance`: many matches with the edited files, beside the run before.

const balance = { mode: "classic", matches: 200, players: 16 };
const BIN_SECONDS = 5;

panels.Balance = () => {
  const shown = readPanel("Balance", { do: "show" });
  if (!shown) return [waiting()];
  const { present, before } = shown;
  const field = (name, most) => el("input", { type: "number", key: name, name, min: 1, max: most, value: String(balance[name]), oninput: (event) => { if (Number.isFinite(event.target.valueAsNumber)) balance[name] = event.target.valueAsNumber; } });
  const begin = async () => {
    try {
      await askPanel("Balance", { do: "run", mode: balance.mode, matches: balance.matches, players: balance.players });
      say("");
    } catch (error) {
      say(error.message);
    }
    await refresh();
  };
  const isRunning = present && !present.is_over;
  const tools = el("div", { class: "tools" },
    el("select", { value: balance.mode, onchange: (event) => { balance.mode = event.target.value; } }, ...shown.modes.map((mode) => el("option", { value: mode }, mode))),
    field("players", 64), "players", field("matches", 100000), "matches",
    el("button", { onclick: begin }, "Run"),
    isRunning ? el("button", { onclick: () => askPanel("Balance", { do: "stop" }).then(refresh) }, "Stop") : null,
    el("span", { class: "faint" }, "AIs play by the files as they are in the editor, saved or not."));
  const whole = (...children) => [el("div", { class: "whole" }, tools, children)];
  if (!present) return whole(el("p", { class: "empty" }, "Run matches to see how they end, how long they take, and who wins."));
  const runs = [["this run", present], ...(before ? [["the run before", before]] : [])];
  const percent = (share) => `${(100 * share).toFixed(0)} %`;
  const row = (title, of) => ({ cells: [title, ...runs.map(([, run]) => of(run))] });
  const figures = table(["", ...runs.map(([title]) => title)], [
    row("matches", (run) => `${run.finished} of ${run.matches}, ${run.mode}, ${run.players} players`),
    ...Object.keys(present.endings).map((ending) => row(`ended by ${ending}`, (run) => bar(run.endings[ending], percent(run.endings[ending])))),
    row("length of the median match", (run) => `${run.median_seconds.toFixed(1)} s`),
    row("changes of the lead in the median match", (run) => run.lead_changes.toFixed(1)),
    row("deaths of a player in a match", (run) => run.deaths_per_player.toFixed(2)),
    row("seats", (run) => (run.finished === 0 ? "" : run.chi_square <= run.chi_square_limit ? "win equally often, as far as these matches tell" : `do not win equally often: ${run.chi_square.toFixed(1)} of ${run.chi_square_limit.toFixed(1)}`)),
  ]);
  const bins = Math.max(1, ...runs.map(([, run]) => run.lengths.length));
  const padded = ({ lengths }) => [...lengths, ...Array(bins - lengths.length).fill(0)];
  return whole(present.problem ? el("p", { class: "alarm" }, present.problem) : null, figures,
    el("h3", {}, `lengths, 0 to ${bins * BIN_SECONDS} s`), bars(runs.map(([title, run]) => [title, padded(run)])),
    el("h3", {}, "points by seat"), el("p", { class: "faint" }, "Bars hold the middle half of the matches with the median, lines all but the lowest and highest tenth."),
    boxes(runs.map(([title, run]) => [title, run.scores])),
    el("h3", {}, "wins by seat"), bars(runs.map(([title, run]) => [title, run.wins])));
};

function bar(share, text) {
  const background = `linear-gradient(90deg, #2f5d46 ${100 * share}%, transparent ${100 * share}%)`;
  return el("span", { style: { display: "inline-block", minWidth: "160px", background, padding: "0 4px" } }, text);
}

/** One row for each run, with the quantiles of each seat as a box. */
function boxes(rows) {
  const most = Math.max(1, ...rows.flatMap(([, seats]) => seats.flat()));
  const height = 80;
  const y = (points) => height * (1 - points / most);
  return el("div", {}, ...rows.map(([title, seats], row) => {
    const step = Math.max(8, Math.floor(560 / seats.length));
    const draw = (canvas) => {
      const context = canvas.getContext("2d");
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.fillStyle = row ? "#55617a" : "#69d58c";
      seats.forEach(([low, quarter, median, half, high], place) => {
        const [left, width] = [place * step, step - 3];
        context.fillRect(left + width / 2, y(high), 1, Math.max(1, y(low) - y(high)));
        context.fillRect(left, y(half), width, Math.max(1, y(quarter) - y(half)));
        context.clearRect(left, y(median), width, 2);
      });
    };
    const told = seats.map((seat, place) => `seat ${place}: ${seat.map(tableNumber).join(", ")}`).join("\n");
    return el("div", { title }, el(Canvas, { width: step * seats.length, height: height + 2, title: told, draw }),
      el("span", { class: "faint" }, ` ${title}, 0 to ${tableNumber(most)} points`));
  }));
}

/** One row of bars for each run. */
function bars(rows) {
  const most = Math.max(1e-9, ...rows.flatMap(([, values]) => values));
  return el("div", {}, ...rows.map(([title, values], row) => {
    const [width, background] = [`${Math.max(6, Math.floor(560 / values.length) - 3)}px`, row ? "#55617a" : "#69d58c"];
    return el("div", { title, style: { margin: "6px 0" } },
      values.map((value) => el("span", { title: tableNumber(value), style: { display: "inline-block", width, height: `${Math.max(1, (60 * value) / most)}px`, marginRight: "3px", background } })),
      el("span", { class: "faint" }, ` ${title}`));
  }));
}
