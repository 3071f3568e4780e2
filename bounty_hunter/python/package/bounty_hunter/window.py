"""A window that shows the pictures of a match."""

from typing import Any

import numpy as np


class Window:
    """A window of pygame, which is imported with the first one."""

    def __init__(self, size: int) -> None:
        try:
            import pygame
        except ImportError as error:
            raise ImportError("render_mode='human' needs pygame: install pygame-ce, or choose render_mode='rgb_array'") from error
        self._pygame: Any = pygame
        try:
            pygame.display.init()
            self._surface: Any = pygame.display.set_mode((size, size))
        except pygame.error as error:
            raise RuntimeError(f"no window can be opened ({error}): choose render_mode='rgb_array'") from None
        pygame.display.set_caption("BountyHunter")
        self._clock: Any = pygame.time.Clock()

    def show(self, picture: np.ndarray, pictures_per_second: float) -> None:
        """Shows (size, size, 3) bytes, and waits until the last picture was seen for its time."""
        self._pygame.event.pump()
        self._pygame.surfarray.blit_array(self._surface, picture.swapaxes(0, 1))
        self._pygame.display.flip()
        self._clock.tick(pictures_per_second)

    def close(self) -> None:
        """Closes the window."""
        self._pygame.display.quit()
