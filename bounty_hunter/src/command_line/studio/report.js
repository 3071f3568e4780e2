// The panel `Report`: the match up to the shown moment as a replay file.

panels.Report = () => {
  const make = async () => {
    try {
      await askPanel("Report", { do: "make" });
      let made = null;
      while (made === null) {
        await new Promise((go) => setTimeout(go, 50));
        made = await askPanel("Report", { do: "take" });
      }
      const bytes = Uint8Array.from(made.bytes.match(/../g), (digits) => parseInt(digits, 16));
      download([bytes], `step_${made.steps}.replay`);
      say("");
    } catch (error) {
      say(error.message);
    }
  };
  return [el("div", { class: "whole" },
    el("h2", {}, "Report what you see"),
    el("p", {}, "A replay holds the match from its beginning to the shown moment: its set-up, all inputs and all edits. Whoever has this version of the game and the same assets sees the same, bit for bit."),
    el("div", { class: "tools" }, el("button", { onclick: make }, "Save the replay")),
    el("p", {}, "Open it with ", el("code", {}, "bounty_hunter replay FILE --studio --edits --at STEP"), ", which stops at that step, in this studio. ",
      el("code", {}, "bounty_hunter replay FILE --verify"), " checks that it repeats."))];
};
