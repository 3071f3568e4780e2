"""What the environments of a single match have in common."""


class OneWorld:
    """An environment whose match is `_world`, or `None` before the first reset."""

    def state_hash(self):
        """The hash of the whole state, which `simulate` and `replay` of the program print in hexadecimal digits."""
        self._require_match()
        return self._world.state_hash()

    def save_replay(self, path):
        """Writes the match so far as a file for `bounty_hunter replay`. Needs `record=True`."""
        self._require_match()
        content = self._world.replay()
        if content is None:
            raise ValueError("the match was not recorded: create the environment with record=True, and restore only states of such ones")
        with open(path, "wb") as file:
            file.write(content)

    def _require_match(self):
        if self._world is None:
            raise RuntimeError("no match has begun: call reset first")
