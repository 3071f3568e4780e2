"""What all tests share: windows without a screen, and vector environments beside those of Gymnasium."""

import os

# Before pygame is imported.
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
