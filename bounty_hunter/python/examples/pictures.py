"""Draws a learning curve, a heat map of deaths and the balance by seat, as pictures for the README.

    pip install "$(echo target/wheels/bounty_hunter-*.whl)[pictures]"
    python examples/pictures.py --curve curve.csv --out pictures
"""

import argparse
import csv
import pathlib

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import bounty_hunter  # noqa: E402


def learning_curve(path, out):
    with open(path, newline="", encoding="utf-8") as file:
        rows = [{name: float(number) for name, number in row.items()} for row in csv.DictReader(file)]
    minutes = [row["minutes"] for row in rows]
    figure, left = plt.subplots(figsize=(8, 4))
    left.plot(minutes, [100 * row["wins"] for row in rows], color="tab:blue")
    left.axhline(60, color="tab:blue", linestyle=":", linewidth=1)
    left.set(xlabel="minutes of training", ylabel="duels won against normal, %", ylim=(0, 100))
    right = left.twinx()
    right.plot(minutes, [row["points"] for row in rows], color="tab:orange")
    right.set(ylabel="points brought home in a duel", ylim=(0, None))
    left.yaxis.label.set_color("tab:blue")
    right.yaxis.label.set_color("tab:orange")
    figure.tight_layout()
    figure.savefig(out / "learning_curve.png", dpi=100)


def heat_map(records, half_extent_m, out):
    places = np.array([place for record in records for place in record["death_places"]]).reshape(-1, 2)
    figure, axes = plt.subplots(figsize=(5.2, 4.6))
    edges = np.linspace(-half_extent_m, half_extent_m, 61)
    counts, _, _ = np.histogram2d(places[:, 0], places[:, 1], bins=(edges, edges))
    image = axes.imshow(counts.T, origin="lower", extent=(-half_extent_m, half_extent_m) * 2, cmap="inferno")
    axes.set(xlabel="metres", ylabel="metres", title=f"{len(places):,} deaths in {len(records)} matches")
    figure.colorbar(image, label="deaths per cell")
    figure.tight_layout()
    figure.savefig(out / "deaths.png", dpi=100)


def balance(records, out):
    seats = len(records[0]["stashes"])
    wins = np.bincount([record["winner"] for record in records if record["winner"] is not None], minlength=seats)
    expected = wins.sum() / seats
    spread = np.sqrt(expected * (1 - 1 / seats))
    figure, axes = plt.subplots(figsize=(8, 3.5))
    axes.bar(range(seats), wins, color="tab:green")
    axes.axhspan(expected - 2 * spread, expected + 2 * spread, color="gray", alpha=0.3, label="equal seats, 95 %")
    axes.set(xlabel="seat", ylabel="wins", xticks=range(seats), title=f"{wins.sum()} won matches")
    axes.legend()
    figure.tight_layout()
    figure.savefig(out / "seats.png", dpi=100)


def main():
    parser = argparse.ArgumentParser(description="Draws pictures of many matches.")
    parser.add_argument("--curve", help="learning curve that train.py has written")
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--players", type=int, default=16)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("pictures"))
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.curve:
        learning_curve(arguments.curve, arguments.out)
    records = bounty_hunter.play(range(1, arguments.matches + 1), players=arguments.players, death_places=True)
    heat_map(records, bounty_hunter.describe(players=arguments.players)["world_half_extent_m"], arguments.out)
    balance(records, arguments.out)


if __name__ == "__main__":
    main()
