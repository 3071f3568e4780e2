"""Policies: small networks that the game plays as AIs, from files in RON."""

import os
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._core import GOALS, OBSERVATION_LENGTH, OBSERVATION_VERSION
from .checks import whole


class Policy:
    """A network of layers, each a pair of weights (inputs, outputs) and biases (outputs), with rectifiers in between.

    It maps an observation to the scores of all goals; the best one is the action. The arrays are copied: training that goes on in them does
    not change the policy.
    """

    def __init__(self, layers: Iterable[tuple[Any, Any]], steps_per_decision: int = 4) -> None:
        self.layers = [(np.array(weights, np.float32), np.array(biases, np.float32)) for weights, biases in layers]
        self.steps_per_decision = whole("steps_per_decision", steps_per_decision)
        inputs = OBSERVATION_LENGTH
        for index, (weights, biases) in enumerate(self.layers):
            if weights.shape != (inputs, len(biases)):
                raise ValueError(f"layer {index} has weights {weights.shape}, must be {(inputs, len(biases))}")
            inputs = len(biases)
        if inputs != GOALS:
            raise ValueError(f"the last layer has {inputs} outputs, must have {GOALS}")

    def scores(self, observations: Any) -> np.ndarray:
        """The scores of (…, `OBSERVATION_LENGTH`) observations."""
        hidden: np.ndarray = np.asarray(observations, np.float32)
        for index, (weights, biases) in enumerate(self.layers):
            hidden = (np.maximum(hidden, 0.0) if index else hidden) @ weights + biases
        return hidden

    def act(self, observations: Any) -> np.ndarray:
        """The best goal of each observation, (…,) int32."""
        return np.asarray(self.scores(observations).argmax(-1), np.int32)

    def save(self, path: str | os.PathLike[str], comment: str = "A learned AI.") -> None:
        """Writes a file for `policies/` of the assets."""
        lines = [f"// {comment}", "(", "    // The version of the observation that it was trained with.", f"    observation: {OBSERVATION_VERSION},"]
        lines += ["    // Simulation steps from one decision to the next.", f"    steps_per_decision: {self.steps_per_decision},"]
        lines += ["    // Each layer multiplies its inputs by its weights, those of the first input for each output first, and adds its biases."]
        lines += ["    layers: ["]
        for weights, biases in self.layers:
            lines.append("        (")
            lines.append(f'            biases: "{_text(biases)}",')
            lines.append('            weights: "')
            lines += [_text(row) for row in weights]
            lines += ['",', "        ),"]
        lines += ["    ],", ")", ""]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Policy":
        """Reads a file that `save` has written."""
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
        steps = re.search(r"steps_per_decision:\s*(\d+)", text)
        numbers = re.findall(r'(biases|weights):\s*"([^"]*)"', text)
        if steps is None or not numbers or len(numbers) % 2:
            raise ValueError(f"{path} is not a policy")
        layers = []
        for (_, biases), (_, weights) in zip(numbers[::2], numbers[1::2]):
            biases = np.array(biases.split(), np.float32)
            layers.append((np.array(weights.split(), np.float32).reshape(-1, len(biases)), biases))
        return cls(layers, int(steps.group(1)))


def _text(numbers: np.ndarray) -> str:
    """Numbers as the shortest decimals with four significant digits."""
    return " ".join(f"{number:.4g}" for number in np.ravel(numbers))
