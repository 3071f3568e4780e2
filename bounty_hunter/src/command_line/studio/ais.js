// The panel `AIs`: what each AI does and why, at the shown moment.

address({ player: 0 });

panels.AIs = () => {
  const shown = readPanel("AIs", { player: view.player }) ?? panels.AIs.last;
  if (!shown) return [waiting()];
  // Until the answer for another player comes, the list stays as it is.
  panels.AIs.last = shown;
  const { players, ais } = shown;
  const choose = ({ player, collector }) => { view.player = player; act("select", { entity: collector }); };
  const list = el("div", { class: "list", key: "list" },
    el(Rows, {
      name: "ais", label: "AIs", total: ais.length, skip: 0, query: "", rows: ais, keyOf: ({ player }) => player, chosen: view.player, choose,
      draw: ({ player, profile, sentence }, { isChosen, ...more }) => el("div", { ...more, class: isChosen ? "row chosen" : "row" },
        el("strong", {}, `Player #${player}`), el("span", { class: "id" }, profile), el("span", { class: "faint", title: sentence }, sentence)),
    }),
    ais.length === 0 ? el("p", { class: "empty" }, "No AI plays.") : null,
    ais.length < players && ais.length > 0 ? el("p", { class: "faint" }, `${players} players; the first AIs are listed`) : null);
  const detail = (...children) => [list, el("div", { class: "detail", key: `detail ${view.player}` }, children)];
  const chosen = shown.player === view.player ? shown.chosen : null;
  const ai = ais.find(({ player }) => player === view.player);
  if (!ai || !chosen) return detail(el("p", { class: "empty" }, ai ? ai.sentence : "Choose a player."));
  const title = [el("h2", {}, `Player #${view.player}, ${ai.profile} `, entityLink(ai.collector)), el("p", { class: "sentence" }, ai.sentence)];
  if (chosen.goals) {
    return detail(title,
      el("p", { class: "faint" }, "A network scores each goal by what the player sees, and the highest score is taken: bounty 0 is the nearest one."),
      table(["goal", "score"], chosen.goals.map(([name, score]) => ({ key: name, cells: [name, number(score)] })), [1]));
  }
  const facts = [
    ["state", chosen.state], ["pocket", `${(100 * chosen.pocket).toFixed(0)} %, goes home at ${(100 * chosen.threshold).toFixed(0)} %`],
    ["goes home now", `${chosen.wants_home ? "yes" : "no"}${chosen.is_late ? ", time runs short" : ""}`], ["collectors to avoid", String(chosen.threats)],
  ];
  const choices = [...chosen.choices].sort((one, other) => other.score - one.score);
  return detail(title,
    el("div", { class: "fields" }, facts.flatMap(([name, text]) => [el("label", {}, name), el("span", {}, text)])),
    el("h3", {}, "what it sees, and what it is worth to it"),
    el("p", { class: "faint" }, "The highest score is chosen: points a second for an AI with foresight, points a metre, or minus metres for one that wants the nearest."),
    choices.length ? table(["target", "what it is", "score", "value", "distance", ""], choices.map((choice) => ({
      key: choice.entity,
      cells: [entityLink(choice.entity), choice.name, number(choice.score), `${tableNumber(choice.value)} points`, `${choice.distance.toFixed(1)} m`,
        [choice.is_target ? "it goes there" : "", choice.is_best ? "it would choose it now" : ""].filter(Boolean).join("; ")],
    })), [2, 3, 4]) : el("p", { class: "faint" }, "Nothing."));
};
