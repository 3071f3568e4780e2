// The panel `AIs`: what each AI does and why, at the shown moment.

let shownPlayer = 0;

panels.AIs = async () => {
  const { players, ais, chosen } = await askPanel("AIs", { player: shownPlayer });
  const list = el("div", { class: "list" });
  for (const { player, profile, collector, sentence } of ais) {
    list.append(el("div", { class: player === shownPlayer ? "row chosen" : "row", onclick: () => { shownPlayer = player; act("select", { entity: collector }); } },
      el("strong", {}, `Player #${player}`), el("span", { class: "id" }, profile), el("span", { class: "faint", title: sentence }, sentence)));
  }
  if (ais.length === 0) list.append(el("p", { class: "empty" }, "No AI plays."));
  if (ais.length < players && ais.length > 0) list.append(el("p", { class: "faint" }, `${players} players; the first AIs are listed`));
  const detail = el("div", { class: "detail" });
  const ai = ais.find(({ player }) => player === shownPlayer);
  if (!ai || !chosen) {
    detail.append(el("p", { class: "empty" }, ai ? ai.sentence : "Choose a player."));
    return [list, detail];
  }
  if (chosen.goals) {
    detail.append(el("h2", {}, `Player #${shownPlayer}, ${ai.profile} `, entityLink(ai.collector)), el("p", {}, ai.sentence),
      el("p", { class: "faint" }, "A network scores each goal by what the player sees, and the highest score is taken: bounty 0 is the nearest one."),
      table(["goal", "score"], chosen.goals.map(([name, score]) => ({ cells: [name, number(score)] })), [1]));
    return [list, detail];
  }
  const facts = [
    ["state", chosen.state], ["pocket", `${(100 * chosen.pocket).toFixed(0)} %, goes home at ${(100 * chosen.threshold).toFixed(0)} %`],
    ["goes home now", `${chosen.wants_home ? "yes" : "no"}${chosen.is_late ? ", time runs short" : ""}`], ["collectors to avoid", String(chosen.threats)],
  ];
  detail.append(el("h2", {}, `Player #${shownPlayer}, ${ai.profile} `, entityLink(ai.collector)), el("p", {}, ai.sentence),
    el("div", { class: "fields" }, ...facts.flatMap(([name, text]) => [el("label", {}, name), el("span", {}, text)])),
    el("h3", {}, "what it sees, and what it is worth to it"),
    el("p", { class: "faint" }, "The highest score is chosen: points a second for an AI with foresight, points a metre, or minus metres for one that wants the nearest."));
  const choices = [...chosen.choices].sort((one, other) => other.score - one.score);
  detail.append(choices.length ? table(["target", "what it is", "score", "value", "distance", ""], choices.map((choice) => ({
    cells: [entityLink(choice.entity), choice.name, number(choice.score), `${tableNumber(choice.value)} points`, `${choice.distance.toFixed(1)} m`,
      [choice.is_target ? "it goes there" : "", choice.is_best ? "it would choose it now" : ""].filter(Boolean).join("; ")],
  })), [2, 3, 4]) : el("p", { class: "faint" }, "Nothing."));
  return [list, detail];
};
